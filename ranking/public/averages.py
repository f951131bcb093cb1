"""The overall leaderboard on its page and on its permanent page."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ranking import live
from ranking.catalogue import Published, Record, Tombstone
from ranking.models.releases import PublicationState
from ranking.public.ranked import Ranked
from ranking.public.rankings import citation


@dataclass(frozen=True, slots=True)
class Category:
    """One that the average is made of, with the ranking that it was made of and what became of that since."""

    facet: Record
    digest: str
    release: Published | None
    """Live as it was averaged; None where a newer one is live, or none."""


class Averaged(Ranked):
    """An overall leaderboard taken apart for its page: its facets are categories."""

    called = "average score"
    covers = False

    @property
    def split(self) -> str:
        return "facet"

    @cached_property
    def columns(self) -> Mapping[str, str]:
        return self.facets


def averaged(release: Published) -> dict[str, Any]:
    """What the page of an overall release says."""
    content = release.content
    return {
        "release": release,
        "content": content,
        "ranked": Averaged(content),
        "averages": list(_categories(content, live.catalogue().rankings)),
        "missing": content["missing"],
        "citation": citation(release),
        "editions": live.publications(""),
        "current": current(),
    }


def current() -> Published | Tombstone | None:
    return live.overall()


def _categories(content: Record, rankings: Iterable[Published]) -> Iterator[Category]:
    present = {release.collection: release for release in rankings if release.state == PublicationState.LIVE}
    facets = {facet["slug"]: facet for facet in content["facets"]}
    for listed in content["categories"]:
        found = present.get(listed["collection"])
        same = found is not None and found.digest == listed["digest"]
        yield Category(facets[listed["collection"]], listed["digest"], found if same else None)
