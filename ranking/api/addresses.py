"""The addresses themselves. Every answer is made of what live and past releases carry, through `ranking.live`."""

import re
from typing import Any

from django.conf import settings
from django.urls import reverse
from rest_framework.exceptions import NotFound
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response

from ranking import live
from ranking.api import pages, rows
from ranking.api.lists import EDITION, Listing
from ranking.api.parameters import Filter, Query
from ranking.api.problems import Withdrawn
from ranking.api.renderers import CSVRenderer, ZIPRenderer
from ranking.api.shapes import gates, rankings, releases, taxonomy
from ranking.api.shapes.base import Shape, columns
from ranking.api.views import Address
from ranking.bundle import releases as bundles
from ranking.catalogue import SHORT, Published, Tombstone
from ranking.models.releases import PublicationState, ReleaseKind
from registry.actions.base import Refused

IDENTIFIER = re.compile(rf"[0-9a-f]{{{SHORT},64}}")


class Index(Address):
    """Where everything is."""

    operation = "get_index"
    summary = "The address of every list and page of the API."
    shape = releases.Index
    names: tuple[str, ...] = ()

    def read(self, query: Query, **names: str) -> tuple[Any, str]:
        addresses = {name: self.request.build_absolute_uri(reverse(f"api:{name}")) for name in self.names}
        version = settings.SPECTACULAR_SETTINGS["VERSION"]
        return {"name": settings.SITE_NAME, "version": version, "addresses": addresses}, ""


class List(Address):
    """One page of a list, at most 100 rows. Its member next leads to the page that follows."""

    renderer_classes = (JSONRenderer, CSVRenderer)
    others = ("format", *pages.PARAMETERS)
    listing: Listing | None = None
    member = "results"

    @property
    def columns(self) -> tuple[str, ...]:
        """Of the CSV."""
        return columns(self.shape)

    def rows(self) -> rows.Rows:
        assert self.listing
        return self.listing.read(live.catalogue())

    def read(self, query: Query, **names: str) -> tuple[Any, str]:
        page = pages.page(query.apply(self.rows(), self.shape()), query.values)
        following = page.following and self.request.build_absolute_uri(f"{self.request.path}?{page.following}")
        if following:
            self.headers["Link"] = f'<{following}>; rel="next"'
        return {"count": page.count, "next": following, "results": page.rows}, ""

    def answer(self, data: Any) -> Response:
        return Response(data | {"results": self.shape(data["results"], many=True).data})


class Record(Address):
    """One record of a list, in the words of the newest live release that carries it.

    What only a withdrawn category carried answers 410 with the reason.
    """

    listing: Listing | None = None
    refusals = (404, 410)

    def read(self, query: Query, **names: str) -> tuple[Any, str]:
        assert self.listing
        key = "/".join(names.values())
        row = self.listing.read(live.catalogue()).get(key)
        if row is None:
            standing(self.withdrawn(key), f"No live release carries the {self.listing.one} {key!r}.")
        return row, ""

    def withdrawn(self, key: str) -> Published | Tombstone | None:
        """The release that carried the record until its category was withdrawn."""
        assert self.listing
        row = self.listing.read(live.buried()).get(key)
        return live.release(row["release"]) if row else None


class Collections(List):
    """One page of the categories that have a live release."""

    operation = "list_collections"
    summary = "Categories of work, each with its live release."
    shape = taxonomy.CollectionRow
    filters = (
        EDITION,
        Filter("kind", "What the live release is.", ReleaseKind),
        Filter("state", "Whether it is ranked.", taxonomy.CollectionState),
    )

    def rows(self) -> rows.Rows:
        return rows.collections(live.catalogue())


class OfCategory(Address):
    """What the live release of one category says."""

    refusals = (404, 410)

    def read(self, query: Query, **names: str) -> tuple[Any, str]:
        slug = names["slug"]
        release = standing(live.category(slug), f"No category {slug!r} was ever published.")
        return self.tell(release), release.identifier

    def tell(self, release: Published) -> rows.Row:
        raise NotImplementedError


class Collection(OfCategory):
    """A category by its live release: whether it is ranked or why not, its facets and the evidence there is."""

    operation = "get_collection"
    summary = "A category of work and where its evidence stands."
    shape = taxonomy.Collection

    def tell(self, release: Published) -> rows.Row:
        return rows.collection(release)


class Gate(OfCategory):
    """The gate evaluation that the live release of a category seals, every criterion with its numbers. No scores."""

    operation = "get_gate"
    summary = "Why a category has no ranking, criterion by criterion."
    shape = gates.Gate

    def tell(self, release: Published) -> rows.Row:
        return rows.gate(release)


class Releases(List):
    """One page of all publications, the newest first; superseded and withdrawn ones stay in the list."""

    operation = "list_releases"
    summary = "Every publication, newest first."
    shape = releases.ReleaseRow
    filters = (
        Filter("collection", "Slug of a collection."),
        Filter("kind", "What kind of release it is.", ReleaseKind),
        Filter("state", "Live, superseded or withdrawn.", PublicationState),
    )

    def rows(self) -> rows.Rows:
        return rows.releases(live.history())


