"""The promotion gate: evidence and policy in, every criterion with its numbers out. Pure.

Each criterion answers required, observed, missing, verdict, reason code and a sentence. What cannot be computed is
`not-testable`, which is not passed; an error inside a check is a failed check. Counts are in `criteria.py`, what the
method answers comes through `scoring.py`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ranking.criteria import COUNTS, Count, Criterion, of_facet
from ranking.evidence import Evidence
from ranking.field import Field
from ranking.method.results import FAILED, NOT_TESTABLE, PASSED
from ranking.scoring import ASKED, Scoring, score

__all__ = ["CLOSED", "FAILED", "NOT_TESTABLE", "OPEN", "PASSED", "Criterion", "GateAnswer", "assess", "evaluate"]

OPEN = "open"
CLOSED = "closed"

Policy = Mapping[str, Any]
"""The value of each threshold, by name."""

CODES = ("external-evidence", "first-party-evidence", "independence", "field", "coverage", "facets", *ASKED, "rights")
"""Every criterion, in the order of a page."""


@dataclass(frozen=True, slots=True)
class FacetAnswer:
    facet: str
    criteria: tuple[Criterion, ...]


@dataclass(frozen=True, slots=True)
class GateAnswer:
    verdict: str
    criteria: tuple[Criterion, ...]
    facets: tuple[FacetAnswer, ...]


@dataclass(frozen=True, slots=True)
class Assessment:
    """The answer of the gate and what the method made of the same evidence."""

    answer: GateAnswer
    scoring: Scoring
    standing: Field


def evaluate(evidence: Evidence, policy: Policy) -> GateAnswer:
    """Ask every criterion, of the collection and of each facet."""
    return assess(evidence, policy).answer


def assess(evidence: Evidence, policy: Policy) -> Assessment:
    standing = Field.of(evidence, policy)
    scoring = score(standing)
    answers = {code: _ask(code, count, standing) for code, count in COUNTS.items()} | scoring.criteria
    criteria = tuple(answers[code] for code in CODES)
    facets = tuple(FacetAnswer(facet.slug, of_facet(facet, standing)) for facet in evidence.facets)
    verdict = OPEN if all(criterion.verdict == PASSED for criterion in criteria) else CLOSED
    return Assessment(GateAnswer(verdict, criteria, facets), scoring, standing)


def _ask(code: str, count: Count, standing: Field) -> Criterion:
    try:
        return count(standing)
    except Exception as error:  # noqa: BLE001  DOMAIN 3.1: an error in a check is a failed check
        message = f"The check could not be carried out ({type(error).__name__}); it counts as failed."
        return Criterion(code, 1, None, None, FAILED, "check-error", message)
