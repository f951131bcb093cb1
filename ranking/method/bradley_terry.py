"""Bradley-Terry on counts: the published fit by evalica, Newton's method for the many refits beside it. Pure.

Each configuration has a ghost opponent with half a win and half a loss against it, so that every worth is finite. The
ghost is fixed at 0, which only chooses the origin. Bradley and Terry 1952, Biometrika 39; Newman 2023, JMLR 24.
"""

from collections.abc import Callable
from dataclasses import dataclass

import evalica
import numpy as np
from scipy.linalg.lapack import dpotrf, dpotrs

from ranking.method.arrays import Floats
from ranking.method.refusal import Refusal

TOLERANCE = 1e-9
"""Of evalica, on worths of geometric mean 1: far below the 6 digits that are published."""
LIMIT = 10_000
"""Iterations of evalica; a fit that reaches it is refused."""
CERTIFICATE = 1e-4
"""Largest relative fault of a likelihood equation."""
STEP = 2.0
"""Largest Newton step, in log-odds: farther the quadratic approximation means nothing."""
SETTLED = 1e-6
"""A Newton step below this ends the search; the next one would be about its square."""
REUSE = 1e-2
"""After a smaller step the information is taken as known: the next steps shrink by about this factor each."""
NEWTON_LIMIT = 100


@dataclass(frozen=True, eq=False, slots=True)
class Counts:
    """What the likelihood needs to know of the units among p configurations."""

    units: Floats
    """(p, p), symmetric, zero diagonal."""
    points: Floats
    """(p,) sum of the outcomes of each."""
    ghost: float = 1.0
    """Units against the ghost, half of them won."""


def fit(wins: Floats, ghost: float = 1.0) -> Floats:
    """Log-worths (p,) with the ghost at 0 from `wins` (p, p): the points of row against column.

    Without the ghost they have mean 0. Raises Refusal `unsolved-equations`: evalica has no flag of convergence, and for
    a configuration without a loss it stops after two iterations with worths that solve nothing.
    """
    size = len(wins)
    xs, ys = np.nonzero(wins)
    winners = [evalica.Winner.X] * len(xs)
    weights = wins[xs, ys].tolist()
    opponents, others = xs.tolist(), ys.tolist()
    if ghost:
        opponents, others = opponents + list(range(size)), others + [size] * size
        winners, weights = winners + [evalica.Winner.Draw] * size, weights + [ghost] * size
    result = evalica.bradley_terry(opponents, others, winners, weights=weights, tolerance=TOLERANCE, limit=LIMIT)
    with np.errstate(divide="ignore"):
        theta = np.log(result.scores.sort_index().to_numpy(dtype=np.float64))
    centred: Floats = theta[:size] - (theta[size] if ghost else theta.mean())
    _certify(centred, Counts(wins + wins.T, wins.sum(axis=1), ghost), result.iterations)
    return centred


def _certify(theta: Floats, counts: Counts, iterations: int) -> None:
    won = counts.points + counts.ghost / 2
    with np.errstate(all="ignore"):
        fault = np.abs(gradient(theta, counts)) / won
    if iterations >= LIMIT or not np.all(fault <= CERTIFICATE):
        raise Refusal(
            "unsolved-equations",
            f"After {iterations} iterations the likelihood equations hold to {np.max(fault):.1e} relative; "
            f"{CERTIFICATE:.0e} is asked.",
        )


def gradient(theta: Floats, counts: Counts) -> Floats:
    """(p,) points won beyond those expected; 0 at the maximum."""
    worth = np.exp(theta)
    expected = worth * (counts.units / (worth[:, None] + worth)).sum(axis=1)
    ghost: Floats = counts.ghost * (0.5 - worth / (1 + worth))
    rest: Floats = counts.points - expected + ghost
    return rest


def information(theta: Floats, counts: Counts) -> Floats:
    """(p, p) Fisher information, positive definite with the ghost."""
    worth = np.exp(theta)
    sums = worth[:, None] + worth
    scaled = _scaled_information(worth, counts.units / sums, sums, counts.ghost)
    full: Floats = worth[:, None] * scaled * worth
    return full


def _scaled_information(worth: Floats, share: Floats, sums: Floats, ghost: float) -> Floats:
    """The information divided by the worths of row and column, which saves the large multiplications."""
    scaled = share / sums
    diagonal = (scaled @ worth) / worth + ghost / (worth * (1 + worth) ** 2)
    np.negative(scaled, out=scaled)
    scaled.flat[:: len(worth) + 1] += diagonal
    return scaled


def newton(counts: Counts, start: Floats) -> Floats:
    """Log-worths (p,) by Newton's method from `start`; raises Refusal `unsolved-equations`."""
    factor, scale, last = np.zeros((0, 0)), start, np.inf

    def step(theta: Floats) -> Floats:
        nonlocal factor, scale, last
        worth = np.exp(theta)
        sums = worth[:, None] + worth
        share = counts.units / sums
        rest = counts.points - worth * share.sum(axis=1) + counts.ghost * (0.5 - worth / (1 + worth))
        if last > REUSE:
            # Symmetric, so that its transpose is the same matrix in the order LAPACK works in.
            factor, fault = dpotrf(_scaled_information(worth, share, sums, counts.ghost).T, overwrite_a=True)
            if fault:
                return np.full_like(rest, np.nan)
            scale = worth
        solution, _ = dpotrs(factor, rest / scale)
        move: Floats = solution / scale
        last = np.max(np.abs(move))
        return move

    return climb(step, start)


def place(units: Floats, points: Floats, pool: Floats, start: Floats | None = None, ghost: float = 1.0) -> Floats:
    """Log-worths (m,) of guests, each by itself against the fixed `pool` (p,).

    `units` (m, p) counts their units against each member, `points` (m,) their outcomes.
    """
    opponents = np.exp(pool)

    def step(theta: Floats) -> Floats:
        worth = np.exp(theta)
        share = worth[:, None] / (worth[:, None] + opponents)
        own = worth / (1 + worth)
        rest = points - (units * share).sum(axis=1) + ghost * (0.5 - own)
        result: Floats = rest / ((units * share * (1 - share)).sum(axis=1) + ghost * own * (1 - own))
        return result

    return climb(step, np.zeros(len(points)) if start is None else start)


def climb(step: Callable[[Floats], Floats], start: Floats) -> Floats:
    """Follow Newton's `step` to the maximum of a concave likelihood, never farther than STEP at once."""
    theta = start
    for _ in range(NEWTON_LIMIT):
        move = step(theta)
        largest = float(np.max(np.abs(move), initial=0.0))
        theta = theta + move * min(1.0, STEP / largest) if largest else theta
        if largest < SETTLED:
            return theta
    raise Refusal("unsolved-equations", f"A refit has not settled after {NEWTON_LIMIT} Newton steps.")
