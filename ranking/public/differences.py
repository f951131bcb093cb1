"""What one release of a category says otherwise than another, in words."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse

from ranking import diff as differ
from ranking import live
from ranking.catalogue import Published, Record
from ranking.public import figures, words
from ranking.public.rules import value_in_words
from ranking.public.serving import page, present, public


@dataclass(frozen=True, slots=True)
class Change:
    """One line of the comparison: what it is about, and how it was said before and after."""

    name: str
    before: str
    after: str


@public
def diff(request: HttpRequest, identifier: str, other: str) -> HttpResponse:
    before, after = (present(live.release(name), f"release {name}") for name in (identifier, other))
    if before.collection != after.collection:
        raise Http404(f"“{before.title}” and “{after.title}” are different categories: their releases do not compare.")
    return page(
        request,
        "diff",
        title=f"{after.title}: release {before.number} to release {after.number}",
        description=f"What release {after.number} says otherwise than release {before.number}.",
        data=f"releases/{before.short}/diff/{after.short}/",
        releases=[after],
        crumbs=[("Releases", reverse("public:releases"))],
        canonical=reverse("public:diff", args=[before.short, after.short]),
        before=before,
        after=after,
        **told(before, after),
    )


def told(before: Published, after: Published) -> dict[str, Any]:
    found = differ.between(before.content, after.content)
    facets = {row["slug"]: row["title"] for release in (before, after) for row in release.content["facets"]}
    return {
        "found": found,
        "same": not any(found.values()),
        "other_scale": not differ.on_one_scale(found),
        "rebased": [(release, why) for release in (before, after) if (why := _rebased(release))],
        "moved": [_moved(row) for row in found["moved"]],
        "rows_in": [_row(row) for row in found["rows_in"]],
        "rows_out": [_row(row) for row in found["rows_out"]],
        "scale": [_scale(row) for row in found["scale"]],
        "gate": [_criterion(row) for row in found["gate"]],
        "facets": list(_changes(found["facets"], lambda name: facets.get(name, name), words=words.FACET_STATUSES)),
        "mappings": list(_changes(found["mappings"], str)),
        "counted": list(_changes(found["counted"], str.capitalize)),
        "weights": list(_changes(found["weights"], lambda name: facets.get(name, name), "%")),
        "policy": list(_changes(found["policy"], words.threshold)),
        "comparisons": list(_changes(found["comparisons"], str.capitalize)),
        "policies": _policies(before, after),
    }


def _row(row: Record) -> tuple[str, str, str, str]:
    """Key, model, ranks and score of a row that only one of the two has."""
    return row["configuration"], row["model"], _range(row), figures.one(row["score"])


def _moved(row: Record) -> tuple[str, str, str, str, str, str]:
    was, now = row["before"], row["after"]
    scores = figures.one(was["score"]), figures.one(now["score"])
    return row["configuration"], row["model"], _range(was), _range(now), *scores


def _range(row: Record) -> str:
    return figures.span(row["rank_low"], row["rank_high"])


def _changes(
    rows: Iterable[Record], name: Any, unit: str = "", words: Mapping[str, str] | None = None
) -> Iterable[Change]:
    known = words or {}
    for row in rows:
        before, after = (known.get(row[side], row[side]) for side in ("before", "after"))
        yield Change(name(row["name"]), _said(before, unit), _said(after, unit))


def _criterion(row: Record) -> Change:
    known = words.criterion(row["name"])
    before, after = (known.told(row[side]) if row[side] else "not asked" for side in ("before", "after"))
    return Change(known.name, before, after)


def _said(value: object, unit: str) -> str:
    return "not there" if value is None else f"{value_in_words(value)}{unit}"


def _rebased(release: Published) -> str:
    """Why it found its scale anew, if it did."""
    return str(release.content.get("ranking", {}).get("rebased", ""))


def _scale(row: Record) -> Change:
    """Shortened: the data have all 12 places."""
    told = (f"mean {float(row[side]['mean']):.3f}, SD {float(row[side]['sd']):.3f}" for side in ("before", "after"))
    return Change(row["name"], *(said.replace("-", figures.MINUS) for said in told))


def _policies(before: Published, after: Published) -> Change | None:
    names = [release.content["policy"]["name"] for release in (before, after)]
    return None if names[0] == names[1] else Change("Gate policy", *names)
