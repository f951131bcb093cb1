"""The first-party part from half of its tasks, twice, for twenty halvings. What reliability and stability rest on.

Halved within each facet; tasks that facets share are a stratum of their own, so that they fall on one side in all of
them. Tasks are ordered by SHA-256 of "repeat:key", repeat from 0; the first half stands against the rest.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256

import numpy as np

from ranking.method.aggregate import CENTRE, SPREAD
from ranking.method.arrays import Booleans, Floats
from ranking.method.solution import NO_SPREAD, Solution

REPEATS = 20


@dataclass(frozen=True, eq=False, slots=True)
class Halves:
    """Scores of the r rows from either half."""

    first_party: Floats
    """(20, 2, r) of the comparisons alone."""
    whole: Floats
    """(20, 2, r) with the external values, the same in both halves."""


def halves(solution: Solution) -> Halves:
    """Connectivity is not asked of a half; raises Refusal `unsolved-equations`."""
    z = np.stack([[_z(solution, side) for side in sides] for sides in halvings(solution)])
    whole = np.where(solution.first_party, z, np.nan_to_num(solution.z))
    return Halves(
        first_party=CENTRE + SPREAD * (solution.shares(solution.first_party) * z).sum(axis=-1),
        whole=CENTRE + SPREAD * (solution.shares(solution.every) * whole).sum(axis=-1),
    )


Side = dict[int, Floats]
"""Of each pairwise column: (t,) 1 for the tasks of this half."""


def halvings(solution: Solution) -> Iterator[tuple[Side, Side]]:
    """The two sides of each of the REPEATS halvings."""
    facets_of: dict[str, set[int]] = defaultdict(set)
    for column, fit in solution.fits.items():
        for task in fit.contest.tasks:
            facets_of[task].add(column)
    strata: dict[tuple[int, ...], list[str]] = defaultdict(list)
    for task, columns in sorted(facets_of.items()):
        strata[tuple(sorted(columns))].append(task)
    for repeat in range(REPEATS):
        first = {task for stratum in strata.values() for task in first_half(repeat, stratum)}
        chosen = {
            column: np.array([float(task in first) for task in fit.contest.tasks])
            for column, fit in solution.fits.items()
        }
        yield chosen, {column: 1 - share for column, share in chosen.items()}


def first_half(repeat: int, keys: list[str]) -> list[str]:
    """Half of the keys, rounded down, chosen by nothing but their names."""
    return sorted(keys, key=lambda key: sha256(f"{repeat}:{key}".encode()).hexdigest())[: len(keys) // 2]


def _z(solution: Solution, side: Side) -> Floats:
    """(r, c) the pairwise cells from one half, on its own panel; 0 in all others."""
    z = np.zeros_like(solution.z)
    for column, fit in solution.fits.items():
        z[:, column] = on_own_panel(fit.from_tasks(side[column]), solution.layout.panel)[solution.rows]
    return z


def on_own_panel(theta: Floats, panel: Booleans) -> Floats:
    """(n,) standardised on what it makes of the panel itself; 0 where there is no value, or no spread."""
    mean, deviation = theta[panel].mean(), theta[panel].std(ddof=1)
    return np.nan_to_num((theta - mean) / deviation) if deviation > NO_SPREAD else np.zeros_like(theta)
