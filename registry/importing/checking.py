"""What checking a record takes, whatever the file holds: its shape, its columns, and every problem by name."""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from registry.importing.layouts import Cell, Layout, Reading
from registry.importing.lookups import Subject
from registry.importing.problems import Bad, Problem
from registry.importing.readers import LONGEST_CELL
from registry.importing.resources import Column
from registry.importing.suggestions import hint
from registry.importing.tables import Record

# A hint compares with every name; a file of wrong names gets this many.
MOST_HINTS = 200

Identity = TypeVar("Identity", bound=Hashable)
Said = TypeVar("Said")


@dataclass(slots=True)
class Checked(Generic[Identity, Said]):
    """One row by itself. `identity` is there as soon as it can be told, `said` only where nothing is wrong."""

    line: int
    raw: dict[str, Any]
    cells: dict[str, Cell] = field(default_factory=dict)
    values: dict[str, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    remarks: list[Problem] = field(default_factory=list)
    skipped: bool = False
    identity: Identity | None = None
    said: Said | None = None

    def problem(self, name: str, reason: str, message: str) -> Problem:
        """About a column of the own layout, told by the file's own cell."""
        cell = self.cells.get(name) or Cell("", name, "")
        return Problem(self.line, cell.column, cell.shown, reason, message)


class Names(Protocol):
    """The names that configurations go by; those of `unreviewed` aliases resolve nothing yet."""

    @property
    def subjects(self) -> Mapping[str, Subject]: ...
    @property
    def unreviewed(self) -> frozenset[str]: ...


class Validator(ABC, Generic[Identity, Said]):
    """Checks the records of one file."""

    def __init__(self, columns: list[str], layout: Layout, names: Names) -> None:
        self.columns = columns
        self.names = names
        self._layout = layout
        self._hints: dict[str, str] = {}

    @abstractmethod
    def read(self, reading: Reading, raw: dict[str, Any]) -> Checked[Identity, Said]:
        """Check one row that has the shape of the file and is not skipped."""

    def check(self, record: Record) -> Checked[Identity, Said]:
        raw: dict[str, Any] = dict(zip(self.columns, record.cells, strict=False))
        if problems := self._misshapen(record):
            if extra := record.cells[len(self.columns) :]:
                raw[""] = [raw[""], *extra] if "" in raw else extra
            return Checked(record.line, raw, problems=problems)
        reading = self._layout.read(record.line, raw)
        if reading.skipped:
            return Checked(record.line, raw, remarks=reading.remarks, skipped=True)
        return self.read(reading, raw)

    def _misshapen(self, record: Record) -> list[Problem]:
        cells, columns = record.cells, self.columns
        if len(cells) != len(columns):
            message = f"This row has {len(cells)} cells where the header has {len(columns)}."
            column = columns[len(cells)] if len(cells) < len(columns) else ""
            return [Problem(record.line, column, ",".join(cells[len(columns) :]), "row-length", message)]
        if cells == columns:
            message = "The header is repeated here, as where two files were put together."
            return [Problem(record.line, columns[0], cells[0], "header-repeated", message)]
        if not any(cells):
            return [Problem(record.line, "", "", "blank-row", "Every cell of this row is blank.")]
        return [
            Problem(record.line, column, cell, "cell-too-long", f"A cell may hold {LONGEST_CELL:,} characters at most.")
            for column, cell in zip(columns, cells, strict=True)
            if len(cell) > LONGEST_CELL
        ]

    def hint(self, text: str, known: Iterable[str]) -> str:
        if text not in self._hints:
            if len(self._hints) >= MOST_HINTS:
                return ""
            self._hints[text] = hint(text, known)
        return self._hints[text]


class Row:
    """One row while it is checked. A column that was refused is spoiled, and no rule complains about it again."""

    columns: ClassVar[Mapping[str, Column]]

    def __init__(self, validator: Validator[Any, Any], reading: Reading) -> None:
        self.reading = reading
        self.hint = validator.hint
        self.names = validator.names
        self.values: dict[str, Any] = {}
        self._parse()

    def _parse(self) -> None:
        for name, column in self.columns.items():
            cell = self.reading.cells.get(name)
            if cell is None or not cell.text:
                continue
            try:
                self.values[name] = parsed(column, cell.text)
            except Bad as bad:
                self.refuse(name, bad)

    def refuse(self, name: str, bad: Bad) -> None:
        self.reading.spoiled.add(name)
        self.reading.refuse(self.reading.cells.get(name) or Cell("", name, ""), bad)

    def require(self, name: str, hint: str = "") -> Any:
        value = self.values.get(name)
        if value is None and name not in self.reading.spoiled:
            self.refuse(name, Bad("missing", f"{name} is required. {hint}".strip()))
        return value

    def subject(self, column: str) -> Subject | None:
        """The configuration that a column names by key or reviewed alias; refused where there is none."""
        name = self.values[column]
        subject = self.names.subjects.get(name)
        if subject is None:
            self.refuse(column, self._unknown_configuration(name))
        return subject

    def _unknown_configuration(self, name: str) -> Bad:
        if name in self.names.unreviewed:
            return Bad("unreviewed-alias", f"{name} is an alias that nobody has reviewed yet.")
        hint = self.hint(name, self.names.subjects)
        return Bad("unknown-configuration", f"There is no configuration or reviewed alias {name}.{hint}")

    def texts(self) -> dict[str, str]:
        """What was read, as cells of the own layout."""
        return {name: as_text(value) for name, value in self.values.items()}


def parsed(column: Column, text: str) -> Any:
    if column.limit is not None and len(text) > column.limit:
        raise Bad("too-long", f"This has {len(text)} characters; {column.limit} are allowed.")
    return column.parse(text)


def as_text(value: Any) -> str:
    """As a cell of the own layout; numbers in the shortest form that gives the same double, times as in ISO 8601."""
    if isinstance(value, str):
        return value
    if isinstance(value, datetime):
        return value.isoformat()
    return repr(value) if isinstance(value, float) else str(value)
