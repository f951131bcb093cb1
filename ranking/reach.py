"""Which public pages a release would bring, change or take away, before anybody decides about it."""

import json
from collections.abc import Iterable

from django.utils import timezone

from ranking import live
from ranking.catalogue import Catalogue, Published
from ranking.content import Content
from ranking.models import Publication, Release
from ranking.models.releases import PublicationState
from ranking.public.machines import pages
from registry.models import Collection
from registry.wording import counted, listed

Row = tuple[str, str, str]


def of_publishing(release: Release) -> list[Row]:
    """Each page with what it is now and what it would be."""
    if release.collection is None:
        return _overall("new text")
    releases = live.live_releases()
    own = as_if_published(release.collection, release.kind, release.digest, json.loads(release.content))
    return _rows(releases, [own, *_others(releases, release.collection)], own, "new text")


def of_withdrawing(publication: Publication) -> list[Row]:
    collection = publication.collection
    if collection is None:
        return [("/overall/", "live", "gone, with the reason")]
    releases = live.live_releases()
    own = next(release for release in releases if release.collection == collection.slug)
    return _rows(releases, _others(releases, collection), own, "without this category")


_KINDS = {
    "categories": "categories and their facets",
    "evidence": "mapping records",
    "benchmarks": "benchmarks",
    "lineages": "lineages",
    "contracts": "metric contracts",
    "atoms": "capability atoms",
    "models": "models",
}


def by_kind(rows: Iterable[Row]) -> list[Row]:
    """One row for all pages of a kind that come, change or go alike; a page that is the only one by its address."""
    alike: dict[Row, list[str]] = {}
    for address, was, told in rows:
        alike.setdefault((address.split("/")[1], was, told), []).append(address)
    return [(_pages_of(kind, addresses), was, told) for (kind, was, told), addresses in alike.items()]


def _pages_of(kind: str, addresses: list[str]) -> str:
    return addresses[0] if len(addresses) == 1 else f"{len(addresses)} pages of {_KINDS[kind]}"


def total(rows: Iterable[Row]) -> str:
    """`8 public pages would appear and 3 change.`"""
    rows = list(rows)
    appear = sum(was == "absent" for _, was, _ in rows)
    gone = sum(told.startswith("gone") for _, _, told in rows)
    parts = [(appear, "appear"), (len(rows) - appear - gone, "change"), (gone, "go")]
    first, *others = [(number, verb) for number, verb in parts if number]
    told = [f"{counted(first[0], 'public page')} would {first[1]}", *(f"{number} {verb}" for number, verb in others)]
    return f"{listed(told)}."


def as_if_published(collection: Collection, kind: str, digest: str, content: Content) -> Published:
    """A release in memory. Its identifier is its digest: it has no number yet and gets no address."""
    now = timezone.now()
    return Published(
        collection=collection.slug,
        number=0,
        identifier=digest,
        predecessor="",
        digest=digest,
        kind=kind,
        state=PublicationState.LIVE,
        reason="",
        sealed_at=now,
        published_at=now,
        withdrawn_at=None,
        withdrawal_reason="",
        evaluated_at=now,
        content=content,
    )


def _others(releases: Iterable[Published], collection: Collection) -> list[Published]:
    return [release for release in releases if release.collection != collection.slug]


def _rows(now: Iterable[Published], then: Iterable[Published], own: Published, changed: str) -> list[Row]:
    before, after, touched = (_pages(releases) for releases in (now, then, [own]))
    return [
        *((page, "absent", "new") for page in after if page not in before),
        *((page, "live", changed) for page in after if page in before and page in touched),
        *((page, "live", "gone, with the reason") for page in before if page not in after),
    ]


def _pages(releases: Iterable[Published]) -> dict[str, None]:
    """In the order of the site."""
    return {address: None for address, _ in pages(Catalogue(releases))}


def _overall(told: str) -> list[Row]:
    was = live.overall()
    return [("/overall/", "live" if isinstance(was, Published) else "absent", told)]
