"""Rows of a file in terms of the own layout of its kind, such as results.csv, and that layout itself."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Protocol

from registry.importing.escaping import restored
from registry.importing.formats import SHEETS, SPREADSHEETS
from registry.importing.headers import Header
from registry.importing.problems import Bad, Problem
from registry.importing.results.resource import COLUMNS

Row = Mapping[str, str]


def also(by: str, more: str) -> str:
    """The rules that made a cell what it is, with one more."""
    return f"{by}, {more}" if by else more


class Cell(NamedTuple):
    """The text for one column of the own layout, and the cell of the file that it came from.

    `by`: the patterns and vocabularies that made the one of the other, in order; blank where it stands as it was.
    """

    text: str
    column: str
    shown: str
    by: str = ""

    def made(self, text: str, by: str) -> "Cell":
        return self._replace(text=text, by=also(self.by, by))


@dataclass(slots=True)
class Reading:
    """One row in terms of the own layout. A `spoiled` column has no cell, and the problem why is told already."""

    line: int
    cells: dict[str, Cell] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    remarks: list[Problem] = field(default_factory=list)
    spoiled: set[str] = field(default_factory=set)
    skipped: bool = False

    def texts(self) -> Iterable[tuple[str, str]]:
        """What each column of the own layout is to be read from."""
        return ((name, cell.text) for name, cell in self.cells.items())

    def cell(self, name: str) -> Cell:
        """Where a column came from; nowhere, and then its own name is what people know it by."""
        return self.cells.get(name) or Cell("", name, "")

    def refuse(self, cell: Cell, bad: Bad) -> None:
        self.problems.append(Problem(self.line, cell.column, cell.shown, bad.reason, bad.message))

    def remark(self, cell: Cell, reason: str, message: str) -> None:
        self.remarks.append(Problem(self.line, cell.column, cell.shown, reason, message))


class Layout(Protocol):
    """A way to read rows."""

    @property
    def header(self) -> Header: ...
    @property
    def reads(self) -> frozenset[str]:
        """The columns of the file whose cells are looked at."""

    @property
    def formats(self) -> frozenset[str]:
        """The keys of the formats whose tables it reads."""

    @property
    def new_people(self) -> bool:
        """Are judges that nobody knows people, to be recorded? For comparisons only."""

    def written_as(self, form: str) -> "Layout":
        """The same for a file of that format: what a spreadsheet opens is written otherwise than what it does not."""

    def read(self, line: int, row: Row) -> Reading: ...
    def meaning(self, text: str) -> str:
        """What a text that is read says, before a column parses it."""


RESULTS = Header(
    needs=frozenset({"contract", "value"}),
    knows=frozenset(COLUMNS),
    alternatives=(frozenset({"configuration"}), frozenset({"organization", "model"})),
)


@dataclass(slots=True)
class OwnReading(Reading):
    """The file's columns are the layout's own; a cell is only made where something is said about it."""

    row: Row = field(default_factory=dict)
    meaning: Callable[[str], str] = str

    def texts(self) -> Iterable[tuple[str, str]]:
        return self.row.items()

    def cell(self, name: str) -> Cell:
        text = self.row.get(name, "")
        return Cell(self.meaning(text), name, text)


@dataclass(frozen=True, slots=True)
class OwnLayout:
    """A file in the own layout; results.csv unless told otherwise.

    `escaped`: texts that a spreadsheet would run were written with an apostrophe in front, which is taken away again.
    """

    header: Header = RESULTS
    formats: frozenset[str] = SHEETS
    new_people: bool = False
    escaped: bool = True

    @property
    def reads(self) -> frozenset[str]:
        return self.header.knows

    def written_as(self, form: str) -> "OwnLayout":
        return replace(self, escaped=form in SPREADSHEETS)

    def read(self, line: int, row: Row) -> Reading:
        return OwnReading(line, row=row, meaning=self.meaning)

    def meaning(self, text: str) -> str:
        return restored(text) if self.escaped else text
