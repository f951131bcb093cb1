from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import CommandParser

from ranking.decisions import Withdraw
from ranking.models import Publication
from registry import confirm
from registry.actions.base import Refused
from registry.management.acting import ActingCommand


class Command(ActingCommand):
    help = "Withdraw the live page of a collection and leave a tombstone with the reason."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("collection")
        parser.add_argument("--confirm", required=True, metavar="SLUG", help="the slug again, typed on purpose")

    def act(self, by: User, options: dict[str, Any]) -> dict[str, Any]:
        live = Publication.objects.filter(collection__slug=options["collection"], state="live").first()
        if live is None:
            raise Refused("nothing-live", f"{options['collection']!r} has no live page.")
        decision = Withdraw(live.pk)
        return confirm.carry_out(decision, by=by, typed=options["confirm"], reason=options["reason"])
