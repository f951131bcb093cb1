"""The rows of a batch that could not be taken, as a file to mend; and that file read again.

It has two columns in front, by which it is known: where each row stood, and why it was refused. Whatever the layout,
they are passed over, and each cell is the one of the first file again: what was done to it for a spreadsheet is undone.
They stand in front because a row with too few cells would otherwise take them for its own.
"""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from registry.importing.escaping import neutralised, restored
from registry.importing.formats import SPREADSHEETS
from registry.importing.tables import Record, Table
from registry.models import ImportBatch
from registry.vocabulary import Verdict

BAD = (Verdict.REFUSED, Verdict.CONFLICT)
TOLD = ("refused_line", "refused_because")


def bad_rows(batch: ImportBatch) -> Any:
    """The refused and conflicting ones, in the order of the file; none where it was refused as a whole.

    Nor where all it says is stored: the rows that it shares with another batch may have been bad in that one.
    """
    bad = batch.staged.filter(verdict__in=BAD).order_by("line")
    return bad.none() if batch.read_as_id else bad


def lines(batch: ImportBatch) -> Iterator[str]:
    """The bad rows as they stood, with line and reasons; a spreadsheet runs nothing of it."""
    writer = csv.writer(_Lines())
    yield writer.writerow([*TOLD, *map(neutralised, batch.header)])
    for row in bad_rows(batch).iterator():
        reasons = " ".join(problem["message"] for problem in row.problems)
        yield writer.writerow([row.line, neutralised(reasons), *(_mendable(batch, cell) for cell in row.record)])


class _Lines:
    """Hands each line back to whoever writes it: a file of all of them need not fit into memory."""

    def write(self, line: str) -> str:
        return line


def _mendable(batch: ImportBatch, cell: str) -> str:
    """What no spreadsheet has written has no apostrophe to lose, and a CSV in the own layout loses one."""
    plain = batch.profile_key or batch.format in SPREADSHEETS
    return neutralised(cell if plain else neutralised(cell))


def is_to_mend(table: Table) -> bool:
    return tuple(table.header[: len(TOLD)]) == TOLD


@dataclass(frozen=True, slots=True)
class Mended:
    """Such a file as the table that its rows came from."""

    table: Table

    @property
    def header(self) -> list[str]:
        return _without_told(self.table.header)

    @property
    def encoding(self) -> str:
        return self.table.encoding

    def __iter__(self) -> Iterator[Record]:
        return (Record(record.line, _without_told(record.cells)) for record in self.table)


def _without_told(cells: list[str]) -> list[str]:
    return [restored(cell) for cell in cells[len(TOLD) :]]
