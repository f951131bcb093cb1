"""Verdicts to sittings: one entry for each task, pair, judge and order shown, and what is on record of them. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from ranking.method.arrays import Booleans, Floats, Integers, grouped, runs, tally
from ranking.method.inputs import ORDERS, POINTS, Configuration, Verdicts
from ranking.method.refusal import Refusal

LO_FIRST, HI_FIRST, UNRECORDED = range(len(ORDERS))


@dataclass(frozen=True, eq=False, slots=True)
class Record:
    """How the units of one facet were shown, and how far single verdicts agree. Arrays are over the configurations."""

    verdicts: int
    ordered: int
    """Verdicts whose order was recorded."""
    both_orders: int
    """Units shown both ways round."""
    swaps: int
    """Units that one judge saw both ways round."""
    swaps_kept: int
    """Of these, judged alike both times."""
    order_points: Floats
    """(n, n) points of the row, shown first, against the column."""
    order_verdicts: Floats
    """(n, n) verdicts with the row shown first and the column second."""
    values: Floats
    """(3,) verdicts of 0, 1/2 and 1, of either side, on units with more than one."""
    disagreement: float
    """Sum over those units of the pairs of verdicts that differ, by verdicts less one: Krippendorff's observed part."""


@dataclass(frozen=True, eq=False, slots=True)
class Sittings:
    """Of k sittings, ordered by unit, judge and order."""

    unit: Integers
    """(k,) ascending key of task, lo and hi."""
    judge: Integers
    order: Integers
    """LO_FIRST, HI_FIRST or UNRECORDED."""
    ballots: Floats
    """(3, k) verdicts of 0, 1/2 and 1 for `lo`."""
    verdicts: Floats
    """(k,) how many."""
    outcome: Floats
    """(k,) mean points of `lo`."""
    size: int
    """Configurations of the inputs, n."""

    @property
    def lo(self) -> Integers:
        return self.unit // self.size % self.size

    @property
    def hi(self) -> Integers:
        return self.unit % self.size

    @property
    def task(self) -> Integers:
        return self.unit // self.size**2


def sittings(verdicts: Verdicts, configurations: Sequence[Configuration]) -> Sittings:
    """Those of judges who count, between two of the `configurations`.

    Raises Refusal `contradicting-duplicates` where a judge gave one unit, shown in one order, two outcomes.
    """
    key, ballots = _ballots(verdicts, configurations)
    said = ballots[0] + ballots[1] + ballots[2]
    sitting, order = np.divmod(key, len(ORDERS))
    unit, judge = np.divmod(sitting, max(len(verdicts.judges), 1))
    outcome = (ballots[1] / 2 + ballots[2]) / said
    found = Sittings(unit, judge, order.astype(np.int8), ballots, said, outcome, len(configurations))
    _refuse_contradictions(found, verdicts, configurations)
    return found


def _ballots(verdicts: Verdicts, configurations: Sequence[Configuration]) -> tuple[Integers, Floats]:
    """The ascending key of each sitting and its verdicts (3, k) by points."""
    keys, doubled, count = _folded(verdicts, configurations)
    key, sitting = grouped(keys)
    return key, tally(sitting + doubled.astype(np.int64) * len(key), count, 3 * len(key)).reshape(3, -1)


def _folded(verdicts: Verdicts, configurations: Sequence[Configuration]) -> tuple[Integers, Integers, Floats]:
    """Of each verdict that counts: task, lo, hi, judge and order in one number; twice the points of `lo`; its count."""
    a, b = _places(verdicts, configurations)
    counts = (a >= 0) & (b >= 0) & ~_own_maker(verdicts, configurations, a, b)
    a, b = a[counts], b[counts]
    swapped = a > b
    doubled = np.array(2 * POINTS, dtype=np.int8)[verdicts.outcome[counts]]
    order = verdicts.order[counts]
    order = np.where(swapped & (order != UNRECORDED), 1 - order, order)
    parts = (
        (np.minimum(a, b), len(configurations)),
        (np.maximum(a, b), len(configurations)),
        (verdicts.judge[counts], len(verdicts.judges)),
        (order, len(ORDERS)),
    )
    # Four bytes where they are enough: keys are the widest columns there are.
    keys = len(verdicts.tasks) * prod(size for _, size in parts)
    key: Integers = verdicts.task[counts].astype(np.int32 if keys < 2**31 else np.int64)
    for part, size in parts:
        key *= size
        key += part
    return key, np.where(swapped, 2 - doubled, doubled), verdicts.count[counts].astype(np.float64)


