"""What the method answers with. Plain values, in order, as a release seals them; nothing is rounded here."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ranking.method.inputs import Constants, Panel

PASSED, FAILED, NOT_TESTABLE = "passed", "failed", "not-testable"


@dataclass(frozen=True, slots=True)
class Apart:
    """Something that has evidence and does not count, or counts with a reservation, and why."""

    key: str
    code: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one cell adds to the score of a row; over the cells these sum to score - 50."""

    facet: str
    group: str
    lineage: str
    z: float
    """In standard deviations of the panel."""
    points: float


@dataclass(frozen=True, slots=True)
class Row:
    key: str
    rank: int
    """1 + rows with a higher score at 6 digits."""
    rank_low: int
    """1 + rows separated above; the best rank that the evidence leaves open."""
    rank_high: int
    score: float
    low: float | None
    """Of the 95 % interval; None where nothing bounds the score, or where there are too few tasks for an interval."""
    high: float | None
    least: float
    """Score with every missing cell at the panel's worst, at its best in `most`; equal to the score without one."""
    most: float
    standard_error: float
    degrees_of_freedom: float | None
    """None: no part of the uncertainty is estimated from tasks."""
    tier: int
    top: bool
    """Its rank range begins at 1."""
    contributions: tuple[Contribution, ...]
    assumes: tuple[str, ...]
    """Cells without a value, named facet / lineage, taken to agree with the mean of the others."""
    indistinct: tuple[str, ...]
    """Rows that cannot be told apart from this one."""
    notes: tuple[Apart, ...]


@dataclass(frozen=True, slots=True)
class Ranking:
    rows: tuple[Row, ...]
    """By score, equal scores (6 digits) by key."""
    panel: Panel
    constants: Constants
    apart: tuple[Apart, ...]
    context: tuple[Apart, ...]


@dataclass(frozen=True, slots=True)
class Check:
    """One answer of the gate. `beside` holds the numbers behind it; they decide nothing."""

    code: str
    required: float | int
    observed: float | int | None
    missing: float | int | None
    verdict: str
    reason: str
    message: str
    beside: Mapping[str, Any] = field(default_factory=dict)
    parts: tuple["Check", ...] = ()
    """The statistics that a criterion is made of; it passes when all of them pass."""
