from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import CommandParser

from ranking.decisions import Publish
from ranking.models import PublishRequest, Release
from ranking.models.releases import ReleaseKind, RequestState
from registry import confirm
from registry.actions.base import Refused
from registry.management.acting import ActingCommand, do_waiting_jobs


class Command(ActingCommand):
    help = "Publish the newest sealed candidate of a collection and wait for the outcome."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("collection")
        parser.add_argument("--kind", choices=ReleaseKind.values, default=ReleaseKind.STATUS)
        parser.add_argument("--confirm", required=True, metavar="SLUG", help="the slug again, typed on purpose")

    def act(self, by: User, options: dict[str, Any]) -> dict[str, Any]:
        candidate = _candidate(options["collection"], options["kind"])
        decision = Publish(candidate.pk)
        outcome = confirm.carry_out(decision, by=by, typed=options["confirm"], reason=options["reason"])
        do_waiting_jobs()
        return _answer(PublishRequest.objects.select_related("publication").get(pk=outcome["request"]))


def _candidate(slug: str, kind: str) -> Release:
    of = {"collection": None} if kind == ReleaseKind.OVERALL else {"collection__slug": slug}
    waiting = Release.objects.filter(**of, kind=kind, publication__isnull=True)
    candidate = waiting.order_by("-pk").first()
    if candidate is None:
        raise Refused("no-candidate", f"No {kind} candidate of {slug!r} is sealed and waiting.")
    return candidate


def _answer(wish: PublishRequest) -> dict[str, Any]:
    if wish.state == RequestState.REFUSED:
        raise Refused("publish-refused", wish.answer)
    if wish.publication is None:
        return {"message": "The request is recorded; the worker will publish it.", "request": wish.pk}
    number, identifier = wish.publication.number, wish.publication.identifier
    return {"message": f"Published as number {number}.", "number": number, "release": identifier}
