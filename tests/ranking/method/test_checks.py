"""The checks of the gate: what each measures, when it fails, and what it cannot tell."""

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from ranking.method.checks.halves import first_half, halvings
from ranking.method.checks.statistics import correlation, reliability, reliability_without_each, stepped_up, tau
from ranking.method.evaluation import CODES, Evaluation, Predecessor, evaluate
from ranking.method.inputs import Facet, Inputs, Judge
from ranking.method.layout import lay_out
from ranking.method.results import FAILED, NOT_TESTABLE, PASSED, Check
from ranking.method.solution import solve
from tests.ranking.method import human, worlds
from tests.ranking.method.worlds import World

POLICY = human.policy()
GOOD = worlds.inputs(World(facets=2, tasks=60), 3)


def check(answer: Evaluation, code: str, part: str | None = None) -> Check:
    found = next(one for one in answer.checks if one.code == code)
    return found if part is None else next(one for one in found.parts if one.code == part)


def asked(inputs: Inputs, **policy: object) -> Evaluation:
    return evaluate(inputs, human.policy(**policy))


def test_good_evidence_passes_every_check() -> None:
    answer = asked(GOOD)
    assert {one.code: one.verdict for one in answer.checks} == dict.fromkeys(CODES, PASSED)


@pytest.mark.parametrize("code", CODES)
def test_every_check_answers_in_full(code: str) -> None:
    for one in (check(asked(GOOD), code), *check(asked(GOOD), code).parts):
        assert one.required is not None
        assert one.observed is not None
        assert one.missing == 0
        assert one.reason == "enough"
        assert one.message.endswith(".")
        assert all(type(number) in {int, float} for number in (one.required, one.observed, one.missing))


def test_no_check_names_a_configuration() -> None:
    """An editor sees criteria and counts before deciding on evidence, never names or scores."""
    answer = asked(GOOD)
    text = " ".join(repr(one) for one in answer.checks)
    assert "c00" not in text


# Minimum evidence -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("world", "part", "observed"),
    [
        (World(tasks=29, rounds=2), "facet-tasks", 29),
        (World(tasks=29), "facet-units", 29),
        (World(tasks=24, rounds=2), "effective-tasks", 24.0),
    ],
)
def test_minimum_evidence(world: World, part: str, observed: float) -> None:
    found = check(asked(worlds.inputs(world, 1)), "minimum-evidence", part)
    assert (found.verdict, found.observed, found.reason) == (FAILED, observed, "too-low")
    assert found.missing == found.required - observed


def test_units_piled_on_one_task_are_worth_little_more_than_that_task() -> None:
    inputs = worlds.inputs(World(size=20, tasks=30), 1)
    piled = [("f00-t000", "c000", f"c{number:03d}", "a", "north-1", "ab", 1) for number in range(1, 20)]
    rows = [one for one in worlds.rows_of(inputs) if one[0] != "f00-t000" or "c000" not in one[1:3]]
    found = check(asked(worlds.with_rows(inputs, rows + piled)), "minimum-evidence", "effective-tasks")
    assert found.observed == pytest.approx((29 + 19) ** 2 / (29 + 19**2))


def test_few_opponents() -> None:
    """c000 meets only four others."""
    inputs = worlds.inputs(World(tasks=60), 1)
    rows = [
        one
        for one in worlds.rows_of(inputs)
        if "c000" not in one[1:3] or {one[1], one[2]} & {"c001", "c002", "c003", "c004"}
    ]
    found = check(asked(worlds.with_rows(inputs, rows)), "minimum-evidence", "distinct-opponents")
    assert (found.verdict, found.observed) == (FAILED, 4)


def test_without_comparisons_the_pairwise_facet_has_none() -> None:
    found = check(asked(replace(GOOD, verdicts=())), "minimum-evidence", "facet-tasks")
    assert (found.verdict, found.observed) == (FAILED, 0)


def test_external_facets_have_no_minimum_of_comparisons() -> None:
    facets = tuple(replace(facet, mode="external") for facet in GOOD.facets)
    found = check(asked(replace(GOOD, facets=facets, verdicts=())), "minimum-evidence")
    assert (found.verdict, found.reason) == (NOT_TESTABLE, "no-pairwise-facet")


# Judges ---------------------------------------------------------------------------------------------------------------


def judged_by(inputs: Inputs, judge: Mapping[str, Judge]) -> Inputs:
    tables = tuple(
        replace(table, judges=tuple(judge.get(one.key, one) for one in table.judges)) for table in inputs.verdicts
    )
    return replace(inputs, verdicts=tables)


