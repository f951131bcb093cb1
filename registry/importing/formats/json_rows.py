"""Flat objects as rows: a JSON list of them, or one a line (JSON Lines). Their keys are the columns.

The columns are all keys in the order in which they first come; a row without a key has a blank there.
"""

from collections.abc import Iterator
from typing import Any

from registry.importing.formats.documents import has_marks
from registry.importing.formats.flat import MOST_RECORDS, FlatTable, flattened, whole
from registry.importing.formats.json_text import decoded, parsed, text_of
from registry.importing.problems import NotATable, Problem, Unreadable
from registry.importing.tables import Record

MOST_COLUMNS = 1_000


def recognises(filename: str, content: bytes) -> bool:
    if has_marks(content, (b"[",), ()):
        return True
    lines = content[:1_000_000].lstrip(b"\xef\xbb\xbf \t\r\n").split(b"\n", 2)
    return lines[0].startswith(b"{") and (
        filename.lower().endswith((".jsonl", ".ndjson"))
        or (lines[0].rstrip().endswith(b"}") and len(lines) > 1 and lines[1].startswith(b"{"))
    )


def read(content: bytes, _filename: str = "") -> FlatTable:
    """`line` of a record is its line in JSON Lines, and its number in a list."""
    text = decoded(content)
    rows = list(_listed(text) if text.lstrip().startswith("[") else _lines(text))
    if not rows:
        raise NotATable("it is JSON and holds no rows.")
    columns: dict[str, None] = {}
    for line, row in rows:
        if not isinstance(row, dict):
            raise Unreadable(Problem(line, "", text_of(row), "no-object", "Each row must be an object: {…}."))
        columns.update(dict.fromkeys(row))
        if len(columns) > MOST_COLUMNS:
            raise whole("too-many-columns", f"The rows have more than {MOST_COLUMNS:,} different keys.")
    table = flattened(columns, ({name: text_of(value) for name, value in row.items()} for _, row in rows))
    records = [Record(line, record.cells) for (line, _), record in zip(rows, table.records, strict=True)]
    return FlatTable(table.header, table.encoding, records)


def _listed(text: str) -> Iterator[tuple[int, Any]]:
    yield from enumerate(parsed(text), 1)


def _lines(text: str) -> Iterator[tuple[int, Any]]:
    if text.count("\n") > MOST_RECORDS:
        raise whole("too-many-rows", f"A file of this format may hold {MOST_RECORDS:,} lines.")
    for line, row in enumerate(text.split("\n"), 1):
        if row.strip():
            yield line, parsed(row, line)
