"""A configuration of a ranking in words: what it is, and where it stands. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ranking.catalogue import Record
from ranking.public import figures, plots

UNKNOWN = ("", "unknown")


def configured(record: Record) -> str:
    """Harness, effort and settings in words; what nobody declared says so and is not taken for a default."""
    harness, effort, settings = (record[part] for part in ("harness", "effort", "settings"))
    said = [
        "harness not declared" if harness in UNKNOWN else f"harness {harness}",
        "effort not declared" if effort in UNKNOWN else f"effort {effort}",
    ]
    return " · ".join(said if settings in UNKNOWN else [*said, f"settings {settings}"])


def full_name(record: Record) -> str:
    return f"{record['model']} ({configured(record)})"


@dataclass(frozen=True, slots=True)
class Row:
    """One configuration of the table; `record` is what the release seals of it."""

    record: Record
    short: str
    """In as few words as name it among these rows."""
    mark: plots.Mark
    shared: bool
    """Another row has the same score at 6 digits, and so the same rank."""
    assumes: Sequence[str]
    indistinct: str

    @property
    def configured(self) -> str:
        return configured(self.record)

    @property
    def range(self) -> str:
        return figures.span(self.record["rank_low"], self.record["rank_high"])

    @property
    def score(self) -> str:
        return figures.one(self.record["score"])

    @property
    def interval(self) -> str:
        return figures.interval(self.record["low"], self.record["high"])

    @property
    def bounds(self) -> str:
        """What the score could be if the missing cells were known; empty where nothing is assumed."""
        return figures.interval(self.record["least"], self.record["most"]) if self.mark.bounded else ""

    @property
    def coverage(self) -> str:
        return figures.percent(self.record["coverage"])


@dataclass(frozen=True, slots=True)
class ApartRow:
    """A configuration that has evidence and no rank."""

    record: Record

    @property
    def configured(self) -> str:
        return configured(self.record)

    @property
    def coverage(self) -> str:
        return figures.percent(self.record["coverage"])


def listing(names: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`; alphabetical, since there is no order among them."""
    *most, last = sorted(names)
    return f"{', '.join(most)} and {last}" if most else last
