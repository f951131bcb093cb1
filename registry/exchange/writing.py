"""A table as CSV, XLSX or JSON, row by row where the format allows it.

In the two that spreadsheets open, text that would run as a formula is neutralised. Numbers stay numbers, and text in a
workbook is stored as text whatever it looks like.
"""

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell

from registry.actions.base import Refused
from registry.exchange.tables import Table
from registry.importing.escaping import neutralised

# A workbook is made in full before its first byte is sent.
MOST_ROWS = 50_000
LONGEST_CELL = 32_767
"""Characters of a cell, by the limits of the program; beyond them it would cut without a word."""

# What XML cannot hold or reads as something else, and what looks like its stand-in (ECMA-376, ST_Xstring).
_NOT_IN_XML = re.compile(r"[\x00-\x08\x0b-\x1f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")


@dataclass(frozen=True, slots=True)
class Format:
    """`write` may raise Refused, for a table that the format cannot hold."""

    extension: str
    label: str
    content_type: str
    write: Callable[[Table], Iterable[bytes]]


def as_csv(table: Table) -> Iterator[bytes]:
    line = csv.writer(_Echo()).writerow
    yield line(table.header)
    for row in table.rows:
        yield line([_csv_cell(value) for value in row])


class _Echo:
    """A file that hands back what the CSV writer writes."""

    def write(self, text: str) -> bytes:
        return text.encode()


def _csv_cell(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    return _text(value) if isinstance(value, str | list | dict) else value


def _text(value: Any) -> str:
    """Lists and what else is nested as JSON."""
    return neutralised(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True))


def as_json(table: Table) -> Iterator[bytes]:
    """A list of objects, one a line."""
    before = b"["
    for row in table.rows:
        record = dict(zip(table.header, row, strict=True))
        yield before + b"\n" + json.dumps(record, ensure_ascii=False).encode()
        before = b","
    yield b"[]\n" if before == b"[" else b"\n]\n"


def as_workbook(table: Table) -> list[bytes]:
    rows = [[_sheet_value(value) for value in row] for row in islice(table.rows, MOST_ROWS + 1)]
    if len(rows) > MOST_ROWS:
        raise Refused("too-many-rows", f"A workbook may hold {MOST_ROWS:,} rows. Filter the list, or take CSV or JSON.")
    book = Workbook(write_only=True)
    sheet = book.create_sheet(table.name[:31])
    sheet.freeze_panes = "A2"
    for row in ([*table.header], *rows):
        sheet.append([_sheet_cell(sheet, value) for value in row])
    content = io.BytesIO()
    book.save(content)
    return [content.getvalue()]


def _sheet_value(value: Any) -> Any:
    if not isinstance(value, str | list | dict):
        return value
    text = _NOT_IN_XML.sub(lambda found: f"_x{ord(found[0]):04X}_", _text(value))
    if len(text) > LONGEST_CELL:
        told = f"A text here is longer than the {LONGEST_CELL:,} characters that a cell holds. Take CSV or JSON."
        raise Refused("too-long", told)
    return text


def _sheet_cell(sheet: Any, value: Any) -> Any:
    """Text as such: openpyxl would take `#N/A` for an error and `=1+1` for a formula.

    Numbers with all their digits: it would write 16, and not every double comes back from those.
    """
    if isinstance(value, float):
        cell = WriteOnlyCell(sheet, repr(value))
        cell.data_type = "n"
        return cell
    cell = WriteOnlyCell(sheet, value)
    if isinstance(value, str):
        cell.data_type = "s"
    return cell


FORMATS = {
    each.extension: each
    for each in (
        Format("csv", "CSV", "text/csv; charset=utf-8", as_csv),
        Format("xlsx", "XLSX", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", as_workbook),
        Format("json", "JSON", "application/json", as_json),
    )
}
