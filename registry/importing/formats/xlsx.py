"""XLSX workbooks: the one sheet that holds data, its cells as text.

Sheets are read from their XML as they stream by. openpyxl, which knows the dates here, reads whole workbooks into
memory; or, where it does stream, it cuts rows off when a sheet misstates its size, and says nothing of merged or hidden
cells.
"""

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import IO
from zipfile import ZipFile

from openpyxl.utils.cell import get_column_letter

from registry.importing.formats import archives
from registry.importing.formats.flat import storable, whole
from registry.importing.formats.sheets import Book, Styles, elements, plain_text, rows
from registry.importing.problems import NotATable, Problem, Unreadable
from registry.importing.tables import Record

WORKBOOK, SHEETS = "xl/workbook.xml", "xl/_rels/workbook.xml.rels"
# Before 2007, and around an encrypted workbook since.
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
# What the sheet with the rows may be called where several are filled.
NAMED = {"results", "comparisons"}
# Of which more is told nowhere; Excel itself allows 31.
LONGEST_SHEET_NAME = 100

_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_STRICT_RELATION = "{http://purl.oclc.org/ooxml/officeDocument/relationships}id"


def recognises(_filename: str, content: bytes) -> bool:
    return content.startswith(OLE) or (archives.is_zip(content) and WORKBOOK in archives.names(content))


@dataclass(frozen=True, slots=True)
class Sheet:
    name: str
    part: str
    hidden: bool


@dataclass(frozen=True, slots=True)
class SheetTable:
    """A sheet that was read through once without a fault."""

    header: list[str]
    encoding: str
    content: bytes = field(repr=False)
    book: Book = field(repr=False)
    part: str

    def __iter__(self) -> Iterator[Record]:
        with archives.opened(self.content) as archive, archive.open(self.part) as stream:
            cells = _filled(stream, self.book)
            next(cells)
            for line, row in cells:
                yield Record(line, row + [""] * (len(self.header) - len(row)))


def read(content: bytes, _filename: str = "") -> SheetTable:
    """The header is the first row that is not blank; a record's line is its row.

    Raises `NotATable` for what is no workbook of this kind and `Unreadable` where cells do not mean one thing.
    """
    if content.startswith(OLE):
        kind = "an encrypted workbook" if _ENCRYPTED in content else "a workbook of Excel 97 (.xls)"
        raise NotATable(f"it is {kind}. Save it as a plain .xlsx.")
    with archives.opened(content) as archive:
        if not {WORKBOOK, SHEETS}.issubset(archive.namelist()):
            raise NotATable("it is an archive and no workbook.")
        if "xl/vbaProject.bin" in archive.namelist():
            raise whole("macros", "The workbook holds macros. Save it as .xlsx, which has none.")
        book = _book(archive)
        sheet = _the_sheet(list(_sheets(archive)), archive, book)
        header = _checked_header(archive, sheet, book)
    return SheetTable(header, f"XLSX, sheet {sheet.name[:LONGEST_SHEET_NAME]}", content, book, sheet.part)


def _book(archive: ZipFile) -> Book:
    strings: list[str] = []
    if "xl/sharedStrings.xml" in archive.namelist():
        with archive.open("xl/sharedStrings.xml") as stream:
            strings = [plain_text(element) for element in elements(stream, "si")]
    styles = Styles()
    if "xl/styles.xml" in archive.namelist():
        with archive.open("xl/styles.xml") as stream:
            styles = Styles.of(stream)
    with archive.open(WORKBOOK) as stream:
        properties = next(elements(stream, "workbookPr"), None)
    since_1904 = properties is not None and properties.get("date1904") in ("1", "true")
    return Book(strings, styles, since_1904)


def _sheets(archive: ZipFile) -> Iterator[Sheet]:
    with archive.open(SHEETS) as stream:
        relations = list(elements(stream, "Relationship"))
    # As opposed to sheets that are one chart.
    worksheets = [each for each in relations if each.get("Type", "").endswith("/worksheet")]
    targets = {each.get("Id"): each.get("Target", "") for each in worksheets}
    with archive.open(WORKBOOK) as stream:
        for element in elements(stream, "sheet"):
            target = targets.get(element.get(_RELATION) or element.get(_STRICT_RELATION), "")
            part = posixpath.normpath(posixpath.join("/xl", target)).lstrip("/")
            if part in archive.namelist():
                yield Sheet(element.get("name", ""), part, element.get("state", "visible") != "visible")


def _the_sheet(sheets: list[Sheet], archive: ZipFile, book: Book) -> Sheet:
    filled = [sheet for sheet in sheets if _is_filled(archive, sheet, book)]
    if not filled:
        raise NotATable("it is a workbook without a filled sheet.")
    named = [sheet for sheet in filled if sheet.name.casefold() in NAMED]
    if len(filled) > 1 and len(named) != 1:
        told = ", ".join(sheet.name for sheet in filled)
        raise whole("several-sheets", f"Several sheets are filled: {told}. Leave one, or call one results.")
    (sheet,) = named if len(filled) > 1 else filled
    if sheet.hidden:
        raise whole("hidden", f"The sheet {sheet.name} is hidden. Show it, or take it out.")
    return sheet


def _is_filled(archive: ZipFile, sheet: Sheet, book: Book) -> bool:
    with archive.open(sheet.part) as stream:
        return next(_filled(stream, book, any_value=True), None) is not None


def _filled(stream: IO[bytes], book: Book, *, any_value: bool = False) -> Iterator[tuple[int, list[str]]]:
    for line, row in rows(stream, book, lenient=any_value):
        if any(row):
            yield line, [storable(line, get_column_letter(at), text) for at, text in enumerate(row, 1)]


def _checked_header(archive: ZipFile, sheet: Sheet, book: Book) -> list[str]:
    with archive.open(sheet.part) as stream:
        cells = _filled(stream, book)
        line, header = next(cells)
        for line, row in cells:
            if len(row) > len(header):
                message = f"Row {line} of the sheet is filled beyond the columns of the header."
                raise Unreadable(Problem(line, "", row[-1], "beyond-header", message))
    return header
