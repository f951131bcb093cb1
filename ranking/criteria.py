"""The criteria that are counts: of results, groups, rows, tasks, facets and rights. Pure.

Each answers required, observed, missing, verdict, reason code and a sentence.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ranking.evidence import FacetPlan
from ranking.field import ALLOWING, Field
from ranking.method.results import FAILED, NOT_TESTABLE, PASSED


@dataclass(frozen=True, slots=True)
class Statistic:
    """One figure and its answer. `beside` holds numbers shown for context; they decide nothing."""

    code: str
    required: float | int
    observed: float | int | None
    missing: float | int | None
    verdict: str
    reason: str
    message: str
    beside: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Criterion(Statistic):
    """One answer of the gate."""

    parts: tuple[Statistic, ...] = ()
    """The statistics that it is made of; it passes when all of them pass."""


Count = Callable[[Field], Criterion]


def at_least(code: str, required: int, observed: int, what: str, beside: Mapping[str, Any] | None = None) -> Criterion:
    """A count that must reach a number. `what` names the things that are counted."""
    missing = max(0, required - observed)
    reason = "enough" if not missing else "none" if not observed else "too-few"
    verdict = FAILED if missing else PASSED
    message = f"{what}: {observed}. Required: at least {required}."
    return Criterion(code, required, observed, missing, verdict, reason, message, beside or {})


def _external(standing: Field) -> Criterion:
    results = standing.evidence.results
    return at_least(
        "external-evidence",
        standing.policy["external_results"],
        len(standing.external),
        "Eligible external results",
        {"results recorded": len(results)},
    )


def _first_party(standing: Field) -> Criterion:
    observed = sum(row.count for row in standing.evidence.comparisons)
    required = standing.policy["first_party_comparisons"]
    return at_least("first-party-evidence", required, observed, "Eligible first-party comparisons")


def _independence(standing: Field) -> Criterion:
    rows, share = standing.policy["group_headline_rows"], standing.policy["group_weight_share"]
    return at_least(
        "independence",
        standing.policy["independence_groups"],
        len(standing.counting_groups),
        f"Independence groups with values for at least {rows} headline rows in facets carrying at least {share} % "
        "of the weight",
        {"groups with eligible results": len(standing.groups_with_results)},
    )


def _field(standing: Field) -> Criterion:
    return at_least(
        "field",
        standing.policy["headline_rows"],
        len(standing.headline),
        "Headline rows, which are configurations with eligible evidence in every weighted facet in its mode",
        {"configurations with an eligible result": len(standing.configurations_with_results)},
    )


def _coverage(standing: Field) -> Criterion:
    required = standing.policy["task_coverage"]
    without = standing.facets_without_plan
    if without:
        named = ", ".join(without)
        return Criterion(
            "coverage", required, None, None, FAILED, "no-task-plan", f"These facets have no task plan: {named}."
        )
    beside = {"highest coverage of any configuration, %": standing.best_coverage}
    if not standing.headline:
        message = f"No headline row exists whose coverage could reach {required} % of the required tasks."
        return Criterion("coverage", required, None, None, FAILED, "no-headline-rows", message, beside)
    observed = min(standing.coverage[key] for key in standing.headline)
    message = f"The headline row with the least coverage covers {observed} % of the required tasks; {required} % asked."
    return Criterion("coverage", required, observed, max(0, required - observed), PASSED, "enough", message, beside)


def _facets(standing: Field) -> Criterion:
    weighted = standing.evidence.weighted_facets
    if standing.weight_missing:
        message = f"The facet weights come to {100 - standing.weight_missing} %, not to 100 %."
        return Criterion("facets", len(weighted), None, None, FAILED, "weights-not-100", message)
    satisfied = [facet for facet in weighted if standing.satisfied(facet)]
    return at_least("facets", max(1, len(weighted)), len(satisfied), "Weighted facets with evidence in their own mode")


def _rights(standing: Field) -> Criterion:
    required = standing.policy["required_rights"]
    sources = standing.rights_by_source
    if not sources:
        message = "No source is used yet, so there are no rights to test."
        return Criterion("rights", 0, None, None, NOT_TESTABLE, "no-source", message)
    cleared = [uses for uses in sources.values() if all(uses.get(use) in ALLOWING for use in required)]
    named = ", ".join(required)
    return at_least(
        "rights",
        len(sources),
        len(cleared),
        f"Used sources that may be put to every use a release makes of them ({named})",
    )


COUNTS: dict[str, Count] = {
    "external-evidence": _external,
    "first-party-evidence": _first_party,
    "independence": _independence,
    "field": _field,
    "coverage": _coverage,
    "facets": _facets,
    "rights": _rights,
}


def of_facet(facet: FacetPlan, standing: Field) -> tuple[Criterion, ...]:
    found = [_facet_plan(facet)]
    if facet.wants_external:
        found.append(_facet_external(facet, standing))
    if facet.wants_pairwise:
        found.append(_facet_first_party(facet, standing))
    return tuple(found)


def _facet_plan(facet: FacetPlan) -> Criterion:
    required = [task for task in facet.tasks if task.required]
    return at_least("coverage", 1, len(required), "Required tasks in its task plan")


def _facet_external(facet: FacetPlan, standing: Field) -> Criterion:
    found = [result for result in standing.external if result.facet == facet.slug]
    return at_least(
        "external-evidence",
        standing.policy["external_results"],
        len(found),
        "Eligible external results that a measurement assigns to this facet",
        {"configurations": len({result.configuration for result in found})},
    )


def _facet_first_party(facet: FacetPlan, standing: Field) -> Criterion:
    observed = sum(row.count for row in standing.evidence.comparisons if row.facet == facet.slug)
    required = standing.policy["first_party_comparisons"]
    return at_least("first-party-evidence", required, observed, "Eligible first-party comparisons on its tasks")
