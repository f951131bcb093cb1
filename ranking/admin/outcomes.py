"""What the outcome pages of `ranking`'s decisions have to tell."""

from ranking.catalogue import SHORT
from ranking.models import PublishRequest
from ranking.models.releases import RequestState
from registry.admin.confirm import Detail, outcome_of
from registry.admin.waiting import address
from registry.confirm import Outcome


@outcome_of("publish")
def published(outcome: Outcome) -> Detail:
    """Waits for the worker, which checks once more."""
    wish = PublishRequest.objects.select_related("publication__collection", "release__collection").get(
        pk=outcome["request"]
    )
    desk = [("Collection desk", address(wish.release.collection))] if wish.release.collection else []
    if wish.state == RequestState.WAITING:
        return Detail("The worker checks everything once more and then publishes.", waiting=True)
    publication = wish.publication
    if publication is None or publication.collection is None:
        return Detail(f"Not published: {wish.answer}", refused=True, links=desk)
    page = f"/categories/{publication.collection.slug}/"
    release = f"/releases/{publication.identifier[:SHORT]}/"
    links = [("Public page", page), ("Permanent page of this release", release), *desk]
    return Detail(f"Published as number {publication.number}, permanent id {publication.identifier}.", links=links)


@outcome_of("seal")
def sealed(outcome: Outcome) -> Detail:
    return Detail("")
