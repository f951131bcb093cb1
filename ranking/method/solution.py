"""A layout solved: fits, scale, score, uncertainty (METHOD 2 to 4). What the checks look into. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal
from functools import cached_property

import numpy as np

from ranking.method.aggregate import CENTRE, SPREAD, bounds, shares
from ranking.method.arrays import Booleans, Floats, Integers
from ranking.method.blocks import Block, join
from ranking.method.cells import FEWEST_ROWS, Cell
from ranking.method.estimate import Estimate
from ranking.method.inputs import CellScale, Constants
from ranking.method.layout import Layout
from ranking.method.pairwise import PairwiseCell, fit_cell
from ranking.method.refusal import Refusal
from ranking.method.separation import Reach, Separation

NO_SPREAD = 1e-9
"""A standard deviation of the panel, in log-odds, below which nothing was measured."""


@dataclass(frozen=True, eq=False)
class Solution:
    """Of r rows, ordered by key, in c cells."""

    layout: Layout
    fits: Mapping[int, PairwiseCell]
    """By column of the cell."""
    moves: Mapping[int, Block]
    """Of z, by column of the cell."""
    constants: Constants
    """Of each cell."""
    rows: Integers
    """(r,) indexes into the configurations."""
    z: Floats
    """(r, c) NaN where there is no value."""
    variance: Floats
    """(r, c) of the external z; 0 elsewhere."""
    worst: Floats
    """(c,) of the panel."""
    best: Floats

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(self.layout.names[int(row)] for row in self.rows)

    @property
    def cells(self) -> tuple[Cell, ...]:
        return self.layout.cells

    @property
    def has(self) -> Booleans:
        return ~np.isnan(self.z)

    @cached_property
    def first_party(self) -> Booleans:
        """(c,)"""
        return np.array([cell.first_party for cell in self.cells], dtype=np.bool_)

    def shares(self, columns: Booleans) -> Floats:
        """(r, c) what each z counts in the composite of the chosen `columns` (c,)."""
        return shares(self.cells, self.layout.weights, self.has & columns)

    def composite(self, columns: Booleans) -> Estimate:
        """The score that the chosen cells alone would give, with its uncertainty."""
        share = self.shares(columns)
        return Estimate(
            score=CENTRE + SPREAD * (share * np.nan_to_num(self.z)).sum(axis=1),
            blocks=join([block.scaled(SPREAD * share[:, column]) for column, block in self.moves.items()]),
            external=(SPREAD**2 * share**2 * self.variance).sum(axis=1),
        )

    @property
    def every(self) -> Booleans:
        """(c,)"""
        return np.ones(len(self.cells), dtype=np.bool_)

    @cached_property
    def estimate(self) -> Estimate:
        return self.composite(self.every)

    @cached_property
    def contributions(self) -> Floats:
        """(r, c) points; they sum to score - 50."""
        return SPREAD * self.shares(self.every) * np.nan_to_num(self.z)

    @cached_property
    def reach(self) -> Reach:
        full = shares(self.cells, self.layout.weights, np.ones_like(self.has))
        low, high = bounds(full, self.z, self.worst, self.best)
        score, lacking = self.estimate.score, ~self.has.all(axis=1)
        fits = self.fits.values()
        nobody = np.zeros(len(self.rows), dtype=np.bool_)
        return Reach(
            least=np.where(lacking, np.minimum(low, score), score),
            most=np.where(lacking, np.maximum(high, score), score),
            open_above=np.logical_or.reduce([nobody, *(fit.open_above[self.rows] for fit in fits)]),
            open_below=np.logical_or.reduce([nobody, *(fit.open_below[self.rows] for fit in fits)]),
        )

    @cached_property
    def separation(self) -> Separation:
        return Separation(self.estimate, self.reach)


def solve(layout: Layout, constants: Constants | None = None) -> Solution:
    """Raises Refusal `panel-too-small`, `no-rows`, `no-spread`, and those of a pairwise fit."""
    size = int(layout.panel.sum())
    if size < FEWEST_ROWS:
        raise Refusal(
            "panel-too-small",
            f"{size} headline rows of different model releases have a value in every cell; {FEWEST_ROWS} set a scale.",
        )
    if not layout.rows.any():
        raise Refusal("no-rows", "No headline row has a cell of every kind that every facet asks for.")
    fits = {column: _fit(layout, cell) for column, cell in enumerate(layout.cells) if cell.first_party}
    x = np.array([fits[column].theta if column in fits else cell.x for column, cell in enumerate(layout.cells)]).T
    scale = tuple(_scale(layout, column, x[:, column], constants or ()) for column in range(len(layout.cells)))
    mean, deviation = np.array([(float(one.mean), float(one.sd)) for one in scale]).T
    z = (x - mean) / deviation
    rows = np.flatnonzero(layout.rows)
    return Solution(
        layout=layout,
        fits=fits,
        moves={column: fit.block(rows).scaled(1 / deviation[column]) for column, fit in fits.items()},
        constants=scale,
        rows=rows,
        z=z[rows],
        variance=np.nan_to_num(np.array([cell.variance for cell in layout.cells]).T[rows] / deviation**2),
        worst=np.nanmin(z[layout.panel], axis=0),
        best=np.nanmax(z[layout.panel], axis=0),
    )


def _fit(layout: Layout, cell: Cell) -> PairwiseCell:
    judgment = layout.judged[cell.facet]
    assert judgment is not None, "a pairwise cell has units"
    return fit_cell(judgment.units, layout.pool, layout.panel, layout.rows, layout.names)


def _scale(layout: Layout, column: int, x: Floats, sealed: Constants) -> CellScale:
    """Sealed once, kept ever after; a cell that was not there yet is measured on the sealed panel."""
    cell = layout.cells[column]
    facet = layout.facets[cell.facet].key
    for known in sealed:
        if (known.facet, known.lineage) == (facet, cell.lineage):
            return known
    measured = x[layout.panel & ~np.isnan(x)]
    deviation = float(measured.std(ddof=1))
    if deviation < NO_SPREAD:
        raise Refusal("no-spread", f"All of the panel stand equal in {facet} / {cell.lineage}; nothing was measured.")
    return CellScale(facet, cell.lineage, _twelve_places(float(measured.mean())), _twelve_places(deviation))


def _twelve_places(number: float) -> Decimal:
    # Adding zero makes of minus zero a zero.
    return Decimal(repr(number)).quantize(Decimal("1e-12"), rounding=ROUND_HALF_EVEN) + 0
