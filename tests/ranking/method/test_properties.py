"""What must hold whatever the evidence (METHOD 9)."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from ranking.canonical import plain, text
from ranking.method.checks.dominance import group_weights
from ranking.method.checks.independence import independence
from ranking.method.checks.minimum_evidence import minimum_evidence
from ranking.method.evaluation import CODES, evaluate
from ranking.method.inputs import ExternalValue, Inputs
from ranking.method.layout import lay_out
from ranking.method.method import rank
from ranking.method.refusal import Refusal
from ranking.method.results import PASSED, Ranking
from tests.ranking.method import human, worlds

POLICY = human.policy()
SIX = 5e-7
"""Equal at the six digits that are published."""

worlds_of_any_kind = st.builds(
    worlds.World,
    size=st.integers(8, 12),
    facets=st.sampled_from([1, 2]),
    tasks=st.integers(4, 14),
    rounds=st.integers(1, 3),
    spread=st.sampled_from([0.3, 1.0, 2.0]),
    groups=st.integers(0, 2),
    first_party_correlation=st.sampled_from([1.0, 0.0, -1.0]),
)
seeds = st.integers(0, 10**6)
quick = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])


@cache
def evidence(world: worlds.World, seed: int) -> Inputs:
    return worlds.inputs(world, seed)


def ranked(inputs: Inputs, *sealed: Any) -> Ranking:
    """Evidence that the method refuses shows nothing here."""
    try:
        return rank(inputs, POLICY, *sealed)
    except Refusal:
        assume(False)
        raise


def same(one: Ranking, other: Ranking, rename: Callable[[str], str] = str) -> None:
    """Equal rows; order inside a tie is by name, and so not compared."""
    others = {rename(row.key): row for row in other.rows}
    for row in one.rows:
        beside = others[row.key]
        for figure in ("score", "low", "high", "least", "most", "standard_error"):
            assert getattr(beside, figure) == pytest.approx(getattr(row, figure), abs=SIX), figure
        assert (beside.rank, beside.rank_low, beside.rank_high, beside.tier, beside.top) == (
            row.rank,
            row.rank_low,
            row.rank_high,
            row.tier,
            row.top,
        )
        assert {rename(name) for name in beside.indistinct} == set(row.indistinct)


def each_facet(inputs: Inputs, change: Callable[[list[worlds.Word]], list[Any]]) -> Inputs:
    for facet in range(len(inputs.facets)):
        inputs = worlds.with_rows(inputs, change(worlds.rows_of(inputs, facet)), facet)
    return inputs


@quick
@given(worlds_of_any_kind, seeds, st.randoms(use_true_random=False))
def test_the_order_of_rows_changes_nothing(world: worlds.World, seed: int, random: Any) -> None:
    inputs = evidence(world, seed)

    def shuffled(rows: Any) -> list[Any]:
        mixed: list[Any] = random.sample(list(rows), len(rows))
        return mixed

    mixed = replace(
        each_facet(inputs, shuffled),
        values=tuple(shuffled(inputs.values)),
        configurations=tuple(shuffled(inputs.configurations)),
        facets=tuple(shuffled(inputs.facets)),
    )
    same(ranked(inputs), ranked(mixed))


@quick
@given(worlds_of_any_kind, seeds, st.randoms(use_true_random=False))
def test_swapping_sides_changes_nothing(world: worlds.World, seed: int, random: Any) -> None:
    turned = {"a": "b", "b": "a"}
    around = {"ab": "ba", "ba": "ab"}

    def swap(rows: list[worlds.Word]) -> Iterator[worlds.Word]:
        for task, a, b, outcome, judge, order, count in rows:
            if random.random() < 0.5:
                yield task, b, a, turned.get(outcome, outcome), judge, around.get(order, order), count
            else:
                yield task, a, b, outcome, judge, order, count

    inputs = evidence(world, seed)
    same(ranked(inputs), ranked(each_facet(inputs, lambda rows: list(swap(rows)))))


@quick
@given(worlds_of_any_kind, seeds, st.randoms(use_true_random=False))
def test_other_names_change_nothing(world: worlds.World, seed: int, random: Any) -> None:
    inputs = evidence(world, seed)
    keys = [one.key for one in inputs.configurations]
    others = [f"renamed {number:03d}" for number in range(len(keys))]
    random.shuffle(others)
    name = dict(zip(keys, others, strict=True))
    renamed = replace(
        each_facet(inputs, lambda rows: [(row[0], name[row[1]], name[row[2]], *row[3:]) for row in rows]),
        configurations=tuple(
            replace(one, key=name[one.key], model_release=name[one.key]) for one in inputs.configurations
        ),
        values=tuple(replace(one, configuration=name[one.configuration]) for one in inputs.values),
    )
    back = {other: key for key, other in name.items()}
    same(ranked(inputs), ranked(renamed), lambda key: back[key])


@quick
@given(worlds_of_any_kind, seeds, st.floats(0.1, 10), st.floats(-1000, 1000))
def test_an_affine_change_of_log_odds_changes_nothing(
    world: worlds.World, seed: int, factor: float, shift: float
) -> None:
    """Ratings are log-odds but for a factor; another origin and another unit of them is the same evidence."""
    assume(world.groups)
    rated = [
        replace(one, kind="rating", value=1000 + 400 * (one.value - 0.5), stderr=8.0, lower=None, upper=None)
        for one in evidence(world, seed).values
    ]

    def moved(value: ExternalValue) -> ExternalValue:
        assert value.stderr is not None
        return replace(value, value=factor * value.value + shift, stderr=factor * value.stderr)

    inputs = replace(evidence(world, seed), values=tuple(rated))
    same(ranked(inputs), ranked(replace(inputs, values=tuple(moved(one) for one in rated))))


@quick
@given(worlds_of_any_kind, seeds, st.integers(0, 7), st.integers(1, 40))
def test_more_wins_never_lower_a_score(world: worlds.World, seed: int, lucky: int, won: int) -> None:
    """Panel and constants fixed, as they are after a first release."""
    inputs = evidence(world, seed)
    first = ranked(inputs)
    name = f"c{lucky:03d}"

    def luckier(rows: list[worlds.Word]) -> list[Any]:
        left, found = won, []
        for task, a, b, outcome, *rest in rows:
            win = "a" if a == name else "b"
            change = left > 0 and name in {a, b} and outcome != win
            left -= change
            found.append((task, a, b, win if change else outcome, *rest))
        return found

    again = ranked(each_facet(inputs, luckier), first.panel, first.constants)
    before, after = (next(row.score for row in table.rows if row.key == name) for table in (first, again))
    assert after >= before - SIX


@quick
@given(worlds_of_any_kind, seeds)
def test_contributions_add_up_and_ranks_lie_in_their_ranges(world: worlds.World, seed: int) -> None:
    ranking = ranked(evidence(world, seed))
    for row in ranking.rows:
        assert row.score == pytest.approx(50 + sum(one.points for one in row.contributions), abs=1e-9)
        assert 1 <= row.rank_low <= row.rank <= row.rank_high <= len(ranking.rows)
        assert row.top is (row.rank_low == 1)
        assert row.least <= row.score <= row.most
    assert [row.rank for row in ranking.rows] == sorted(row.rank for row in ranking.rows)
    assert [row.tier for row in ranking.rows] == sorted(row.tier for row in ranking.rows)


@quick
@given(worlds_of_any_kind, seeds)
def test_a_configuration_outside_the_pool_changes_nobody_else(world: worlds.World, seed: int) -> None:
    inputs = evidence(world, seed)
    guest = inputs.configurations[-1]
    second = replace(guest, model_release=inputs.configurations[0].model_release)
    everybody = replace(inputs, configurations=(*inputs.configurations[:-1], second))
    assume(len(inputs.configurations) > 8)
    alone, together = ranked(replace(inputs, configurations=inputs.configurations[:-1])), ranked(everybody)
    beside = {row.key: row for row in together.rows}
    for row in alone.rows:
        assert beside[row.key].score == row.score
        # The sum over tasks may run in another order in a wider table.
        assert beside[row.key].standard_error == pytest.approx(row.standard_error, rel=1e-12)


@quick
@given(worlds_of_any_kind, seeds)
def test_repeating_every_comparison_narrows_nothing(world: worlds.World, seed: int) -> None:
    inputs = evidence(world, seed)
    same(ranked(inputs), ranked(each_facet(inputs, lambda rows: [(*row[:6], 3) for row in rows] + rows)))


@quick
@given(worlds_of_any_kind, seeds)
def test_reversing_every_outcome_mirrors_the_scores(world: worlds.World, seed: int) -> None:
    turned = {"a": "b", "b": "a"}
    inputs = evidence(world, seed)
    reversed_ = replace(
        each_facet(inputs, lambda rows: [(*row[:3], turned.get(row[3], row[3]), *row[4:]) for row in rows]),
        values=tuple(replace(one, direction="lower") for one in inputs.values),
    )
    here, there = ({row.key: row for row in ranked(one).rows} for one in (inputs, reversed_))
    for key, row in here.items():
        assert row.score + there[key].score == pytest.approx(100, abs=SIX)
        assert there[key].rank_low == len(here) + 1 - row.rank_high


@quick
@given(worlds_of_any_kind, seeds, st.data())
def test_removing_evidence_never_turns_a_failed_count_into_a_pass(
    world: worlds.World, seed: int, data: st.DataObject
) -> None:
    """Tasks, units, opponents, groups. An effective number of tasks is no count: evening out raises it."""
    inputs = evidence(world, seed)
    policy = human.policy(facet_tasks=10, facet_units=10, distinct_opponents=4)
    values = data.draw(st.sets(st.integers(0, max(len(inputs.values) - 1, 0)), max_size=20))
    tasks = data.draw(st.sets(st.integers(0, world.tasks - 1), max_size=3))
    removed = replace(
        each_facet(inputs, lambda rows: [row for row in rows if int(row[0][-3:]) not in tasks]),
        values=tuple(one for place, one in enumerate(inputs.values) if place not in values),
    )
    for code, before in counts(inputs, policy).items():
        if not before:
            assert not counts(removed, policy)[code], code


def counts(inputs: Inputs, policy: dict[str, object]) -> dict[str, bool]:
    layout = lay_out(inputs, policy)
    evidence_parts = {part.code: part.verdict == PASSED for part in minimum_evidence(layout, policy).parts}
    evidence_parts.pop("effective-tasks", None)
    return evidence_parts | {"independence": independence(layout, policy).verdict == PASSED}


@quick
@given(
    st.builds(
        worlds.World,
        size=st.integers(7, 11),
        facets=st.sampled_from([1, 2]),
        tasks=st.integers(1, 6),
        spread=st.sampled_from([0.0, 1.0, 6.0]),
        groups=st.integers(0, 2),
        hopeless=st.integers(0, 2),
    ),
    seeds,
)
def test_whatever_the_evidence_the_gate_has_an_answer_that_can_be_sealed(world: worlds.World, seed: int) -> None:
    answer = evaluate(evidence(world, seed), POLICY)
    assert tuple(check.code for check in answer.checks) == CODES
    assert (answer.ranking is None) is (answer.refusal is not None)
    # Refuses NaN and the infinities.
    assert text(plain(answer))
    for check in (*answer.checks, *(part for whole in answer.checks for part in whole.parts)):
        assert (check.missing == 0) is (check.verdict == PASSED)


@quick
@given(worlds_of_any_kind, seeds)
def test_weights_of_groups_sum_to_one(world: worlds.World, seed: int) -> None:
    layout = lay_out(evidence(world, seed), POLICY)
    assume(len({cell.facet for cell in layout.cells}) == world.facets)
    assert sum(group_weights(layout).values()) == pytest.approx(1.0)


@quick
@given(worlds_of_any_kind, seeds)
def test_what_enters_is_not_changed(world: worlds.World, seed: int) -> None:
    inputs = worlds.inputs(world, seed)
    before = [column.copy() for table in inputs.verdicts for column in (table.a, table.b, table.outcome, table.order)]
    ranked(inputs)
    after = [column for table in inputs.verdicts for column in (table.a, table.b, table.outcome, table.order)]
    assert all(np.array_equal(one, other) for one, other in zip(before, after, strict=True))
