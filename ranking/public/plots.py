"""The geometry of the pictures of a ranking, in the units of their view box. Pure: numbers in, coordinates out.

Templates draw with them. No picture says anything that the table beside it does not.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import ceil, floor
from typing import Any

STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 500)
"""Points between two ticks; the first with which at most MOST_STEPS fit."""
MOST_STEPS = 8
EXTENT = ("score", "low", "high", "least", "most")
"""The numbers of a row that the interval plot draws."""
AVERAGE = 50
"""The panel's mean in every category."""


@dataclass(frozen=True, slots=True)
class Tick:
    at: str
    label: str
    average: bool


@dataclass(frozen=True, slots=True)
class Axis:
    """Scores from `low` to `high`, drawn between `start` and `end`."""

    low: float
    high: float
    start: float
    end: float
    step: int

    def at(self, value: float) -> str:
        part = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return f"{self.start + part * (self.end - self.start):.2f}".rstrip("0").rstrip(".")

    @property
    def ticks(self) -> list[Tick]:
        marks = range(round(self.low), round(self.high) + 1, self.step)
        return [Tick(self.at(mark), str(mark).replace("-", "\N{MINUS SIGN}"), mark == AVERAGE) for mark in marks]


def axis(values: Iterable[float], start: float, end: float) -> Axis:
    """One that holds all `values` and the average, and begins and ends with a tick."""
    known = [*values, AVERAGE - 1, AVERAGE + 1]
    least, most = min(known), max(known)
    step = next((step for step in STEPS if (most - least) / step <= MOST_STEPS - 1), STEPS[-1])
    return Axis(floor(least / step) * step, ceil(most / step) * step, start, end, step)


@dataclass(frozen=True, slots=True)
class Mark:
    """A row of the interval plot: a point, its interval, and the bounds where the score assumes something.

    A side without a bound is drawn to the edge of the plot; without any interval there is only the point.
    """

    at: str
    low: str
    high: str
    open_low: bool
    open_high: bool
    bare: bool
    least: str
    most: str
    bounded: bool


def mark(axis: Axis, row: Mapping[str, Any]) -> Mark:
    low, high = row["low"], row["high"]
    return Mark(
        at=axis.at(row["score"]),
        low=axis.at(axis.low if low is None else low),
        high=axis.at(axis.high if high is None else high),
        open_low=low is None,
        open_high=high is None,
        bare=low is None and high is None,
        least=axis.at(row["least"]),
        most=axis.at(row["most"]),
        bounded=row["least"] != row["most"],
    )


@dataclass(frozen=True, slots=True)
class Bar:
    """Points that a part adds to a score or takes from it, from the zero line outwards."""

    x: str
    width: str
    negative: bool


def bar(points: float, reach: float, middle: float) -> Bar:
    """In a picture twice `middle` wide, whose edge is `reach` points away from zero."""
    length = abs(points) / reach * middle if reach else 0.0
    return Bar(f"{middle - length if points < 0 else middle:.2f}", f"{length:.2f}", points < 0)