def only(inputs: Inputs, **wanted: object) -> Inputs:
    """Only the verdicts of one judge, or of one order."""
    places = {"judge": 4, "order": 5}
    for facet in range(len(inputs.facets)):
        rows = worlds.rows_of(inputs, facet)
        kept = [row for row in rows if all(row[places[name]] == value for name, value in wanted.items())]
        inputs = worlds.with_rows(inputs, kept, facet)
    return inputs


def test_one_judge() -> None:
    answer = asked(only(GOOD, judge="north-1"))
    families, agreement = check(answer, "judges", "judge-families"), check(answer, "judges", "judge-agreement")
    assert (families.verdict, families.observed, families.missing) == (FAILED, 1, 1)
    assert (agreement.verdict, agreement.reason) == (NOT_TESTABLE, "one-family")
    assert check(answer, "judges").verdict == FAILED


def test_two_judges_of_one_family_are_one_family() -> None:
    answer = asked(judged_by(GOOD, {"south-1": Judge("south-1", "north", "south")}))
    assert check(answer, "judges", "judge-families").observed == 1


def test_a_family_that_judged_only_half() -> None:
    inputs = GOOD
    for facet in range(2):
        rows = worlds.rows_of(inputs, facet)
        inputs = worlds.with_rows(
            inputs, [row for row in rows if row[4] == "north-1" or row[0] < f"f{facet:02d}-t030"], facet
        )
    found = check(asked(inputs), "judges", "judge-unit-share")
    assert (found.verdict, found.observed) == (FAILED, 0.5)


def test_one_order_only() -> None:
    found = check(asked(only(GOOD, order="ab")), "judges", "both-orders-share")
    assert (found.verdict, found.observed, found.missing) == (FAILED, 0.0, 0.95)


def test_judges_who_do_not_agree() -> None:
    """One of the two tosses a coin."""
    random = np.random.default_rng(1)
    inputs = GOOD
    for facet in range(2):
        rows = [
            (*row[:3], "ab"[int(random.integers(2))], *row[4:]) if row[4] == "south-1" else row
            for row in worlds.rows_of(inputs, facet)
        ]
        inputs = worlds.with_rows(inputs, rows, facet)
    found = check(asked(inputs), "judges", "judge-agreement")
    assert found.verdict == FAILED
    assert found.observed is not None
    assert found.observed < 0.8


def test_a_judge_of_every_maker_counts_for_nothing() -> None:
    own = {"north-1": Judge("north-1", "north", "all"), "south-1": Judge("south-1", "south", "all")}
    inputs = judged_by(GOOD, own)
    answer = asked(replace(inputs, configurations=tuple(replace(one, maker="all") for one in inputs.configurations)))
    assert (check(answer, "judges").verdict, check(answer, "judges").reason) == (NOT_TESTABLE, "no-comparisons")


def people(number: int) -> Inputs:
    """A crowd: every unit is judged once by one of so many people, half of them each way round."""
    inputs = worlds.inputs(World(tasks=60, rounds=3), 2)
    rows, judges = [], [Judge(f"p{person:02d}") for person in range(number)]
    for place, (task, a, b, outcome, _, order, count) in enumerate(only_rows(inputs)):
        rows.append((task, a, b, outcome, judges[place % number].key, order, count))
    (table,) = inputs.verdicts
    return replace(inputs, verdicts=(type(table).of(table.facet, rows, judges),))


def only_rows(inputs: Inputs) -> list[worlds.Word]:
    """One verdict a unit, in alternating order."""
    rows = [row for row in worlds.rows_of(inputs) if row[4] == "north-1"]
    return [row for place, row in enumerate(rows) if row[5] == ("ab", "ba")[place % 2]]


@pytest.mark.parametrize(("number", "verdict"), [(19, FAILED), (20, PASSED)])
def test_a_crowd_is_counted_in_people(number: int, verdict: str) -> None:
    answer = asked(people(number))
    found = check(answer, "judges", "judge-people")
    assert (found.verdict, found.observed) == (verdict, number)
    assert "judge-families" not in {part.code for part in check(answer, "judges").parts}


ACCEPT = {"accept": "recorded", "left_share_limit": 0.15}


def test_a_policy_may_accept_a_recorded_order_from_a_crowd() -> None:
    inputs = people(30)
    assert check(asked(inputs), "judges", "both-orders-share").verdict == FAILED
    found = check(asked(inputs, crowd_order=ACCEPT), "judges", "crowd-order")
    assert (found.verdict, found.required) == (PASSED, 0.15)


def test_but_not_an_order_that_nobody_recorded() -> None:
    rows = [(*row[:5], "", row[6]) for row in worlds.rows_of(people(30))]
    found = check(asked(worlds.with_rows(people(30), rows), crowd_order=ACCEPT), "judges", "crowd-order")
    assert (found.verdict, found.reason, found.observed) == (FAILED, "order-not-recorded", 0)


