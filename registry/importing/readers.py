"""A CSV file's bytes as a header and records, strictly: what is ambiguous is refused with its line, never repaired.

Comma, quotes as in RFC 4180, lines ended by LF, CRLF or CR, UTF-8. Cells keep every character, line ends in quotes
included. The `csv` module takes a quote inside a bare cell for text without a word, so that one space before a quote
shifts the cells behind it; `_QUOTED_WELL` looks for that first, and then `csv` cannot fail.
"""

import codecs
import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass

from registry.importing.problems import NotATable, Problem, Unreadable
from registry.importing.tables import Record

LARGEST_FILE = 256 * 1024 * 1024
MOST_ROWS = 1_000_000
LONGEST_CELL = 20_000

# Cells longer than LONGEST_CELL are refused row by row and with their column; csv's own limit would only stop reading.
csv.field_size_limit(LARGEST_FILE)

_QUOTED_WELL = re.compile(r'(?:(?:"[^"]*+(?:""[^"]*+)*+"|[^",\r\n]*+)(?:,|\r\n?|\n))*+')
_LINE_END = re.compile(r"\r\n?|\n")
_UTF_16_OR_32 = [
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
]
_NO_TEXT = [
    (b"PK\x03\x04", "a ZIP archive or an XLSX workbook"),
    (b"%PDF", "a PDF"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"\x89PNG", "an image"),
    (b"PAR1", "a Parquet file"),
    (b"SQLite format 3", "an SQLite database"),
]
_NO_TABLE = [
    ("version https://git-lfs.github.com/", "a Git LFS pointer: the file itself was not downloaded"),
    ("<", "an HTML or XML page"),
    ("{", "JSON"),
    ("[", "JSON"),
]


@dataclass(frozen=True, slots=True)
class CsvTable:
    """A CSV file that could be read."""

    header: list[str]
    text: str
    encoding: str

    def __iter__(self) -> Iterator[Record]:
        records = _records(self.text)
        next(records)
        return records


def read(content: bytes) -> CsvTable:
    """Raises `NotATable` where the bytes are no table at all and `Unreadable` where it can be said what is wrong."""
    text, encoding = _text(content)
    _refuse_other_formats(text)
    _refuse_other_delimiters(_first_line(text))
    _refuse_bad_quoting(text)
    return CsvTable(next(_records(text)).cells, text, encoding)


def _text(content: bytes) -> tuple[str, str]:
    for mark, name in _NO_TEXT:
        if content.startswith(mark):
            raise NotATable(f"it is {name}.")
    for mark, name in _UTF_16_OR_32:
        if content.startswith(mark):
            raise Unreadable(_whole("encoding", f"The file is {name}. Save it as UTF-8."))
    if (nul := content.find(b"\0")) >= 0:
        raise Unreadable(_at(content[:nul], "nul-byte", "The file holds a NUL byte here: it is no plain text."))
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        seen = f"The byte 0x{content[error.start]:02X} here is not UTF-8; perhaps the file is Windows-1252 or Latin-1."
        raise Unreadable(_at(content[: error.start], "encoding", f"{seen} Save it as UTF-8.")) from error
    return text, "UTF-8 with BOM" if content.startswith(codecs.BOM_UTF8) else "UTF-8"


def _refuse_other_formats(text: str) -> None:
    start = text[:200].lstrip()
    if not start and not text.strip():
        raise NotATable("it is empty.")
    for mark, name in _NO_TABLE:
        if start.startswith(mark):
            raise NotATable(f"it is {name}.")


def _refuse_other_delimiters(first_line: str) -> None:
    if "," in first_line:
        return
    for delimiter, name in ((";", "';'"), ("\t", "TAB"), ("|", "'|'")):
        if delimiter in first_line:
            message = f"The delimiter is {name}. Save the file with commas, and numbers with a decimal point."
            raise Unreadable(Problem(1, "", first_line, "delimiter", message))
    raise NotATable("its first line is no header with commas.")


def _refuse_bad_quoting(text: str) -> None:
    match = _QUOTED_WELL.match(text + "\n")
    end = match.end() if match else 0
    if end <= len(text):
        rest = _first_line(text[end : end + LONGEST_CELL])
        message = (
            "Quotes must enclose a whole cell, without a space before or text behind, and a quote inside is doubled. "
            "The cell that begins here breaks this, or its quote is never closed."
        )
        raise Unreadable(Problem(_line_of(text, end), _column_at(text[:end]), rest, "quoting", message))


def _column_at(before: str) -> str:
    """The column that begins after `before`; blank within the header."""
    header, last = [""], [""]
    for record in _records(before):
        last = record.cells
        header = last if header == [""] else header
    place = len(last) - 1 if before.endswith(",") else 0
    return header[place] if header is not last and place < len(header) else ""


def _records(text: str) -> Iterator[Record]:
    """Every line that is not fully blank, the header included."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    line = 1
    for cells in reader:
        if cells:
            yield Record(line, cells)
        line = reader.line_num + 1


def _first_line(text: str) -> str:
    end = _LINE_END.search(text)
    return text[: end.start()] if end else text


def _whole(reason: str, message: str) -> Problem:
    return Problem(1, "", "", reason, message)


def _at(before: bytes, reason: str, message: str) -> Problem:
    return Problem(_line_of(before.decode("latin-1"), len(before)), "", "", reason, message)


def _line_of(text: str, offset: int) -> int:
    return 1 + sum(1 for _ in _LINE_END.finditer(text, 0, offset))
