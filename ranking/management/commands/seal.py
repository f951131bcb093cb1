from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import CommandParser

from ranking.decisions import Seal
from registry import confirm
from registry.management.acting import ActingCommand


class Command(ActingCommand):
    help = "Seal the evidence-status page of a collection as a candidate for a publisher."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("collection")

    def act(self, by: User, options: dict[str, Any]) -> dict[str, Any]:
        return confirm.carry_out(Seal(options["collection"]), by=by, reason=options["reason"])
