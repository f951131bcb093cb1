"""What the public may read: published releases, and indexes composed across the live ones.

Pages and API read here and nowhere else. Nothing comes from the registry's tables (DOMAIN 3.8): every word is out of a
sealed release, so that editing the registry changes nothing in public until somebody publishes.

    category("customer-service")     the live release of one category, its tombstone, or None      1 query
    release("0123456789ab")          any release by the beginning of its identifier                1 query
    catalogue()                      all live releases with their records by key                   1 query
    buried()                         what the last releases of withdrawn categories carried         1 query
    history()                        the list of publications, newest first, without content       1 query
    publications("customer-service") the same of one category                                     1 query
    state()                          a validator that changes with every publish and withdrawal    1 query
"""

import json
from typing import Any

from django.db.models import QuerySet

from ranking import canonical
from ranking.catalogue import Catalogue, Listed, Published, Tombstone
from ranking.models import Publication
from ranking.models.releases import PublicationState, ReleaseKind


def live_releases() -> tuple[Published, ...]:
    """The live release of every category, newest publication first. The overall leaderboard is apart."""
    rows = _publications().filter(state=PublicationState.LIVE).exclude(release__kind=ReleaseKind.OVERALL)
    return tuple(_published(row) for row in rows)


def catalogue() -> Catalogue:
    return Catalogue(live_releases())


def category(slug: str) -> Published | Tombstone | None:
    """The live release of a category, or the tombstone of its last one; None where there never was one."""
    rows = _publications().filter(collection__slug=slug).exclude(state=PublicationState.SUPERSEDED)
    row = rows.order_by("-number").first()
    return _told(row) if row else None


def overall() -> Published | Tombstone | None:
    """The live overall leaderboard, or the tombstone of the last one; None where there never was one."""
    rows = _publications().filter(release__kind=ReleaseKind.OVERALL).exclude(state=PublicationState.SUPERSEDED)
    row = rows.order_by("-number").first()
    return _told(row) if row else None


def release(identifier: str) -> Published | Tombstone | None:
    """The one release whose identifier begins so; None where there is none or several."""
    rows = list(_publications().filter(identifier__startswith=identifier)[:2])
    return _told(rows[0]) if len(rows) == 1 else None


def withdrawn() -> tuple[Tombstone, ...]:
    """The categories whose last release was withdrawn, in order of slug."""
    return tuple(_tombstone(row) for row in _last_withdrawn())


def buried() -> Catalogue:
    """The records of those, by which an address knows that it was withdrawn. Nothing else of them may be told."""
    return Catalogue(_published(row) for row in _last_withdrawn())


def _last_withdrawn() -> tuple[Publication, ...]:
    gone = _publications().filter(state=PublicationState.WITHDRAWN, collection__isnull=False)
    gone = gone.exclude(collection__publications__state=PublicationState.LIVE).order_by("collection__slug", "number")
    return tuple({row.collection_id: row for row in gone}.values())


def history(limit: int | None = None) -> tuple[Listed, ...]:
    """Every publication, newest first, without content."""
    return tuple(Listed(**_facts(row)) for row in _publications().defer("release__content")[:limit])


def publications(slug: str) -> tuple[Listed, ...]:
    """Every publication of one category, newest first, without content; of an empty slug, overall leaderboards."""
    rows = _publications().filter(**({"collection__slug": slug} if slug else {"collection": None}))
    rows = rows.defer("release__content").order_by("-number")
    return tuple(Listed(**_facts(row)) for row in rows)


def state() -> str:
    """A validator of all that is public: it changes with every publish and every withdrawal, and with nothing else."""
    return canonical.digest(list(Publication.objects.order_by("pk").values_list("identifier", "state")))


def _publications() -> QuerySet[Publication]:
    rows = Publication.objects.select_related("release__evaluation", "collection", "predecessor")
    return rows.only(
        *("number", "identifier", "state", "reason", "published_at", "withdrawn_at", "withdrawal_reason"),
        *("collection__slug", "predecessor__identifier", "release__evaluation__evaluated_at"),
        *("release__kind", "release__digest", "release__sealed_at", "release__content"),
    ).order_by("-pk")


def _told(row: Publication) -> Published | Tombstone:
    return _tombstone(row) if row.state == PublicationState.WITHDRAWN else _published(row)


def _published(row: Publication) -> Published:
    evaluation = row.release.evaluation
    return Published(
        **_facts(row),
        evaluated_at=evaluation.evaluated_at if evaluation else None,
        content=json.loads(row.release.content),
    )


def _tombstone(row: Publication) -> Tombstone:
    return Tombstone(**_facts(row), title=json.loads(row.release.content)["collection"]["title"])


def _facts(row: Publication) -> dict[str, Any]:
    return {
        "collection": row.collection.slug if row.collection else "",
        "number": row.number,
        "identifier": row.identifier,
        "predecessor": row.predecessor.identifier if row.predecessor else "",
        "digest": row.release.digest,
        "kind": row.release.kind,
        "state": row.state,
        "reason": row.reason,
        "sealed_at": row.release.sealed_at,
        "published_at": row.published_at,
        "withdrawn_at": row.withdrawn_at,
        "withdrawal_reason": row.withdrawal_reason,
    }
