from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import CommandParser

from ranking.decisions import Seal
from ranking.models.releases import ReleaseKind
from registry import confirm
from registry.management.acting import ActingCommand


class Command(ActingCommand):
    help = "Seal the page of a collection as a candidate for a publisher: its evidence status, or a ranking."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("collection")
        parser.add_argument("--kind", choices=(ReleaseKind.STATUS, ReleaseKind.RANKING), default=ReleaseKind.STATUS)

    def act(self, by: User, options: dict[str, Any]) -> dict[str, Any]:
        return confirm.carry_out(Seal(options["collection"], options["kind"]), by=by, reason=options["reason"])
