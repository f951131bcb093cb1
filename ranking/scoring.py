"""What the method makes of the evidence: its inputs from the evidence, its checks as criteria. Pure.

The method is loaded where it is used: most collections have no headline row yet, and their gates ask it nothing.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from ranking import canonical
from ranking.criteria import Criterion, Statistic
from ranking.evidence import Evidence
from ranking.field import Field
from ranking.method.inputs import (
    APART,
    HEADLINE,
    REFERENCE,
    Configuration,
    ExternalValue,
    Facet,
    Inputs,
    Judge,
    Verdicts,
)
from ranking.method.results import FAILED, NOT_TESTABLE, Apart, Check, Ranking

if TYPE_CHECKING:
    from ranking.method.checks.shown import Shown

ASKED = {
    "minimum-evidence": "Enough tasks, units and opponents behind each cell.",
    "judges": "Enough independent judges, in both orders, who agree.",
    "dominance": "No one group of evidence may carry most of the score.",
    "reliability": "The score must separate the configurations from noise.",
    "stability": "The order must hold when the evidence is split or repeated.",
}
"""The criteria that the method answers, and what each asks."""

NOBODY = Apart("ranking", "no-headline-rows", "There is no headline row to score.")


@dataclass(frozen=True, slots=True)
class Scoring:
    criteria: dict[str, Criterion]
    """By code, those of ASKED."""
    ranking: Ranking | None = None
    refusal: Apart | None = None
    """Why there is no ranking."""
    shown: "Shown | None" = None


def score(standing: Field) -> Scoring:
    """Never raises: an error is an answer of every check that it keeps from being asked (DOMAIN 3.1)."""
    try:
        return _score(standing) if standing.headline else _unasked(NOT_TESTABLE, NOBODY)
    except Exception as error:  # noqa: BLE001  DOMAIN 3.1: an error in a check is a failed check
        told = f"The checks could not be carried out ({type(error).__name__}); they count as failed."
        return _unasked(FAILED, Apart("ranking", "check-error", told))


def _unasked(verdict: str, why: Apart) -> Scoring:
    criteria = {
        code: Criterion(code, 1, None, None, verdict, why.code, f"{asks} {why.sentence}")
        for code, asks in ASKED.items()
    }
    return Scoring(criteria, refusal=why)


def _score(standing: Field) -> Scoring:
    from ranking.method.evaluation import Predecessor, evaluate
    from ranking.method.refusal import Refusal

    sealed = standing.evidence.sealed
    try:
        inputs = inputs_of(standing)
        if sealed is None:
            found = evaluate(inputs, standing.policy)
        else:
            before = Predecessor(sealed.rows, inputs_of(Field.of(without_new(standing.evidence), standing.policy)))
            panel, constants = sealed.scale
            found = evaluate(inputs, standing.policy, panel, constants, before)
    except Refusal as refusal:
        return _unasked(NOT_TESTABLE, Apart("ranking", refusal.code, refusal.sentence))
    criteria = {check.code: _criterion(check) for check in found.checks if check.code in ASKED}
    return Scoring(criteria, found.ranking, found.refusal, found.shown)


def _criterion(check: Check) -> Criterion:
    return Criterion(**_figure(check), parts=tuple(Statistic(**_figure(part)) for part in check.parts))


def _figure(check: Check) -> dict[str, Any]:
    return {field.name: getattr(check, field.name) for field in fields(Statistic)}


def without_new(evidence: Evidence) -> Evidence:
    """The evidence without what it names as new since the ranking before."""
    new = frozenset(evidence.sealed.new) if evidence.sealed else frozenset()
    return replace(
        evidence,
        results=tuple(row for row in evidence.results if canonical.digest(row) not in new),
        comparisons=tuple(row for row in evidence.comparisons if canonical.digest(row) not in new),
    )


def inputs_of(standing: Field) -> Inputs:
    """Raises Refusal for a word that the method does not know."""
    evidence = standing.evidence
    # A subject of another kind has its evidence shown beside the table; it is never scored in it.
    own = [candidate for candidate in evidence.candidates if candidate.subject_kind == evidence.subject_kind]
    headline = frozenset(standing.headline)
    return Inputs(
        subject_kind=evidence.subject_kind,
        facets=tuple(Facet(facet.slug, facet.weight, facet.mode) for facet in evidence.facets),
        configurations=tuple(
            Configuration(
                key=candidate.key,
                model_release=candidate.model,
                maker=candidate.maker,
                subject_kind=candidate.subject_kind,
                role=HEADLINE if candidate.key in headline else REFERENCE if candidate.reference else APART,
            )
            for candidate in own
        ),
        values=tuple(_values(standing, frozenset(candidate.key for candidate in own))),
        verdicts=tuple(_verdicts(evidence)),
    )


def _values(standing: Field, own: frozenset[str]) -> Iterable[ExternalValue]:
    evidence = standing.evidence
    contracts = {contract.key: contract for contract in evidence.contracts}
    for result in standing.external:
        if result.configuration not in own or result.value is None:
            continue
        contract = contracts[result.contract]
        yield ExternalValue(
            facet=result.facet,
            lineage=result.lineage,
            group=evidence.group_of(result.lineage),
            contract=result.contract,
            protocol=contract.protocol,
            source=result.source,
            configuration=result.configuration,
            # An eligible result of another kind may stand for this one: its mapping allows the projection.
            subject_kind=evidence.subject_kind,
            kind=contract.kind,
            direction=contract.direction,
            unit=contract.unit,
            value=result.value,
            lower=contract.lower,
            upper=contract.upper,
            n=result.n,
            stderr=result.stderr,
            over_rows=contract.stderr_over_rows,
        )


def _verdicts(evidence: Evidence) -> Iterable[Verdicts]:
    judges = tuple(
        Judge(judge.key, "" if judge.person else judge.family or judge.key, judge.maker) for judge in evidence.judges
    )
    rows: dict[str, list[tuple[str, str, str, str, str, str, int]]] = defaultdict(list)
    for row in evidence.comparisons:
        rows[row.facet].append((row.task, row.a, row.b, row.outcome, row.judge, row.order, row.count))
    return (Verdicts.of(facet, found, judges) for facet, found in sorted(rows.items()))
