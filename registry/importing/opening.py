"""Any file as a table: recognised, or read as what a person says it is."""

from dataclasses import dataclass

from registry.importing import readers
from registry.importing.contents import Content
from registry.importing.formats import FORMATS, SHEETS, mismatch, recognised
from registry.importing.layouts import Layout
from registry.importing.mending import Mended, is_to_mend
from registry.importing.problems import Problem, Unreadable
from registry.importing.tables import Table

LARGEST_DOCUMENT = 64 * 1024 * 1024
# A CSV may be larger than memory should hold, so that whatever cannot be anything else is read as one.
_ENDINGS = (".json", ".jsonl", ".ndjson", ".yaml", ".yml", ".md", ".eval", ".xlsx", ".xlsm", ".xls", ".zip")
_BEGINNINGS = (b"PK", b"{", b"[", b"-", b"\xd0\xcf\x11\xe0")


@dataclass(frozen=True, slots=True)
class Opened:
    """A file whose header fits its layout, or the problems for which it is refused as a whole."""

    format: str
    table: Table | None
    problems: list[Problem]


def opened(content: Content, filename: str, layout: Layout, form: str = "") -> Opened:
    """Read as `form`, a key of FORMATS, or as what it is recognised as. Raises `NotATable`."""
    try:
        form, table = _table(content, filename, form)
    except Unreadable as error:
        return Opened(form or "csv", None, error.problems)
    if form in SHEETS and is_to_mend(table):
        # Its columns are those of the file before, whatever format that one had.
        table = Mended(table)
        return Opened(form, table, layout.header.problems(table.header))
    other = mismatch(FORMATS[form], layout.formats)
    return Opened(form, table, [other] if other else layout.header.problems(table.header))


def is_held(content: Content, filename: str, form: str = "") -> bool:
    """Is it opened whole, and in memory? A plain CSV is read portion by portion, and opened by its header alone."""
    return form not in ("", "csv") or _may_be_a_document(content, filename)


def _table(content: Content, filename: str, form: str) -> tuple[str, Table]:
    if not is_held(content, filename, form):
        return "csv", readers.read(content)
    held = _held(content)
    found = FORMATS[form] if form else recognised(filename, held)
    return found.key, found.read(held, filename)


def _may_be_a_document(content: Content, filename: str) -> bool:
    head = next(iter(content.chunks()), b"")
    return filename.lower().endswith(_ENDINGS) or head[:4096].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(_BEGINNINGS)


def _held(content: Content) -> bytes:
    held = bytearray()
    for piece in content.chunks():
        held += piece
        if len(held) > LARGEST_DOCUMENT:
            message = f"Only a CSV may be larger than {LARGEST_DOCUMENT // 1024**2} MiB."
            raise Unreadable(Problem(1, "", "", "too-large", message))
    return bytes(held)
