"""What a file is taken for, whatever it is named."""

import pytest

from registry.importing.formats import FORMATS, SHEETS, mismatch, recognised
from tests.registry.importing.formats.conftest import DATA, SUBMISSIONS, reasons, rows, table, why_not, zipped

RECORD = (DATA / "eee" / "v0.3.0_reference_conversion_DEMO.json").read_bytes()


@pytest.mark.parametrize(
    ("name", "content", "key"),
    [
        ("results.json", b"contract,value\na,1\n", "csv"),
        ("results.csv", b'[{"a": 1}]', "json-rows"),
        ("battles.jsonl", b'{"a": 1}\n', "json-rows"),
        ("battles.txt", b'{"a": 1}\n{"a": 2}\n', "json-rows"),
        ("one.json", b'{"a": 1}', "csv"),
        ("record.csv", RECORD, "every-eval-ever"),
        ("anything.yml", b"points: []", "hf-eval-results"),
        ("README.md", b"---\nlicense: mit\n---\n# A model\n", "hf-model-index"),
        ("old.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 100, "xlsx"),
        ("nothing", b"", "csv"),
    ],
)
def test_content_decides_and_the_name_where_content_cannot(name: str, content: bytes, key: str) -> None:
    assert recognised(name, content).key == key


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", "Git LFS pointer"),
        (b"<!doctype html><title>404</title>", "HTML"),
        (b"\x1f\x8b\x08rest", "gzip"),
        (b"PAR1rest", "Parquet"),
        (b"%PDF-1.7", "PDF"),
        (b"\x89PNG\r\n", "image"),
        (b'{"a": 1}', "JSON of a layout that is not known"),
        (zipped({"a.bin": b"x"}), "ZIP archive without a file of a format"),
        (b"", "empty"),
    ],
)
def test_what_is_no_table_has_a_sentence_of_its_own(content: bytes, said: str) -> None:
    assert said in why_not(content)


def test_an_archive_is_recognised_by_its_files() -> None:
    packed = zipped({path.name: path.read_bytes() for path in sorted(SUBMISSIONS.glob("claude*"))})
    assert recognised("x.zip", packed).key == "tau2-bench"


def test_a_file_of_an_archive_that_is_another_thing_is_told_beside_the_records() -> None:
    packed = zipped({"a.json": RECORD, "b.txt": b"notes", "c_samples.jsonl": b'{"sample_id": 1}\n{"sample_id": 2}\n'})
    read = rows(packed)
    assert [(row["file"], row["score"], row["no_results"]) for row in read] == [
        ("a.json", "0.75", ""),
        ("b.txt", "", "it is not a record of Every Eval Ever."),
        ("c_samples.jsonl", "", "it is not a record of Every Eval Ever."),
    ]


def test_a_fault_within_an_archive_names_its_file() -> None:
    broken = RECORD.replace(b'"score": 0.75', b'"score": "high"')
    packed = zipped({"a.json": RECORD, "b.json": broken})
    assert reasons(packed) == ["schema"]
    with pytest.raises(Exception, match=r"b\.json: evaluation_results\[1\]\.score_details\.score: must be a number"):
        table(packed)


def test_an_archive_without_any_result_is_none() -> None:
    packed = zipped({name: (SUBMISSIONS / name).read_bytes() for name in ("manifest.json", "schema.json")})
    assert "no file of the archive holds results" in why_not(packed)


def test_a_layout_of_sheets_takes_any_sheet_and_says_what_else_came() -> None:
    assert mismatch(FORMATS["xlsx"], SHEETS) is None
    problem = mismatch(FORMATS["inspect"], SHEETS)
    assert problem is not None
    assert problem.reason == "other-format"
    assert "recognised as Inspect AI log; this reads CSV or XLSX workbook or JSON" in problem.message
