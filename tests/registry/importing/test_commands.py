import os
from io import StringIO
from pathlib import Path

import pytest
from django.contrib.auth.models import Permission, User
from django.core.management import CommandError, call_command

from registry import jobs
from registry.actions import imports
from registry.models import Collection, ImportBatch, Job, Result
from registry.vocabulary import BatchStatus, ResultState
from tests.registry.importing.conftest import Stage, csv_of, run

pytestmark = pytest.mark.django_db


@pytest.fixture
def file(registry: None, tmp_path: Path) -> Path:
    path = tmp_path / "results.csv"
    path.write_bytes(csv_of({}))
    return path


def test_the_report_is_the_fixed_one(file: Path) -> None:
    code, report, _ = run(str(file), "--apply")
    batch = ImportBatch.objects.get()
    assert code == 0
    assert report == {
        "batch": batch.pk,
        "sha256": batch.source.sha256,
        "rows": 1,
        "verdicts": {"new": 1, "same": 0, "changed": 0, "conflict": 0, "skipped": 0, "refused": 0},
        "applied": True,
        "problems": [],
    }


def test_without_a_user_the_command_line_account_acts(file: Path) -> None:
    run(str(file), "--apply")
    batch = ImportBatch.objects.get()
    assert (batch.created_by, batch.applied_by) == ("command-line", "command-line")


def test_a_user_who_may_not_is_refused(file: Path, viewer: User) -> None:
    code, report, said = run(str(file), "--by", "viewer")
    assert (code, report) == (2, None)
    assert "registry.import_result" in said


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["--by", "nobody"], "nobody"),
        (["--profile", "casez"], "Did you mean cases?"),
        (["--source-url", "ftp://example.org"], "http"),
    ],
)
def test_wrong_usage_ends_with_2(file: Path, arguments: list[str], word: str) -> None:
    code, report, said = run(str(file), *arguments)
    assert (code, report) == (2, None)
    assert word in said
    assert ImportBatch.objects.count() == 0


def test_a_file_that_is_not_there_ends_with_2(registry: None, tmp_path: Path) -> None:
    assert run(str(tmp_path / "none.csv"))[0] == 2
    assert run(str(tmp_path))[0] == 2


def test_whoever_may_not_apply_leaves_no_batch_behind(file: Path) -> None:
    importer = User.objects.create_user("importer")
    importer.user_permissions.add(Permission.objects.get(codename="import_result"))
    code, report, said = run(str(file), "--apply", "--by", "importer")
    assert (code, report, ImportBatch.objects.count()) == (2, None, 0)
    assert "registry.apply_importbatch" in said
    code, report, _ = run(str(file), "--by", "importer")
    assert (code, ImportBatch.objects.count()) == (0, 1)


