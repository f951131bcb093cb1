"""One worksheet of a workbook as rows of text, from SpreadsheetML (ECMA-376) as it streams by.

What a cell holds, not what it looks like: whole numbers without `.0`, other numbers in the shortest form that gives the
same double, dates in ISO 8601, booleans as true and false, errors by their name (`#N/A`). A number in a percent format
gets its sign: a cell that shows 85 % holds 0.85, and whoever read that as percent would be wrong by a hundred. Text
cells stay text, so that `007` keeps its zeros.
"""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from functools import cache, lru_cache
from typing import IO
from xml.etree.ElementTree import Element, TreeBuilder, XMLParser

from openpyxl.styles.numbers import BUILTIN_FORMATS, is_date_format, is_timedelta_format
from openpyxl.utils.cell import column_index_from_string, get_column_letter
from openpyxl.utils.datetime import MAC_EPOCH, WINDOWS_EPOCH, from_excel

from registry.importing.cells import IS_NUMBER
from registry.importing.formats.flat import whole
from registry.importing.problems import Problem, Unreadable

MOST_ROWS = 1_048_576
MOST_COLUMNS = 16_384
# Up to here every whole number is a double of its own.
_WHOLE = 2**53
_CHUNK = 65_536

_TRUE = ("1", "true")
# What a number format shows as it stands: quoted text, and a character behind a backslash.
_NOT_FORMAT = re.compile(r'"[^"]*"|\\.')
# For a character that XML cannot hold, such as a carriage return (ECMA-376, ST_Xstring).
_STAND_IN = re.compile("_x([0-9A-Fa-f]{4})_")


@dataclass(frozen=True, slots=True)
class Styles:
    """The numbers of the cell styles that show a date or time, and of those that show a percentage.

    Durations stay the days that they are.
    """

    dates: frozenset[int] = frozenset()
    percentages: frozenset[int] = frozenset()

    @classmethod
    def of(cls, stream: IO[bytes]) -> "Styles":
        formats: dict[int, str] = dict(BUILTIN_FORMATS)
        dates, percentages = set[int](), set[int]()
        for element in elements(stream, "numFmt", "cellXfs"):
            if local(element) == "numFmt":
                formats[int(element.get("numFmtId", "0"))] = element.get("formatCode", "")
            else:
                codes = [formats.get(int(style.get("numFmtId", "0")), "") for style in element]
                dates.update(at for at, code in enumerate(codes) if _is_date(code))
                percentages.update(at for at, code in enumerate(codes) if "%" in _NOT_FORMAT.sub("", code))
        return cls(frozenset(dates), frozenset(percentages))


def _is_date(code: str) -> bool:
    return bool(is_date_format(code)) and not is_timedelta_format(code)


@dataclass(frozen=True, slots=True)
class Book:
    """What the cells of all sheets refer to."""

    strings: list[str] = field(repr=False)
    styles: Styles
    since_1904: bool


class _Wanted:
    """What a parser hands to: the elements of some names become trees, all others are let go."""

    def __init__(self, tags: tuple[str, ...]) -> None:
        self._tags = frozenset(tags)
        self._depth = 0
        self._tree = TreeBuilder()
        self._done: list[Element] = []

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if self._depth or local_name(tag) in self._tags:
            self._depth += 1
            self._tree.start(tag, attributes)

    def data(self, text: str) -> None:
        if self._depth:
            self._tree.data(text)

    def end(self, tag: str) -> None:
        if self._depth:
            self._depth -= 1
            self._tree.end(tag)
            if not self._depth:
                self._done.append(self._tree.close())
                self._tree = TreeBuilder()

    def doctype(self, *_: object) -> None:
        """Comes before any entity is declared, let alone used."""
        message = "The workbook's XML declares a document type, which may hold entities. It is not read."
        raise whole("xml-entities", message)

    def taken(self) -> list[Element]:
        done, self._done = self._done, []
        return done


def elements(stream: IO[bytes], *tags: str) -> Iterator[Element]:
    """The outermost elements of these names, whole, as the stream goes by.

    Raises `Unreadable` for XML that declares a document type.
    """
    wanted = _Wanted(tags)
    parser = XMLParser(target=wanted)  # noqa: S314  entities are refused with the document type
    while chunk := stream.read(_CHUNK):
        parser.feed(chunk)
        yield from wanted.taken()
    parser.close()


@cache
def local_name(tag: str) -> str:
    return tag.rpartition("}")[2]


def local(element: Element) -> str:
    return local_name(element.tag)


