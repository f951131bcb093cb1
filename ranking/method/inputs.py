"""What the method reads about one collection. Names are keys, columns are arrays of one length.

Only eligible evidence belongs here: which result or comparison is eligible is decided before. What the method itself
cannot work with (`validation.py`) it refuses with a code.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np

from ranking.method.arrays import Integers
from ranking.method.refusal import Refusal

Policy = Mapping[str, Any]
"""The value of each threshold, by name."""

FIRST_PARTY = "first-party"
"""The group and the lineage of the comparisons."""

HEADLINE = "headline"
"""In the ranked table."""
REFERENCE = "reference"
"""Takes part in comparisons, is not ranked."""
APART = "apart"
"""Not ranked, or no longer; as a member of a sealed panel it still sets the scale."""

EXTERNAL_MODES = frozenset({"external", "hybrid"})
PAIRWISE_MODES = frozenset({"pairwise", "hybrid"})

OUTCOMES = ("a", "b", "tie", "both-bad")
POINTS = np.array([1.0, 0.0, 0.5, 0.5])
"""Points of side `a` for each outcome; `tie` and `both-bad` are half a win each (Bradley-Terry has no ties)."""
ORDERS = ("ab", "ba", "")
"""Which side was shown first; blank where nobody recorded it."""


@dataclass(frozen=True, slots=True, order=True)
class Configuration:
    key: str
    model_release: str
    maker: str
    subject_kind: str
    role: str = HEADLINE


@dataclass(frozen=True, slots=True, order=True)
class Facet:
    key: str
    weight: Decimal
    """Per cent; the weights of a collection sum to exactly 100."""
    mode: str

    @property
    def wants_external(self) -> bool:
        return self.mode in EXTERNAL_MODES

    @property
    def wants_pairwise(self) -> bool:
        return self.mode in PAIRWISE_MODES


@dataclass(frozen=True, slots=True, order=True)
class Judge:
    key: str
    family: str = ""
    """Of a model judge; blank for a person."""
    maker: str = ""

    @property
    def person(self) -> bool:
        return not self.family


@dataclass(frozen=True, slots=True)
class ExternalValue:
    """One eligible result in the unit of its contract."""

    facet: str
    lineage: str
    group: str
    contract: str
    protocol: str
    source: str
    configuration: str
    subject_kind: str
    kind: str
    """`rate`, `bounded` or `rating`."""
    direction: str
    """`higher` or `lower` is better."""
    unit: str
    value: float
    lower: float | None = None
    """Bounds of the contract: 0 and 100 for per cent, none for a rating."""
    upper: float | None = None
    n: int | None = None
    """Distinct tasks, never tasks times runs."""
    stderr: float | None = None
    """Published, in the unit of the value; a spread over runs is none."""
    over_rows: bool = False
    """Upstream computed the standard error over rows where tasks were the sample."""


@dataclass(frozen=True, eq=False, slots=True)
class Verdicts:
    """How often one judge gave one outcome for one ordered pair on one task of a facet: columns of one length.

    `task`, `a`, `b` and `judge` index the tuples above them, `outcome` indexes OUTCOMES, `order` indexes ORDERS.
    """

    facet: str
    tasks: tuple[str, ...]
    configurations: tuple[str, ...]
    judges: tuple[Judge, ...]
    task: Integers
    a: Integers
    b: Integers
    judge: Integers
    outcome: Integers
    order: Integers
    count: Integers
    adaptive: bool = False
    """Pairs were chosen while judging, by what had been seen."""

    @classmethod
    def of(
        cls, facet: str, rows: Iterable[tuple[str, str, str, str, str, str, int]], judges: Iterable[Judge]
    ) -> "Verdicts":
        """From rows of (task, a, b, outcome, judge, order, count) in words; refuses a label it does not know."""
        columns = tuple(zip(*rows, strict=True)) or ((),) * 7
        by_key = {judge.key: judge for judge in judges}
        configurations = tuple(sorted({*columns[1], *columns[2]}))
        tasks, judged_by = tuple(sorted(set(columns[0]))), tuple(sorted(set(columns[4])))
        return cls(
            facet=facet,
            tasks=tasks,
            configurations=configurations,
            judges=tuple(by_key[key] for key in judged_by),
            task=_index("task", tasks, columns[0]),
            a=_index("configuration", configurations, columns[1]),
            b=_index("configuration", configurations, columns[2]),
            judge=_index("judge", judged_by, columns[4]),
            outcome=_index("outcome", OUTCOMES, columns[3]),
            order=_index("order", ORDERS, columns[5]),
            count=np.array(columns[6], dtype=np.int64),
        )


def _index(what: str, words: tuple[str, ...], column: Iterable[str]) -> Integers:
    place = {word: number for number, word in enumerate(words)}
    try:
        return np.array([place[word] for word in column], dtype=np.int64)
    except KeyError as unknown:
        raise Refusal(f"unknown-{what}", f"{unknown} is no {what} that the method knows: {', '.join(words)}.") from None


@dataclass(frozen=True, slots=True)
class Inputs:
    subject_kind: str
    facets: tuple[Facet, ...]
    configurations: tuple[Configuration, ...]
    values: tuple[ExternalValue, ...] = ()
    verdicts: Iterable[Verdicts] = ()
    """At most one table a facet. Read once, one after the other, so that they need not all be in memory."""


@dataclass(frozen=True, slots=True)
class Panel:
    """Sealed by the first ranking release: who sets the scale, and against whom everybody is placed."""

    members: tuple[str, ...]
    pool: tuple[str, ...]
    """The members and the reference opponents."""


@dataclass(frozen=True, slots=True, order=True)
class CellScale:
    """The panel's mean and standard deviation (ddof 1) in one cell, in log-odds; sealed with the panel.

    Decimals of 12 places: a release seals floats at 6, and a scale must come back from it as it went in.
    """

    facet: str
    lineage: str
    mean: Decimal
    sd: Decimal


Constants = tuple[CellScale, ...]
