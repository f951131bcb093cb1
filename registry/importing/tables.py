"""What every format of file is read into: a header and records."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Record:
    """One record. `line` is where a person finds it: the physical line on which it begins, the row of a sheet, or, in a
    format without lines, its number.
    """

    line: int
    cells: list[str]


class Table(Protocol):
    """A file that could be read. Iterating gives its records, again each time, without the header."""

    @property
    def header(self) -> list[str]: ...
    @property
    def encoding(self) -> str:
        """How its text was encoded, as people are told."""

    def __iter__(self) -> Iterator[Record]: ...
