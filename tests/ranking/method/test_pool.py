"""Panel, pool and guests: who sets the scale, who is placed, and who moves whom."""

from dataclasses import replace

import numpy as np
import pytest

from ranking.method.inputs import APART, REFERENCE, Configuration, Inputs
from ranking.method.layout import lay_out
from ranking.method.method import rank
from ranking.method.results import Ranking, Row
from ranking.method.solution import solve
from tests.ranking.method import human, worlds

POLICY = human.policy()
WORLD = worlds.inputs(worlds.World(size=11, tasks=40), 11)


def with_outcome(inputs: Inputs, key: str, *, wins: bool) -> Inputs:
    """All verdicts on one configuration go one way."""
    outcome = {True: "a", False: "b"}
    return worlds.with_rows(
        inputs,
        [
            (task, a, b, outcome[wins is (a == key)] if key in {a, b} else said, judge, order, count)
            for task, a, b, said, judge, order, count in worlds.rows_of(inputs)
        ],
    )


def as_guest(inputs: Inputs, key: str) -> Inputs:
    """A second configuration of the release of the first, which keeps it out of the panel."""
    first = inputs.configurations[0].key
    configurations = tuple(
        replace(one, model_release=first) if one.key == key else one for one in inputs.configurations
    )
    return replace(inputs, configurations=configurations)


def without(inputs: Inputs, key: str) -> Inputs:
    return replace(inputs, configurations=tuple(one for one in inputs.configurations if one.key != key))


def row(ranking: Ranking, key: str) -> Row:
    return next(one for one in ranking.rows if one.key == key)


def test_a_configuration_outside_the_pool_moves_no_other_score_by_one_digit() -> None:
    """Every digit: not to 6 places but to the last bit. It has tasks, values and a maker of its own."""
    everybody = as_guest(WORLD, "c010")
    alone, together = rank(without(everybody, "c010"), POLICY), rank(everybody, POLICY)
    assert together.panel == alone.panel
    assert together.constants == alone.constants
    assert {one.key for one in together.rows} - {one.key for one in alone.rows} == {"c010"}
    for one in alone.rows:
        beside = row(together, one.key)
        assert (beside.score, beside.low, beside.high) == (one.score, one.low, one.high)
        assert (beside.standard_error, beside.contributions) == (one.standard_error, one.contributions)


def test_nor_does_it_where_it_alone_was_judged() -> None:
    everybody = as_guest(WORLD, "c010")
    its_own = [
        ("a task of its own", "c010", other, "a", "north-1", order, 1)
        for other in ("c001", "c002", "c003")
        for order in ("ab", "ba")
    ]
    more = worlds.with_rows(everybody, worlds.rows_of(everybody) + its_own)
    alone, together = rank(everybody, POLICY), rank(more, POLICY)
    assert row(alone, "c010").score != row(together, "c010").score
    for one in alone.rows:
        if one.key != "c010":
            beside = row(together, one.key)
            assert (beside.score, beside.low, beside.high) == pytest.approx((one.score, one.low, one.high), abs=1e-9)


def test_the_panel_has_one_configuration_of_a_model_release() -> None:
    panel = rank(as_guest(WORLD, "c010"), POLICY).panel
    assert "c010" not in panel.members
    assert "c000" in panel.members


def test_who_was_judged_only_against_guests_is_no_member_of_the_panel() -> None:
    """c005 met nobody but c010, which stays outside: nothing places it against the pool."""
    rows = [one for one in worlds.rows_of(WORLD) if "c005" not in one[1:3] or "c010" in one[1:3]]
    ranking = rank(as_guest(worlds.with_rows(WORLD, rows), "c010"), POLICY)
    assert "c005" not in ranking.panel.members
    assert [(one.key, one.code) for one in ranking.apart] == [("c005", "no-cell")]


