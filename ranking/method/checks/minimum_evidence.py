"""Enough tasks, units and opponents behind each pairwise cell. Counts only, no fit."""

from collections.abc import Callable

import numpy as np

from ranking.method.arrays import Floats, Integers, tally
from ranking.method.checks.asking import criterion, lowest, untested
from ranking.method.inputs import Policy
from ranking.method.layout import Layout
from ranking.method.results import Check

CODE = "minimum-evidence"
ADVISED_UNITS = 60


def minimum_evidence(layout: Layout, policy: Policy) -> Check:
    """Asked of every row that the field names, whether or not it has come as far as the table."""
    facets = [number for number, facet in enumerate(layout.facets) if facet.wants_pairwise]
    if not facets:
        return untested(CODE, "no-pairwise-facet", "No facet is judged by comparisons.")
    if not layout.declared.any():
        return untested(CODE, "no-headline-rows", "There is no headline row whose evidence could be counted.")
    counted = {layout.facets[number].key: _Counted(layout, number) for number in facets}

    def least(code: str, figure: Callable[[_Counted], float], what: str) -> Check:
        return lowest(code.replace("_", "-"), policy[code], {key: figure(one) for key, one in counted.items()}, what)

    return criterion(
        CODE,
        (
            least("facet_tasks", lambda one: one.tasks, "Distinct tasks in the facet with the fewest"),
            least("effective_tasks", lambda one: one.effective, "Effective tasks of the headline row with the fewest"),
            least("facet_units", lambda one: one.units, f"Units of the row with the fewest ({ADVISED_UNITS} advised)"),
            least("distinct_opponents", lambda one: one.opponents, "Opponents of the row with the fewest"),
        ),
    )


class _Counted:
    """The units of one facet against the pool: how many tasks, and the least of any headline row."""

    def __init__(self, layout: Layout, facet: int) -> None:
        judgment, size = layout.judged[facet], len(layout.configurations)
        by_task, by_opponent = np.zeros((size, 1)), np.zeros((size, size))
        if judgment is not None:
            units = judgment.units
            by_task = np.zeros((size, len(units.tasks)))
            for own, other in ((units.lo, units.hi), (units.hi, units.lo)):
                met = layout.pool[other]
                by_task += _grid(own[met], units.task[met], size, len(units.tasks))
                by_opponent += _grid(own[met], other[met], size, size)
        rows = by_task[layout.declared]
        squares = (rows**2).sum(axis=1)
        self.tasks = int((by_task[layout.declared | layout.pool] > 0).any(axis=0).sum())
        self.effective = float(np.min(rows.sum(axis=1) ** 2 / np.where(squares > 0, squares, 1)))
        self.units = int(rows.sum(axis=1).min())
        self.opponents = int((by_opponent[layout.declared] > 0).sum(axis=1).min())


def _grid(row: Integers, column: Integers, rows: int, columns: int) -> Floats:
    """(rows, columns) how often each occurs."""
    return tally(row * columns + column, np.ones(len(row)), rows * columns).reshape(rows, columns)
