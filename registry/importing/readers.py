"""Bytes to records: the one reading of CSV that everything else builds on. Nothing is guessed or repaired.

The file is decoded and cut into blocks of whole records, so that a large one is never held at once. Python's `csv`
takes a quote after a space for a literal one, and then swallows records behind it; `_QUOTED_WELL` looks for that first,
and then `csv` cannot fail.
"""

import codecs
import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from registry.importing.contents import Content, Held
from registry.importing.problems import NotATable, Problem, Unreadable
from registry.importing.tables import Record

LARGEST_FILE = 256 * 1024 * 1024
MOST_ROWS = 1_000_000
LONGEST_CELL = 20_000
# What can still be one record: a quote that is open for longer was never meant to be one.
LONGEST_BLOCK = 4 * 1024 * 1024

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
# Four letters of ASCII in UTF-16 that has no mark.
_UTF_16_UNMARKED = re.compile(rb"(?:[\t -~]\0){4}|(?:\0[\t -~]){4}")
_NO_TEXT = [
    (b"PK\x03\x04", "a ZIP archive or an XLSX workbook"),
    (b"PK\x05\x06", "a ZIP archive without a file"),
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


@dataclass(slots=True)
class CsvTable:
    """A CSV file whose header could be read. A fault further down is raised as `Unreadable` while iterating."""

    header: list[str]
    content: Content
    bom: bool
    line_ends: set[str] = field(default_factory=set)
    """Those seen so far."""

    @property
    def encoding(self) -> str:
        """All of it is known once the records were read."""
        name = "UTF-8 with BOM" if self.bom else "UTF-8"
        return f"{name}, mixed line ends ({', '.join(sorted(self.line_ends))})" if len(self.line_ends) > 1 else name

    def __iter__(self) -> Iterator[Record]:
        records = _records(self.content, self.line_ends)
        next(records)
        return records


def read(content: Content | bytes) -> CsvTable:
    """Raises `NotATable` where the bytes are no table at all and `Unreadable` where it can be said what is wrong."""
    content = Held(content) if isinstance(content, bytes) else content
    head = next(iter(content.chunks()), b"")
    _refuse_binaries(head)
    _refuse_other_formats(next(_texts(content), ""))
    header = next(_records(content, set()), None)
    if header is None:
        raise NotATable("it is empty.")
    return CsvTable(header.cells, content, bom=head.startswith(codecs.BOM_UTF8))


def _refuse_binaries(head: bytes) -> None:
    for mark, name in _NO_TEXT:
        if head.startswith(mark):
            raise NotATable(f"it is {name}.")
    for mark, name in _UTF_16_OR_32:
        if head.startswith(mark):
            raise _encoded(name)
    if _UTF_16_UNMARKED.match(head):
        raise _encoded("UTF-16")


def _encoded(name: str) -> Unreadable:
    return Unreadable(Problem(1, "", "", "encoding", f"The file is {name}. Save it as UTF-8."))


def _refuse_other_formats(text: str) -> None:
    start = text[:200].lstrip()
    if not start and not text.strip():
        raise NotATable("it is empty.")
    for mark, name in _NO_TABLE:
        if start.startswith(mark):
            raise NotATable(f"it is {name}.")
    _refuse_other_delimiters(_first_line(text))


def _refuse_other_delimiters(first_line: str) -> None:
    if "," in first_line:
        return
    for delimiter, name in ((";", "';'"), ("\t", "TAB"), ("|", "'|'")):
        if delimiter in first_line:
            message = f"The delimiter is {name}. Save the file with commas, and numbers with a decimal point."
            raise Unreadable(Problem(1, "", first_line, "delimiter", message))
    raise NotATable("its first line is no header with commas.")


# --- From bytes to text -----------------------------------------------------------------------------------------------


def _texts(content: Content) -> Iterator[str]:
    """The text in pieces, never cut between CR and LF, without the byte order mark."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    line, held = 1, ""
    for number, piece in enumerate(content.chunks()):
        text = held + _decoded(decoder, piece.removeprefix(codecs.BOM_UTF8) if number == 0 else piece, line, held)
        held = "\r" if text.endswith("\r") else ""
        text = text[: len(text) - len(held)]
        line += _lines(text)
        if text:
            yield text
    if rest := held + _decoded(decoder, b"", line, held, final=True):
        yield rest


def _decoded(decoder: codecs.IncrementalDecoder, piece: bytes, line: int, held: str, *, final: bool = False) -> str:
    """`line` is where `held`, the end of the text before, begins."""
    text, nul, _ = piece.partition(b"\0")
    try:
        decoded = decoder.decode(text, final and not nul)
    except UnicodeDecodeError as error:
        at = line + _lines(held + error.object[: error.start].decode("latin-1"))
        byte = f"0x{error.object[error.start]:02X}"
        message = (
            f"The byte {byte} here is not UTF-8; perhaps the file is Windows-1252 or Latin-1, or it was cut off. "
            "Save it as UTF-8."
        )
        raise Unreadable(Problem(at, "", "", "encoding", message)) from error
    if nul:
        at = line + _lines(held + text.decode("latin-1"))
        raise Unreadable(Problem(at, "", "", "nul-byte", "The file holds a NUL byte here: it is no plain text."))
    return decoded


# --- From text to records ---------------------------------------------------------------------------------------------


def _records(content: Content, line_ends: set[str]) -> Iterator[Record]:
    """Every line that is not fully blank, the header included."""
    line, header = 1, None
    for block in _blocks(content):
        _see_line_ends(block, line_ends)
        _refuse_bad_quoting(block, line, header)
        reader = csv.reader(io.StringIO(block, newline=""), strict=True)
        begins = line
        for cells in reader:
            if cells:
                header = header or cells
                yield Record(begins, cells)
            begins = line + reader.line_num
        line = begins


def _blocks(content: Content) -> Iterator[str]:
    """The text cut behind line ends that stand in no quotes."""
    held, line = "", 1
    for text in _texts(content):
        held += text
        if cut := _whole_records(held):
            yield held[:cut]
            line += _lines(held[:cut])
            held = held[cut:]
        elif len(held) > LONGEST_BLOCK:
            # Whoever reads it finds the quote that is never closed, if there is one.
            yield held
            raise _too_long(line, held)
    if held:
        yield held


def _too_long(line: int, held: str) -> Unreadable:
    message = f"The record that begins here has no end within {LONGEST_BLOCK:,} characters."
    return Unreadable(Problem(line, "", held[:LONGEST_CELL], "record-too-long", message))


def _whole_records(text: str) -> int:
    """Where the last line ends that has an even number of quotes before it: outside of quotes, if all are paired."""
    end, inside = len(text), text.count('"') % 2
    while end >= 0:
        # Between two quotes every line end is within quotes, or none is.
        quote = text.rfind('"', 0, end)
        cut = max(text.rfind("\n", quote + 1, end), text.rfind("\r", quote + 1, end))
        if not inside and cut >= 0:
            return cut + 1
        end, inside = quote, 1 - inside
    return 0


def _see_line_ends(block: str, seen: set[str]) -> None:
    pairs = block.count("\r\n")
    counts = {"CRLF": pairs, "LF": block.count("\n") - pairs, "CR": block.count("\r") - pairs}
    seen.update(name for name, count in counts.items() if count)


def _refuse_bad_quoting(block: str, line: int, header: list[str] | None) -> None:
    if '"' not in block:
        return
    match = _QUOTED_WELL.match(block + "\n")
    end = match.end() if match else 0
    if end <= len(block):
        rest = _first_line(block[end : end + LONGEST_CELL])
        message = (
            "Quotes must enclose a whole cell, without a space before or text behind, and a quote inside is doubled. "
            "The cell that begins here breaks this, or its quote is never closed."
        )
        at = line + _lines(block[:end])
        raise Unreadable(Problem(at, _column_at(block[:end], header), rest, "quoting", message))


def _column_at(before: str, header: list[str] | None) -> str:
    """The column that begins after `before`; blank within the header."""
    last: list[str] = []
    for cells in csv.reader(io.StringIO(before, newline=""), strict=True):
        header, last = header or cells, cells
    place = len(last) - 1 if before.endswith(",") else 0
    return header[place] if header and header is not last and place < len(header) else ""


def _first_line(text: str) -> str:
    end = _LINE_END.search(text)
    return text[: end.start()] if end else text


def _lines(text: str) -> int:
    """How many lines end in it."""
    return text.count("\n") + text.count("\r") - text.count("\r\n")