def test_nor_a_row_that_always_stood_on_one_side() -> None:
    rows = [
        (*row[:5], "ab" if row[1] == "c003" else "ba" if row[2] == "c003" else row[5], row[6])
        for row in worlds.rows_of(people(30))
    ]
    found = check(asked(worlds.with_rows(people(30), rows), crowd_order=ACCEPT), "judges", "crowd-order")
    assert (found.verdict, found.reason, found.observed) == (FAILED, "too-high", 0.5)


def test_model_judges_are_not_a_crowd() -> None:
    assert check(asked(only(GOOD, order="ab"), crowd_order=ACCEPT), "judges", "both-orders-share").verdict == FAILED


# Independence and dominance -------------------------------------------------------------------------------------------


def weighed(*weights: int) -> Inputs:
    """The second group speaks only to the last facet."""
    facets = tuple(Facet(f"f{number:02d}", Decimal(weight), "hybrid") for number, weight in enumerate(weights))
    last = facets[-1].key
    values = tuple(one for one in GOOD.values if one.group == "g0" or one.facet == last)
    return replace(GOOD, facets=facets, values=values)


def test_a_token_second_group_does_not_count() -> None:
    answer = asked(weighed(61, 39))
    found = check(answer, "independence")
    assert (found.verdict, found.observed, found.missing) == (FAILED, 1, 1)
    assert found.beside == {"weight spoken to, %": {"g0": 100.0, "g1": 39.0}}


def test_at_forty_per_cent_of_the_weight_it_does() -> None:
    assert check(asked(weighed(60, 40)), "independence").verdict == PASSED


def test_a_group_that_knows_seven_rows_speaks_to_nothing() -> None:
    values = tuple(one for one in GOOD.values if one.group == "g0" or one.configuration < "c007")
    found = check(asked(replace(GOOD, values=values)), "independence")
    assert found.observed == 1


def test_dominance() -> None:
    """In 61 % of the weight g0 and first-party share alone; in the rest they share with g1."""
    answer = asked(weighed(61, 39))
    own, external = (check(answer, "dominance", part) for part in ("group-weight", "external-group-weight"))
    assert own.observed == pytest.approx(0.61 / 2 + 0.39 / 3)
    assert own.verdict == PASSED
    assert external.observed == pytest.approx((0.305 + 0.13) / (0.305 + 0.26))
    assert external.verdict == FAILED


def test_only_one_kind_of_evidence_dominates() -> None:
    facets = tuple(replace(facet, mode="pairwise") for facet in GOOD.facets)
    found = check(asked(replace(GOOD, facets=facets, values=())), "dominance", "group-weight")
    assert (found.verdict, found.observed) == (FAILED, 1.0)


# Reliability and stability --------------------------------------------------------------------------------------------


def test_reliability_by_its_formula() -> None:
    random = np.random.default_rng(3)
    root, score = random.normal(size=(6, 6)), random.normal(size=6)
    covariance = root @ root.T
    centre = np.eye(6) - 1 / 6
    assert reliability(covariance, score) == pytest.approx(
        1 - np.trace(centre @ covariance @ centre) / 5 / score.var(ddof=1)
    )
    without = [reliability(np.delete(np.delete(covariance, row, 0), row, 1), np.delete(score, row)) for row in range(6)]
    assert reliability_without_each(covariance, score) == pytest.approx(without)


def test_stepping_up() -> None:
    assert stepped_up(np.array([0.5, -0.2, 1.0])).tolist() == pytest.approx([2 / 3, 0.0, 1.0])
    assert stepped_up(np.array(0.5), 3) == pytest.approx(0.75)


def test_no_spread_and_no_order_agree_with_nothing() -> None:
    assert correlation(np.ones(5), np.arange(5.0)) == 0
    assert tau(np.ones(5), np.arange(5.0)) == 0


def test_the_halvings() -> None:
    """Twenty, all different, each task in exactly one half, half of them (rounded down) in the first."""
    solution = solve(lay_out(worlds.inputs(World(tasks=61, facets=2), 1), POLICY))
    sides = list(halvings(solution))
    assert len(sides) == 20
    for first, rest in sides:
        for column in solution.fits:
            assert (first[column] + rest[column]).tolist() == [1.0] * 61
            assert first[column].sum() == 30
    assert len({tuple(first[min(solution.fits)].tolist()) for first, _ in sides}) == 20


def test_a_shared_task_falls_on_one_side_in_all_facets() -> None:
    inputs = worlds.inputs(World(tasks=40, facets=2), 1)
    first, second = inputs.verdicts
    shared = replace(second, tasks=(*first.tasks[:11], *second.tasks[11:]))
    solution = solve(lay_out(replace(inputs, verdicts=(first, shared)), POLICY))
    one, other = sorted(solution.fits)
    for side, _ in halvings(solution):
        assert side[one][:11].tolist() == side[other][:11].tolist()
        assert side[one][:11].sum() == 5
        assert side[one][11:].sum() == side[other][11:].sum() == 14


