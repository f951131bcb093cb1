"""What the outcome pages of `ranking`'s decisions have to tell."""

from django.urls import reverse

from ranking.catalogue import SHORT
from ranking.models import GatePolicy, Publication, PublishRequest, Release
from ranking.models.releases import RequestState
from registry.admin.confirm import Detail, outcome_of
from registry.admin.waiting import address
from registry.confirm import Outcome
from registry.models import Collection

Links = list[tuple[str, str]]


@outcome_of("publish")
def published(outcome: Outcome) -> Detail:
    """Waits for the worker, which checks once more."""
    wishes = PublishRequest.objects.select_related("publication__collection", "release__collection")
    wish = wishes.get(pk=outcome["request"])
    desk = _desk(wish.release.collection)
    if wish.state == RequestState.WAITING:
        return Detail("The worker checks everything once more and then publishes.", waiting=True)
    if wish.publication is None:
        return Detail(wish.answer, title="Not published", links=desk)
    told = f"It is number {wish.publication.number}; its permanent id is {wish.publication.identifier}."
    return Detail(
        told, title=f"Published as number {wish.publication.number}", links=[*_public(wish.publication), *desk]
    )


@outcome_of("seal")
@outcome_of("seal-overall")
def sealed(outcome: Outcome) -> Detail:
    release = Release.objects.select_related("collection").get(pk=outcome["release"])
    return Detail("A publisher decides about it.", links=[*_desk(release.collection), ("Candidate", address(release))])


@outcome_of("withdraw")
def withdrawn(outcome: Outcome) -> Detail:
    gone = Publication.objects.select_related("collection").get(pk=outcome["publication"])
    return Detail("A tombstone with the reason stands in its place.", links=[*_public(gone), *_desk(gone.collection)])


@outcome_of("approve-policy")
@outcome_of("discard-policy")
def decided(outcome: Outcome) -> Detail:
    policy = GatePolicy.objects.select_related("edition").get(pk=outcome["policy"])
    return Detail("", links=[(f"Gate policy {policy.name}", address(policy))])


def _public(publication: Publication) -> Links:
    permanent = reverse("public:release", args=(publication.identifier[:SHORT],))
    page = reverse("public:category", args=(publication.collection.slug,)) if publication.collection else ""
    return [("Public page", page)] * bool(page) + [("Permanent page of this release", permanent)]


def _desk(collection: Collection | None) -> Links:
    return [("Collection desk", address(collection))] if collection else []
