"""Where everybody stands when one task is left out, for every task (METHOD 4). Pure.

Each answer is the maximum of the likelihood of the other tasks, the ghost kept. For most tasks a few steps with the
inverse information of all tasks get there, for all of them at once; a task that carries much of somebody's evidence is
refitted by Newton's method with its own information. Both end at the same point.
"""

import numpy as np
from scipy.sparse import csr_array

from ranking.method.arrays import Floats, Integers, tally
from ranking.method.bradley_terry import STEP, newton
from ranking.method.contest import Contest, Worths

AT_ONCE = 16
"""Tasks in one go: as many as the processor's cache holds the pairs of."""
CHORD_STEPS = 12
CHORD_SETTLED = 1e-7
"""A tenth of what is asked, because these steps shrink by a factor, not by squares."""


def without_each_task(contest: Contest, worths: Worths, inverse: Floats) -> tuple[Floats, Floats]:
    """Log-worths of the core (t, p) and of the guests (t, m), ghost at 0, without each of the t tasks.

    `inverse` (p, p) is that of the information of all tasks at `worths`.
    """
    core, unsettled = _chords(contest, worths.core, inverse)
    for task in unsettled:
        core[task] = newton(contest.counts(_without(contest, task)), worths.core)
    guests = np.empty((len(contest.tasks), len(contest.guests)))
    for task in range(len(contest.tasks)) if len(contest.guests) else ():
        guests[task] = contest.seat(_without(contest, task), core[task], worths.guests).guests
    return core, guests


def _without(contest: Contest, task: int) -> Floats:
    share = contest.everyone
    share[task] = 0.0
    return share


def _chords(contest: Contest, theta: Floats, inverse: Floats) -> tuple[Floats, Integers]:
    """Log-worths (t, p) without each task, and the tasks for which they have not settled."""
    left_out = _LeftOut(contest)
    found = np.repeat(theta[:, None], len(contest.tasks), axis=1)
    judged = np.unique(contest.inside.task)
    unsettled = [judged[:0]]
    for start in range(0, len(judged), AT_ONCE):
        active = judged[start : start + AT_ONCE]
        for _ in range(CHORD_STEPS):
            move = np.clip(inverse @ left_out.gradient(found[:, active], active), -STEP, STEP)
            found[:, active] += move
            active = active[np.abs(move).max(axis=0) > CHORD_SETTLED]
            if not len(active):
                break
        unsettled.append(active)
    return found.T.copy(), np.concatenate(unsettled)


class _LeftOut:
    """The likelihood equations without one task, for many tasks at once: columns are tasks, rows are the core."""

    def __init__(self, contest: Contest) -> None:
        p, units = len(contest.core), contest.inside
        pairs, count = np.unique(units.lo * p + units.hi, return_counts=True)
        self.lo, self.hi = pairs // p, pairs % p
        self.count = count[:, None].astype(np.float64)
        self.to_sides = _sides(self.lo, self.hi, p)
        self.units = units
        self.points = contest.inside_points.sum(axis=0)[:, None] - contest.inside_points.T

    def gradient(self, theta: Floats, tasks: Integers) -> Floats:
        """(p, k) points beyond those expected at `theta` (p, k), column j without task `tasks[j]`."""
        worth = np.exp(theta)
        expected = self.to_sides @ _expected(worth[self.lo], worth[self.hi], self.count)
        expected += _beaten(self.hi, self.count, len(worth))
        expected -= self._in_the_task(worth, tasks)
        rest: Floats = self.points[:, tasks] - expected + 0.5 - worth / (1 + worth)
        return rest

    def _in_the_task(self, worth: Floats, tasks: Integers) -> Floats:
        """(p, k) points expected in the very task that each column leaves out."""
        # The units are ordered by task, and so are the tasks asked for.
        these = slice(*np.searchsorted(self.units.task, (tasks[0], tasks[-1] + 1)))
        columns = np.full(self.points.shape[1], -1)
        columns[tasks] = np.arange(len(tasks))
        column = columns[self.units.task[these]]
        lo, hi, column = self.units.lo[these][column >= 0], self.units.hi[these][column >= 0], column[column >= 0]
        share = worth[lo, column] / (worth[lo, column] + worth[hi, column])
        size = worth.size
        flat = tally(lo * len(tasks) + column, share, size) + tally(hi * len(tasks) + column, 1 - share, size)
        return flat.reshape(worth.shape)


def _expected(lo: Floats, hi: Floats, count: Floats) -> Floats:
    """(pairs, k) points that the lower side of each pair is expected to take; the arguments are worth to overwrite."""
    hi += lo
    lo /= hi
    lo *= count
    return lo


def _sides(lo: Integers, hi: Integers, size: int) -> csr_array:
    """(size, pairs): what a pair gives to its lower side it takes from its higher side."""
    pair = np.arange(len(lo))
    entries = np.concatenate([np.ones(len(lo)), -np.ones(len(lo))])
    return csr_array((entries, (np.concatenate([lo, hi]), np.concatenate([pair, pair]))), shape=(size, len(lo)))


def _beaten(hi: Integers, count: Floats, size: int) -> Floats:
    return tally(hi, count[:, 0], size)[:, None]
