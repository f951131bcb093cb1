"""What the method is given of the evidence, and what becomes of it where it cannot answer."""

from dataclasses import replace
from typing import Any

import pytest

from ranking import canonical, gate, table
from ranking.evidence import Evidence
from ranking.field import ALLOWING, AVAILABLE, Field
from ranking.method.inputs import APART, EXTERNAL_MODES, HEADLINE, PAIRWISE_MODES, REFERENCE
from ranking.reading import read
from ranking.scoring import ASKED, inputs_of, score
from registry import rules, vocabulary
from tests.ranking import human_evidence
from tests.ranking.method import human

OPEN = human.policy(**human.DEMONSTRATION)


@pytest.fixture(scope="module")
def evidence() -> Evidence:
    return human_evidence.evidence()


def test_the_pure_modules_speak_the_words_of_the_registry() -> None:
    assert ALLOWING == vocabulary.ALLOWING
    assert vocabulary.Availability.AVAILABLE == AVAILABLE
    modes = set(vocabulary.EvaluationMode.values)
    assert modes == EXTERNAL_MODES | PAIRWISE_MODES
    assert {vocabulary.EvaluationMode.HYBRID.value} == EXTERNAL_MODES & PAIRWISE_MODES


@pytest.mark.parametrize("weights", [("50", "50"), ("50", "49.9"), ("0",), ()])
def test_missing_weight_is_that_of_the_registry(evidence: Evidence, weights: tuple[str, ...]) -> None:
    from decimal import Decimal

    facets = tuple(replace(evidence.facets[0], weight=Decimal(weight)) for weight in weights)
    standing = Field.of(replace(evidence, facets=facets), OPEN)
    assert standing.weight_missing == rules.weights_missing(facet.weight for facet in facets)


def test_roles_makers_and_releases_come_from_the_candidates(evidence: Evidence) -> None:
    first = next(candidate for candidate in evidence.candidates if not candidate.reference)
    gone = replace(first, availability="unavailable")
    other = replace(first, key="zz/agent", subject_kind="product")
    candidates = (*(one for one in evidence.candidates if one != first), gone, other)
    inputs = inputs_of(Field.of(replace(evidence, candidates=candidates), OPEN))
    roles = {one.key: one.role for one in inputs.configurations}
    assert roles[gone.key] == APART
    assert other.key not in roles
    assert sorted(set(roles.values())) == sorted({APART, HEADLINE, REFERENCE})
    assert sum(role == HEADLINE for role in roles.values()) == 11
    assert next(one for one in inputs.configurations if one.key == gone.key).maker == first.maker


def test_only_values_that_count_are_read(evidence: Evidence) -> None:
    first, second, *others = evidence.results
    refused = replace(first, reasons=(("excluded", "Because."),), value=None, stderr=None)
    inputs = inputs_of(Field.of(replace(evidence, results=(refused, replace(second, facet=""), *others)), OPEN))
    assert len(inputs.values) == len(evidence.results) - 2
    assert {value.over_rows for value in inputs.values if value.kind == "rating"} == {True}


def test_human_evidence_opens_the_demonstration_and_fails_v3_twice(evidence: Evidence) -> None:
    assert gate.evaluate(evidence, OPEN).verdict == "open"
    strict = gate.evaluate(evidence, human.policy())
    assert strict.verdict == "closed"
    assert [row.code for row in strict.criteria if row.verdict != "passed"] == ["minimum-evidence", "judges"]


def test_no_headline_row_asks_the_method_nothing(evidence: Evidence) -> None:
    found = score(Field.of(replace(evidence, results=()), OPEN))
    assert found.ranking is None
    assert {row.reason for row in found.criteria.values()} == {"no-headline-rows"}
    assert {row.verdict for row in found.criteria.values()} == {"not-testable"}


def test_a_refusal_of_the_method_is_told_with_its_code(evidence: Evidence) -> None:
    first, *others = evidence.results
    mixed = replace(first, value=101.0) if first.contract.startswith("alpaca") else first
    results = (mixed, *(replace(row, value=101.0) if row.contract.startswith("alpaca") else row for row in others))
    found = score(Field.of(replace(evidence, results=results), OPEN))
    assert found.ranking is None
    assert found.refusal
    assert found.refusal.code == "out-of-contract"
    assert {row.reason for row in found.criteria.values()} == {"out-of-contract"}


def test_too_few_rows_for_a_scale_leave_the_counts_told(evidence: Evidence) -> None:
    kept = sorted({row.configuration for row in evidence.results})[:5]
    few = replace(evidence, results=tuple(row for row in evidence.results if row.configuration in kept))
    found = score(Field.of(few, OPEN)).criteria
    assert {found[code].reason for code in ("reliability", "stability")} == {"panel-too-small"}
    assert found["minimum-evidence"].parts


def test_an_error_in_a_check_is_a_failed_check(evidence: Evidence) -> None:
    policy: dict[str, Any] = {name: value for name, value in OPEN.items() if name != "facet_tasks"}
    found = score(Field.of(evidence, policy))
    assert {row.verdict for row in found.criteria.values()} == {"failed"}
    assert {row.reason for row in found.criteria.values()} == {"check-error"}
    assert list(found.criteria) == list(ASKED)


def test_a_snapshot_read_back_is_the_snapshot(evidence: Evidence) -> None:
    assert read(Evidence, canonical.plain(evidence)) == evidence
    ranking = {"ranking": table.table(gate.assess(evidence, OPEN))}
    sealed = table.sealed_by("1" * 64, canonical.plain(ranking), ("2" * 64,))
    again = replace(evidence, sealed=sealed)
    assert read(Evidence, canonical.plain(again)) == again


@pytest.mark.parametrize("told", [[], {"collection": 1}, None])
def test_what_is_no_snapshot_is_refused(told: Any) -> None:
    with pytest.raises((KeyError, TypeError)):
        read(Evidence, told)


@pytest.mark.parametrize(
    ("here", "there", "weaker"),
    [(30, 30, []), (13, 30, ["t"]), (31, 30, []), (["a"], ["a", "b"], ["t"]), (["a", "b"], ["a"], []), ({}, 3, ["t"])],
)
def test_where_a_policy_asks_less(here: Any, there: Any, weaker: list[str]) -> None:
    def policy(value: Any) -> dict[str, Any]:
        return {"name": "v3", "thresholds": {"t": {"value": value, "reason": "-"}}}

    assert [row["threshold"] for row in table.weakened(policy(here), policy(there))] == weaker


def test_a_higher_limit_asks_less_and_a_missing_threshold_asks_nothing() -> None:
    def policy(**values: float) -> dict[str, Any]:
        return {"name": "v3", "thresholds": {name: {"value": value, "reason": "-"} for name, value in values.items()}}

    found = table.weakened(policy(group_weight_limit=0.7), policy(group_weight_limit=0.6, facet_tasks=30))
    assert [(row["threshold"], row["here"]) for row in found] == [("facet_tasks", None), ("group_weight_limit", 0.7)]
