"""The cells of a table: one per facet and lineage, with who has a value in it (METHOD 2). Pure."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ranking.method.arrays import Booleans, Floats
from ranking.method.external import log_odds
from ranking.method.inputs import FIRST_PARTY, Configuration, ExternalValue, Facet, Inputs
from ranking.method.units import Judged

FEWEST_ROWS = 8
"""Headline rows with values below which a lineage is no cell, and members below which a panel sets no scale."""


@dataclass(frozen=True, eq=False, slots=True)
class Cell:
    """Arrays are over the (n,) configurations, NaN where there is no value."""

    facet: int
    group: str
    lineage: str
    has: Booleans
    x: Floats
    """Log-odds, higher is better. All NaN for comparisons: their values come from a fit."""
    variance: Floats

    @property
    def first_party(self) -> bool:
        return self.lineage == FIRST_PARTY


def external_cells(
    inputs: Inputs, facets: Sequence[Facet], configurations: Sequence[Configuration], row_factor: float
) -> tuple[Cell, ...]:
    """By facet, then lineage; values of other facets or configurations are left out."""
    facet_of = {facet.key: number for number, facet in enumerate(facets)}
    place = {configuration.key: number for number, configuration in enumerate(configurations)}
    found: dict[tuple[int, str], list[ExternalValue]] = defaultdict(list)
    for value in inputs.values:
        if value.facet in facet_of and value.configuration in place:
            found[facet_of[value.facet], value.lineage].append(value)
    return tuple(_external_cell(facet, found[facet, lineage], place, row_factor) for facet, lineage in sorted(found))


def _external_cell(facet: int, values: Sequence[ExternalValue], place: Mapping[str, int], row_factor: float) -> Cell:
    x, variance = np.full((2, len(place)), np.nan)
    for value in values:
        x[place[value.configuration]], variance[place[value.configuration]] = log_odds(value, row_factor)
    return Cell(facet, values[0].group, values[0].lineage, ~np.isnan(x), x, variance)


def pairwise_cells(judgments: Sequence[Judged | None], pool: Booleans) -> tuple[Cell, ...]:
    """Of each facet with a unit: whoever has one against the `pool` (n,) has a value."""
    nothing = np.full(len(pool), np.nan)
    return tuple(
        Cell(facet, FIRST_PARTY, FIRST_PARTY, judgment.units.met(pool), nothing, nothing)
        for facet, judgment in enumerate(judgments)
        if judgment is not None and len(judgment.units)
    )


def settle(rows: Booleans, cells: Sequence[Cell], facets: Sequence[Facet]) -> tuple[Booleans, tuple[Cell, ...]]:
    """The rows and cells that hold each other up: a cell has values for FEWEST_ROWS rows, a row has a cell of every
    kind that every facet asks for. Dropping one may drop another, until nothing changes.
    """
    while True:
        counting = tuple(cell for cell in cells if (cell.has & rows).sum() >= FEWEST_ROWS)
        kept = rows & complete(counting, facets, len(rows))
        if (kept == rows).all():
            return rows, counting
        rows = kept


def complete(cells: Sequence[Cell], facets: Sequence[Facet], size: int) -> Booleans:
    """(n,) who has, in every facet, a cell of each kind that its mode names."""
    holds = np.ones(size, dtype=np.bool_)
    for number, facet in enumerate(facets):
        external, pairwise = filled(cells, number, size)
        holds &= (external | (not facet.wants_external)) & (pairwise | (not facet.wants_pairwise))
    return holds


def filled(cells: Sequence[Cell], facet: int, size: int) -> tuple[Booleans, Booleans]:
    """(n,) who has an external, and who a pairwise, cell in this facet."""
    external, pairwise = np.zeros((2, size), dtype=np.bool_)
    for cell in cells:
        if cell.facet == facet and cell.first_party:
            pairwise |= cell.has
        elif cell.facet == facet:
            external |= cell.has
    return external, pairwise