def _places(verdicts: Verdicts, configurations: Sequence[Configuration]) -> tuple[Integers, Integers]:
    """Both sides as indexes of `configurations`, -1 for one that is not among them."""
    place = {configuration.key: number for number, configuration in enumerate(configurations)}
    where = np.array([place.get(name, -1) for name in verdicts.configurations], dtype=np.int32)
    return where[verdicts.a], where[verdicts.b]


def _own_maker(verdicts: Verdicts, configurations: Sequence[Configuration], a: Integers, b: Integers) -> Booleans:
    """Verdicts of a judge whose maker made one of the two sides."""
    numbers = {maker: number for number, maker in enumerate(sorted({one.maker for one in configurations} - {""}))}
    sides = np.array([numbers.get(one.maker, -1) for one in configurations] or [-1])
    judges = np.array([numbers.get(judge.maker, -2) for judge in verdicts.judges] or [-2])
    judge = judges[verdicts.judge]
    own: Booleans = (judge == sides[a]) | (judge == sides[b])
    return own


def _refuse_contradictions(found: Sittings, verdicts: Verdicts, configurations: Sequence[Configuration]) -> None:
    """Where the order is not recorded a judge may have seen the pair both ways round; only recorded ones contradict."""
    twice = np.flatnonzero(((found.ballots > 0).sum(axis=0) > 1) & (found.order != UNRECORDED))
    if twice.size:
        sitting = int(twice[0])
        sides = " and ".join(configurations[int(side[sitting])].key for side in (found.lo, found.hi))
        judge = verdicts.judges[int(found.judge[sitting])].key
        task = verdicts.tasks[int(found.task[sitting])]
        raise Refusal("contradicting-duplicates", f"{judge} gave two outcomes for {sides} on {task}, shown alike.")


def record(found: Sittings) -> Record:
    order_points, order_verdicts = _by_order(found)
    swaps, swaps_kept = _swaps(found)
    units, unit = runs(found.unit)
    both = np.zeros((len(units), len(ORDERS)), dtype=np.bool_)
    both[unit, found.order] = True
    values, differing = disagreement(np.stack([tally(unit, ballots, len(units)) for ballots in found.ballots]))
    return Record(
        verdicts=int(found.verdicts.sum()),
        ordered=int(order_verdicts.sum()),
        both_orders=int((both[:, LO_FIRST] & both[:, HI_FIRST]).sum()),
        swaps=swaps,
        swaps_kept=swaps_kept,
        order_points=order_points,
        order_verdicts=order_verdicts,
        # Which side is `lo` is a matter of names, and must not count.
        values=(values + values[::-1]) / 2,
        disagreement=differing,
    )


def _by_order(found: Sittings) -> tuple[Floats, Floats]:
    """(n, n) points and verdicts, with the row shown first."""
    size = found.size
    lo_first, hi_first = found.order == LO_FIRST, found.order == HI_FIRST
    pair, points = found.unit % size**2, found.outcome * found.verdicts

    def table(chosen: Booleans, weights: Floats) -> Floats:
        """(n, n) with `lo` in the rows."""
        return tally(pair[chosen], weights[chosen], size**2).reshape(size, size)

    return (
        table(lo_first, points) + table(hi_first, found.verdicts - points).T,
        table(lo_first, found.verdicts) + table(hi_first, found.verdicts).T,
    )


def _swaps(found: Sittings) -> tuple[int, int]:
    """Sittings are ordered by unit, judge and order, so that the second way round follows the first."""
    both = (found.order[:-1] == LO_FIRST) & (found.order[1:] == HI_FIRST)
    both &= (found.unit[1:] == found.unit[:-1]) & (found.judge[1:] == found.judge[:-1])
    return int(both.sum()), int((found.outcome[1:] == found.outcome[:-1])[both].sum())


def disagreement(ballots: Floats) -> tuple[Floats, float]:
    """Verdicts by value, and the observed part of Krippendorff's alpha, from the verdicts (values, units)."""
    ballots = ballots[:, ballots.sum(axis=0) > 1]
    size = ballots.sum(axis=0)
    differing = (size**2 - (ballots**2).sum(axis=0)) / (size - 1)
    return ballots.sum(axis=1), float(differing.sum())
