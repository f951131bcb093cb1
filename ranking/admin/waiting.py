"""What waits for a person about gates and releases."""

from collections.abc import Iterator

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest

from ranking.admin.behind import behind_of
from ranking.catalogue import SHORT, Record
from ranking.models import GatePolicy, PresentGate, Publication, PublishRequest, Release
from ranking.models.gates import PolicyState
from ranking.models.releases import PublicationState, RequestState
from ranking.public import criteria, words
from registry.admin.queue import SHOWN, Cell, Section
from registry.admin.waiting import adding, address, first, listing, when
from registry.models import Collection
from registry.wording import counted


def sections(request: HttpRequest) -> Iterator[Section]:
    if request.user.has_perm("ranking.view_release"):
        yield _candidates()
        yield _drafts()
    if request.user.has_perm("ranking.view_publication"):
        yield _behind()
    if request.user.has_perm("ranking.view_gateevaluation"):
        yield _gates()
    if request.user.has_perm("ranking.view_publishrequest"):
        yield _requests()


def waiting_candidates() -> QuerySet[Release]:
    """The newest release of each collection and kind, where it was never published."""
    # The overall leaderboard has no collection, and no null equals another.
    alike = Q(collection=OuterRef("collection")) | Q(collection__isnull=True)
    newer = Release.objects.filter(alike, kind=OuterRef("kind"), pk__gt=OuterRef("pk"))
    public = Publication.objects.filter(release=OuterRef("pk"))
    same = Publication.objects.filter(alike, state=PublicationState.LIVE, release__digest=OuterRef("digest"))
    found = Release.objects.filter(~Exists(newer), ~Exists(public), ~Exists(same))
    return found.select_related("collection").defer("content")


def _candidates() -> Section:
    releases, total = first(waiting_candidates())
    return Section(
        order=20,
        title="Candidates waiting for a publisher",
        columns=("Collection", "Kind", "Digest", "Sealed by", "Sealed"),
        rows=[
            (
                _whose(release),
                Cell(release.get_kind_display()),
                Cell(release.digest[:SHORT], address(release)),
                Cell(release.sealed_by),
                Cell(when(release.sealed_at)),
            )
            for release in releases
        ],
        total=total,
        url=listing(Release),
        empty="No candidate waits. An editor seals one on the page of a collection.",
    )


def _whose(release: Release) -> Cell:
    if release.collection is None:
        return Cell("All categories that rank", address(release))
    return Cell(str(release.collection), address(release.collection) + "#page")


def _drafts() -> Section:
    drafts, total = first(GatePolicy.objects.filter(state=PolicyState.DRAFT).select_related("edition"))
    return Section(
        order=25,
        title="Gate policies waiting for a second person",
        columns=("Policy", "Why it exists", "Drafted by", "Drafted"),
        rows=[
            (
                Cell(policy.name, address(policy)),
                Cell(policy.reason),
                Cell(policy.drafted_by),
                Cell(when(policy.drafted_at)),
            )
            for policy in drafts
        ],
        total=total,
        url=listing(GatePolicy, "state__exact=draft"),
        empty="No draft waits. An editor drafts one on the page of the newest version.",
    )


def _behind() -> Section:
    live = (
        Publication.objects.filter(state=PublicationState.LIVE, collection__isnull=False)
        .select_related("collection__edition", "release")
        .defer("release__content")
    )
    late = [(publication, found) for publication in live if (found := behind_of(publication))]
    return Section(
        order=30,
        title="Live pages behind their evidence",
        columns=("Collection", "Live release", "Would read otherwise in", "For example"),
        rows=[
            (
                Cell(str(publication.collection), _desk(publication) + "#page"),
                Cell(f"{publication.identifier[:SHORT]}, number {publication.number}", address(publication)),
                Cell(counted(len(found), "place")),
                Cell(f"{found[0].part}: {found[0].what}"),
            )
            for publication, found in late[:SHOWN]
        ],
        total=len(late),
        url=listing(Publication, "state__exact=live"),
        empty="Every live page says what its evidence says.",
    )


def _desk(publication: Publication) -> str:
    assert publication.collection is not None  # filtered above
    return address(publication.collection)


def _gates() -> Section:
    present = {found.collection_id: found for found in PresentGate.objects.select_related("evaluation")}
    collections, total = first(Collection.objects.all())
    return Section(
        order=40,
        title="Gates by collection",
        columns=("Collection", "Gate", "Missing", "Last run"),
        rows=[_gate(collection, present.get(collection.pk)) for collection in collections],
        total=total,
        url=listing(Collection),
        empty="There is no collection yet.",
        next_step=Cell("Add a collection", adding(Collection)),
    )


def _gate(collection: Collection, present: PresentGate | None) -> tuple[Cell, ...]:
    name = Cell(str(collection), address(collection) + "#gate")
    if present is None:
        return name, Cell("never asked"), Cell("everything"), Cell("")
    evaluation = present.evaluation
    return name, Cell(evaluation.verdict), Cell(_unmet(evaluation.criteria)), Cell(when(present.asked_at))


def _unmet(answers: list[Record]) -> str:
    """As the public counts them: what is not met, by name, and how many cannot be tested."""
    found = criteria.tally(answers)
    failed = [words.criterion(answer["code"]).name for answer in answers if answer["verdict"] == "failed"]
    told = [f"{found.not_met} of {found.asked} not met ({', '.join(failed)})"] if failed else []
    told += [f"{found.cannot_be_tested} cannot be tested"] if found.cannot_be_tested else []
    return "; ".join(told) or "nothing"


def _requests() -> Section:
    """Waiting ones, and refused ones that no later request of the same release answered."""
    later = PublishRequest.objects.filter(release__collection=OuterRef("release__collection"), pk__gt=OuterRef("pk"))
    open_requests = PublishRequest.objects.filter(~Exists(later)).exclude(state=RequestState.PUBLISHED)
    requests, total = first(open_requests.select_related("release__collection").defer("release__content"))
    return Section(
        order=50,
        title="Publish requests waiting or refused",
        columns=("Release", "State", "Asked by", "Asked", "Answer"),
        rows=[
            (
                Cell(f"{wish.release.collection}, {wish.release.digest[:SHORT]}", address(wish)),
                Cell(wish.get_state_display()),
                Cell(wish.requested_by),
                Cell(when(wish.requested_at)),
                Cell(wish.answer),
            )
            for wish in requests
        ],
        total=total,
        url=listing(PublishRequest),
        empty="No request waits for the worker, and none was refused.",
    )
