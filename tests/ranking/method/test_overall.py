"""The average over categories."""

from dataclasses import replace

import numpy as np
import pytest

from ranking.method.inputs import Inputs
from ranking.method.layout import lay_out
from ranking.method.overall import Overall, overall
from ranking.method.refusal import Refusal
from ranking.method.solution import Solution, solve
from tests.ranking.method import human, worlds

POLICY = human.policy()


def category(seed: int, **terms: object) -> Inputs:
    """With sources and tasks of its own."""
    inputs = worlds.inputs(worlds.World(**({"size": 10, "tasks": 40} | terms)), seed)  # type: ignore[arg-type]
    values = tuple(replace(one, lineage=f"{one.lineage}-{seed}", group=f"{one.group}-{seed}") for one in inputs.values)
    tables = tuple(replace(one, tasks=tuple(f"{seed} {task}" for task in one.tasks)) for one in inputs.verdicts)
    return replace(inputs, values=values, verdicts=tables)


def solved(inputs: Inputs) -> Solution:
    return solve(lay_out(inputs, POLICY))


THREE = {f"category-{seed}": solved(category(seed)) for seed in range(3)}


def common(categories: dict[str, Solution]) -> Overall:
    return overall(categories, POLICY)


def test_each_category_is_standardised_again_on_the_common_rows() -> None:
    z = []
    for solution in THREE.values():
        score = solution.estimate.score
        z.append((score - score.mean()) / score.std(ddof=1))
    expected = dict(zip(next(iter(THREE.values())).names, 50 + 10 * np.mean(z, axis=0), strict=True))
    assert {row.key: row.score for row in common(THREE).rows} == pytest.approx(expected)


def test_contributions_are_by_category_and_add_up() -> None:
    for row in common(THREE).rows:
        assert [one.facet for one in row.contributions] == sorted(THREE)
        assert row.score == pytest.approx(50 + sum(one.points for one in row.contributions))


def test_independent_categories_add_their_variances() -> None:
    row = common(THREE).rows[0]
    variance = 0.0
    for solution in THREE.values():
        own, deviation = solution.estimate, solution.estimate.score.std(ddof=1)
        variance += own.own[0][solution.names.index(row.key)] * (10 / 3 / deviation) ** 2
    assert row.standard_error == pytest.approx(np.sqrt(variance))


def test_a_category_three_times_is_no_surer_than_once() -> None:
    """Its tasks and sources are the same ones, and are added before they are squared."""
    once = solved(category(1))
    thrice = common(dict.fromkeys(("a", "b", "c"), once))
    for row in thrice.rows:
        place = once.names.index(row.key)
        factor = 10 / once.estimate.score.std(ddof=1)
        assert row.standard_error == pytest.approx(factor * np.sqrt(once.estimate.own[0][place]))


def test_only_rows_of_every_category_are_in_it() -> None:
    without = replace(category(2), configurations=category(2).configurations[1:])
    found = common({**THREE, "category-2": solved(without)})
    assert "c000" not in {row.key for row in found.rows}
    assert len(found.rows) == 9


def test_too_few_categories() -> None:
    refused({name: THREE[name] for name in sorted(THREE)[:2]}, "too-few-categories")


def test_too_few_common_rows() -> None:
    fewer = {
        f"category-{seed}": solved(replace(category(seed), configurations=category(seed).configurations[low:high]))
        for seed, (low, high) in enumerate(((0, 8), (1, 9), (2, 10)))
    }
    refused(fewer, "too-few-common-rows")


def test_one_group_may_not_carry_most_of_it() -> None:
    refused({f"category-{seed}": solved(category(seed, groups=0)) for seed in range(3)}, "group-too-heavy")


def refused(categories: dict[str, Solution], code: str) -> None:
    with pytest.raises(Refusal) as refusal:
        common(categories)
    assert refusal.value.code == code
