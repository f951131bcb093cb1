"""How little evidence the first place rests on (arXiv 2508.11847)."""

from dataclasses import dataclass
from math import ceil

import numpy as np
from numpy.typing import NDArray

from ranking.method.aggregate import SPREAD
from ranking.method.arrays import Floats
from ranking.method.pairwise import PairwiseCell
from ranking.method.solution import Solution

REMOVED = 0.01
"""Share of the units that is taken away."""


Favours = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Fragility:
    """The gap at the top after removing the 1 % of units that most favour the leader, and refitting."""

    units: int
    gap: float
    gap_after: float
    """Of the leader to the best other row; below zero another row leads."""


def fragility(solution: Solution) -> Fragility | None:
    """None without comparisons. Raises Refusal `unsolved-equations`."""
    if not solution.fits:
        return None
    leader, second = (int(number) for number in solution.separation.order[:2])
    favours = {column: _favours(solution, column, leader, second) for column in solution.fits}
    every = np.concatenate([unit for sides in favours.values() for unit in sides])
    removed = ceil(REMOVED * len(every))
    # The weakest of those removed; a unit that does not favour the leader is left alone.
    bar = max(float(np.partition(every, -removed)[-removed]), float(np.nextafter(0, 1)))
    z = solution.z.copy()
    for column, (inside, outside) in favours.items():
        fit, scale = solution.fits[column], solution.constants[column]
        theta = fit.from_contest(fit.contest.keeping(inside < bar, outside < bar))
        z[:, column] = (theta[solution.rows] - float(scale.mean)) / float(scale.sd)
    score = SPREAD * (solution.shares(solution.every) * np.nan_to_num(z)).sum(axis=1)
    before = solution.estimate.score
    return Fragility(
        units=int((every >= bar).sum()),
        gap=float(before[leader] - before[second]),
        gap_after=float(score[leader] - np.delete(score, leader).max()),
    )


def _favours(solution: Solution, column: int, leader: int, second: int) -> tuple[Favours, Favours]:
    """What each unit inside the core, and each with a guest, adds to the leader's gap: points, by first order."""
    fit = solution.fits[column]
    contest, worths = fit.contest, fit.worths
    core, guests = _gap(solution, column, leader, second)
    pull = _Pull(fit)
    follow = guests / pull.information
    core = core + follow @ pull.weights
    reach = fit.inverse @ core
    inside, outside = contest.inside, contest.outside
    beyond = inside.y - _win(worths.core[inside.lo] - worths.core[inside.hi])
    guest_beyond = outside.y - _win(worths.guests[outside.lo] - worths.core[outside.hi])
    core_favours, guest_favours = (reach[inside.lo] - reach[inside.hi]) * beyond, follow[outside.lo] * guest_beyond
    # Only their order counts, and there may be millions.
    return core_favours.astype(np.float32), guest_favours.astype(np.float32)


def _gap(solution: Solution, column: int, leader: int, second: int) -> tuple[Floats, Floats]:
    """Points of the gap in a unit of log-worth: of each of the core, and of each guest."""
    fit = solution.fits[column]
    points = SPREAD * solution.shares(solution.every)[:, column] / float(solution.constants[column].sd)
    gap = np.zeros(len(fit.panel))
    gap[solution.rows[leader]] += points[leader]
    gap[solution.rows[second]] -= points[second]
    gap[fit.panel] -= gap.sum() / fit.panel.sum()
    return gap[fit.contest.core], gap[fit.contest.guests]


class _Pull:
    """How a guest's place follows its own units and the core."""

    def __init__(self, fit: PairwiseCell) -> None:
        units, _ = fit.contest.guest_counts(fit.contest.everyone)
        win = _win(fit.worths.guests[:, None] - fit.worths.core)
        own = _win(fit.worths.guests)
        self.weights = units * win * (1 - win)
        self.information = self.weights.sum(axis=1) + own * (1 - own)


def _win(difference: Floats) -> Floats:
    result: Floats = 1 / (1 + np.exp(-difference))
    return result
