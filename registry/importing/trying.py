"""A profile tried on a file: the first rows, cell by cell, and nothing is staged or kept."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Any

from registry.importing.checking import Checked, as_text
from registry.importing.contents import Content
from registry.importing.kinds import KINDS, File
from registry.importing.made import Made, made
from registry.importing.opening import opened
from registry.importing.problems import Problem, Unreadable
from registry.importing.profiles import validate_spec
from registry.importing.staged import verdict_of
from registry.importing.translating import ProfileLayout
from registry.vocabulary import Verdict

ROWS = 20


@dataclass(frozen=True, slots=True)
class Tried:
    """One record. Whether a good one is new, changed or a conflict, only staging tells."""

    line: int
    verdict: str
    cells: list[Made]
    problems: list[Problem]
    """What stands in its way, or else what is remarkable about it."""

    @property
    def is_good(self) -> bool:
        return self.verdict == Verdict.NEW


@dataclass(frozen=True, slots=True)
class Trial:
    format: str
    rows: list[Tried]
    problems: list[Problem]
    """Why the file is refused as a whole."""


def tried(content: Content, filename: str, spec: Any, kind: str, *, source_url: str = "", form: str = "") -> Trial:
    """Raises ValidationError for a faulty spec and `NotATable` for bytes that are none."""
    validate_spec(spec, kind)
    layout = ProfileLayout(spec)
    found = opened(content, filename, layout, form)
    if found.problems or found.table is None:
        return Trial(found.format, [], found.problems)
    validator, _ = KINDS[kind].checks(File(found.table.header, layout, source_url, ""))
    rows: list[Tried] = []
    try:
        rows.extend(_tried(row, KINDS[kind].columns) for row in map(validator.check, islice(found.table, ROWS)))
    except Unreadable as error:
        return Trial(found.format, rows, error.problems)
    return Trial(found.format, rows, [])


def _tried(row: Checked[Any, Any], columns: Iterable[str]) -> Tried:
    def value_of(name: str, text: str) -> str:
        return as_text(row.values[name]) if name in row.values else ""

    return Tried(row.line, verdict_of(row), list(made(row.reading, columns, value_of)), row.told())
