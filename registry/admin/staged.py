"""Staged rows as the batch page shows them: what the file said, how it was read, and what is said about it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from registry.importing.checking import as_text
from registry.importing.kinds import KINDS
from registry.importing.layouts import Layout, also
from registry.importing.made import Made, made
from registry.importing.unresolved import NAMED, REASONS
from registry.models import ImportBatch, StagedRow
from registry.vocabulary import ImportKind, Verdict

MOST_BEYOND = 20
"""Cells that stand beyond the header are shown of a row; the file has them all."""


@dataclass(frozen=True, slots=True)
class Complaint:
    column: str
    value: str
    code: str
    message: str

    @property
    def is_name(self) -> bool:
        """What an alias or a new configuration would mend."""
        return self.code in REASONS


# What tells a person which row it is and what it says, by kind of file; and the registry's records behind it.
TELLING = {
    ImportKind.RESULTS: ("contract", "configuration", "value", "absence", "stderr", "n"),
    ImportKind.COMPARISONS: ("task", "a", "b", "outcome", "judge", "order"),
}
_RECORDS = {
    ImportKind.RESULTS: ("contract", "configuration"),
    ImportKind.COMPARISONS: ("task", "a", "b"),
}
# What else a staged row holds as it was read.
_PLAIN = {
    ImportKind.RESULTS: ("sd", "runs", "observed_on", "source_url", "source_ref", "external_id", "notes"),
    ImportKind.COMPARISONS: ("comparison_id", "raw_outcome", "judged_at"),
}


@dataclass(frozen=True, slots=True)
class Shown:
    line: int
    verdict: Verdict
    told: list[tuple[str, str]]
    """The row as read, by the columns of TELLING."""
    unit: str
    raw: list[tuple[str, str]]
    """The cells as they stood, by header; more cells than columns have no name."""
    made: list[Made]
    """How each column was read, where a profile made it."""
    complaints: list[Complaint]


def rows(batch: ImportBatch, verdict: str) -> "QuerySet[Any]":
    """In the order of the file; all of them, or those of one verdict."""
    every = batch.staged.select_related(*_RECORDS[ImportKind(batch.kind)]).order_by("line")
    if verdict not in Verdict.values:
        return every
    if batch.read_as_id is None or verdict == Verdict.SKIPPED:
        return every.filter(verdict=verdict)
    return every.exclude(verdict=Verdict.SKIPPED) if verdict == Verdict.SAME else every.none()


def shown(row: Any, batch: ImportBatch, layout: Layout | None = None) -> Shown:
    """`layout`: the one by which a profile reads the batch."""
    kind = ImportKind(batch.kind)
    told = [(name, _text(row, name)) for name in TELLING[kind]]
    unit = row.contract.unit if kind == ImportKind.RESULTS and row.contract else ""
    complaints = [_complaint(problem) for problem in row.problems or []]
    return Shown(
        row.line, _verdict(row, batch), told, unit, list(_cells(row, batch)), _made(row, batch, layout), complaints
    )


def _verdict(row: StagedRow, batch: ImportBatch) -> Verdict:
    """Rows shared with the batch that stored them are the same as stored, whatever they were to that one."""
    verdict = Verdict(row.verdict)
    return Verdict.SAME if batch.read_as_id and verdict != Verdict.SKIPPED else verdict


def _text(row: Any, name: str) -> str:
    if row.values is not None:
        return str(row.values.get(name, ""))
    value = getattr(row, name)
    return as_text(getattr(value, "key", value)) if value is not None else ""


def _cells(row: StagedRow, batch: ImportBatch) -> Iterator[tuple[str, str]]:
    record = row.record
    yield from zip(batch.header, map(str, record), strict=False)
    beyond = record[len(batch.header) :]
    yield from (("", str(cell)) for cell in beyond[:MOST_BEYOND])
    if len(beyond) > MOST_BEYOND:
        yield "", f"… and {len(beyond) - MOST_BEYOND:,} more cells"


def _made(row: Any, batch: ImportBatch, layout: Layout | None) -> list[Made]:
    record = row.record
    if layout is None or len(record) != len(batch.header):
        return []
    kind = ImportKind(batch.kind)
    reading = layout.read(row.line, dict(zip(batch.header, record, strict=True)))

    def value_of(name: str, text: str) -> str:
        held = row.values is not None or name in TELLING[kind] or name in _PLAIN[kind]
        return _text(row, name) if held else text

    named = {name: reading.cell(name).text for name in NAMED[kind]}
    return [_by_alias(cell, named, row) for cell in made(reading, KINDS[kind].columns, value_of)]


def _by_alias(cell: Made, named: dict[str, str], row: Any) -> Made:
    """What a good row names otherwise than by its key, it names by an alias."""
    if row.values is not None or named.get(cell.name, cell.value) == cell.value:
        return cell
    return cell._replace(by=also(cell.by, "alias"))


def _complaint(problem: dict[str, Any]) -> Complaint:
    return Complaint(*(str(problem.get(name, "")) for name in ("column", "value", "reason", "message")))
