"""A ranking as its page shows it: every cell in words, and the pictures beside them. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any

from ranking.catalogue import Record
from ranking.public import figures, plots, words
from ranking.public.configurations import ApartRow, Row, full_name, listing

STRIP = 288.0
"""Width of the interval plot in the table: it fits the narrowest phone."""
MARGIN = 10.0
BAR = 48.0
"""Half the width of a bar of contributions."""
FIRST_PARTY = "first-party"
"""The lineage and the group of pairwise comparisons."""


@dataclass(frozen=True, slots=True)
class Part:
    """What one facet adds to a score."""

    points: str
    bar: plots.Bar


@dataclass(frozen=True, slots=True)
class Cell:
    """What one facet by one lineage adds to a score."""

    facet: str
    lineage: str
    z: str
    points: str


@dataclass(frozen=True)
class Ranked:
    """A ranking release taken apart for its page."""

    content: Record

    called = "score"
    covers = True
    """Its rows cover tasks."""

    @property
    def ranking(self) -> Record:
        found: Record = self.content["ranking"]
        return found

    @property
    def records(self) -> list[Record]:
        found: list[Record] = self.ranking["rows"]
        return found

    @cached_property
    def facets(self) -> Mapping[str, str]:
        return {facet["slug"]: facet["title"] for facet in self.content["facets"]}

    @cached_property
    def lineages(self) -> Mapping[str, str]:
        titles = {row["key"]: row["title"] for row in self.content["lineages"]}
        return titles | {FIRST_PARTY: "pairwise comparisons"}

    def lineage(self, key: str) -> str:
        return self.lineages.get(key, key)

    def axis_between(self, start: float, end: float) -> plots.Axis:
        values = [row[name] for row in self.records for name in plots.EXTENT if row[name] is not None]
        return plots.axis(values, start, end)

    @cached_property
    def axis(self) -> plots.Axis:
        """Of the plot in the table."""
        return self.axis_between(MARGIN, STRIP - MARGIN)

    @cached_property
    def rows(self) -> list[Row]:
        scores = [row["score"] for row in self.records]
        return [self._row(record, shared=scores.count(record["score"]) > 1) for record in self.records]

    def _row(self, record: Record, *, shared: bool) -> Row:
        mark = plots.mark(self.axis, record)
        short = self.names[record["configuration"]]
        return Row(
            record, short, mark, shared, [self._cell_name(key) for key in record["assumes"]], self._indistinct(record)
        )

    def _cell_name(self, key: str) -> str:
        """`facet / lineage` in titles."""
        facet, _, lineage = key.partition(" / ")
        return f"{self.facets.get(facet, facet)}, {self.lineage(lineage)}"

    def _indistinct(self, record: Record) -> str:
        others = record["indistinct"]
        if not others:
            return "can be told apart from every other row."
        if len(others) == len(self.records) - 1:
            return "cannot be told apart from any other row."
        return f"cannot be told apart from {listing(self.names[key] for key in others)}."

    @cached_property
    def names(self) -> Mapping[str, str]:
        """A configuration in as few words as name it here: its model alone where no other row is of that model."""
        models = [row["model"] for row in self.records]
        return {
            row["configuration"]: row["model"] if models.count(row["model"]) == 1 else full_name(row)
            for row in self.records
        }

    @property
    def tiers(self) -> list[tuple[int, list[Row]]]:
        return [(tier, list(rows)) for tier, rows in groupby(self.rows, lambda row: int(row.record["tier"]))]

    @property
    def top(self) -> list[str]:
        """Whose rank range begins at 1, alphabetically: among them there is no order."""
        return sorted(self.names[row["configuration"]] for row in self.records if row["top"])

    @property
    def top_in_words(self) -> str:
        return listing(self.top)

    @property
    def apart(self) -> list[ApartRow]:
        """In order of key: there is no other among them."""
        return [ApartRow(row) for row in sorted(self.ranking["apart"], key=lambda row: str(row["configuration"]))]

    @property
    def shares(self) -> bool:
        return any(row.shared for row in self.rows)

    @property
    def assuming(self) -> bool:
        return any(row.assumes for row in self.rows)

    @cached_property
    def columns(self) -> Mapping[str, str]:
        """What a score is shown to be made of, by key: its weighted facets, or its lineages where there is one."""
        if len(self.facets) > 1:
            return {facet["slug"]: f"{facet['title']} {facet['weight']}%" for facet in self.content["facets"]}
        lineages = {found["lineage"] for row in self.records for found in row["contributions"]}
        return {key: self.lineage(key) for key in sorted(lineages)}

    @property
    def split(self) -> str:
        return "facet" if len(self.facets) > 1 else "lineage"

    @cached_property
    def reach(self) -> float:
        """The largest part of any score, in points: where a bar ends."""
        sums = [abs(points) for row in self.records for points in self._parts(row).values()]
        return max(sums, default=0.0)

    @property
    def breakdown(self) -> list[tuple[Row, list[tuple[str, Part | None]], str]]:
        """Each row with what every column adds, by title and in their order, and the whole; None: no value there."""
        found = []
        for row in self.rows:
            parts = self._parts(row.record)
            cells = [(title, _added(parts.get(key), self.reach)) for key, title in self.columns.items()]
            found.append((row, cells, self._whole(row.record)))
        return found

    def _parts(self, record: Record) -> dict[str, float]:
        parts: dict[str, float] = {}
        for found in record["contributions"]:
            key = found[self.split]
            parts[key] = parts.get(key, 0.0) + found["points"]
        return parts

    def _whole(self, record: Record) -> str:
        return figures.signed(record["score"] - plots.AVERAGE)

    @property
    def cells(self) -> list[tuple[Row, list[Cell]]]:
        """Each row with what every facet by every lineage adds."""
        return [(row, [self._cell(found) for found in row.record["contributions"]]) for row in self.rows]

    def _cell(self, found: Record) -> Cell:
        facet, lineage = self.facets.get(found["facet"], found["facet"]), self.lineage(found["lineage"])
        return Cell(facet, lineage, figures.signed(found["z"]), figures.signed(found["points"]))

    def of_facet(self, slug: str) -> tuple[list[str], list[tuple[Row, list[Part | None]]]]:
        """The lineages of a facet in order of key, and for each row what each of them adds; None: no value there."""
        found = [
            {c["lineage"]: c["points"] for c in row["contributions"] if c["facet"] == slug} for row in self.records
        ]
        lineages = sorted({lineage for parts in found for lineage in parts})
        reach = max((abs(points) for parts in found for points in parts.values()), default=0.0)
        rows = [
            (row, [_added(parts.get(lineage), reach) for lineage in lineages])
            for row, parts in zip(self.rows, found, strict=True)
        ]
        return [self.lineage(lineage) for lineage in lineages], rows


def _added(points: float | None, reach: float) -> Part | None:
    return None if points is None else Part(figures.signed(points), plots.bar(points, reach, BAR))


def shown(found: Mapping[str, Any], above: str = "") -> list[tuple[str, str]]:
    """The figures that decide nothing, in words; those of a group one by one."""
    rows: list[tuple[str, str]] = []
    for name, value in found.items():
        if isinstance(value, Mapping):
            rows += shown(value, f"{above}{name} / ")
        else:
            rows.append((words.figure(above + name), "not measured" if value is None else str(value)))
    return rows
