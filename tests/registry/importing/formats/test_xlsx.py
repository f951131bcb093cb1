"""Workbooks: cells as text, and what keeps a sheet from being read."""

import datetime as dt
import io
import re
import zipfile
from collections.abc import Callable
from typing import Any

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from registry.exchange.tables import Table
from registry.exchange.writing import as_workbook
from registry.importing.formats import archives, recognised
from registry.importing.problems import Unreadable
from registry.importing.tables import Record
from tests.registry.importing.formats.conftest import faults, table, why_not, zipped

Sheet = Any


def workbook(*rows: list[Any], change: Callable[[Sheet], object] = lambda sheet: None) -> bytes:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    change(book.active)
    return saved(book)


def saved(book: Any) -> bytes:
    made = io.BytesIO()
    book.save(made)
    return made.getvalue()


def cells_of(content: bytes) -> list[list[str]]:
    read = table(content)
    return [read.header, *(record.cells for record in read)]


def with_part(content: bytes, part: str, change: Callable[[str], str]) -> bytes:
    """The same workbook with one of its parts rewritten."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            text = old.read(name)
            new.writestr(name, change(text.decode()).encode() if name == part else text)
    return made.getvalue()


SHEET = "xl/worksheets/sheet1.xml"
PLAIN = workbook(["contract", "value"], ["a", 0.5], ["b", 0.6])


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (3, "3"),
        (3.0, "3"),
        (-0.0, "0"),
        (0.1, "0.1"),
        (1 / 3, "0.3333333333333333"),
        (1e-7, "1e-07"),
        (12345678901234, "12345678901234"),
        (1e22, "1e+22"),
        (True, "true"),
        (False, "false"),
        ("007", "007"),
        ("1e5", "1e5"),
        (" a\nb ", " a\nb "),
        ("+5/-5", "+5/-5"),
        (dt.date(2025, 3, 1), "2025-03-01"),
        (dt.datetime(2025, 3, 1, 12, 30), "2025-03-01T12:30:00"),  # noqa: DTZ001  sheets know no zones
        (dt.time(12, 30), "12:30:00"),
        (dt.timedelta(days=1, hours=12), "1.5"),
        ("é𝛕", "é𝛕"),
    ],
)
def test_a_typed_cell_as_text(value: Any, text: str) -> None:
    assert cells_of(workbook(["h"], [value])) == [["h"], [text]]


@pytest.mark.parametrize(
    ("value", "form", "text"),
    [
        (0.85, "0%", "85%"),
        (0.585, "0.0%", "58.5%"),
        (0.07, '0.00" %"', "0.07"),
        (0.33333, "0%", "33.333%"),
        (1, "0%", "100%"),
        (-0.001, "0.00%;[Red]-0.00%", "-0.1%"),
        (0.85, r"0.00\%", "0.85"),
    ],
)
def test_a_percentage_is_read_with_its_sign(value: float, form: str, text: str) -> None:
    content = workbook(["h"], [value], change=lambda sheet: setattr(sheet["A2"], "number_format", form))
    assert cells_of(content)[1] == [text]


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ((["h"], ["a_x0000_b"]), (2, "A", "nul-byte")),
        ((["h", "i"], ["a", "b_xD800_"]), (2, "B", "encoding")),
        ((["h_x0000_"], ["a"]), (1, "A", "nul-byte")),
    ],
)
def test_a_character_that_no_database_stores_is_refused_with_its_place(rows: Any, told: tuple[int, str, str]) -> None:
    content = with_part(workbook(*rows), SHEET, lambda text: text.replace("_x005F_", "_"))
    with pytest.raises(Unreadable) as refused:
        list(table(content))
    (problem,) = refused.value.problems
    assert (problem.line, problem.column, problem.reason) == told


def test_a_cell_without_a_place_stands_behind_the_one_before() -> None:
    """Also where that one is blank."""
    content = with_part(
        workbook(["a", "b", "c"], [1, 2, 3]),
        SHEET,
        lambda text: re.sub(r' r="[A-C]2"', "", text).replace("<v>2</v>", ""),
    )
    assert cells_of(content)[1] == ["1", "", "3"]


@pytest.mark.parametrize("value", ["1_0", "\uff11", "abc", "nan", "0x1"])
def test_what_a_workbook_calls_a_number_is_one(value: str) -> None:
    content = with_part(workbook(["a"], [7]), SHEET, lambda text: text.replace("<v>7</v>", f"<v>{value}</v>"))
    with pytest.raises(Unreadable, match="A2 of the workbook should hold a number"):
        list(table(content))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=20))
def test_a_workbook_that_is_exported_holds_every_digit(values: list[float]) -> None:
    """16 digits, as the library writes them, are another number for one double in ten."""
    content = b"".join(as_workbook(Table("t", ["h", "v"], ([f"r{at}", value] for at, value in enumerate(values)))))
    assert [float(record.cells[1]) for record in table(content)] == values


def test_dates_since_1904_are_the_same_days() -> None:
    book = openpyxl.Workbook()
    book.epoch = openpyxl.utils.datetime.MAC_EPOCH
    book.active.append(["h"])
    book.active.append([dt.date(2025, 3, 1)])
    assert cells_of(saved(book))[1] == ["2025-03-01"]


def test_blank_rows_are_none_and_a_record_has_the_number_of_its_row() -> None:
    content = workbook([], ["a", "b"], [], ["1"], [None, None], ["", "2"])
    assert list(table(content)) == [Record(4, ["1", ""]), Record(6, ["", "2"])]
    assert table(content).encoding == "XLSX, sheet Sheet"


def test_the_value_that_a_formula_had_is_read_and_one_without_is_refused() -> None:
    content = workbook(["a", "b"], [1, "=A2*2"])
    (problem,) = faults(content)
    assert (problem.reason, problem.value) == ("formula", "B2")
    calculated = with_part(content, SHEET, lambda xml: re.sub(r"<v\s*/>|<v></v>", "<v>2</v>", xml))
    assert cells_of(calculated)[1] == ["1", "2"]


def test_an_error_keeps_its_name() -> None:
    assert cells_of(workbook(["a"], ["#N/A"]))[1] == ["#N/A"]


@pytest.mark.parametrize(
    ("change", "line", "reason", "said"),
    [
        (lambda sheet: sheet.merge_cells("A2:A3"), 1, "merged", "A2:A3 are merged"),
        (lambda sheet: setattr(sheet.row_dimensions[2], "hidden", True), 2, "hidden", "Row 2 is hidden"),
        (lambda sheet: setattr(sheet.column_dimensions["B"], "hidden", True), 1, "hidden", "column B is hidden"),
        (lambda sheet: sheet.cell(3, 3, "x"), 3, "beyond-header", "Row 3 of the sheet is filled beyond"),
        (lambda sheet: setattr(sheet, "sheet_state", "hidden"), 1, "hidden", "The sheet Sheet is hidden"),
    ],
)
def test_what_cannot_be_seen_or_placed_is_refused(
    change: Callable[[Sheet], object], line: int, reason: str, said: str
) -> None:
    def changed(sheet: Sheet) -> None:
        sheet.parent.create_sheet("other")
        change(sheet)

    (problem,) = faults(workbook(["contract", "value"], ["a", 0.5], ["b", 0.6], change=changed))
    assert (problem.line, problem.reason) == (line, reason)
    assert said in problem.message


def test_hidden_columns_without_cells_are_nobody_s_loss() -> None:
    content = workbook(["a"], ["1"], change=lambda sheet: sheet.column_dimensions.group("C", "XFD", hidden=True))
    assert cells_of(content) == [["a"], ["1"]]


def test_columns_that_are_hidden_without_end_cost_nothing() -> None:
    hidden = '<cols><col min="-999999999999" max="999999999999" hidden="1"/></cols><sheetData>'
    (problem,) = faults(with_part(PLAIN, SHEET, lambda xml: xml.replace("<sheetData>", hidden)))
    assert problem.reason == "hidden"


def two_sheets(first: str, second: str) -> bytes:
    book = openpyxl.Workbook()
    book.active.title = first
    book.active.append(["a"])
    book.active.append(["1"])
    book.create_sheet(second).append(["notes"])
    return saved(book)


def test_of_several_filled_sheets_the_one_that_is_named_so_is_read() -> None:
    assert cells_of(two_sheets("Results", "notes")) == [["a"], ["1"]]
    (problem,) = faults(two_sheets("A", "B"))
    assert problem.message == "Several sheets are filled: A, B. Leave one, or call one results."


def test_a_sheet_that_misstates_its_size_loses_nothing() -> None:
    shrunk = with_part(PLAIN, SHEET, lambda xml: re.sub(r'<dimension ref="[^"]*"', '<dimension ref="A1:A2"', xml))
    assert cells_of(shrunk) == cells_of(PLAIN) == [["contract", "value"], ["a", "0.5"], ["b", "0.6"]]


def test_cells_without_references_stand_one_after_the_other() -> None:
    bare = with_part(PLAIN, SHEET, lambda xml: re.sub(r'<(c|row) r="[^"]*"', r"<\1", xml))
    assert cells_of(bare) == cells_of(PLAIN)


STRINGS = "xl/sharedStrings.xml"
SHARED = with_part(PLAIN, SHEET, lambda xml: re.sub(r't="inlineStr"><is><t>a</t></is>', 't="s"><v>1</v>', xml))
with zipfile.ZipFile(made := io.BytesIO(SHARED), "a") as archive:
    archive.writestr(
        STRINGS,
        '<?xml version="1.0"?><sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>no</t></si>'
        "<si><r><t>bo</t></r><r><rPr><b/></rPr><t>th</t></r><rPh><t>said</t></rPh></si></sst>",
    )
SHARED = made.getvalue()


def test_a_shared_string_is_all_its_runs_and_not_how_it_is_said() -> None:
    assert cells_of(SHARED) == [["contract", "value"], ["both", "0.5"], ["b", "0.6"]]
    beyond = with_part(SHARED, SHEET, lambda xml: xml.replace("<v>1</v>", "<v>2</v>"))
    assert [problem.reason for problem in faults(beyond)] == ["damaged"]


ENTITIES = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>'


@pytest.mark.parametrize("part", [SHEET, "xl/workbook.xml", "xl/styles.xml", STRINGS])
@pytest.mark.parametrize("declared", [ENTITIES, '<!DOCTYPE x SYSTEM "file:///etc/passwd">'])
def test_xml_that_declares_entities_is_refused_before_they_unfold(part: str, declared: str) -> None:
    bomb = with_part(SHARED, part, lambda xml: declared + xml.split("?>")[-1])
    assert [problem.reason for problem in faults(bomb)] == ["xml-entities"]


@pytest.mark.parametrize(
    ("part", "old", "new"),
    [
        (SHEET, "<row ", "<rw "),
        (SHEET, 'r="3"', 'r="1"'),
        (SHEET, 'r="A2"', 'r="ZZZ2"'),
        (SHEET, 'r="3"', 'r="99999999"'),
    ],
)
def test_a_damaged_sheet_is_said_to_be(part: str, old: str, new: str) -> None:
    assert [problem.reason for problem in faults(with_part(PLAIN, part, lambda xml: xml.replace(old, new)))] == [
        "damaged"
    ]


def test_macros_encryption_and_old_workbooks_are_named() -> None:
    made = io.BytesIO(PLAIN)
    with zipfile.ZipFile(made, "a") as archive:
        archive.writestr("xl/vbaProject.bin", b"x")
    assert [problem.reason for problem in faults(made.getvalue())] == ["macros"]
    ole = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 512
    assert "Excel 97" in why_not(ole)
    assert "encrypted" in why_not(ole + "EncryptedPackage".encode("utf-16-le"))
    assert "without a filled sheet" in why_not(workbook())
    assert "no workbook" in why_not(zipped({"a.json": b"{}"}), "xlsx")


def test_a_workbook_that_unpacks_300_fold_is_refused_by_its_index() -> None:
    made = io.BytesIO(PLAIN)
    with zipfile.ZipFile(made, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet2.xml", b"<row/>" * 10_000_000)
    content = made.getvalue()
    with pytest.raises(Exception, match=r"unpacks \d+-fold; more than 100-fold"):
        recognised("bomb.xlsx", content)


ANY = (
    st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.booleans()
    | st.text(
        st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"], exclude_characters="_￾￿"), min_size=1
    ).filter(lambda text: not text.startswith("=") and len(text) < 1000)
    | st.dates(dt.date(1901, 1, 1), dt.date(2100, 1, 1))
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(ANY, min_size=3, max_size=3), min_size=1, max_size=5))
def test_what_the_library_writes_is_read_as_the_library_reads_it(rows: list[list[Any]]) -> None:
    content = workbook(["a", "b", "c"], *rows)
    other = openpyxl.load_workbook(io.BytesIO(content)).active
    for mine, theirs in zip(table(content), other.iter_rows(min_row=2, values_only=True), strict=True):
        assert [_as_text(value) for value in theirs] == mine.cells


def _as_text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return str(int(value)) if float(value).is_integer() and abs(value) <= 2**53 else repr(float(value))
    return value.date().isoformat() if isinstance(value, dt.datetime) else str(value)


def test_the_archive_limits_are_those_of_all_archives() -> None:
    assert archives.MOST_PACKED == 100
