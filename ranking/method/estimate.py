"""A composite of cells with its uncertainty: the jackknife by task and the external variances (METHOD 4). Pure.

V = (C - 1)/C * sum_t d_t d_t' in a block of facets that share tasks; external cells add their variance.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ranking.method.arrays import Floats
from ranking.method.blocks import Block

KURTOSIS = 3.0
"""Of a normal: sum d^4 / (sum d^2)^2 is 3 / C for normal moves."""
NOISE = 1e-11
"""A contrast with less variance than this share of its two sides is one between clones."""


@dataclass(frozen=True, eq=False)
class Estimate:
    """Of r rows."""

    score: Floats
    blocks: tuple[Block, ...]
    external: Floats
    """(r,) variance of the external cells."""

    @cached_property
    def covariance(self) -> Floats:
        """(r, r)"""
        total = np.diag(self.external)
        for block in self.blocks:
            total = total + block.factor * block.moves.T @ block.moves
        return total

    @cached_property
    def own(self) -> tuple[Floats, Floats]:
        """(r,) variance and degrees of freedom of each score."""
        parts = [(block, (block.moves**2).sum(axis=0), (block.moves**4).sum(axis=0)) for block in self.blocks]
        return satterthwaite(parts, self.external)

    @cached_property
    def contrasts(self) -> tuple[Floats, Floats]:
        """(r, r) variance and degrees of freedom of each difference of two scores."""
        parts = [(block, *_powers_of_differences(block.moves)) for block in self.blocks]
        return satterthwaite(parts, self.external[:, None] + self.external)


def satterthwaite(parts: Sequence[tuple[Block, Floats, Floats]], external: Floats) -> tuple[Floats, Floats]:
    """Variance and degrees of freedom from each block's sums of d^2 and d^4, and the external variance.

    nu = (sum v)^2 / sum(v^2 / nu_k) with nu_k = min(C, 3 G) - 1, G = (sum d^2)^2 / sum d^4: fewer tasks than C count
    where a few of them make most of the variance. An external part has infinitely many. 0 where a part has less than 1.
    Source: Satterthwaite 1946, Biometrics Bulletin 2; the effective number of tasks is our own.
    """
    total, divided, too_few = external.copy(), np.zeros_like(external), np.zeros(external.shape, dtype=np.bool_)
    for block, squares, fourths in parts:
        effective = np.divide(squares**2, fourths, out=np.full_like(squares, np.inf), where=fourths > 0)
        nu = np.minimum(block.size, KURTOSIS * effective) - 1
        moving = squares > 0
        too_few |= moving & (nu < 1)
        variance = block.factor * squares
        total += variance
        divided += np.divide(variance**2, nu, out=np.zeros_like(variance), where=moving & (nu >= 1))
    freedom = np.divide(total**2, divided, out=np.full_like(total, np.inf), where=divided > 0)
    return total, np.where(too_few, 0.0, freedom)


def _powers_of_differences(moves: Floats) -> tuple[Floats, Floats]:
    """(r, r) sums over tasks of (d_i - d_j)^2 and (d_i - d_j)^4, expanded: a cube of all differences would be large."""
    square, cube = moves**2, moves**3
    second, cross = square.sum(axis=0), moves.T @ moves
    squares = second[:, None] + second - 2 * cross
    fourth = (square**2).sum(axis=0)
    skew = cube.T @ moves
    fourths = fourth[:, None] + fourth - 4 * (skew + skew.T) + 6 * square.T @ square
    squares = np.where(squares > NOISE * (second[:, None] + second), squares, 0.0)
    # What rounding leaves of a small difference still lies between evenly spread over the tasks and all in one.
    return squares, np.clip(fourths, squares**2 / max(len(moves), 1), squares**2)
