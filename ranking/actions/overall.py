"""The overall leaderboard: sealed from the live rankings, published only while they are live as they were sealed."""

from django.contrib.auth.models import AbstractUser
from django.utils import timezone

from ranking import canonical
from ranking.content import FORMAT, Content
from ranking.identity import release_digest
from ranking.models import Publication, Release
from ranking.models.releases import PublicationState, ReleaseKind
from ranking.overall import QUESTION, SLUG, TITLE, Ranked, average
from registry import audit
from registry.actions.base import Refused, action


@action("ranking.seal_release")
def seal_overall(*, by: AbstractUser) -> Release:
    """Seal the average over the live rankings; the same content again is the same candidate. Raises Refused."""
    body = canonical.text(present_overall())
    digest = release_digest(ReleaseKind.OVERALL, body)
    waiting = Release.objects.filter(collection=None, digest=digest, publication__isnull=True).first()
    if waiting is not None:
        return waiting
    release = Release.objects.create(
        kind=ReleaseKind.OVERALL, content=body, digest=digest, sealed_by=by.get_username(), sealed_at=timezone.now()
    )
    audit.record("seal", release, by=by, after={"kind": release.kind, "digest": digest})
    return release


def present_overall() -> Content:
    """What the overall leaderboard would say now. Raises Refused, with the code of the method, where there is none."""
    from ranking.method.refusal import Refusal

    live = live_rankings()
    try:
        told = average({slug: _ranked(row.release) for slug, row in live.items()})
    except Refusal as refusal:
        raise Refused(refusal.code, refusal.sentence) from refusal
    content: Content = {
        "format": FORMAT,
        "kind": ReleaseKind.OVERALL.value,
        "collection": {"slug": SLUG, "title": TITLE, "question": QUESTION},
        "categories": [{"collection": slug, "digest": row.release.digest} for slug, row in live.items()],
        "missing": _missing(),
        **told,
    }
    return content


def live_rankings() -> dict[str, Publication]:
    """By slug, in order."""
    rows = Publication.objects.filter(state=PublicationState.LIVE, release__kind=ReleaseKind.RANKING)
    found = rows.select_related("release__evaluation__snapshot", "collection").order_by("collection__slug")
    return {row.collection.slug: row for row in found if row.collection}


def categories_of(content: Content) -> dict[str, Ranked]:
    """What the rankings that an overall averages sealed. Raises Refused where one of them was withdrawn since."""
    found = {}
    for category in content["categories"]:
        rows = Release.objects.filter(kind=ReleaseKind.RANKING, collection__slug=category["collection"])
        published = rows.filter(digest=category["digest"], publication__isnull=False)
        standing = published.exclude(publication__state=PublicationState.WITHDRAWN)
        release = standing.select_related("evaluation__snapshot").first()
        if release is None:
            raise Refused("withdrawn", f"The ranking of {category['collection']} that it averages was withdrawn.")
        found[category["collection"]] = _ranked(release)
    return found


def _ranked(release: Release) -> Ranked:
    assert release.evaluation is not None, "the database has no ranking without an evaluation"
    return Ranked(release.content, release.evaluation.snapshot.body)


def _missing() -> list[Content]:
    """The categories that are published and rank nothing: they contribute nothing."""
    rows = Publication.objects.filter(state=PublicationState.LIVE, release__kind=ReleaseKind.STATUS)
    slugs = rows.order_by("collection__slug").values_list("collection__slug", "collection__title")
    message = "Its live page is an evidence status, which ranks nothing."
    return [{"collection": slug, "title": title, "reason": "no-ranking", "message": message} for slug, title in slugs]
