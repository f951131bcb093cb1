"""The gate against its definition, and the properties that every count must have."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ranking import gate
from ranking.canonical import digest
from ranking.evidence import (
    Alignment,
    Candidate,
    ComparisonCount,
    Evidence,
    FacetPlan,
    LineageGroup,
    ResultRecord,
    TaskPlan,
)
from ranking.field import Field
from ranking.gate import Criterion

POLICY = {
    "external_results": 1,
    "first_party_comparisons": 1,
    "independence_groups": 2,
    "group_headline_rows": 8,
    "group_weight_share": 40,
    "headline_rows": 8,
    "task_coverage": 80,
    "directness": 50,
    "units_per_task": 1,
    "required_rights": ["rank", "show", "export"],
}
TASKS = tuple(TaskPlan(f"t{number}", required=True) for number in range(5))
RIGHTS = (("rank", "allowed"), ("show", "attribute"), ("export", "allowed"))


def facet(slug: str, weight: int, mode: str = "hybrid") -> FacetPlan:
    return FacetPlan(slug, Decimal(weight), mode, TASKS)


def result(configuration: str, slug: str = "f1", lineage: str = "l1", **changes: Any) -> ResultRecord:
    record = ResultRecord(
        mapping=f"c/s/{lineage}",
        contract=f"{lineage}.{slug}",
        configuration=configuration,
        source="0" * 64,
        source_url="https://example.org/",
        source_ref="",
        external_id=configuration,
        lineage=lineage,
        facet=slug,
        value=0.5,
        absence="",
        stderr=None,
        n=100,
        n_assumed=False,
        reasons=(),
        rights=RIGHTS,
    )
    return replace(record, **changes)


def names(count: int) -> list[str]:
    return [f"m{number}" for number in range(count)]


def full(count: int = 8) -> Evidence:
    """Evidence that meets every criterion of counts: two groups, all facets, all tasks."""
    facets = (facet("f1", 50), facet("f2", 50))
    lineages = ("l1", "l2")
    results = [result(name, row.slug, lineage) for name in names(count) for row in facets for lineage in lineages]
    comparisons = [
        ComparisonCount(row.slug, task.key, a, b, "a", "judge", "ab", 1)
        for row in facets
        for task in TASKS
        for a, b in zip(names(count), names(count)[1:], strict=False)
    ]
    return Evidence(
        collection="c",
        edition="v3",
        subject_kind="model",
        facets=facets,
        alignments=tuple(Alignment(f"c/s/{lineage}", "f1", "t0", Decimal(85)) for lineage in lineages),
        groups=tuple(LineageGroup(lineage, lineage) for lineage in lineages),
        contracts=(),
        judges=(),
        candidates=tuple(
            Candidate(name, f"maker/{name}", "maker", "model", "available", reference=False) for name in names(count)
        ),
        results=tuple(results),
        comparisons=tuple(comparisons),
    )


def ask(evidence: Evidence, code: str) -> Criterion:
    return next(row for row in gate.evaluate(evidence, POLICY).criteria if row.code == code)


COUNTED = ("external-evidence", "first-party-evidence", "independence", "field", "coverage", "facets", "rights")


@pytest.mark.parametrize("code", COUNTED)
def test_full_evidence_passes_every_count(code: str) -> None:
    assert ask(full(), code).verdict == "passed"


def test_without_a_headline_row_the_statistics_cannot_be_tested() -> None:
    answer = gate.evaluate(replace(full(), results=()), POLICY)
    untested = [row.code for row in answer.criteria if row.reason == "no-headline-rows" and row.code != "coverage"]
    assert untested == ["minimum-evidence", "judges", "dominance", "reliability", "stability"]
    assert {row.verdict for row in answer.criteria if row.code in untested} == {"not-testable"}
    assert answer.verdict == "closed"


def test_seven_rows_are_one_too_few() -> None:
    row = ask(full(7), "field")
    assert (row.required, row.observed, row.missing, row.verdict, row.reason) == (8, 7, 1, "failed", "too-few")


def test_one_group_of_linked_lineages_is_one_group() -> None:
    linked = replace(full(), groups=(LineageGroup("l1", "l1"), LineageGroup("l2", "l1")))
    row = ask(linked, "independence")
    assert (row.observed, row.missing, row.beside) == (1, 1, {"groups with eligible results": 1})


def test_a_token_second_group_does_not_count() -> None:
    evidence = full()
    token = tuple(row for row in evidence.results if row.lineage == "l1" or row.configuration == "m0")
    row = ask(replace(evidence, results=token), "independence")
    assert (row.observed, row.beside) == (1, {"groups with eligible results": 2})


def test_a_group_must_reach_facets_with_enough_weight() -> None:
    evidence = replace(full(), facets=(facet("f1", 61), facet("f2", 39)))
    light = tuple(row for row in evidence.results if row.lineage == "l1" or row.facet == "f2")
    assert ask(replace(evidence, results=light), "independence").observed == 1


def test_an_ineligible_result_counts_nowhere() -> None:
    evidence = full()
    refused = tuple(replace(row, reasons=(("excluded", "Because."),)) for row in evidence.results)
    answers = {row.code: row for row in gate.evaluate(replace(evidence, results=refused), POLICY).criteria}
    assert answers["external-evidence"].observed == 0
    assert answers["external-evidence"].beside == {"results recorded": len(refused)}
    assert answers["field"].observed == 0
    assert answers["rights"].verdict == "not-testable"


def test_a_catalogued_result_fills_no_cell() -> None:
    evidence = full()
    catalogued = tuple(replace(row, facet="") for row in evidence.results)
    assert ask(replace(evidence, results=catalogued), "external-evidence").observed == 0


def test_no_facet_stands_in_for_another() -> None:
    evidence = full()
    one = replace(evidence, results=tuple(row for row in evidence.results if row.facet == "f1"))
    assert (ask(one, "facets").observed, ask(one, "field").observed) == (1, 0)


@pytest.mark.parametrize(("mode", "kept"), [("external", "results"), ("pairwise", "comparisons")])
def test_a_facet_asks_only_for_what_its_mode_names(mode: str, kept: str) -> None:
    evidence = replace(full(), facets=(facet("f1", 50, mode), facet("f2", 50, mode)))
    other = "comparisons" if kept == "results" else "results"
    assert ask(replace(evidence, **dict[str, Any]({other: ()})), "facets").verdict == "passed"
    assert ask(replace(evidence, **dict[str, Any]({kept: ()})), "facets").verdict == "failed"


def test_a_facet_without_a_task_plan_fails_coverage() -> None:
    evidence = full()
    bare = replace(evidence, facets=(evidence.facets[0], replace(evidence.facets[1], tasks=())))
    row = ask(bare, "coverage")
    assert (row.verdict, row.reason) == ("failed", "no-task-plan")
    assert "f2" in row.message


def test_coverage_at_the_threshold_is_enough_and_below_is_listed_apart() -> None:
    evidence = replace(full(), facets=(facet("f1", 100),))
    results = tuple(row for row in evidence.results if row.facet == "f1")
    on = [row for row in evidence.comparisons if row.facet == "f1"]
    aligned = replace(evidence, results=results, alignments=())
    four = replace(aligned, comparisons=tuple(row for row in on if row.task != "t4"))
    three = replace(aligned, comparisons=tuple(row for row in on if row.task not in ("t3", "t4")))
    assert ask(four, "coverage").observed == 80
    assert Field.of(three, POLICY).headline == ()
    assert ask(three, "coverage").reason == "no-headline-rows"
    assert ask(three, "coverage").beside == {"highest coverage of any configuration, %": 60.0}


@pytest.mark.parametrize("directness", [49, 50])
def test_an_aligned_result_covers_a_task_from_the_policys_directness_on(directness: int) -> None:
    evidence = replace(
        full(),
        facets=(facet("f1", 100, "external"),),
        comparisons=(),
        alignments=tuple(Alignment("c/s/l1", "f1", task.key, Decimal(directness)) for task in TASKS),
    )
    assert Field.of(evidence, POLICY).best_coverage == (100.0 if directness == 50 else 0.0)


@pytest.mark.parametrize(
    "change",
    [{"subject_kind": "product"}, {"availability": "unavailable"}, {"availability": "unknown"}, {"reference": True}],
)
def test_who_is_no_headline_row(change: dict[str, Any]) -> None:
    evidence = full()
    first, *others = evidence.candidates
    assert ask(replace(evidence, candidates=(replace(first, **change), *others)), "field").observed == 7


def test_every_used_source_needs_every_right() -> None:
    evidence = full()
    first, *others = evidence.results
    unshown = replace(first, source="1" * 64, rights=(("rank", "allowed"), ("show", "refused"), ("export", "allowed")))
    row = ask(replace(evidence, results=(unshown, *others)), "rights")
    assert (row.required, row.observed, row.verdict) == (2, 1, "failed")


def test_weights_short_of_the_whole_fail_the_facets() -> None:
    row = ask(replace(full(), facets=(facet("f1", 50), facet("f2", 49))), "facets")
    assert (row.verdict, row.reason) == ("failed", "weights-not-100")


def test_an_error_in_a_check_is_a_failed_check() -> None:
    policy = {name: value for name, value in POLICY.items() if name != "independence_groups"}
    row = next(row for row in gate.evaluate(full(), policy).criteria if row.code == "independence")
    assert (row.verdict, row.reason) == ("failed", "check-error")


def test_facets_are_asked_for_themselves() -> None:
    evidence = full()
    half = replace(evidence, comparisons=tuple(row for row in evidence.comparisons if row.facet == "f1"))
    answers = {row.facet: {c.code: c.verdict for c in row.criteria} for row in gate.evaluate(half, POLICY).facets}
    assert answers["f1"] == {"coverage": "passed", "external-evidence": "passed", "first-party-evidence": "passed"}
    assert answers["f2"]["first-party-evidence"] == "failed"


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_removing_evidence_never_turns_a_failed_count_into_a_pass(data: st.DataObject) -> None:
    evidence = full(9)
    some = replace(
        evidence,
        results=tuple(data.draw(st.lists(st.sampled_from(evidence.results), unique=True))),
        comparisons=tuple(data.draw(st.lists(st.sampled_from(evidence.comparisons), unique=True))),
    )
    fewer = replace(some, results=some.results[::2], comparisons=some.comparisons[::2])
    more_passed = {row.code for row in gate.evaluate(some, POLICY).criteria if row.verdict == "passed"}
    fewer_passed = {row.code for row in gate.evaluate(fewer, POLICY).criteria if row.verdict == "passed"}
    counts = {"external-evidence", "first-party-evidence", "independence", "field", "facets"}
    assert fewer_passed & counts <= more_passed


@given(st.randoms(use_true_random=False))
@settings(max_examples=20, deadline=None)
def test_the_answer_does_not_depend_on_the_order_of_rows(random: object) -> None:
    evidence = full()
    results = list(evidence.results)
    random.shuffle(results)  # type: ignore[attr-defined]
    assert digest(gate.evaluate(replace(evidence, results=tuple(results)), POLICY)) == digest(
        gate.evaluate(evidence, POLICY)
    )