@pytest.mark.parametrize(
    ("content", "code", "reason"),
    [
        (b'{"a": 1}', 2, "not-a-results-csv"),
        (b"contract,configuration,value\n\n\n", 2, "not-a-results-csv"),
        (b"<html>", 2, "not-a-results-csv"),
        (b'[{"value": "1", "b": "2"}]', 1, "missing-column"),
        (b"contract,valu\na,b\n", 1, "missing-column"),
    ],
)
def test_a_file_ends_with_the_same_code_whoever_opens_it(
    content: bytes, code: int, reason: str, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command at once, or the worker of a large one."""
    file.write_bytes(content)
    for limit in (1_000, 0):
        monkeypatch.setattr(imports, "AT_ONCE_BYTES", limit)
        found, report, _ = run(str(file))
        assert report is not None
        assert (found, report["problems"][0]["reason"], report["problems"][0]["line"]) == (code, reason, 1)


def test_a_folder_with_a_name_that_is_not_utf_8_is_told(registry: None, tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"caf\xe9.json")).write_bytes(b"{}")
    code, report, said = run(str(tmp_path))
    assert (code, report, ImportBatch.objects.count()) == (2, None, 0)
    assert "a name that is not UTF-8: caf\\udce9.json" in said


def test_a_correction_without_a_reason_is_staged_and_says_so(file: Path) -> None:
    run(str(file), "--apply")
    file.write_bytes(csv_of({"value": "0.6"}))
    code, report, _ = run(str(file), "--apply")
    assert report is not None
    assert (code, report["applied"], report["verdicts"]["changed"]) == (1, False, 1)
    assert [(told["line"], told["reason"]) for told in report["problems"]] == [(0, "reason-needed")]
    err = StringIO()
    with pytest.raises(SystemExit):
        call_command("import_results", str(file), "--apply", stdout=StringIO(), stderr=err)
    assert err.getvalue() == "1 rows correct stored results: that needs a reason.\n"
    code, report, _ = run(str(file), "--apply", "--reason", "Fixed upstream.")
    assert (code, Result.objects.get(state=ResultState.ACTIVE).value) == (0, 0.6)


def test_a_person_reads_counts_and_problems(file: Path) -> None:
    file.write_bytes(csv_of({}, {"external_id": "c-2", "value": "NaN"}))
    out, err = StringIO(), StringIO()
    with pytest.raises(SystemExit):
        call_command("import_results", str(file), stdout=out, stderr=err)
    assert "2 rows (1 new, 1 refused); waiting for a decision." in out.getvalue()
    assert "line 3, value: Must be a finite number. (value: 'NaN')" in err.getvalue()


def test_nothing_to_do_is_said(file: Path) -> None:
    run(str(file), "--apply")
    out = StringIO()
    call_command("import_results", str(file), "--apply", stdout=out)
    assert "stored already" in out.getvalue()


def test_the_work_that_follows_is_done_before_the_command_ends(
    collection: Collection, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []

    def recompute(job: Job) -> jobs.Outcome:
        done.append(job.key)
        return {}

    monkeypatch.setitem(jobs._handlers, jobs.RECOMPUTE_GATE, recompute)
    code, _, _ = run(str(file), "--apply")
    assert (code, done) == (0, [collection.slug])
    call_command(
        "revert_batch", str(ImportBatch.objects.get().pk), "--reason", "Wrong.", "--confirm", stdout=StringIO()
    )
    assert done == [collection.slug] * 2


def test_revert_batch_takes_back(store: Stage) -> None:
    batch = store({})
    out = StringIO()
    call_command("revert_batch", str(batch.pk), "--reason", "Wrong file.", "--confirm", stdout=out)
    assert "1 result taken back" in out.getvalue()
    assert ImportBatch.objects.get().status == BatchStatus.REVERTED


def at_a_terminal(monkeypatch: pytest.MonkeyPatch, answer: str) -> None:
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda _: answer)


def test_a_person_at_a_terminal_types_the_number(store: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    batch = store({})
    at_a_terminal(monkeypatch, str(batch.pk))
    call_command("revert_batch", str(batch.pk), "--reason", "Wrong file.", stdout=StringIO())
    assert Result.objects.get().state == ResultState.REVERTED


def test_another_answer_at_a_terminal_changes_nothing(store: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    batch = store({})
    at_a_terminal(monkeypatch, "yes")
    with pytest.raises(CommandError, match="Nothing was changed"):
        call_command("revert_batch", str(batch.pk), "--reason", "Wrong file.")
    assert Result.objects.get().state == ResultState.ACTIVE


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["9" * 30, "--reason", "x"], 2),
        (["{batch}", "--reason", "x", "--by", "nobody"], 2),
        (["999", "--reason", "x"], 2),
        (["{batch}", "--reason", " "], 1),
        (["{batch}", "--reason", "x", "--by", "viewer"], 2),
    ],
)
def test_revert_batch_says_why_not(arguments: list[str], code: int, store: Stage, viewer: User) -> None:
    batch = store({})
    with pytest.raises(CommandError) as caught:
        call_command("revert_batch", *(argument.format(batch=batch.pk) for argument in arguments), "--confirm")
    assert caught.value.returncode == code
    assert Result.objects.get().state == ResultState.ACTIVE
