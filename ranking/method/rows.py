"""What is said of each row of a ranking, in plain values. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ranking.method.arrays import Floats
from ranking.method.results import Apart, Contribution, Row
from ranking.method.separation import FEWEST_DEGREES, Separation


@dataclass(frozen=True, slots=True)
class Told:
    """Where the score of a row comes from."""

    contributions: tuple[Contribution, ...]
    assumes: tuple[str, ...]


def rows(names: Sequence[str], separation: Separation, told: Sequence[Told]) -> tuple[Row, ...]:
    """By score, equal scores by key; `names` and `told` follow the rows of the separation."""
    writer = _Writer(names, separation)
    return tuple(writer.row(int(number), told[int(number)]) for number in separation.order)


class _Writer:
    def __init__(self, names: Sequence[str], separation: Separation) -> None:
        self.names, self.separation = names, separation
        self.low, self.high = separation.intervals
        self.rank_low, self.rank_high = separation.rank_low, separation.rank_high
        self.variance, self.freedom = separation.estimate.own
        self.alike = ~(separation.above | separation.above.T)
        np.fill_diagonal(self.alike, val=False)

    def row(self, number: int, told: Told) -> Row:
        separation, freedom = self.separation, float(self.freedom[number])
        return Row(
            key=self.names[number],
            rank=int(separation.rank[number]),
            rank_low=int(self.rank_low[number]),
            rank_high=int(self.rank_high[number]),
            score=float(separation.estimate.score[number]),
            low=_or_none(self.low, number),
            high=_or_none(self.high, number),
            least=float(separation.reach.least[number]),
            most=float(separation.reach.most[number]),
            standard_error=float(np.sqrt(self.variance[number])),
            degrees_of_freedom=freedom if np.isfinite(freedom) else None,
            tier=int(separation.tier[number]),
            top=bool(self.rank_low[number] == 1),
            contributions=told.contributions,
            assumes=told.assumes,
            indistinct=tuple(self.names[int(other)] for other in np.flatnonzero(self.alike[number])),
            notes=tuple(self._notes(number, told)),
        )

    def _notes(self, number: int, told: Told) -> list[Apart]:
        reach, key = self.separation.reach, self.names[number]
        said = (
            (self.freedom[number] < FEWEST_DEGREES, "too-few-tasks", "Too few tasks for an interval."),
            (
                reach.open_above[number],
                "without-a-loss",
                "It lost no unit in a facet: its score has no upper end.",
            ),
            (
                reach.open_below[number],
                "without-a-win",
                "It won no unit in a facet: its score has no lower end.",
            ),
            (told.assumes, "assumes", "Where it has no value, its score assumes the mean of its other values."),
        )
        return [Apart(key, code, sentence) for holds, code, sentence in said if holds]


def _or_none(column: Floats, number: int) -> float | None:
    return None if np.isnan(column[number]) else float(column[number])