def test_reference_opponents_are_of_the_pool_and_not_ranked() -> None:
    opponent = replace(WORLD.configurations[10], role=REFERENCE)
    ranking = rank(replace(WORLD, configurations=(*WORLD.configurations[:10], opponent)), POLICY)
    assert "c010" in ranking.panel.pool
    assert "c010" not in ranking.panel.members
    assert "c010" not in {one.key for one in ranking.rows}


def test_a_member_that_left_the_table_keeps_setting_the_scale() -> None:
    first = rank(WORLD, POLICY)
    gone = replace(WORLD.configurations[4], role=APART)
    configurations = tuple(gone if one.key == gone.key else one for one in WORLD.configurations)
    later = rank(replace(WORLD, configurations=configurations), POLICY, first.panel, first.constants)
    assert {one.key: one.score for one in later.rows} == {
        one.key: one.score for one in first.rows if one.key != gone.key
    }


def test_sealed_constants_are_used_as_they_are() -> None:
    first = rank(WORLD, POLICY)
    doubled = tuple(replace(scale, sd=scale.sd * 2) for scale in first.constants)
    later = rank(WORLD, POLICY, first.panel, doubled)
    assert [one.score - 50 for one in later.rows] == pytest.approx([(one.score - 50) / 2 for one in first.rows])


@pytest.mark.parametrize(("wins", "code"), [(True, "without-a-loss"), (False, "without-a-win")])
def test_a_configuration_without_a_loss_or_without_a_win_gets_a_one_sided_interval(wins: bool, code: str) -> None:
    inputs = with_outcome(WORLD, "c003", wins=wins)
    solution = solve(lay_out(inputs, POLICY))
    (cell,) = solution.fits.values()
    place = solution.layout.names.index("c003")
    assert place in cell.contest.guests
    assert (cell.theta[place] > cell.theta[cell.contest.core].max()) is np.bool_(wins)
    one = row(rank(inputs, POLICY), "c003")
    assert (one.low is None, one.high is None) == (not wins, wins)
    assert code in {note.code for note in one.notes}
    if wins:
        assert one.rank_low == 1


def test_nobody_is_separated_above_a_configuration_without_a_loss() -> None:
    """However far its other values lie below: its comparisons leave open how good it is."""
    inputs = with_outcome(WORLD, "c003", wins=True)
    low = tuple(replace(value, value=0.02) if value.configuration == "c003" else value for value in inputs.values)
    one = row(rank(replace(inputs, values=low), POLICY), "c003")
    assert one.rank_low == 1


def test_a_clone_ties_with_its_original() -> None:
    """A clone outside the pool with the same units and values shares score and rank, and stands beside it by name."""
    rows = worlds.rows_of(WORLD)
    cloned = [
        (task, a.replace("c002", "clone"), b.replace("c002", "clone"), *rest)
        for task, a, b, *rest in rows
        if "c002" in {a, b}
    ]
    inputs = worlds.with_rows(
        replace(
            WORLD,
            configurations=(*WORLD.configurations, Configuration("clone", "c002", "maker", worlds.KIND)),
            values=(
                *WORLD.values,
                *(replace(one, configuration="clone") for one in WORLD.values if one.configuration == "c002"),
            ),
        ),
        [*rows, *cloned],  # type: ignore[list-item]
    )
    ranking = rank(inputs, POLICY)
    first, second = row(ranking, "c002"), row(ranking, "clone")
    assert second.score == pytest.approx(first.score, abs=1e-9)
    assert first.rank == second.rank
    assert "clone" in first.indistinct
    place = [one.key for one in ranking.rows].index("c002")
    assert ranking.rows[place + 1].key == "clone"


def test_two_that_only_met_each_other_and_the_unbeaten_are_islands_no_more() -> None:
    """Peeling goes on: who lost only to a configuration without a loss has none among the others."""
    inputs = with_outcome(with_outcome(WORLD, "c004", wins=True), "c003", wins=True)
    ranking = rank(inputs, POLICY)
    assert row(ranking, "c003").high is None
    assert row(ranking, "c004").high is None