def test_halves_depend_on_names_only() -> None:
    keys = [f"task {number}" for number in range(10)]
    assert first_half(3, keys) == first_half(3, keys[::-1])
    assert first_half(3, keys) != first_half(4, keys)


def test_a_pure_noise_pairwise_part_fails() -> None:
    failed = 0
    for seed in range(20):
        answer = asked(worlds.inputs(World(facets=2, first_party_scale=0.0), seed))
        failed += any(one.verdict != PASSED for one in answer.checks)
    assert failed == 20


def test_one_hopeless_configuration_buys_no_reliability() -> None:
    """R as a whole looks excellent; without that row nothing is left of it."""
    noise = World(facets=2, spread=0.05, hopeless=1)
    for seed in range(5):
        answer = asked(worlds.inputs(noise, seed))
        whole, without = (check(answer, "reliability", f"reliability-{what}") for what in ("whole", "without-row"))
        assert whole.verdict == PASSED
        assert without.verdict == FAILED
        assert check(answer, "reliability", "split-half-without-row").verdict == FAILED


def test_groups_that_contradict_each_other() -> None:
    found = check(asked(worlds.inputs(World(facets=2, first_party_correlation=-1.0), 1)), "stability", "agreement-tau")
    assert found.verdict == FAILED
    assert set(found.beside) == {"first-party", "g0", "g1"}


def test_one_group_has_nothing_to_agree_with() -> None:
    facets = tuple(replace(facet, mode="pairwise") for facet in GOOD.facets)
    found = check(asked(replace(GOOD, facets=facets, values=())), "stability", "agreement-tau")
    assert (found.verdict, found.reason) == (NOT_TESTABLE, "one-group")


def later(inputs: Inputs, previous: Evaluation, without_new: Inputs | None = None) -> Evaluation:
    assert previous.ranking is not None
    sealed = previous.ranking
    return evaluate(inputs, POLICY, sealed.panel, sealed.constants, Predecessor(sealed.rows, without_new))


def test_the_same_evidence_again_is_stable() -> None:
    answer = later(GOOD, asked(GOOD))
    assert {part.code: part.observed for part in check(answer, "stability").parts[2:]} == pytest.approx(
        {"later-tau": 1.0, "later-reversals": 0, "old-leader": 1}
    )


def mirrored(inputs: Inputs) -> Inputs:
    turned = {"a": "b", "b": "a"}
    for facet in range(len(inputs.facets)):
        rows: list[Any] = [(*row[:3], turned.get(row[3], row[3]), *row[4:]) for row in worlds.rows_of(inputs, facet)]
        inputs = worlds.with_rows(inputs, rows, facet)
    return replace(inputs, values=tuple(replace(one, value=1 - one.value) for one in inputs.values))


def test_opposite_evidence_is_not() -> None:
    answer = later(mirrored(GOOD), asked(GOOD))
    parts = {part.code: part for part in check(answer, "stability").parts}
    assert [parts[code].verdict for code in ("later-tau", "later-reversals", "old-leader")] == [FAILED] * 3
    assert parts["later-reversals"].observed is not None
    assert parts["later-reversals"].observed > 0


def test_the_old_leader_may_be_back_without_the_new_evidence() -> None:
    """Recomputed on the evidence without what is new, not asserted."""
    answer = later(mirrored(GOOD), asked(GOOD), without_new=GOOD)
    assert check(answer, "stability", "old-leader").verdict == PASSED


def test_too_few_common_rows_cannot_be_compared() -> None:
    before = asked(GOOD)
    assert before.ranking is not None
    renamed = [
        replace(row, key=f"old {row.key}") if place > 6 else row for place, row in enumerate(before.ranking.rows)
    ]
    answer = evaluate(GOOD, POLICY, before.ranking.panel, before.ranking.constants, Predecessor(tuple(renamed)))
    found = check(answer, "stability", "later-tau")
    assert (found.verdict, found.reason) == (NOT_TESTABLE, "too-few-common-rows")


def test_checks_that_only_count_are_told_even_where_nothing_can_be_ranked() -> None:
    few = replace(GOOD, configurations=GOOD.configurations[:5])
    answer = asked(few)
    assert answer.refusal is not None
    assert answer.refusal.code == "panel-too-small"
    assert check(answer, "minimum-evidence", "facet-tasks").verdict == PASSED
    assert check(answer, "minimum-evidence", "facet-units").verdict == FAILED
    assert check(answer, "judges", "judge-families").verdict == PASSED
    assert check(answer, "judges", "judge-agreement").reason == "no-ranking"
    assert check(answer, "stability").verdict == NOT_TESTABLE
