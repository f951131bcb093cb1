"""What checking a record takes, whatever the file holds: its shape, its columns, and every problem by name."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from registry.importing.columns import Column
from registry.importing.layouts import Layout, Reading
from registry.importing.likeness import Likeness
from registry.importing.problems import Bad, Problem
from registry.importing.readers import LONGEST_CELL
from registry.importing.subjects import Subject, all_of
from registry.importing.suggestions import Hints, asked, hint, look_alikes
from registry.importing.tables import Record

# A hint compares with every name; a file of wrong names gets this many.
MOST_HINTS = 200
# Of each column: a column in which every text differs must not fill the memory.
MOST_REMEMBERED = 4_096

Identity = TypeVar("Identity", bound=Hashable)
Said = TypeVar("Said")


@dataclass(slots=True)
class Checked(Generic[Identity, Said]):
    """One row by itself. `identity` is there as soon as it can be told, `said` only where nothing is wrong."""

    reading: Reading
    raw: list[str]
    values: dict[str, Any] = field(default_factory=dict)
    """What could be read, by column of the own layout."""
    identity: Identity | None = None
    said: Said | None = None

    @property
    def line(self) -> int:
        return self.reading.line

    @property
    def problems(self) -> list[Problem]:
        return self.reading.problems

    def told(self) -> list[Problem]:
        """What stands in its way; else what is remarkable about it."""
        return self.reading.problems or self.reading.remarks

    def texts(self) -> dict[str, str]:
        """What was read, as cells of the own layout."""
        return {name: as_text(value) for name, value in self.values.items()}


class Names(Protocol):
    """The names that configurations go by; those of `unreviewed` aliases resolve nothing yet."""

    @property
    def subjects(self) -> Mapping[str, Subject]: ...
    @property
    def unreviewed(self) -> Collection[str]: ...


class Memo(dict[str, Any]):
    """The texts of one column and what they mean: columns repeat themselves, and a file is read in no time by that."""

    def __init__(self, column: Column, meaning: Callable[[str], str]) -> None:
        super().__init__()
        self._column = column
        self._meaning = meaning

    def __missing__(self, text: str) -> Any:
        try:
            value = parsed(self._column, self._meaning(text))
        except Bad as bad:
            value = bad
        if len(self) >= MOST_REMEMBERED:
            self.clear()
        self[text] = value
        return value


class Validator(ABC, Generic[Identity, Said]):
    """Checks the records of one file."""

    fields: ClassVar[Mapping[str, Column]]

    def __init__(self, columns: list[str], layout: Layout, names: Names) -> None:
        self.columns = columns
        self.names = names
        self._layout = layout
        self._hints = Hints(MOST_HINTS)
        self.parsed = {name: Memo(column, layout.meaning) for name, column in self.fields.items()}
        """Of each column, by text: the value, or the `Bad` that says why there is none."""

    @abstractmethod
    def read(self, reading: Reading, raw: list[str]) -> Checked[Identity, Said]:
        """Check one row that has the shape of the file and is not skipped."""

    def check(self, record: Record) -> Checked[Identity, Said]:
        if problems := self._misshapen(record):
            return Checked(Reading(record.line, problems=problems), record.cells)
        reading = self._layout.read(record.line, dict(zip(self.columns, record.cells, strict=True)))
        return Checked(reading, record.cells) if reading.skipped else self.read(reading, record.cells)

    def _misshapen(self, record: Record) -> list[Problem]:
        cells, columns = record.cells, self.columns
        if len(cells) != len(columns):
            message = f"This row has {len(cells)} cells where the header has {len(columns)}."
            column = columns[len(cells)] if len(cells) < len(columns) else ""
            return [Problem(record.line, column, ",".join(cells[len(columns) :]), "row-length", message)]
        if cells == columns:
            message = "The header is repeated here, as where two files were put together."
            return [Problem(record.line, columns[0], cells[0], "header-repeated", message)]
        longest = max(map(len, cells))
        if longest == 0:
            return [Problem(record.line, "", "", "blank-row", "Every cell of this row is blank.")]
        return self._too_long(record) if longest > LONGEST_CELL else []

    def _too_long(self, record: Record) -> list[Problem]:
        """Cells that are read; a column of whole conversations that nobody reads may stand beside them."""
        told = f"A cell may hold {LONGEST_CELL:,} characters at most."
        return [
            Problem(record.line, column, cell, "cell-too-long", told)
            for column, cell in zip(self.columns, record.cells, strict=True)
            if len(self._layout.meaning(cell)) > LONGEST_CELL and column in self._layout.reads
        ]

    def hint(self, column: str, text: str, known: Iterable[str]) -> str:
        return self._hints.of((column, text), lambda: hint(text, known))

    def hint_like(self, column: str, text: str, likeness: Likeness) -> str:
        """Of a configuration, as the table of unresolved names has it: another version is never meant."""
        return self._hints.of((column, text), lambda: asked(likeness.of(text)) + look_alikes(text))

    @cached_property
    def subjects(self) -> Likeness:
        return Likeness(self.names.subjects, all_of(self.names.subjects))


class Row:
    """One row while it is checked. A column that was refused is spoiled, and no rule complains about it again."""

    def __init__(self, validator: Validator[Any, Any], reading: Reading) -> None:
        self.reading = reading
        self.validator = validator
        self.hint = validator.hint
        self.names = validator.names
        self.values: dict[str, Any] = {}
        for name, text in reading.texts():
            if text:
                value = validator.parsed[name][text]
                if type(value) is Bad:
                    self.refuse(name, value)
                else:
                    self.values[name] = value

    def refuse(self, name: str, bad: Bad) -> None:
        self.reading.spoiled.add(name)
        self.reading.refuse(self.reading.cell(name), bad)

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
            self.refuse(column, self._unknown_configuration(column, name))
        return subject

    def _unknown_configuration(self, column: str, name: str) -> Bad:
        if name in self.names.unreviewed:
            return Bad("unreviewed-alias", f"{name} is an alias that nobody has reviewed yet.")
        hint = self.validator.hint_like(column, name, self.validator.subjects)
        return Bad("unknown-configuration", f"There is no configuration or reviewed alias {name}.{hint}")


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
