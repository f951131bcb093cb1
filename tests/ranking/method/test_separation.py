"""Variance, degrees of freedom, intervals, rank ranges and tiers."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from ranking.method.arrays import Floats
from ranking.method.blocks import Block, join
from ranking.method.estimate import Estimate
from ranking.method.inputs import Facet, Inputs
from ranking.method.layout import lay_out
from ranking.method.method import rank
from ranking.method.separation import Reach, Separation
from ranking.method.solution import solve
from tests.ranking.method import human, worlds

POLICY = human.policy()


def block(moves: Floats) -> Block:
    tasks = tuple(f"t{number:03d}" for number in range(len(moves)))
    return Block(tasks, frozenset(tasks), moves)


def separation(scores: list[float], error: float, **reach: object) -> Separation:
    """Rows whose errors are all external, independent and equal."""
    score = np.array(scores)
    nobody = np.zeros(len(score), dtype=np.bool_)
    far = {"least": score, "most": score, "open_above": nobody, "open_below": nobody} | reach
    return Separation(Estimate(score, (), np.full(len(score), error**2)), Reach(**far))  # type: ignore[arg-type]


def test_the_variance_of_the_jackknife_by_hand() -> None:
    moves = np.array([[0.3, -0.1], [-0.2, 0.1], [0.1, 0.0], [-0.2, 0.4]])
    estimate = Estimate(np.zeros(2), (block(moves),), np.array([0.01, 0.04]))
    variance = 3 / 4 * (moves**2).sum(axis=0)
    assert estimate.own[0] == pytest.approx(variance + np.array([0.01, 0.04]))
    difference = moves[:, 0] - moves[:, 1]
    assert estimate.contrasts[0][0, 1] == pytest.approx(3 / 4 * (difference**2).sum() + 0.05)
    assert estimate.covariance == pytest.approx(3 / 4 * moves.T @ moves + np.diag([0.01, 0.04]))


def test_degrees_of_freedom_by_hand() -> None:
    random = np.random.default_rng(1)
    first, second = random.normal(size=(40, 2)), random.normal(size=(25, 2)) ** 3
    estimate = Estimate(np.zeros(2), (block(first), block(second)), np.array([2.0, 3.0]))
    total, divided = 5.0, 0.0
    for moves in (first, second):
        d, c = moves[:, 0] - moves[:, 1], len(moves)
        v = (c - 1) / c * (d**2).sum()
        nu = min(c, 3 * (d**2).sum() ** 2 / (d**4).sum()) - 1
        total, divided = total + v, divided + v**2 / nu
    assert estimate.contrasts[1][0, 1] == pytest.approx(total**2 / divided)


def test_without_tasks_there_are_infinitely_many() -> None:
    assert Estimate(np.zeros(2), (), np.ones(2)).own[1].tolist() == [np.inf, np.inf]


def test_one_task_separates_nobody() -> None:
    """Its jackknife variance is 0, which is no certainty."""
    estimate = Estimate(np.array([90.0, 10.0]), (block(np.array([[1.0, -1.0]])),), np.full(2, 0.01))
    nobody = np.zeros(2, dtype=np.bool_)
    found = Separation(estimate, Reach(estimate.score, estimate.score, nobody, nobody))
    assert not found.above.any()
    assert np.isnan(found.intervals).all()


def test_the_interval_is_a_t_interval() -> None:
    random = np.random.default_rng(2)
    estimate = Estimate(np.array([50.0, 60.0]), (block(random.normal(size=(30, 2))),), np.ones(2))
    nobody = np.zeros(2, dtype=np.bool_)
    low, high = Separation(estimate, Reach(estimate.score, estimate.score, nobody, nobody)).intervals
    variance, freedom = estimate.own
    half = stats.t.ppf(0.975, freedom) * np.sqrt(variance)
    assert (high - low) / 2 == pytest.approx(half)


def test_bonferroni_over_all_pairs() -> None:
    """Eight rows: a difference must exceed the normal quantile at 1 - .05/56."""
    needed = stats.norm.ppf(1 - 0.05 / 56) * np.sqrt(2)
    just_over, just_under = (separation([0.0] * 7 + [needed * by], 1.0) for by in (1.0001, 0.9999))
    assert just_over.above[7, :7].all()
    assert not just_under.above.any()


def test_rank_ranges_and_the_top_group() -> None:
    found = separation([90.0, 88.0, 50.0, 49.0, 10.0], 1.0)
    assert found.rank_low.tolist() == [1, 1, 3, 3, 5]
    assert found.rank_high.tolist() == [2, 2, 4, 4, 5]
    assert found.top.tolist() == [0, 1]
    assert found.tier.tolist() == [1, 1, 2, 2, 3]


def test_a_chain_of_overlaps_is_one_tier() -> None:
    """First and last are separated, their neighbours are not: no line can be drawn between them."""
    found = separation([60.0, 57.0, 54.0, 51.0], 1.0)
    assert found.above[0, 3]
    assert found.tier.tolist() == [1, 1, 1, 1]


def test_equal_to_six_digits_share_a_rank() -> None:
    found = separation([50.0000001, 60.0, 50.0000004, 40.0], 0.0)
    assert found.rank.tolist() == [2, 1, 2, 4]
    assert found.order.tolist() == [1, 0, 2, 3]
    assert not found.above[2, 0]


def test_open_ends_and_bounds_keep_rows_together() -> None:
    scores, yes = [90.0, 10.0], np.array([True, True])
    assert separation(scores, 1.0).above[0, 1]
    assert not separation(scores, 1.0, open_below=yes & [True, False]).above.any()
    assert not separation(scores, 1.0, open_above=yes & [False, True]).above.any()
    assert separation(scores, 1.0, open_above=yes & [True, False]).above[0, 1]
    assert not separation(scores, 1.0, least=np.array([12.0, 10.0])).above.any()


def test_blocks_that_share_a_task_are_added_before_they_are_squared() -> None:
    moves = np.array([[1.0], [2.0]])
    a, b, c = (Block(tasks, frozenset(tasks), moves) for tasks in (("s", "t"), ("t", "u"), ("v", "w")))
    joined, alone = join([a, b, c])
    assert joined.tasks == ("s", "t", "u")
    assert joined.size == 3
    assert joined.moves.tolist() == [[1.0], [3.0], [2.0]]
    assert alone is c


def test_blocks_are_linked_through_others() -> None:
    moves = np.ones((2, 1))
    ends = [Block(tasks, frozenset(tasks), moves) for tasks in (("a", "b"), ("c", "d"), ("b", "c"))]
    assert [one.tasks for one in join(ends)] == [("a", "b", "c", "d")]


def copied_facet() -> Inputs:
    """Two facets, the second with the very tasks and verdicts of the first."""
    one = worlds.inputs(worlds.World(size=10, tasks=40, groups=0), 4)
    (verdicts,), (facet,) = one.verdicts, one.facets
    halves = (Facet("f00", facet.weight / 2, "pairwise"), Facet("f01", facet.weight / 2, "pairwise"))
    return replace(one, facets=halves, verdicts=(verdicts, replace(verdicts, facet="f01")))


def test_judging_the_same_tasks_for_two_facets_narrows_no_interval() -> None:
    single, double = worlds.inputs(worlds.World(size=10, tasks=40, groups=0), 4), copied_facet()
    alone, twice = rank(single, POLICY), rank(double, POLICY)
    assert len(solve(lay_out(double, POLICY)).estimate.blocks) == 1
    for one, other in zip(alone.rows, twice.rows, strict=True):
        assert other.key == one.key
        assert other.low == pytest.approx(one.low)
        assert other.high == pytest.approx(one.high)


def test_two_facets_with_tasks_of_their_own_do() -> None:
    verdicts = copied_facet().verdicts
    first, second = verdicts
    apart = replace(second, tasks=tuple(f"own {task}" for task in second.tasks))
    alone = rank(replace(copied_facet(), verdicts=(first, apart)), POLICY)
    together = rank(copied_facet(), POLICY)
    for one, other in zip(alone.rows, together.rows, strict=True):
        assert one.standard_error == pytest.approx(other.standard_error / np.sqrt(2), rel=1e-6)
