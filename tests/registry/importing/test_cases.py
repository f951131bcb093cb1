"""Every case file through the command, as anybody would run it: exit code, verdicts, problems and what is stored."""

from typing import Any

import pytest
import yaml

from registry.actions import curate
from registry.eligibility import judge
from registry.importing.escaping import neutralised
from registry.models import (
    Collection,
    EvidenceMapping,
    ImportBatch,
    Lineage,
    MappingLineage,
    MappingProfile,
    Result,
    StagedResult,
)
from registry.people import acting_user
from registry.vocabulary import Verdict
from tests.registry.importing.conftest import CASES, run

pytestmark = pytest.mark.django_db

OUTCOMES: dict[str, dict[str, Any]] = yaml.safe_load((CASES / "outcomes.yaml").read_text())
OF_COMPARISONS = yaml.safe_load((CASES / "outcomes_comparisons.yaml").read_text()).keys()

every_case = pytest.mark.parametrize("name", OUTCOMES)


def test_every_file_of_results_has_an_outcome() -> None:
    assert {path.name for path in CASES.glob("*.csv")} == OUTCOMES.keys() | OF_COMPARISONS


@every_case
def test_a_case_gives_its_outcome(name: str, cases: MappingProfile) -> None:
    expected = OUTCOMES[name]
    code, report, _ = run(str(CASES / name), "--profile", "cases", "--apply")
    assert report is not None
    assert code == expected["exit"]
    assert report["applied"] == (code == 0)
    assert report["rows"] == expected["rows"]
    assert report["verdicts"] == {verdict.value: expected["verdicts"].get(verdict.value, 0) for verdict in Verdict}
    assert [[told["line"], told["column"], told["reason"]] for told in report["problems"]] == expected.get(
        "problems", []
    )
    assert all(told["message"].endswith((".", "?")) for told in report["problems"])
    assert Result.objects.count() == expected["stored"]
    assert (report["batch"] is None) == (code == 2)


@every_case
def test_without_apply_a_case_is_staged_and_said_alike(name: str, cases: MappingProfile) -> None:
    code, report, _ = run(str(CASES / name), "--profile", "cases")
    assert report is not None
    assert (code, report["applied"]) == (OUTCOMES[name]["exit"], False)
    assert Result.objects.count() == 0
    assert ImportBatch.objects.count() == (code != 2)


@every_case
def test_quarantine_stores_the_good_rows_of_a_case(name: str, cases: MappingProfile) -> None:
    code, report, _ = run(str(CASES / name), "--profile", "cases", "--apply", "--quarantine")
    assert report is not None
    stored = OUTCOMES[name]["stored_in_quarantine"]
    assert Result.objects.count() == stored
    assert (code == 0) == report["applied"] == (stored > 0)


@every_case
def test_a_case_imported_again_changes_nothing(name: str, cases: MappingProfile) -> None:
    arguments = (str(CASES / name), "--profile", "cases", "--apply", "--quarantine")
    run(*arguments)
    before = list(Result.objects.order_by("pk").values())
    _, report, _ = run(*arguments)
    assert report is not None
    assert list(Result.objects.order_by("pk").values()) == before
    assert report["verdicts"]["same"] == len(before)
    assert report["verdicts"]["new"] == report["verdicts"]["changed"] == 0


def store(name: str) -> list[Result]:
    run(str(CASES / name), "--profile", "cases", "--apply", "--quarantine")
    return list(Result.objects.order_by("line"))


def test_c06_one_run_under_two_revisions_is_counted_once(cases: MappingProfile, collection: Collection) -> None:
    assert len(store("c06_same_run_two_revisions.csv")) == 2
    mapping = EvidenceMapping.objects.select_related("collection", "benchmark__suite").get()
    lineage = Lineage.objects.get()
    curate.save(
        obj=MappingLineage(mapping=mapping, lineage=lineage, subject_kind="harnessed-model"), by=acting_user(None)
    )
    judged = judge([mapping], Result.objects.all())
    codes = {one.result.external_id: [reason.code for reason in one.reasons] for one in judged}
    assert codes == {"c-1": [], "c-2": ["duplicate"]}


def test_c08_every_absence_has_its_reason(cases: MappingProfile) -> None:
    assert [(result.value, result.absence) for result in store("c08_na_score.csv")] == [
        (None, "not-reported"),
        (0.4, ""),
        *[(None, "not-reported")] * 3,
    ]
    told = StagedResult.objects.get(line=2).problems
    assert [problem["reason"] for problem in told or []] == ["declared-absence"]


def test_c22_formulas_are_stored_as_text_and_neutralised_only_on_the_way_out(cases: MappingProfile) -> None:
    notes = [result.notes for result in store("c22_formula.csv")]
    formula = '=HYPERLINK("https://example.org","x")'
    assert notes == ["=1+1", "+1+1", "-1+1", "@SUM(1)", "\t=1+1", formula, "\r=1+1"]
    assert all(neutralised(note) == f"'{note}" for note in notes)


def test_c25_ids_that_look_like_numbers_stay_text(cases: MappingProfile) -> None:
    ids = [result.external_id for result in store("c25_numeric_looking_ids.csv")]
    assert ids == ["00123", "1E5", "12345678901234567890", "2025-03-01"]


def test_c27_both_lines_are_named(cases: MappingProfile) -> None:
    _, report, _ = run(str(CASES / "c27_duplicate_key_in_file.csv"), "--profile", "cases")
    assert report is not None
    assert [(told["value"], told["line"]) for told in report["problems"]] == [("c-1", 2), ("c-1", 3)]
    assert "line 3" in report["problems"][0]["message"]
    assert "line 2" in report["problems"][1]["message"]


def test_c29_the_bad_row_stays_on_the_batch(cases: MappingProfile) -> None:
    assert len(store("c29_one_bad_row_of_100.csv")) == 99
    row = StagedResult.objects.get(verdict=Verdict.REFUSED)
    assert (row.line, "abc" in row.record) == (59, True)


def test_c54b_line_ends_in_quotes_are_kept_as_they_are(cases: MappingProfile) -> None:
    assert [(result.line, result.notes) for result in store("c54b_newline_in_quotes.csv")] == [
        (2, 'line one\nline two, "quoted"'),
        (4, "a\r\nb"),
    ]


@pytest.mark.parametrize(
    ("name", "line", "suggestion"),
    [
        ("c55_near_miss_benchmark.csv", 2, "Did you mean bench-000-v3"),
        ("c55_near_miss_benchmark.csv", 3, "Did you mean bench-000-v3"),
        ("c55_near_miss_benchmark.csv", 4, "space"),
        ("c55_near_miss_benchmark.csv", 5, "U+2011 NON-BREAKING HYPHEN"),
        ("c46_harness_not_model.csv", 2, "Did you mean vendor0-model-000?"),
        ("c04_semicolon_decimal_comma.csv", 1, "delimiter is ';'"),
        ("c03_bigfield.csv", 2, "20,000 characters"),
    ],
)
def test_the_sentence_helps(name: str, line: int, suggestion: str, cases: MappingProfile) -> None:
    _, report, _ = run(str(CASES / name), "--profile", "cases")
    assert report is not None
    assert any(told["line"] == line and suggestion in told["message"] for told in report["problems"])
