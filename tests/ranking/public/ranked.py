"""A ranking release by hand: content of the agreed shape, published as a release is, without the method behind it.

The rows hold every case that a page must tell apart: a shared score, an unbounded and a one-sided interval, an assumed
cell, a harness that nobody declared, two configurations of one model, and rows listed apart.
"""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.utils import timezone

from ranking import canonical
from ranking.models import Publication, Release
from tests.ranking.public import world

Record = dict[str, Any]

FIRST_PARTY = "first-party"
HALF_WIDTH = 2.4
SEPARATED = 4.1
"""Points between two rows from which they count as separated."""

CONFIGURATIONS = (
    # key, model, maker, harness, effort, settings, score, coverage
    ("aster/vega-3@max", "Vega 3", "Aster", "Aster Code 2.1", "max", "unknown", 61.482913, 100),
    ("boreal/finch-2@high", "Finch 2", "Boreal Labs", "unknown", "high", "temperature 0", 60.25, 97.5),
    ("aster/vega-3@low", "Vega 3", "Aster", "Aster Code 2.1", "low", "unknown", 58.949999, 100),
    ("cobalt/orca-xl", "Orca XL", "Cobalt", "OpenDesk 0.9", "unknown", "unknown", 54.05, 92),
    ("dune/saga-70b", "Saga 70B", "Dune", "OpenDesk 0.9", "default", "unknown", 51.333333, 88.25),
    ("ember/quill@high", "Quill", "Ember", "unknown", "high", "unknown", 48.75, 95),
    ("fjord/tern", "Tern", "Fjord", "OpenDesk 0.9", "unknown", "unknown", 48.75, 95),
    ("grove/moss-mini", "Moss Mini", "Grove", "unknown", "unknown", "unknown", 45.15, 81),
    ("haven/pico", "Pico", "Haven", "OpenDesk 0.9", "medium", "unknown", 37.05, 90),
)
UNBOUNDED, ONE_SIDED, ASSUMING = "cobalt/orca-xl", "haven/pico", "dune/saga-70b"
APART = (("ivory/new", "Ivory New", "Ivory", 62.5), ("jade/withheld", "Jade", "Jade", None))


def release(slug: str = world.SLUG) -> tuple[Release, Record]:
    """The newest status release of a category, whose registry records and evaluation a ranking takes over."""
    found = Release.objects.filter(collection__slug=slug, kind="status").latest("pk")
    return found, json.loads(found.content)


def content(slug: str = world.SLUG, change: Callable[[Record], None] | None = None) -> Record:
    """What a ranking release seals; `change` edits it before it is made canonical."""
    said = release(slug)[1]
    said |= {"kind": "ranking", "ranking": _ranking([facet["slug"] for facet in said["facets"]])}
    said["gate"]["verdict"] = "open"
    for criterion in said["gate"]["criteria"]:
        criterion |= {"verdict": "passed", "observed": criterion["required"], "missing": 0, "message": "It is met."}
    if change:
        change(said)
    made: Record = canonical.plain(said)
    return made


def seal(slug: str = world.SLUG, change: Callable[[Record], None] | None = None) -> Release:
    """A candidate."""
    status, _ = release(slug)
    body = canonical.text(content(slug, change))
    return Release.objects.create(
        kind="ranking", collection=status.collection, evaluation=status.evaluation, content=body,
        digest=canonical.sha256(f"ranking\n{body}"), sealed_by="editor",
        sealed_at=timezone.now() - timedelta(hours=1),
    )  # fmt: skip


def publish(
    slug: str = world.SLUG, change: Callable[[Record], None] | None = None, reason: str = "It carries one."
) -> Publication:
    """Seal and publish a ranking in the place of whatever is live."""
    sealed = seal(slug, change)
    before = Publication.objects.filter(collection=sealed.collection).order_by("-number").first()
    assert before
    Publication.objects.filter(collection=sealed.collection, state="live").update(state="superseded")
    number = before.number + 1
    named = {"digest": sealed.digest, "number": number, "predecessor": before.identifier}
    return Publication.objects.create(
        release=sealed, collection=sealed.collection, number=number, predecessor=before,
        identifier=canonical.digest(named), published_by="publisher",
        published_at=timezone.now(), reason=reason,
    )  # fmt: skip


def demonstrate(said: Record) -> None:
    """Make of the content what an edition with a weaker policy would seal."""
    said["policy"] |= {"name": "demonstration", "edition": "demonstration"}
    said["gate"]["policy"] = "demonstration"
    said["collection"]["edition"] |= {"key": "demonstration", "title": "Demonstration"}
    said["ranking"]["weakened"] = [
        {"threshold": "headline_rows", "required_by": "v3", "v3": 8, "here": 5, "reason": "Few took part."},
        {"threshold": "required_rights", "required_by": "v3", "v3": ["rank", "show", "export"], "here": ["rank"],
         "reason": "The rest is not reviewed."},
    ]  # fmt: skip
    said["ranking"]["fails_v3"] = [
        {"code": "independence", "required": 2, "observed": 1, "message": "One more independence group is needed."},
        {"code": "reliability", "required": 1, "observed": None, "message": "It cannot be computed."},
    ]


