"""The units of one facet as the fits read them: a core that is fitted together, and guests placed against it. Pure."""

from dataclasses import dataclass

import numpy as np

from ranking.method.arrays import Booleans, Floats, Integers, tally
from ranking.method.bradley_terry import STEP, Counts, gradient, newton, place
from ranking.method.units import Units


@dataclass(frozen=True, eq=False, slots=True)
class Worths:
    """Log-worths with the ghost at 0."""

    core: Floats
    """(p,)"""
    guests: Floats
    """(m,)"""


@dataclass(frozen=True, eq=False, slots=True)
class Contest:
    core: Integers
    """(p,) indexes into the configurations of the inputs; so are the guests."""
    guests: Integers
    """(m,)"""
    inside: Units
    """Between two of the core; `lo` and `hi` index it."""
    outside: Units
    """Between a guest, `lo`, and one of the core, `hi`; `y` is the guest's."""
    inside_points: Floats
    """(t, p) points on each task."""
    outside_points: Floats
    """(t, m)"""

    @classmethod
    def of(cls, units: Units, core: Booleans, guests: Booleans) -> "Contest":
        """Units between two guests place nobody and are left out."""
        lo_core, hi_core = core[units.lo], core[units.hi]
        inside = units.where(lo_core & hi_core)
        from_lo = units.where(guests[units.lo] & hi_core)
        from_hi = units.where(guests[units.hi] & lo_core)
        place_core, place_guest = (np.cumsum(mask, dtype=np.int32) - 1 for mask in (core, guests))
        outside = Units(
            units.tasks,
            np.concatenate([from_lo.task, from_hi.task]),
            place_guest[np.concatenate([from_lo.lo, from_hi.hi])],
            place_core[np.concatenate([from_lo.hi, from_hi.lo])],
            np.concatenate([from_lo.y, 1 - from_hi.y]),
        )
        if not core.all():
            inside = Units(units.tasks, inside.task, place_core[inside.lo], place_core[inside.hi], inside.y)
        return cls._tallied(np.flatnonzero(core), np.flatnonzero(guests), inside, outside)

    @classmethod
    def _tallied(cls, core: Integers, guests: Integers, inside: Units, outside: Units) -> "Contest":
        p, m = len(core), len(guests)
        inside_points = _by_task(inside, inside.lo, inside.y, p) + _by_task(inside, inside.hi, 1 - inside.y, p)
        return cls(core, guests, inside, outside, inside_points, _by_task(outside, outside.lo, outside.y, m))

    def keeping(self, inside: Booleans, outside: Booleans) -> "Contest":
        """Only the units that the masks choose."""
        return Contest._tallied(self.core, self.guests, self.inside.where(inside), self.outside.where(outside))

    @property
    def tasks(self) -> tuple[str, ...]:
        return self.inside.tasks

    @property
    def everyone(self) -> Floats:
        """(t,) the share of each task that takes all of it."""
        return np.ones(len(self.tasks))

    def wins(self) -> Floats:
        """(p, p) points of row against column inside the core."""
        p, units = len(self.core), self.inside
        ahead = tally(units.lo * p + units.hi, units.y, p * p).reshape(p, p)
        behind = tally(units.hi * p + units.lo, 1 - units.y, p * p).reshape(p, p)
        total: Floats = ahead + behind
        return total

    def counts(self, share: Floats) -> Counts:
        """Of the core, each task taken `share` (t,) times."""
        p = len(self.core)
        pairs = tally(self.inside.lo * p + self.inside.hi, share[self.inside.task], p * p).reshape(p, p)
        return Counts(pairs + pairs.T, share @ self.inside_points)

    def guest_counts(self, share: Floats) -> tuple[Floats, Floats]:
        """(m, p) units of the guests against the core and their (m,) points, each task taken `share` (t,) times."""
        m, p = len(self.guests), len(self.core)
        units = tally(self.outside.lo * p + self.outside.hi, share[self.outside.task], m * p).reshape(m, p)
        return units, share @ self.outside_points

    def seat(self, share: Floats, core: Floats, start: Floats | None = None) -> Worths:
        """The guests placed against `core`."""
        if not len(self.guests):
            return Worths(core, np.zeros(0))
        units, points = self.guest_counts(share)
        return Worths(core, place(units, points, core, start))

    def refit(self, share: Floats, start: Worths) -> Worths:
        """Everybody, each task taken `share` (t,) times; connectivity is not asked, the ghost keeps all finite."""
        return self.seat(share, newton(self.counts(share), start.core), start.guests)

    def half(self, share: Floats, start: Worths, inverse: Floats) -> Worths:
        """As `refit` with about half of the tasks, from where the `inverse` information of all of them points to."""
        counts = self.counts(share)
        ahead = start.core + np.clip(2 * inverse @ gradient(start.core, counts), -STEP, STEP)
        return self.seat(share, newton(counts, ahead), start.guests)


def _by_task(units: Units, who: Integers, points: Floats, size: int) -> Floats:
    tasks = len(units.tasks)
    return tally(units.task * size + who, points, tasks * size).reshape(tasks, size)
