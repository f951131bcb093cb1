"""The pairwise cell of one facet: log-worths, and how they move when a task is left out (METHOD 2 and 4). Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ranking.method.arrays import Booleans, Floats, Integers
from ranking.method.blocks import Block
from ranking.method.bradley_terry import fit, information
from ranking.method.connectivity import standing
from ranking.method.contest import Contest, Worths
from ranking.method.leave_one_out import without_each_task
from ranking.method.refusal import Refusal
from ranking.method.units import Units


@dataclass(frozen=True, eq=False, slots=True)
class PairwiseCell:
    """Of the n configurations of the inputs, those with a place in this facet."""

    contest: Contest
    worths: Worths
    inverse: Floats
    """(p, p) of the information of the core."""
    panel: Booleans
    """(n,)"""
    theta: Floats
    """(n,) log-worth, centred on the panel; NaN where there is no place."""
    moves: Floats
    """(t, n) what leaving out each task changes in `theta`."""
    open_above: Booleans
    """(n,) placed without a loss: nothing bounds the worth upwards."""
    open_below: Booleans
    """(n,) placed without a win."""

    def block(self, rows: Integers) -> Block:
        """The moves of these `rows` (r,), 0 for those without a place here.

        A task that only guests were judged on tells nothing of how tasks spread the core, and is not counted in C.
        """
        tasks = self.contest.tasks
        judged = frozenset(tasks[int(task)] for task in np.unique(self.contest.inside.task))
        return Block(tasks, judged, np.nan_to_num(self.moves[:, rows]))

    def from_tasks(self, share: Floats) -> Floats:
        """`theta` from the tasks with a `share` (t,) of 1 alone."""
        return self._theta(self.contest.half(share, self.worths, self.inverse))

    def from_units(self, units: Units) -> Floats:
        """`theta` from other units of the same facet, for the same core and guests."""
        core, guests = np.zeros((2, len(self.panel)), dtype=np.bool_)
        core[self.contest.core], guests[self.contest.guests] = True, True
        return self.from_contest(Contest.of(units, core, guests))

    def from_contest(self, contest: Contest) -> Floats:
        """`theta` from other units between the same core and guests."""
        return self._theta(contest.refit(contest.everyone, self.worths))

    def _theta(self, worths: Worths) -> Floats:
        return _centred(self.contest, worths.core, worths.guests, self.panel)


def fit_cell(units: Units, pool: Booleans, panel: Booleans, rows: Booleans, names: Sequence[str]) -> PairwiseCell:
    """Fit the pool's members and place the other `rows`; all masks are over the (n,) configurations.

    A member of the pool without a unit in this facet takes no part in it. Raises Refusal `islands`,
    `unsolved-equations` or `panel-without-value`.
    """
    core = _core(units, pool, names)
    contest = Contest.of(units, core, units.met(core) & (pool | rows) & ~core)
    # Where evalica's iteration stops depends on its solver; the Newton step of a refit from there takes that away.
    worths = contest.refit(contest.everyone, Worths(fit(contest.wins()), np.zeros(len(contest.guests))))
    theta = _centred(contest, worths.core, worths.guests, panel)
    if np.isnan(theta[panel]).any():
        missing = ", ".join(names[int(member)] for member in np.flatnonzero(panel & np.isnan(theta)))
        raise Refusal("panel-without-value", f"These members of the panel were not judged against the pool: {missing}.")
    open_above, open_below = _open(contest, len(pool))
    inverse = np.asarray(np.linalg.inv(information(worths.core, contest.counts(contest.everyone))), dtype=np.float64)
    moves = _centred(contest, *without_each_task(contest, worths, inverse), panel) - theta
    return PairwiseCell(contest, worths, inverse, panel, theta, moves, open_above, open_below)


def _core(units: Units, pool: Booleans, names: Sequence[str]) -> Booleans:
    """(n,) the strongly connected part of the pool; who is left over is placed against it."""
    members = pool & units.met(pool)
    wins = Contest.of(units, members, np.zeros_like(pool)).wins()
    indexes = np.flatnonzero(members)
    core = np.zeros_like(pool)
    core[indexes[standing(wins, [names[int(index)] for index in indexes])]] = True
    return core


def _open(contest: Contest, size: int) -> tuple[Booleans, Booleans]:
    """(n,) guests without a loss, and without a win, against the core."""
    units, points = contest.guest_counts(contest.everyone)
    above, below = np.zeros(size, dtype=np.bool_), np.zeros(size, dtype=np.bool_)
    above[contest.guests] = points == units.sum(axis=1)
    below[contest.guests] = points == 0
    return above, below


def _centred(contest: Contest, core: Floats, guests: Floats, panel: Booleans) -> Floats:
    """(…, n) log-worths of core (…, p) and guests (…, m) less the mean of the panel; NaN for all others."""
    theta = np.full((*core.shape[:-1], len(panel)), np.nan)
    theta[..., contest.core], theta[..., contest.guests] = core, guests
    centred: Floats = theta - theta[..., panel].mean(axis=-1, keepdims=True)
    return centred
