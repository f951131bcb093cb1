"""Cells to a score: groups, lineages, missing cells, what a row assumes, what is no cell."""

from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest

from ranking.method.inputs import Facet, Inputs
from ranking.method.layout import lay_out
from ranking.method.method import rank
from ranking.method.results import Ranking, Row
from ranking.method.solution import Solution, solve
from tests.ranking.method import human, worlds

POLICY = human.policy()
WORLD = worlds.inputs(worlds.World(size=12, facets=2, tasks=40), 3)
MIDDLE = rank(WORLD, POLICY).rows[5].key


def solved(inputs: Inputs) -> Solution:
    return solve(lay_out(inputs, POLICY))


def row(ranking: Ranking, key: str) -> Row:
    return next(one for one in ranking.rows if one.key == key)


def lacking(inputs: Inputs, *cells: tuple[str, str, str]) -> Inputs:
    """Without the values of (configuration, facet, group)."""
    kept = tuple(one for one in inputs.values if (one.configuration, one.facet, one.group) not in cells)
    return replace(inputs, values=kept)


def by_hand(solution: Solution) -> dict[str, float]:
    """The score from z, the long way."""
    scores = {}
    for place, name in enumerate(solution.names):
        total = 0.0
        for number, weight in enumerate(solution.layout.weights):
            groups: dict[str, list[float]] = {}
            for column, cell in enumerate(solution.cells):
                if cell.facet == number and not np.isnan(solution.z[place, column]):
                    groups.setdefault(cell.group, []).append(float(solution.z[place, column]))
            total += weight * np.mean([np.mean(group) for group in groups.values()])
        scores[name] = 50 + 10 * total
    return scores


def two_lineages(inputs: Inputs) -> Inputs:
    """A second lineage in the first group, with other values."""
    more = [
        replace(one, lineage="lineage-second", contract=f"second-{one.facet}", value=1 - one.value)
        for one in inputs.values
        if one.group == "g0"
    ]
    return replace(inputs, values=(*inputs.values, *more))


@pytest.mark.parametrize(
    "inputs",
    [
        WORLD,
        two_lineages(WORLD),
        lacking(WORLD, ("c001", "f00", "g0"), ("c002", "f01", "g1")),
        replace(WORLD, facets=(Facet("f00", Decimal(85), "hybrid"), Facet("f01", Decimal(15), "hybrid"))),
    ],
    ids=["plain", "two lineages", "lacking", "weights"],
)
def test_the_score_is_a_mean_over_lineages_then_groups_then_facets(inputs: Inputs) -> None:
    ranking = rank(inputs, POLICY)
    assert {one.key: one.score for one in ranking.rows} == pytest.approx(by_hand(solved(inputs)), abs=1e-9)
    for one in ranking.rows:
        assert one.score == pytest.approx(50 + sum(cell.points for cell in one.contributions), abs=1e-9)


def test_a_facet_without_weight_counts_for_nothing() -> None:
    weightless = Facet("f02", Decimal(0), "hybrid")
    assert rank(replace(WORLD, facets=(*WORLD.facets, weightless)), POLICY).rows == rank(WORLD, POLICY).rows


def test_a_row_that_lacks_a_group_says_what_it_assumes() -> None:
    inputs = lacking(WORLD, (MIDDLE, "f00", "g0"))
    one = row(rank(inputs, POLICY), MIDDLE)
    assert one.assumes == ("f00 / lineage-g0",)
    assert "assumes" in {note.code for note in one.notes}
    assert len(one.contributions) == 5
    assert one.least < one.score < one.most


def test_its_bounds_are_the_panels_worst_and_best_in_the_missing_cell() -> None:
    inputs = lacking(WORLD, (MIDDLE, "f00", "g0"))
    solution = solved(inputs)
    column = next(place for place, cell in enumerate(solution.cells) if (cell.facet, cell.group) == (0, "g0"))
    place = solution.names.index(MIDDLE)
    z = solution.z[place].copy()
    panel = [solution.names.index(name) for name in solution.layout.sealed.members]
    bounds = []
    for bound in (np.min(solution.z[panel, column]), np.max(solution.z[panel, column])):
        z[column] = bound
        bounds.append(50 + 10 * np.mean([np.mean(z[:3]), np.mean(z[3:])]))
    one = row(rank(inputs, POLICY), MIDDLE)
    assert (one.least, one.most) == pytest.approx(tuple(bounds))


def test_the_rank_range_uses_the_bounds() -> None:
    whole, lacks = rank(WORLD, POLICY), rank(lacking(WORLD, (MIDDLE, "f00", "g0"), (MIDDLE, "f01", "g0")), POLICY)
    width = {
        name: row(table, MIDDLE).rank_high - row(table, MIDDLE).rank_low for name, table in (("w", whole), ("l", lacks))
    }
    assert width["l"] > width["w"]


def test_a_row_without_any_cell_of_a_kind_is_listed_apart() -> None:
    ranking = rank(lacking(WORLD, ("c001", "f00", "g0"), ("c001", "f00", "g1")), POLICY)
    assert [(one.key, one.code) for one in ranking.apart] == [("c001", "no-cell")]
    assert "f00 (external)" in ranking.apart[0].sentence
    assert "c001" not in {one.key for one in ranking.rows}


def test_a_lineage_that_knows_too_few_rows_is_context() -> None:
    few = [one for one in WORLD.values if (one.facet, one.group) == ("f00", "g0") and one.configuration < "c007"]
    more = [replace(one, lineage="small", group="small", contract="small", value=0.9) for one in few]
    ranking = rank(replace(WORLD, values=(*WORLD.values, *more)), POLICY)
    assert [(one.key, one.code) for one in ranking.context] == [("f00 / small", "too-few-rows")]
    assert ranking.rows == rank(WORLD, POLICY).rows


def test_losing_a_row_can_cost_a_lineage_its_cell() -> None:
    """A cell of eight rows, one of which lacks everything else: neither stands."""
    only = [(f"c{number:03d}", "f00", "g0") for number in range(8, 12)]
    alone = [("c000", "f00", "g1"), ("c000", "f01", "g1"), ("c000", "f01", "g0")]
    ranking = rank(lacking(WORLD, *only, *alone), POLICY)
    assert "c000" in {one.key for one in ranking.apart}
    assert "f00 / lineage-g0" in {one.key for one in ranking.context}
