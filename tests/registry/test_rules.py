"""Eligibility tells every failed condition; groups are connected components."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from registry.rules import (
    ContractTerms,
    Reach,
    Refusal,
    ResultFacts,
    Subject,
    independence_groups,
    missing_identity,
    reasons,
    refusals_reaching,
    weights_missing,
)

CONTRACT = ContractTerms(
    use="usable",
    kind="rate",
    subject_kind="harnessed-model",
    unit="percent",
    lower=0,
    upper=100,
    minimum_n=10,
    assumed_n=150,
    required_identity=("model", "effort"),
)
GOOD = ResultFacts(
    value=57.6,
    absence="",
    stderr=None,
    n=None,
    state="active",
    batch_status="applied",
    rank_rights="allowed",
    benchmark_status="registered",
    mapping_role="primary",
    projection="forbidden",
    lineage_use="usable",
    lineage_mapped=True,
    contract=CONTRACT,
    subject=Subject("harnessed-model", "gpt-5.5", "unknown", "high", "unknown"),
)
REFUSAL = Refusal("lineage", "old", "version", "Other tasks.")

FAULTS: list[tuple[dict[str, Any], list[str]]] = [
    ({"batch_status": "reverted"}, ["batch-not-applied"]),
    ({"rank_rights": "refused"}, ["rights-refused"]),
    ({"rank_rights": "unreviewed"}, ["rights-unreviewed"]),
    ({"benchmark_status": "candidate"}, ["benchmark-not-registered"]),
    ({"benchmark_status": "retired"}, ["retired"]),
    ({"mapping_role": "context"}, ["role-not-counting"]),
    ({"lineage_use": "blocked"}, ["lineage-not-usable"]),
    ({"lineage_use": "catalogued"}, ["lineage-not-usable"]),
    ({"lineage_mapped": False}, ["lineage-not-usable"]),
    ({"lineage_use": "blocked", "lineage_mapped": False}, ["lineage-not-usable"]),
    ({"contract": replace(CONTRACT, use="blocked")}, ["contract-not-usable"]),
    ({"value": 100.1}, ["out-of-contract"]),
    ({"value": -0.1}, ["out-of-contract"]),
    ({"n": 9}, ["out-of-contract"]),
    ({"value": None, "absence": "failed"}, ["no-value"]),
    ({"subject": replace(GOOD.subject, kind="model")}, ["subject-kind", "projection-forbidden"]),
    ({"subject": replace(GOOD.subject, effort="unknown")}, ["configuration-incomplete"]),
    ({"refusals": (REFUSAL, REFUSAL)}, ["excluded", "excluded"]),
    ({"contract": replace(CONTRACT, assumed_n=None)}, ["no-uncertainty"]),
    ({"contract": replace(CONTRACT, kind="bounded"), "n": 150}, ["no-uncertainty"]),
    ({"state": "superseded"}, ["superseded"]),
    ({"state": "retracted"}, ["retracted"]),
    ({"state": "retired"}, ["retired"]),
    ({"counted_as": "main-01"}, ["duplicate"]),
]


def codes(facts: ResultFacts) -> list[str]:
    return [reason.code for reason in reasons(facts)]


def test_a_result_that_meets_every_condition_counts() -> None:
    assert codes(GOOD) == []


@pytest.mark.parametrize(("fault", "expected"), FAULTS)
def test_each_condition_has_its_code(fault: dict[str, Any], expected: list[str]) -> None:
    assert codes(replace(GOOD, **fault)) == expected


@given(st.sets(st.sampled_from(range(len(FAULTS))), min_size=2))
def test_every_failed_condition_is_told_not_only_the_first(chosen: set[int]) -> None:
    merged: dict[str, Any] = {}
    for number in sorted(chosen):
        for field, value in FAULTS[number][0].items():
            merged.setdefault(field, value)
    alone = [codes(replace(GOOD, **{field: value})) for field, value in merged.items() if field != "absence"]
    together = codes(replace(GOOD, **merged))
    value_is_missing = merged.get("value", 0) is None
    for found in alone:
        # Without a value there is no uncertainty and no bound to ask for.
        assert value_is_missing or set(found) - set(together) <= {"out-of-contract", "no-uncertainty"}
        assert {"out-of-contract", "no-uncertainty"} >= set(found) - set(together)


def test_a_spread_over_runs_is_no_uncertainty_but_a_standard_error_is() -> None:
    bounded = replace(GOOD, contract=replace(CONTRACT, kind="bounded"))
    assert codes(replace(bounded, stderr=0.1)) == []


def test_projection_lets_another_kind_stand_in_only_where_allowed() -> None:
    other = replace(GOOD, subject=replace(GOOD.subject, kind="model"))
    assert codes(replace(other, projection="allowed")) == []


@pytest.mark.parametrize("effort", ["default", "no-memory", "high"])
def test_default_is_a_stated_effort_and_unknown_is_not(effort: str) -> None:
    assert missing_identity(["model", "effort", "harness"], replace(GOOD.subject, effort=effort)) == ["harness"]


def test_an_exclusion_reaches_by_scope_everywhere_or_within_its_mapping() -> None:
    names = {"benchmark": "b", "lineage": "old", "contract": "c", "configuration": "x", "source": "s"}
    reach = Reach.of(mapping="m1", **names, batch=7, result=9)
    exclusions = [
        (REFUSAL, ""),
        (REFUSAL, "m1"),
        (REFUSAL, "m2"),
        (replace(REFUSAL, scope="contract"), ""),
        (replace(REFUSAL, scope="batch", target="7"), ""),
        (replace(REFUSAL, scope="result", target="7"), ""),
    ]
    found = refusals_reaching(reach, exclusions)
    assert [(refusal.scope, refusal.target) for refusal in found] == [
        ("lineage", "old"),
        ("lineage", "old"),
        ("batch", "7"),
    ]


def test_weights_are_exact() -> None:
    assert weights_missing([Decimal("33.33"), Decimal("33.33"), Decimal("33.34")]) == 0
    assert weights_missing([Decimal("33.33")] * 3) == Decimal("0.01")


LINEAGES = st.lists(st.sampled_from("abcdefgh"), unique=True, min_size=1)


@given(LINEAGES, st.data())
def test_groups_are_connected_components_whatever_the_order(lineages: list[str], data: st.DataObject) -> None:
    pair = st.tuples(st.sampled_from(lineages), st.sampled_from(lineages))
    links = data.draw(st.lists(pair, max_size=8))
    group = independence_groups(lineages, links)
    assert group == independence_groups(lineages[::-1], [(b, a) for a, b in reversed(links)])
    assert all(group[a] == group[b] for a, b in links)
    # Another link can only join groups.
    more = independence_groups(lineages, [*links, data.draw(pair)])
    assert len(set(more.values())) <= len(set(group.values()))
    assert all(name == min(member for member in group if group[member] == name) for name in group.values())