def plain_text(element: Element) -> str:
    """The text of a string, in one run or several; not how it is pronounced."""
    runs = [element, *(child for child in element if local(child) == "r")]
    text = "".join(child.text or "" for run in runs for child in run if local(child) == "t")
    return _STAND_IN.sub(lambda found: chr(int(found[1], 16)), text) if "_x" in text else text


def rows(stream: IO[bytes], book: Book, *, lenient: bool = False) -> Iterator[tuple[int, list[str]]]:
    """Number and cells of each row that is there. Unless `lenient`, raises `Unreadable` for what is hidden or merged
    and for formulas without a value.
    """
    number, hidden = 0, set[int]()
    for element in elements(stream, "row", "mergeCell", "col"):
        match local(element):
            case "row":
                number = _row_number(element, number)
                yield number, _row(element, number, book, frozenset() if lenient else hidden, lenient=lenient)
            case "mergeCell" if not lenient:
                told = f"The cells {element.get('ref')} are merged. Split them, so that each row has its own values."
                raise whole("merged", told)
            case "col" if element.get("hidden") in _TRUE:
                first, last = int(element.get("min", "1")), int(element.get("max", "1"))
                hidden.update(range(max(first, 1), min(last, MOST_COLUMNS) + 1))


def _row_number(element: Element, before: int) -> int:
    number = int(element.get("r", before + 1))
    if not before < number <= MOST_ROWS:
        raise ValueError(number)
    return number


def _row(element: Element, number: int, book: Book, hidden: set[int] | frozenset[int], *, lenient: bool) -> list[str]:
    cells: list[str] = []
    column = 0
    for cell in element:
        if local(cell) != "c":
            continue
        column = _column(cell, column)
        text = _text(cell, book, lenient=lenient)
        if text:
            cells += [""] * (column - 1 - len(cells)) + [text]
            if column in hidden:
                raise _refused(number, "hidden", f"The column {get_column_letter(column)} is hidden and filled.")
    if cells and not lenient and element.get("hidden") in _TRUE:
        raise _refused(number, "hidden", f"Row {number} is hidden, by a filter perhaps. Show it, or take it out.")
    return cells


def _column(cell: Element, before: int) -> int:
    reference = cell.get("r")
    if reference is None:
        return before + 1
    column = _column_of(reference.rstrip("0123456789"))
    if not before < column <= MOST_COLUMNS:
        raise ValueError(reference)
    return column


@lru_cache(MOST_COLUMNS)
def _column_of(letters: str) -> int:
    """Raises ValueError for letters that name none."""
    return int(column_index_from_string(letters))


def _text(cell: Element, book: Book, *, lenient: bool) -> str:
    formula, value = False, ""
    for part in cell:
        name = local(part)
        if name == "v":
            value = part.text or ""
        elif name == "is":
            return plain_text(part)
        elif name == "f":
            formula = True
    kind = cell.get("t", "n")
    if formula and not value and kind != "str":
        return "=" if lenient else _without_value(cell.get("r", "this sheet"))
    return _typed(kind, value, cell, book)


def _without_value(place: str) -> str:
    message = f"The formula in {place} has no value yet. Open the workbook, let it calculate, and save it."
    raise whole("formula", message, value=place)


def _typed(kind: str, value: str, cell: Element, book: Book) -> str:
    if not value or kind in ("str", "e", "d", "inlineStr"):
        return value
    if kind == "s":
        return _string(book, int(value))
    if kind == "b":
        return "true" if value == "1" else "false"
    place = cell.get("r", "here")
    if not IS_NUMBER.fullmatch(value):
        raise whole("not-a-number", f"The cell {place} of the workbook should hold a number.", value=value)
    return _number(float(value), int(cell.get("s", "0")), book, place)


def _string(book: Book, index: int) -> str:
    if not 0 <= index < len(book.strings):
        raise ValueError(index)
    return book.strings[index]


def _number(value: float, style: int, book: Book, place: str) -> str:
    if style in book.styles.dates:
        return _day(value, book, place)
    if style in book.styles.percentages and math.isfinite(value):
        return f"{Decimal(repr(value)).scaleb(2):f}%"
    if math.isfinite(value) and value.is_integer() and abs(value) <= _WHOLE:
        return str(int(value))
    return repr(value)


def _day(value: float, book: Book, place: str) -> str:
    try:
        moment = from_excel(value, MAC_EPOCH if book.since_1904 else WINDOWS_EPOCH)
    except (ValueError, OverflowError):
        raise whole("not-a-date", f"The cell {place} shows a date that there is none.", value=str(value)) from None
    if isinstance(moment, datetime) and moment.time() == moment.min.time():
        return moment.date().isoformat()
    return str(moment.isoformat())


def _refused(line: int, reason: str, message: str) -> Unreadable:
    return Unreadable(Problem(line, "", "", reason, message))
