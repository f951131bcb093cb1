"""An export holds the columns of results.csv, and importing it changes nothing."""

import csv
import io
from typing import Any

import pytest
from django.contrib.auth.models import User
from hypothesis import given
from hypothesis import strategies as st
from import_export.formats.base_formats import CSV, XLSX

from registry.actions import imports
from registry.importing.results.resource import COLUMNS, ResultResource
from registry.models import Result
from tests.registry.importing.conftest import Stage, csv_of

pytestmark = pytest.mark.django_db


def export() -> str:
    return str(CSV().export_data(ResultResource().export(Result.objects.all())))


def rows() -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(export(), newline="")))


def test_the_columns_are_those_of_the_declaration() -> None:
    dataset = ResultResource().export(Result.objects.none())
    assert dataset.headers == list(COLUMNS)


def test_an_export_imports_back_to_nothing_changed(store: Stage, editor: User) -> None:
    store(
        {"value": "0.5672499999999999", "stderr": "1e-05", "sd": "0.02", "n": "200", "runs": "5"},
        {"source_ref": "day", "observed_on": "2025-03-01"},
        {"external_id": "00123", "source_ref": "abc", "notes": '"=HYPERLINK(""a"",""b"")"'},
        {"external_id": "=1+1", "source_ref": "-x", "notes": '"\t=1\r\nmore"'},
        {"configuration": "vendor1-model-001", "value": "", "absence": "failed", "notes": "'=quoted"},
        {"configuration": "vendor2-model-002", "notes": "unknown", "external_id": "unknown"},
    )
    again = imports.stage(content=export().encode(), filename="export.csv", by=editor)
    assert again.counts["same"] == again.rows == 6


def test_an_export_states_what_the_contract_and_the_configuration_are(store: Stage) -> None:
    store({})
    (row,) = rows()
    assert {name: row[name] for name in ("lineage", "protocol", "unit", "direction", "subject_kind")} == {
        "lineage": "lineage-000-main",
        "protocol": "v0.8.main",
        "unit": "fraction",
        "direction": "higher",
        "subject_kind": "harnessed-model",
    }
    assert [row[part] for part in ("organization", "model", "harness", "effort")] == ["vendor0", "model-000", "", ""]


def test_an_export_leaves_corrected_and_reverted_results_behind(store: Stage, editor: User) -> None:
    store({"value": "0.5"})
    store({"value": "0.6"}, reason="Fixed.")
    imports.revert(batch=store({"configuration": "vendor1-model-001"}), by=editor, reason="Wrong.")
    assert [row["value"] for row in rows()] == ["0.6"]


def test_numbers_stay_numbers_and_text_is_neutralised(store: Stage) -> None:
    store({"notes": "-0.35", "external_id": "-1"})
    Result.objects.update(value=-0.35)
    (row,) = rows()
    assert (row["value"], row["notes"], row["external_id"]) == ("-0.35", "'-0.35", "'-1")


def test_a_workbook_holds_numbers_as_numbers_and_no_formula(store: Stage) -> None:
    from openpyxl import load_workbook

    store({"notes": "=1+1", "external_id": "00123", "n": "200"})
    content: Any = XLSX().export_data(ResultResource().export(Result.objects.all()))
    sheet = load_workbook(io.BytesIO(content)).active
    assert sheet is not None
    header, row = sheet.iter_rows()
    cells = {str(name.value): cell for name, cell in zip(header, row, strict=True)}
    assert (cells["notes"].value, cells["notes"].data_type) == ("'=1+1", "s")
    assert (cells["external_id"].value, cells["value"].value, cells["n"].value) == ("00123", 0.5, 200)


TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)


@given(TEXT | st.text(st.sampled_from("'=+-@\t\r\n\",a "), max_size=8))
def test_any_note_survives_the_way_out_and_back(note: str) -> None:
    from registry.importing.layouts import OwnLayout
    from registry.importing.readers import read

    dataset = ResultResource().export(Result.objects.none())
    dataset.append([""] * (len(COLUMNS) - 1) + [COLUMNS["notes"].export(Result(notes=note))])
    (record,) = read(str(CSV().export_data(dataset)).encode())
    reading = OwnLayout().read(record.line, dict(zip(dataset.headers, record.cells, strict=True)))
    assert reading.cell("notes").text == note


def test_the_usual_file_is_one_that_the_export_could_have_written() -> None:
    assert set(csv_of({}).decode().splitlines()[0].split(",")) <= COLUMNS.keys()
