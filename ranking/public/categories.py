"""Categories: the front page, a category, a facet, and why there is no overall leaderboard."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse

from ranking import live
from ranking.catalogue import CATEGORIES, Catalogue, Listed, Published, Record, Tombstone
from ranking.method.results import FAILED, NOT_TESTABLE
from ranking.public import criteria, records, words
from ranking.public.averages import averaged
from ranking.public.ranked import Ranked
from ranking.public.rankings import ranking
from ranking.public.serving import page, present, public

TOP = ("Categories", "/")


@dataclass(frozen=True, slots=True)
class Standing:
    """A category in one line: where it stands, and why."""

    release: Published

    @property
    def ranked(self) -> Ranked | None:
        return Ranked(self.release.content) if self.release.is_ranking else None

    @property
    def rows(self) -> list[criteria.CriterionRow]:
        return criteria.rows(self.release.content["gate"]["criteria"])

    @property
    def tally(self) -> criteria.Tally:
        return criteria.tally(self.release.content["gate"]["criteria"])

    @property
    def not_met(self) -> list[str]:
        """Names of the criteria that failed; those that cannot be tested are counted beside them."""
        return criteria.names(self.rows, FAILED)


def standings(catalogue: Catalogue) -> dict[str, Any]:
    """Ranked categories and those not ranked yet, each in order of title."""
    releases = sorted(catalogue.releases, key=lambda release: release.title)
    return {
        "ranking": [Standing(release) for release in releases if release.is_ranking],
        "unranked": [Standing(release) for release in releases if not release.is_ranking],
    }


@public
def home(request: HttpRequest) -> HttpResponse:
    catalogue, withdrawn = live.catalogue(), live.withdrawn()
    return page(
        request,
        "home",
        title="Which AI is best at which kind of work?",
        description="Rankings only where the evidence can carry one, and the exact reason wherever it cannot.",
        data="collections/",
        releases=catalogue.releases,
        catalogue=catalogue,
        withdrawn=withdrawn,
        overall=live.overall(),
        latest=named(live.history(8), catalogue, withdrawn),
        **standings(catalogue),
    )


@public
def category(request: HttpRequest, slug: str) -> HttpResponse:
    release = present(live.category(slug), f"published category “{slug}”")
    return page(
        request,
        "category",
        title=release.title,
        description=described(release),
        data=f"releases/{release.short}/rows/" if release.is_ranking else f"collections/{slug}/",
        releases=[release],
        crumbs=[TOP],
        catalogue=Catalogue([release]),
        **editions(release),
        **said(release),
    )


def described(release: Published) -> str:
    """One line for those who only see a link."""
    question = release.content["collection"]["question"]
    if not release.is_ranking:
        return f"{question} There is no ranking yet: this page says why."
    return f"{question} A ranking of {len(release.content['ranking']['rows'])} configurations, and how far to trust it."


def editions(release: Published) -> dict[str, Any]:
    """The publications of the category, which a ranking's page lists. An evidence status leads to all releases."""
    return {"editions": live.publications(release.collection)} if release.is_ranking else {}


def said(release: Published) -> dict[str, Any]:
    """What the page of a release says, of whatever kind it is."""
    return status(release) | (ranking(release) if release.is_ranking else {})


def named(listed: Iterable[Listed], catalogue: Catalogue, withdrawn: Iterable[Tombstone]) -> list[tuple[Listed, str]]:
    """Each publication with its category's title, which for one of long ago is the title of the last release."""
    titles = {tombstone.collection: tombstone.title for tombstone in withdrawn}
    titles |= {slug: release.title for slug, release in catalogue.categories.items()}
    return [(found, titles.get(found.collection, "Overall leaderboard")) for found in listed]


def status(release: Published) -> dict[str, Any]:
    """What an evidence-status page says, of whatever release; a ranking says it too."""
    content = release.content
    rows = criteria.rows(content["gate"]["criteria"])
    return {
        "release": release,
        "content": content,
        "criteria": rows,
        "not_met": criteria.names(rows, FAILED),
        "not_testable": criteria.names(rows, NOT_TESTABLE),
        "tally": criteria.tally(content["gate"]["criteria"]),
        "weights": criteria.weight_bars(content["facets"]),
        "mappings": sorted(records.of_release(release), key=lambda found: found.record["benchmark"]["title"]),
        "modes": words.MODES,
    }


@public
def facet(request: HttpRequest, slug: str, facet: str) -> HttpResponse:
    release = present(live.category(slug), f"published category “{slug}”")
    found = next((row for row in release.content["facets"] if row["slug"] == facet), None)
    if found is None:
        raise Http404(f"The category “{release.title}” has no facet “{facet}”.")
    return page(
        request,
        "facet",
        title=f"{found['title']}: {release.title}",
        description=f"{found['description']} What this facet needs as evidence, and what there is.",
        data=f"facets/{slug}/{facet}/",
        releases=[release],
        crumbs=[TOP, (release.title, reverse("public:category", args=[slug]))],
        catalogue=Catalogue([release]),
        release=release,
        facet=found,
        needs=words.MODES[found["mode"]],
        standing=words.FACET_STATUSES.get(found["status"]["code"], found["status"]["code"]),
        criteria=criteria.rows(found["criteria"], of_facet=True),
        required=sum(task["required"] for task in found["tasks"]),
        speaking=list(_speaking(release, facet)),
        parts=Ranked(release.content).of_facet(facet) if release.is_ranking else None,
    )


def _speaking(release: Published, facet: str) -> Iterator[tuple[Record, Record]]:
    """Each mapping that speaks to the facet, with what it says of it."""
    for mapping in sorted(release.content["mappings"], key=lambda row: row["benchmark"]["title"]):
        for said in mapping["facets"]:
            if said["slug"] == facet:
                yield mapping, said


@public
def overall(request: HttpRequest) -> HttpResponse:
    found = live.overall()
    if isinstance(found, Published):
        return average(request, found)
    catalogue = live.catalogue()
    return page(
        request,
        "overall",
        title="No overall leaderboard",
        description="Why there is no overall leaderboard, and what each category contributes to one.",
        data="overall/",
        releases=catalogue.releases,
        catalogue=catalogue,
        withdrawn=live.withdrawn(),
        fewest=CATEGORIES,
        tombstone=found,
        **standings(catalogue),
    )


def average(request: HttpRequest, release: Published) -> HttpResponse:
    """The page of an overall release, on the address of the live one and on its own."""
    return page(
        request,
        "average",
        title=release.title,
        description="An average over the categories that rank, and what each of them adds to it.",
        data=f"releases/{release.short}/rows/",
        releases=[release],
        canonical=reverse("public:release", args=[release.short]),
        **averaged(release),
    )
