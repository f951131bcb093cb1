from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import CommandParser

from ranking.actions import recompute
from registry.actions.base import Refused, permit
from registry.management.acting import ActingCommand
from registry.models import Collection
from registry.wording import counted


class Command(ActingCommand):
    help = "Evaluate the gate of the named collections, or of all. Unchanged evidence writes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("collections", nargs="*", metavar="COLLECTION")

    def act(self, by: User, options: dict[str, Any]) -> dict[str, Any]:
        permit(by, recompute.ASK)
        wanted = options["collections"]
        found = Collection.objects.filter(slug__in=wanted) if wanted else Collection.objects.all()
        if missing := sorted(set(wanted) - set(found.values_list("slug", flat=True))):
            raise Refused("no-such-collection", f"There is no collection {', '.join(missing)}.")
        evaluations = {row.slug: recompute.recompute(collection=row) for row in found}
        verdicts = {slug: f"{row.verdict}, snapshot {row.snapshot.digest[:12]}" for slug, row in evaluations.items()}
        return {"message": f"{counted(len(verdicts), 'gate')} evaluated.", **verdicts}
