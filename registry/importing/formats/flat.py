"""What the formats that are no sheets of their own are flattened into: columns and records of text."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from registry.importing.problems import Problem, Unreadable
from registry.importing.tables import Record

MOST_RECORDS = 500_000
# A table in which every record has a column of its own is far larger than its file.
MOST_CELLS = 20_000_000

Fields = dict[str, str]
"""One record by column; a column that is left out is blank."""


@dataclass(frozen=True, slots=True)
class FlatTable:
    """A file that was flattened; its records are numbered from 1."""

    header: list[str]
    encoding: str
    records: list[Record]

    def __iter__(self) -> Iterator[Record]:
        return iter(self.records)


def flattened(columns: Iterable[str], records: Iterable[Fields], encoding: str = "UTF-8") -> FlatTable:
    """Raises `Unreadable` for what no database stores, and for too many records."""
    header = list(columns)
    kept = []
    for line, fields in enumerate(records, 1):
        if line > MOST_RECORDS:
            raise whole("too-many-rows", f"A file of this format may hold {MOST_RECORDS:,} records.")
        if line * len(header) > MOST_CELLS:
            told = f"Its {len(header):,} columns make more than {MOST_CELLS:,} cells by record {line:,}."
            raise whole("too-many-cells", told)
        kept.append(Record(line, [storable(line, name, fields.get(name, "")) for name in header]))
    for name in header:
        storable(1, name[:20], name)
    return FlatTable(header, encoding, kept)


def whole(reason: str, message: str, *, column: str = "", value: str = "") -> Unreadable:
    """What is wrong with a file of which no line can be named."""
    return Unreadable(Problem(1, column, value, reason, message))


def at(value: Any, path: str) -> Any:
    """What stands at `a/b/c` within objects; None where nothing does."""
    for name in path.split("/"):
        value = value.get(name) if isinstance(value, dict) else None
    return value


def storable(line: int, column: str, text: str) -> str:
    """The text; raises `Unreadable` for one that no database stores."""
    if text.isascii() and "\0" not in text:
        return text
    if "\0" in text:
        raise Unreadable(Problem(line, column, "", "nul-byte", "The text here holds a NUL character."))
    try:
        text.encode()
    except UnicodeEncodeError as error:
        message = "The text here holds half of a character: a surrogate without its pair."
        raise Unreadable(Problem(line, column, "", "encoding", message)) from error
    return text
