"""Cells to a score (METHOD 3): a mean over lineages in a group, over groups in a facet, by weight over facets. Pure."""

from collections.abc import Sequence

import numpy as np

from ranking.method.arrays import Booleans, Floats
from ranking.method.cells import Cell

CENTRE = 50.0
SPREAD = 10.0
"""Points of score in a standard deviation of the panel."""


def shares(cells: Sequence[Cell], weights: Floats, has: Booleans) -> Floats:
    """(r, c) what one z counts in the mean of each row, from who `has` (r, c) a value; each row sums to 1.

    A group that a row lacks is left out of that row's mean, which is what the row would score if the group agreed with
    the others. A row without any value has shares of 0.
    """
    share = np.zeros(has.shape)
    for facet, weight in enumerate(weights):
        groups = _groups(cells, facet)
        present = (
            np.array([has[:, columns].any(axis=1) for columns in groups]).reshape(len(groups), len(has)).sum(axis=0)
        )
        for columns in groups:
            inside = has[:, columns].sum(axis=1)
            whole = np.maximum(present * inside, 1)[:, None]
            share[:, columns] = weight * has[:, columns] / whole
    total = share.sum(axis=1, keepdims=True)
    result: Floats = np.divide(share, total, out=np.zeros_like(share), where=total > 0)
    return result


def _groups(cells: Sequence[Cell], facet: int) -> list[list[int]]:
    """Columns of the cells of this facet, by independence group."""
    groups: dict[str, list[int]] = {}
    for column, cell in enumerate(cells):
        if cell.facet == facet:
            groups.setdefault(cell.group, []).append(column)
    return [groups[group] for group in sorted(groups)]


def bounds(full: Floats, z: Floats, worst: Floats, best: Floats) -> tuple[Floats, Floats]:
    """(r,) lowest and highest score with every missing cell anywhere between the panel's `worst` and `best` (c,).

    `full` (r, c) are the shares of a row that lacks nothing, `z` (r, c) is NaN where a row lacks a cell.
    """
    missing = np.isnan(z)
    low = CENTRE + SPREAD * (full * np.where(missing, worst, z)).sum(axis=1)
    high = CENTRE + SPREAD * (full * np.where(missing, best, z)).sum(axis=1)
    return low, high