class OfRelease(Address):
    """What one release seals. It never changes; a withdrawn release answers 410 with the reason."""

    refusals = (404, 410)

    def read(self, query: Query, **names: str) -> tuple[Any, str]:
        release = release_named(names["identifier"])
        return self.tell(release), release.identifier

    def tell(self, release: Published) -> rows.Row:
        raise NotImplementedError


class Release(OfRelease):
    """A release with all that it seals, from which its digest can be computed again."""

    operation = "get_release"
    summary = "A release and its content."
    shape = releases.Release

    def read(self, query: Query, **names: str) -> tuple[Any, str]:
        data, identifier = super().read(query, **names)
        # Content never changes, but the answer also says whether the release is still the live one.
        return data, identifier if data["state"] == PublicationState.LIVE else f"{identifier}.{data['state']}"

    def tell(self, release: Published) -> rows.Row:
        return rows.release(release)


class Table(OfRelease):
    """An answer of which one member is a table, and so has a CSV."""

    renderer_classes = (JSONRenderer, CSVRenderer)
    member = ""
    row: type[Shape] = Shape

    @property
    def columns(self) -> tuple[str, ...]:
        return columns(self.row)


class ReleaseRows(Table):
    """The ranked rows of a release, in order of score; an evidence-status release has none and says why.

    Its CSV holds the rows, without those listed apart and without the contributions.
    """

    operation = "get_release_rows"
    summary = "The ranked rows of a release, or why there are none."
    shape = releases.Rows
    member, row = "rows", rankings.RankedRow

    def tell(self, release: Published) -> rows.Row:
        return rows.ranked(release)


class ReleaseEvidence(Table):
    """The evidence behind a release in counts, with the reason of all that does not count.

    A ranking release adds the values that count in it, and they are its CSV.
    """

    operation = "get_release_evidence"
    summary = "The evidence behind a release."
    shape = releases.ReleaseEvidence
    member, row = "values", rankings.EvidenceValue

    def tell(self, release: Published) -> rows.Row:
        if release.is_overall:
            raise NotFound("An overall leaderboard has no evidence of its own: its categories have it.")
        return rows.evidence(release)


class ReleaseBundle(Address):
    """What a stranger needs to check a release without this site, in one ZIP whose bytes never change.

    It holds what was sealed and a manifest; of a ranking also the evidence, from which everything can be computed anew.
    """

    operation = "get_release_bundle"
    summary = "A release to keep and to check."
    renderer_classes = (ZIPRenderer,)
    refusals = (404, 410)

    def read(self, query: Query, **names: str) -> tuple[Any, str]:
        release = release_named(names["identifier"])
        return release, release.identifier

    def answer(self, data: Published) -> Response:
        try:
            archive = bundles.bundle(bundles.publication(data.identifier))
        except Refused as refusal:
            raise NotFound(refusal.sentence) from refusal
        named = f'attachment; filename="{data.collection or data.kind}-{data.number}-{data.short}.zip"'
        return Response(archive, headers={"Content-Disposition": named})


class ReleaseDifference(Address):
    """What one release of a collection says otherwise than another: rows, ranks, evidence, exclusions and rules."""

    operation = "get_release_difference"
    summary = "What changed between two releases of one collection."
    shape = releases.Difference
    refusals = (404, 410)

    def read(self, query: Query, **names: str) -> tuple[Any, str]:
        before, after = (release_named(names[name]) for name in ("identifier", "other"))
        if before.collection != after.collection:
            raise NotFound(f"The releases are of two collections: {before.collection} and {after.collection}.")
        return rows.difference(before, after), f"{before.identifier}.{after.identifier}"


class Overall(Address):
    """The overall leaderboard, or why there is none and which categories do not contribute to it."""

    operation = "get_overall"
    summary = "The overall leaderboard, or why there is none."
    shape = releases.Overall

    def read(self, query: Query, **names: str) -> tuple[Any, str]:
        found = live.overall()
        return rows.overall(live.catalogue(), live.withdrawn(), found if isinstance(found, Published) else None), ""


def release_named(name: str) -> Published:
    found = live.release(name) if IDENTIFIER.fullmatch(name) else None
    return standing(found, f"No one release is named by {name!r}; it takes {SHORT} or more of its digits.")


def standing(found: Published | Tombstone | None, missing: str) -> Published:
    """`found`, unless it never was or was withdrawn."""
    if found is None:
        raise NotFound(missing)
    if isinstance(found, Tombstone):
        assert found.withdrawn_at
        raise Withdrawn(found.withdrawal_reason, found.withdrawn_at.isoformat().replace("+00:00", "Z"))
    return found


def of(listing: Listing) -> dict[str, Any]:
    """What makes a `List` the list `listing`."""
    return {
        "listing": listing,
        "operation": f"list_{listing.name}",
        "summary": listing.summary,
        "shape": listing.row,
        "filters": listing.filters,
    }


def one_of(listing: Listing) -> dict[str, Any]:
    """What makes a `Record` one of `listing`."""
    shape: type[Shape] = listing.record or listing.row
    summary = f"One {listing.one}."
    return {"listing": listing, "operation": f"get_{listing.one}", "summary": summary, "shape": shape}
