"""Workbooks, part by part: a library would write the time of day into each."""

import io
import zipfile
from html import escape

from tests.registry.importing.usual import CONTRACT, SUBJECT, URL

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"

Sheet = tuple[str, str]
"""Its name, and its XML from `sheetData` on."""


def archive(parts: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as into:
        for name, part in parts.items():
            into.writestr(zipfile.ZipInfo(name), part)
    return made.getvalue()


def workbook(*sheets: Sheet) -> bytes:
    numbered = list(enumerate(sheets, 1))
    overrides = "".join(
        f'<Override PartName="/xl/worksheets/sheet{number}.xml" ContentType="{TYPE}.worksheet+xml"/>'
        for number, _ in numbered
    )
    listed = "".join(f'<sheet name="{name}" sheetId="{number}" r:id="rId{number}"/>' for number, (name, _) in numbered)
    related = "".join(_related(number, "worksheet", f"worksheets/sheet{number}.xml") for number, _ in numbered)
    dates = '<cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs>'
    texts = {
        "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{TYPE}.sheet.main+xml"/>'
        f'<Override PartName="/xl/styles.xml" ContentType="{TYPE}.styles+xml"/>{overrides}</Types>',
        "_rels/.rels": _relations(_related(1, "officeDocument", "xl/workbook.xml")),
        "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets>{listed}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": _relations(related + _related(99, "styles", "styles.xml")),
        "xl/styles.xml": f'<styleSheet xmlns="{MAIN}">{dates}</styleSheet>',
    } | {
        f"xl/worksheets/sheet{number}.xml": f'<worksheet xmlns="{MAIN}">{xml}</worksheet>'
        for number, (_, xml) in numbered
    }
    return archive({name: ('<?xml version="1.0"?>' + text).encode() for name, text in texts.items()})


def _relations(related: str) -> str:
    return f'<Relationships xmlns="{PACKAGE}/relationships">{related}</Relationships>'


def _related(number: int, kind: str, target: str) -> str:
    return f'<Relationship Id="rId{number}" Type="{OFFICE}/{kind}" Target="{target}"/>'


def data(*rows: list[str], hidden: int = 0) -> str:
    """Rows of cells; a cell is text, or XML where it begins with `<`."""
    shown = (
        f'<row r="{number}"{" hidden=" + chr(34) + "1" + chr(34) if number == hidden else ""}>'
        + "".join(cell if cell.startswith("<") else text(cell) for cell in cells)
        + "</row>"
        for number, cells in enumerate(rows, 1)
    )
    return "<sheetData>" + "".join(shown) + "</sheetData>"


def text(cell: str) -> str:
    return f'<c t="inlineStr"><is><t>{escape(cell)}</t></is></c>'


def number(value: str) -> str:
    return f"<c><v>{value}</v></c>"


HEADER = ["contract", "configuration", "value", "source_url", "observed_on", "external_id"]
DAY = '<c s="1"><v>45717</v></c>'


def row(value: str = number("0.5"), day: str = "2025-03-01", key: str = "c-1") -> list[str]:
    return [CONTRACT, SUBJECT, value, URL, day, key]


PLAIN = workbook(("Sheet", data(HEADER, row())))
NOTES = ("notes", data(["Made in March."]))
WORKBOOKS = {
    "o90_numbers_and_days.xlsx": workbook(("Sheet", data(HEADER, row(day=DAY), row(number("85"), key="c-2")))),
    "o91_two_sheets_of_which_one_is_called_results.xlsx": workbook(("results", data(HEADER, row())), NOTES),
    "o92_two_filled_sheets.xlsx": workbook(("March", data(HEADER, row())), NOTES),
    "o93_formula_without_a_value.xlsx": workbook(("Sheet", data(HEADER, row("<c><f>1/2</f></c>")))),
    "o94_formula_with_its_value.xlsx": workbook(("Sheet", data(HEADER, row("<c><f>1/2</f><v>0.5</v></c>")))),
    "o95_merged_cells.xlsx": workbook(
        ("Sheet", data(HEADER, row()) + '<mergeCells count="1"><mergeCell ref="A2:A3"/></mergeCells>')
    ),
    "o96_hidden_row.xlsx": workbook(("Sheet", data(HEADER, row(), row(key="c-2"), hidden=3))),
    "o97_error_and_truth_for_values.xlsx": workbook(
        ("Sheet", data(HEADER, row('<c t="e"><v>#N/A</v></c>'), row('<c t="b"><v>1</v></c>', key="c-2")))
    ),
    "o98_nothing_in_it.xlsx": workbook(("Sheet", data())),
}