def _ranking(facets: list[str]) -> Record:
    rows = _rows(facets)
    keys = [row["configuration"] for row in rows]
    return {
        "rows": rows,
        "apart": [_apart(*row) for row in APART],
        "context": [{"key": "kilo/base", "code": "too-few-rows", "message": "Fewer than 8 rows have values there."}],
        "panel": keys[:8],
        "pool": [*keys[:8], "zeta/opponent"],
        "constants": [
            {"facet": facet, "lineage": lineage, "mean": "0.123456789012", "sd": "0.5"}
            for facet in facets
            for lineage in (world.LINEAGE, FIRST_PARTY)
        ],
        "figures": {
            "fragility": {"units": 11, "gap": 1.232913, "gap_after": -0.4},
            "swaps": 540,
            "swaps_kept": 0.81,
            "top_reliability": None,
            "verdict_alpha": 0.24,
        },
        "evidence": [_value(row, line) for line, row in enumerate(rows, start=2)],
        "previous": None,
        "rebased": "",
        "compared_with": None,
        "comparisons": {"verdicts": 2160, "units": 1080, "judges": 2, "tasks": 60},
        "weakened": [],
        "fails_v3": [],
        "dates": {"from": "2026-03-01", "to": "2026-08-30"},
        "changes_since_first_look": {"evaluations": 4, "evidence_changes": 1},
    }


def _rows(facets: list[str]) -> list[Record]:
    scores = [configuration[6] for configuration in CONFIGURATIONS]
    tier, rows = 1, []
    for place, configuration in enumerate(CONFIGURATIONS):
        if place and min(scores[:place]) - max(scores[place:]) > SEPARATED:
            tier += 1
        rows.append(_row(configuration, scores, tier, facets))
    return rows


def _row(configuration: tuple[Any, ...], scores: list[float], tier: int, facets: list[str]) -> Record:
    key, *_, score, coverage = configuration
    above = sum(other - score > SEPARATED for other in scores)
    below = sum(score - other > SEPARATED for other in scores)
    assumes = [f"{facets[0]} / {world.LINEAGE}"] if key == ASSUMING else []
    near = [other[0] for other in CONFIGURATIONS if other[0] != key and abs(other[6] - score) <= SEPARATED]
    return _named(configuration[:6]) | {
        "rank": 1 + sum(other > score for other in scores),
        "rank_low": 1 + above,
        "rank_high": len(scores) - below,
        "tier": tier,
        "top": above == 0,
        "score": score,
        "low": None if key in (UNBOUNDED, ONE_SIDED) else score - HALF_WIDTH,
        "high": None if key == UNBOUNDED else score + HALF_WIDTH,
        "least": score - 1.5 if assumes else score,
        "most": score + 2.25 if assumes else score,
        "standard_error": 1.1,
        "degrees_of_freedom": None if key == UNBOUNDED else 41.5,
        "coverage": coverage,
        "contributions": _contributions(score - 50, facets, assumes),
        "assumes": assumes,
        "indistinct": near,
        "notes": [{"code": "too-few-tasks", "message": "There are too few tasks for an interval."}]
        if key == UNBOUNDED
        else [],
    }


def _named(parts: tuple[str, ...]) -> Record:
    key, model, maker, harness, effort, settings = parts
    return {
        "configuration": key,
        "model": model,
        "model_key": key.partition("@")[0],
        "organization": maker,
        "organization_key": key.partition("/")[0],
        "harness": harness,
        "effort": effort,
        "settings": settings,
        "availability": "available",
    }


def _contributions(points: float, facets: list[str], assumes: list[str]) -> list[Record]:
    """Uneven shares of `points` that sum to it."""
    cells = [(facet, lineage) for facet in facets for lineage in (world.LINEAGE, FIRST_PARTY)]
    cells = [cell for cell in cells if f"{cell[0]} / {cell[1]}" not in assumes]
    tilts = [(place % 3 - 1) * 0.8 for place in range(len(cells))]
    shares = [points / len(cells) + tilt - sum(tilts) / len(cells) for tilt in tilts]
    return [
        {"facet": facet, "group": "statebench" if lineage == world.LINEAGE else FIRST_PARTY, "lineage": lineage,
         "z": share / 1.25, "points": share}
        for (facet, lineage), share in zip(cells, shares, strict=True)
    ]  # fmt: skip


def _apart(key: str, model: str, maker: str, coverage: float | None) -> Record:
    code = "coverage" if coverage else "withheld"
    message = "It covers too few of the required tasks." if coverage else "Its evidence was withheld."
    row = _named((key, model, maker, "unknown", "unknown", "unknown"))
    return row | {"coverage": coverage, "code": code, "message": message}


def _value(row: Record, line: int) -> Record:
    return {
        "configuration": row["configuration"],
        "contract": "v0.8.main.customer_support.pass_at_1",
        "lineage": world.LINEAGE,
        "facet": "diagnosis-and-resolution",
        "value": row["score"] + 10,
        "stderr": None,
        "n": 150,
        "n_assumed": True,
        "source": "5" * 64,
        "source_url": "https://example.org/table",
        "source_ref": "",
        "external_id": "",
        "line": line,
    }
