"""What became of the cells of one row: as they stood, by what they were changed, and the value that was read."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from registry.importing.layouts import Reading


class Made(NamedTuple):
    """One column of the own layout."""

    name: str
    column: str
    """Of the file; several, joined by `+`, where several were put together. Blank for a constant."""
    raw: str
    by: str
    """Patterns and vocabularies, in order; blank where the cell stands as it was."""
    value: str
    """As it was read; blank where it could not be."""


def made(reading: Reading, columns: Iterable[str], value_of: Callable[[str, str], str]) -> Iterator[Made]:
    """Those of `columns` that a row gives. `value_of` takes a column and the text that it was read from."""
    for name in columns:
        cell = reading.cell(name)
        if cell.shown or cell.text:
            yield Made(name, cell.column, cell.shown if cell.column else "", cell.by, value_of(name, cell.text))
