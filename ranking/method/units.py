"""Comparisons to units: one outcome per facet, task and unordered pair (METHOD 1). Pure.

A judge's outcome of a unit is the mean over the orders it was shown in, the unit's outcome the mean over its judges, so
that more judges make a unit better, not heavier. A judge of the maker of either side does not count.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ranking.method.arrays import Booleans, Floats, Integers, runs, tally
from ranking.method.inputs import Configuration, Judge, Verdicts
from ranking.method.sittings import Record, record, sittings


@dataclass(frozen=True, eq=False, slots=True)
class Units:
    """Columns of one length, ordered by task and pair; `lo` < `hi` index the configurations of the inputs."""

    tasks: tuple[str, ...]
    task: Integers
    lo: Integers
    hi: Integers
    y: Floats
    """Outcome for `lo`: 1, 0, or something between."""

    def __len__(self) -> int:
        return len(self.y)

    def where(self, chosen: Booleans) -> "Units":
        if chosen.all():
            return self
        return Units(self.tasks, self.task[chosen], self.lo[chosen], self.hi[chosen], self.y[chosen])

    def met(self, opponents: Booleans) -> Booleans:
        """(n,) who has a unit against one of the `opponents` (n,)."""
        met = np.zeros_like(opponents)
        met[self.lo[opponents[self.hi]]] = True
        met[self.hi[opponents[self.lo]]] = True
        return met


@dataclass(frozen=True, eq=False, slots=True)
class Judged:
    """The units of one facet and who judged them how."""

    facet: str
    units: Units
    judges: tuple[Judge, ...]
    sat: Integers
    """Of each unit: how many judges."""
    judge: Integers
    """One entry a unit and judge, by unit."""
    outcome: NDArray[np.float32]
    """What this judge makes of this unit; with many judges the largest of all columns."""
    record: Record

    @property
    def unit(self) -> Integers:
        """One entry a unit and judge, as `judge`; indexes the units."""
        return np.repeat(np.arange(len(self.units)), self.sat)

    @property
    def active(self) -> tuple[Judge, ...]:
        """The judges with a verdict that counts."""
        return tuple(self.judges[int(number)] for number in np.flatnonzero(np.bincount(self.judge)))

    def units_by(self, judges: Booleans) -> Units:
        """The units as only these `judges` (j,) saw them."""
        counted = judges[self.judge]
        size = len(self.units)
        unit = self.unit[counted]
        seen, total = np.bincount(unit, minlength=size), tally(unit, self.outcome[counted].astype(np.float64), size)
        units = self.units.where(seen > 0)
        return Units(units.tasks, units.task, units.lo, units.hi, total[seen > 0] / seen[seen > 0])


def judged(verdicts: Verdicts, configurations: Sequence[Configuration]) -> Judged:
    """Reduce the verdicts of one facet; those of a configuration that is not in `configurations` are left out.

    Raises Refusal `contradicting-duplicates`.
    """
    found = sittings(verdicts, configurations)
    on_record = record(found)
    judges = max(len(verdicts.judges), 1)
    opinion, sitting = runs(found.unit * judges + found.judge)
    outcome = _mean(sitting, found.outcome, len(opinion))
    unit_key, unit = runs(opinion // judges)
    units = Units(
        tasks=verdicts.tasks,
        task=(unit_key // found.size**2).astype(np.int32),
        lo=(unit_key // found.size % found.size).astype(np.int32),
        hi=(unit_key % found.size).astype(np.int32),
        y=_mean(unit, outcome, len(unit_key)),
    )
    return Judged(
        facet=verdicts.facet,
        units=units,
        judges=verdicts.judges,
        sat=np.bincount(unit, minlength=len(unit_key)).astype(np.min_scalar_type(judges)),
        judge=(opinion % judges).astype(np.min_scalar_type(judges)),
        outcome=outcome.astype(np.float32),
        record=on_record,
    )


def _mean(group: Integers, values: Floats, groups: int) -> Floats:
    return tally(group, values, groups) / np.bincount(group, minlength=groups)
