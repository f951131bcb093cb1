"""Each of our own files through the command and the upload page: exit code, verdicts, problems, what is stored."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from registry.models import ImportBatch, MappingProfile, Result
from registry.vocabulary import Verdict
from tests.registry.importing.conftest import run
from tests.registry.importing.own.files import FILES
from tests.registry.importing.own.outcomes import OUTCOMES, table_of
from tests.registry.importing.usual import CASES, TESTS

pytestmark = pytest.mark.django_db

OWN = CASES / "own"
every_file = pytest.mark.parametrize("name", OUTCOMES)


def test_the_files_are_what_they_are_made_of_and_each_has_an_outcome() -> None:
    assert {path.name: path.read_bytes() for path in OWN.iterdir()} == FILES
    assert list(OUTCOMES) == sorted(FILES)


def test_the_documents_tell_the_outcome_of_each() -> None:
    section = (TESTS.parent / "docs" / "imports.md").read_text().split("\n## What our own files give\n")[1]
    told = [line for line in section.split("\n## ")[0].splitlines() if line.startswith("| `")]
    assert told == list(table_of(OUTCOMES))


def command(name: str, *options: str) -> tuple[int, dict[str, Any]]:
    code, report, said = run(str(OWN / name), *OUTCOMES[name].get("options", []), "--apply", *options)
    assert report is not None, said
    return code, report


@every_file
def test_a_file_gives_its_outcome(name: str, registry: None) -> None:
    expected = OUTCOMES[name]
    code, report = command(name)
    assert code == expected["exit"]
    assert report["applied"] == (code == 0)
    assert report["rows"] == sum(report["verdicts"].values()) == sum(expected["verdicts"].values())
    assert {verdict: count for verdict, count in report["verdicts"].items() if count} == expected["verdicts"]
    assert [[told["line"], told["column"], told["reason"]] for told in report["problems"]] == expected.get(
        "problems", []
    )
    assert all(told["message"].endswith((".", "?")) for told in report["problems"])
    assert Result.objects.count() == expected["stored"]
    assert (report["batch"] is None) == (code == 2)


@every_file
def test_quarantine_stores_the_good_rows_and_reports_the_others(name: str, registry: None) -> None:
    _, report = command(name, "--quarantine")
    stored = Result.objects.count()
    assert stored == OUTCOMES[name]["stored_in_quarantine"]
    if not ImportBatch.objects.filter(status="refused").exists():
        bad = {told["line"] for told in report["problems"] if told["line"] and report["batch"]}
        assert stored + len(bad) + report["verdicts"][Verdict.SKIPPED] == report["rows"]


@every_file
def test_the_upload_page_comes_to_the_same(name: str, registry: None, as_editor: Client) -> None:
    expected = OUTCOMES[name]
    given: dict[str, Any] = {"mode": "all-or-nothing", "file": SimpleUploadedFile(name, FILES[name])}
    if profile := expected.get("options", [])[1:]:
        given["profile"] = MappingProfile.objects.get(key=profile[0]).pk
    answer = as_editor.post(reverse("admin:registry_importbatch_add"), given)
    batch = ImportBatch.objects.first()
    assert answer.status_code == (200 if batch is None else 302)
    assert (batch is None) == (expected["exit"] == 2)
    if batch is not None:
        assert {verdict: count for verdict, count in batch.counts.items() if count} == expected["verdicts"]
        page = as_editor.get(answer["Location"])
        assert page.status_code == 200
