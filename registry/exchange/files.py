"""A file of one curated table (CSV, XLSX or JSON) as records in plain form, with the line of each."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from registry.exchange.dumping import Record
from registry.exchange.tables import columns, record_of
from registry.importing import readers
from registry.importing.escaping import restored
from registry.importing.formats import json_rows, xlsx
from registry.importing.headers import Header
from registry.importing.problems import Problem, Unreadable
from registry.importing.tables import Record as Line
from registry.importing.tables import Table
from registry.models import Curated

LARGEST_FILE = 8 * 1024 * 1024


@dataclass(slots=True)
class Records:
    """`lines` tells where in the file each of the `records` stands."""

    lines: list[int] = field(default_factory=list)
    records: list[Record] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    unread: dict[int, frozenset[str]] = field(default_factory=dict)
    """Columns that could not be read, by the number of the record, which counts from 1 and holds the others."""

    def whole(self) -> Iterator[tuple[int, Record]]:
        """With their numbers."""
        return ((number, record) for number, record in enumerate(self.records, 1) if number not in self.unread)


def read(model: type[Curated], content: bytes, filename: str = "") -> Records:
    """Every column of the table must be there: what a file leaves out would say something else than what it holds.

    Raises `Unreadable` where the file cannot be read as a whole, and `NotATable`.
    """
    if len(content) > LARGEST_FILE:
        raise Unreadable(Problem(1, "", "", "too-large", f"The file is larger than {LARGEST_FILE // 2**20} MiB."))
    is_json = json_rows.recognises(filename, content)
    if is_json and content.split() == [b"[]"]:
        return Records()
    table = _table(content, is_json=is_json)
    names = frozenset(columns(model))
    if problems := Header(needs=names, knows=names).problems(table.header):
        raise Unreadable(*problems)
    found = Records()
    for line in table:
        cells = line.cells if is_json else [restored(cell) for cell in line.cells]
        _take(found, model, table.header, Line(line.line, cells))
    return found


def _table(content: bytes, *, is_json: bool) -> Table:
    if is_json:
        return json_rows.read(content)
    return xlsx.read(content) if xlsx.recognises("", content) else readers.read(content)


def _take(found: Records, model: type[Curated], header: list[str], line: Line) -> None:
    """Add the record of one line, and what is wrong with it."""
    if len(line.cells) != len(header):
        told = f"This row has {len(line.cells)} cells where the header has {len(header)} columns."
        found.problems.append(Problem(line.line, "", ",".join(line.cells), "ragged", told))
        return
    row = dict(zip(header, line.cells, strict=True))
    record, bad = record_of(model, row)
    found.problems += [Problem(line.line, name, row[name], why.reason, why.message) for name, why in bad.items()]
    found.lines.append(line.line)
    found.records.append(record)
    if bad:
        found.unread[len(found.records)] = frozenset(bad)
