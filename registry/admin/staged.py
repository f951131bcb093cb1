"""Staged rows as the batch page shows them: what the file said, how it was read, and what is said about it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.urls import reverse

from registry.importing.checking import as_text
from registry.models import ImportBatch, StagedRow
from registry.vocabulary import ImportKind, Verdict

# What a reviewed alias would mend.
NAMES = frozenset({"unknown-configuration"})


@dataclass(frozen=True, slots=True)
class Complaint:
    column: str
    value: str
    code: str
    message: str
    alias_url: str


# What tells a person which row it is and what it says, by kind of file; and the registry's records behind it.
TELLING = {
    ImportKind.RESULTS: ("contract", "configuration", "value", "absence", "stderr", "n"),
    ImportKind.COMPARISONS: ("task", "a", "b", "outcome", "judge", "order"),
}
_RECORDS = {
    ImportKind.RESULTS: ("contract", "configuration"),
    ImportKind.COMPARISONS: ("task", "a", "b"),
}


@dataclass(frozen=True, slots=True)
class Shown:
    line: int
    verdict: Verdict
    told: list[str]
    """The row as read, in the order of TELLING."""
    unit: str
    raw: list[tuple[str, str]]
    """The cells as they stood, by header; more cells than columns have no name."""
    complaints: list[Complaint]


def rows(batch: ImportBatch, verdict: str) -> "QuerySet[Any]":
    """In the order of the file; all of them, or those of one verdict."""
    every = batch.staged.select_related(*_RECORDS[ImportKind(batch.kind)]).order_by("line")
    if verdict not in Verdict.values:
        return every
    if batch.read_as_id is None or verdict == Verdict.SKIPPED:
        return every.filter(verdict=verdict)
    return every.exclude(verdict=Verdict.SKIPPED) if verdict == Verdict.SAME else every.none()


def shown(row: Any, batch: ImportBatch) -> Shown:
    kind = ImportKind(batch.kind)
    told = [_text(row, name) for name in TELLING[kind]]
    unit = row.contract.unit if kind == ImportKind.RESULTS and row.contract else ""
    complaints = [_complaint(problem) for problem in row.problems or []]
    return Shown(row.line, _verdict(row, batch), told, unit, list(_cells(row, batch)), complaints)


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
    for place, cell in enumerate(row.raw):
        yield (batch.header[place] if place < len(batch.header) else ""), str(cell)


def _complaint(problem: dict[str, Any]) -> Complaint:
    value = str(problem.get("value", ""))
    alias = f"{reverse('admin:registry_configurationalias_add')}?{urlencode({'name': value})}"
    mendable = problem.get("reason") in NAMES and value
    return Complaint(
        problem.get("column", ""),
        value,
        problem.get("reason", ""),
        problem.get("message", ""),
        alias if mendable else "",
    )
