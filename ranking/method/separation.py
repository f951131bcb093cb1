"""Intervals, and which rows the evidence separates (METHOD 4). Pure.

Row i is above row j when the difference exceeds t(1 - .05/(n(n-1)); nu_ij) standard errors: Bonferroni over all pairs,
valid for unequal variances and degrees of freedom. On reporting ranks with their uncertainty see Mogstad, Romano,
Shaikh and Wilhelm 2024, Review of Economic Studies 91.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import stdtrit

from ranking.canonical import rounded
from ranking.method.arrays import Booleans, Floats, Integers
from ranking.method.estimate import Estimate

ERROR = 0.05
"""Of an interval, and of all comparisons of pairs together."""
FEWEST_DEGREES = 4.0
"""Degrees of freedom below which nothing is separated and no interval is given."""


@dataclass(frozen=True, eq=False, slots=True)
class Reach:
    """How far the score of each of r rows could go for other reasons than sampling."""

    least: Floats
    """(r,) with missing cells at the panel's worst."""
    most: Floats
    open_above: Booleans
    """(r,) a facet without a loss bounds the score only from below."""
    open_below: Booleans


@dataclass(frozen=True, eq=False)
class Separation:
    """What can be said of the order of r rows."""

    estimate: Estimate
    reach: Reach

    @cached_property
    def shown(self) -> Floats:
        """(r,) the score at the 6 digits it is published with; equal ones share a rank."""
        return np.array([rounded(float(score)) for score in self.estimate.score])

    @cached_property
    def order(self) -> Integers:
        """(r,) rows by score, equal scores by key."""
        return np.argsort(-self.shown, kind="stable")

    @cached_property
    def rank(self) -> Integers:
        """(r,) 1 + rows with a higher score."""
        return 1 + np.searchsorted(np.sort(-self.shown), -self.shown)

    @cached_property
    def intervals(self) -> tuple[Floats, Floats]:
        """(r,) ends of the 95 % intervals; NaN where nothing bounds the score or too few tasks stand behind it."""
        variance, freedom = self.estimate.own
        enough = freedom >= FEWEST_DEGREES
        half = stdtrit(np.where(enough, freedom, np.inf), 1 - ERROR / 2) * np.sqrt(variance)
        low = np.where(enough & ~self.reach.open_below, self.estimate.score - half, np.nan)
        high = np.where(enough & ~self.reach.open_above, self.estimate.score + half, np.nan)
        return low, high

    @cached_property
    def above(self) -> Booleans:
        """(r, r) row separated above column."""
        variance, freedom = self.estimate.contrasts
        rows = len(self.shown)
        enough = freedom >= FEWEST_DEGREES
        level = 1 - ERROR / max(rows * (rows - 1), 1)
        needed = stdtrit(np.where(enough, freedom, np.inf), level) * np.sqrt(variance)
        closed = ~self.reach.open_below[:, None] & ~self.reach.open_above
        farther = self.reach.least[:, None] - self.reach.most > needed
        above: Booleans = enough & closed & farther & (self.shown[:, None] > self.shown)
        return above

    @property
    def rank_low(self) -> Integers:
        """(r,) 1 + rows separated above."""
        low: Integers = 1 + self.above.sum(axis=0)
        return low

    @property
    def rank_high(self) -> Integers:
        """(r,) r less rows separated below."""
        high: Integers = len(self.above) - self.above.sum(axis=1)
        return high

    @cached_property
    def top(self) -> Integers:
        """Rows that none is separated above of."""
        return np.flatnonzero(self.rank_low == 1)

    @cached_property
    def tier(self) -> Integers:
        """(r,) number of the tier; one ends only where every row above is separated from every row below."""
        above = self.above[np.ix_(self.order, self.order)]
        number = np.ones(len(above), dtype=np.int64)
        for cut in range(1, len(above)):
            number[cut:] += int(above[:cut, cut:].all())
        tier = np.empty_like(number)
        tier[self.order] = number
        return tier
