from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import CommandError, CommandParser

from ranking.decisions import Seal
from ranking.models.releases import ReleaseKind
from ranking.overall import SLUG
from ranking.overall_decisions import SealOverall
from registry import confirm
from registry.management.acting import USAGE, ActingCommand
from registry.models import Collection


class Command(ActingCommand):
    help = "Seal the evidence status or ranking of a collection as a candidate, or the leaderboard named `overall`."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("collection")
        parser.add_argument("--kind", choices=(ReleaseKind.STATUS, ReleaseKind.RANKING), default=ReleaseKind.STATUS)
        parser.add_argument(
            "--rebase", action="store_true", help="find panel, pool and constants anew; --reason says why, in public"
        )

    def act(self, by: User, options: dict[str, Any]) -> dict[str, Any]:
        rebase = options["reason"] if options["rebase"] else None
        overall = options["collection"] == SLUG and not Collection.objects.filter(slug=SLUG).exists()
        if overall and options["rebase"]:
            raise CommandError("The overall leaderboard has no panel of its own to re-base.", returncode=USAGE)
        sealing = SealOverall() if overall else Seal(options["collection"], options["kind"], rebase)
        return confirm.carry_out(sealing, by=by, reason=options["reason"])
