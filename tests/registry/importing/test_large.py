"""Files that a worker reads and applies: what is seen meanwhile, and what becomes of work that is cut off."""

import json
from collections.abc import Iterable
from typing import Any

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.test import Client
from django.urls import reverse

from registry import confirm, jobs
from registry.actions import imports, judging_again, reading
from registry.actions.base import Refused
from registry.decisions import ApplyImport
from registry.importing import opening
from registry.models import AuditEvent, Collection, ImportBatch, Job, Result, StagedResult
from registry.vocabulary import BatchMode, BatchStatus, JobStatus
from tests.registry.importing.conftest import CONTRACT, SUBJECT, URL, Stage, csv_of

pytestmark = pytest.mark.django_db

ROWS = [{"external_id": f"c-{number}", "value": f"0.{number}", "source_ref": str(number)} for number in range(1, 8)]


@pytest.fixture(autouse=True)
def small_limits(registry: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seven rows are large here, and are loaded by threes."""
    Job.objects.all().delete()
    monkeypatch.setattr(imports, "AT_ONCE_BYTES", 100)
    monkeypatch.setattr(imports, "AT_ONCE_ROWS", 5)
    monkeypatch.setattr(reading, "TRIED_ROWS", 5)
    monkeypatch.setattr("registry.importing.reading.LOADED_AT_A_TIME", 3)


def work() -> Job:
    """Do what waits; the newest job."""
    jobs.run_waiting()
    return Job.objects.first() or pytest.fail("nothing was queued")


def test_a_large_file_is_left_to_a_worker(stage: Stage) -> None:
    batch = stage(*ROWS)
    assert (batch.status, batch.rows, StagedResult.objects.count()) == (BatchStatus.READING, 0, 0)
    assert jobs.run(Job.objects.get().pk)
    batch.refresh_from_db()
    assert (batch.status, batch.rows, batch.counts["new"]) == (BatchStatus.STAGED, 7, 7)
    job = Job.objects.get(kind=reading.READ_IMPORT)
    assert (job.status, job.progress_done, job.progress_total) == (JobStatus.DONE, batch.source.size, batch.source.size)


def test_reading_that_was_cut_off_begins_anew(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    batch = stage(*ROWS)
    steps = iter([True, False])
    progress = jobs.progress

    def cut_off(*arguments: Any) -> None:
        if not next(steps, True):
            raise OSError("The machine stopped.")
        progress(*arguments)

    monkeypatch.setattr(jobs, "progress", cut_off)
    job = Job.objects.get()
    jobs.run(job.pk)
    assert (StagedResult.objects.count(), ImportBatch.objects.get().status) == (3, BatchStatus.READING)
    Job.objects.update(not_before=job.created_at)
    jobs.run(job.pk)
    batch.refresh_from_db()
    assert (batch.status, batch.counts["new"], StagedResult.objects.count()) == (BatchStatus.STAGED, 7, 7)


def test_a_batch_discarded_meanwhile_is_not_read(stage: Stage, editor: User) -> None:
    batch = stage(*ROWS)
    imports.discard(batch=batch, by=editor)
    jobs.run_waiting()
    batch.refresh_from_db()
    assert (batch.status, StagedResult.objects.count()) == (BatchStatus.DISCARDED, 0)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (csv_of(*ROWS).splitlines()[0] + b"\n" * 200, "not-a-results-csv"),
        (csv_of(*ROWS) + b'\n"never closed', "quoting"),
        (csv_of(*ROWS) + b"\n\xff", "encoding"),
    ],
)
def test_what_is_wrong_further_down_refuses_the_file(stage: Stage, content: bytes, reason: str) -> None:
    batch = stage(content=content)
    jobs.run_waiting()
    batch.refresh_from_db()
    assert (batch.status, [problem["reason"] for problem in batch.problems]) == (BatchStatus.REFUSED, [reason])
    assert StagedResult.objects.count() == 0


def test_a_large_document_is_opened_by_the_worker(stage: Stage, editor: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is read whole, which takes seconds: nobody waits for that, and least of all with the write lock."""
    monkeypatch.setattr(judging_again, "AT_ONCE_BYTES", 100)
    usual = {"contract": CONTRACT, "configuration": SUBJECT, "source_url": URL}
    content = json.dumps([usual | row for row in ROWS]).encode()
    with monkeypatch.context() as request:
        request.setattr(opening, "_held", lambda _: pytest.fail("it was opened"))
        batch = stage(content=content)
    assert (batch.status, batch.format, batch.header) == (BatchStatus.READING, "", [])
    work()
    batch.refresh_from_db()
    header = ["contract", "configuration", "source_url", "external_id", "value", "source_ref"]
    assert (batch.status, batch.format, batch.header) == (BatchStatus.STAGED, "json-rows", header)
    assert batch.counts["new"] == 7
    with monkeypatch.context() as request:
        request.setattr(opening, "_held", lambda _: pytest.fail("it was opened"))
        judging_again.judge_again(batch=batch, mode=BatchMode.QUARANTINE, profile=None, by=editor)
    work()
    batch.refresh_from_db()
    assert (batch.status, batch.format, batch.counts["new"]) == (BatchStatus.STAGED, "json-rows", 7)
    with monkeypatch.context() as request:
        request.setattr(opening, "_held", lambda _: pytest.fail("it was opened"))
        imports.apply(batch=batch, by=editor)
    assert Result.objects.count() == 7


PADDED = b" " * 200


@pytest.mark.parametrize(
    ("content", "form", "reason", "rows"),
    [
        (b'{"a": 1}' + PADDED, "csv", "not-a-results-csv", 0),
        (b"[]" + PADDED, "csv", "not-a-results-csv", 0),
        (b"PK\x03\x04" + PADDED, "csv", "damaged", 0),
        (b'[{"value": "1", "b": "2"}, {"value": "3", "b": "4"}]' + PADDED, "json-rows", "missing-column", 2),
        (b"contract,valu\n" + b"a,b\n" * 50, "csv", "missing-column", 50),
    ],
)
def test_what_is_wrong_with_a_large_file_the_worker_finds(
    stage: Stage, content: bytes, form: str, reason: str, rows: int
) -> None:
    batch = stage(content=content)
    assert (batch.status, batch.problems) == (BatchStatus.READING, [])
    job = work()
    batch.refresh_from_db()
    assert (batch.status, batch.format, batch.problems[0]["reason"]) == (BatchStatus.REFUSED, form, reason)
    assert (batch.rows, batch.counts["refused"]) == (rows, rows)
    assert (job.status, job.attempts) == (JobStatus.DONE, 1)


def test_a_large_file_whose_beginning_shows_that_it_is_none_is_refused_at_once(stage: Stage) -> None:
    with pytest.raises(Refused, match="not a table of results: it is an HTML"):
        stage(content=b"<html>" + PADDED)
    assert ImportBatch.objects.count() == 0


def test_judged_again_and_refused_by_the_worker_a_batch_keeps_no_row(
    stage: Stage, editor: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judging_again, "AT_ONCE_BYTES", 100)
    batch = stage(*ROWS)
    work()
    judging_again.judge_again(batch=batch, mode=BatchMode.QUARANTINE, profile=None, by=editor, form="xlsx")
    work()
    batch.refresh_from_db()
    assert (batch.status, batch.format, batch.rows) == (BatchStatus.REFUSED, "xlsx", 0)
    assert StagedResult.objects.count() == 0


def test_a_batch_discarded_while_it_is_opened_is_not_refused(
    stage: Stage, editor: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch = stage(content=b"contract,valu\n" + b"a,b\n" * 50)
    opened = opening.opened

    def opened_late(*arguments: Any) -> Any:
        imports.discard(batch=batch, by=editor)
        return opened(*arguments)

    monkeypatch.setattr("registry.actions.reading.opened", opened_late)
    job = work()
    batch.refresh_from_db()
    assert (batch.status, batch.problems) == (BatchStatus.DISCARDED, [])
    assert (job.status, job.outcome["refused"]) == (JobStatus.DONE, "not-reading")


def test_confirming_a_large_batch_leaves_it_to_a_worker(collection: Collection, stage: Stage, editor: User) -> None:
    batch = stage(*ROWS)
    work()
    outcome = confirm.confirm(ticket(batch, editor), by=editor, typed="", reason="")
    assert outcome["message"] == f"Batch {batch.pk} is being applied."
    assert Result.objects.count() == 0
    with pytest.raises(Refused, match="being applied"):
        imports.request_apply(batch=batch, by=editor)
    jobs.run_waiting()
    batch.refresh_from_db()
    assert (batch.status, batch.applied_by, Result.objects.count()) == (BatchStatus.APPLIED, "editor", 7)
    job = Job.objects.get(kind=reading.APPLY_IMPORT)
    Job.objects.filter(pk=job.pk).update(status=JobStatus.PENDING)
    assert jobs.run(job.pk) is not None
    assert Result.objects.count() == 7


def ticket(batch: ImportBatch, by: User) -> str:
    decision = ApplyImport(batch=batch.pk)
    return confirm.Ticket.issue(decision, confirm.plan(decision, by), by)


def gates(slugs: Iterable[str]) -> dict[str, dict[str, str]]:
    """Gates that tell how many results there are."""
    return {slug: {"Results": str(Result.objects.count())} for slug in slugs}


@pytest.fixture
def counting(collection: Collection, settings: Any) -> Collection:
    """One whose gate answers otherwise with every result."""
    settings.CONSEQUENCE_PROVIDERS = [f"{__name__}.gates"]
    return collection


def told(batch: ImportBatch, by: User) -> dict[str, list[tuple[str, str, str]]]:
    plan = confirm.plan(ApplyImport(batch=batch.pk), by)
    return {consequence.heading: list(consequence.rows) for consequence in plan.consequences}


FORESEEN = {"before": {"c1": {"Results": "0"}}, "after": {"c1": {"Results": "7"}}}


def test_what_the_gates_would_answer_is_tried_out_by_the_worker(
    counting: Collection, stage: Stage, editor: User
) -> None:
    batch = stage(*ROWS)
    work()
    batch.refresh_from_db()
    assert (batch.foreseen, batch.status, Result.objects.count()) == (FORESEEN, BatchStatus.STAGED, 0)
    assert told(batch, editor)["Gate of c1"] == [("Results", "0", "7")]
    ImportBatch.objects.update(foreseen={"before": {"c1": {"Results": "3"}}, "after": {}})
    assert "the gates have moved" in told(batch, editor)["Gates"][0][2]


def test_many_rows_in_few_bytes_are_tried_out_by_a_worker_too(
    counting: Collection, stage: Stage, editor: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    for room in (imports, judging_again):
        monkeypatch.setattr(room, "AT_ONCE_BYTES", 10_000)
    batch = stage(*ROWS)
    assert (batch.status, batch.foreseen) == (BatchStatus.STAGED, None)
    assert work().kind == reading.TRY_IMPORT
    batch.refresh_from_db()
    assert batch.foreseen == FORESEEN
    batch = judging_again.judge_again(batch=batch, mode=BatchMode.QUARANTINE, profile=None, by=editor)
    assert (batch.status, batch.foreseen) == (BatchStatus.STAGED, None)
    work()
    batch.refresh_from_db()
    assert batch.foreseen == FORESEEN
    stage(*ROWS[:5])
    assert not Job.objects.filter(status=JobStatus.PENDING).exists()


def test_whoever_imports_need_not_be_who_applies(counting: Collection, registry: None) -> None:
    importer = User.objects.create_user("importer")
    importer.user_permissions.add(Permission.objects.get(codename="import_result"))
    batch = imports.stage(content=csv_of(*ROWS), filename="results.csv", by=importer)
    job = work()
    batch.refresh_from_db()
    assert (batch.foreseen, job.status, job.attempts, job.error) == (FORESEEN, JobStatus.DONE, 1, "")


def test_what_cannot_be_tried_out_is_left_at_that(counting: Collection, stage: Stage) -> None:
    batch = stage(*ROWS)
    jobs.run(Job.objects.get().pk)
    Group.objects.get(name="editor").permissions.clear()
    job = work()
    batch.refresh_from_db()
    assert (batch.foreseen, job.status, job.outcome["refused"]) == (None, JobStatus.DONE, "not-permitted")


def test_what_a_worker_may_not_apply_waits_for_a_decision_again(
    stage: Stage, editor: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch = stage(*ROWS)
    work()
    imports.request_apply(batch=batch, by=editor)
    monkeypatch.setattr(imports, "AT_ONCE_BYTES", 10_000)
    imports.apply(batch=stage(ROWS[0]), by=editor)
    job = work()
    batch.refresh_from_db()
    assert (batch.status, job.outcome["refused"]) == (BatchStatus.STAGED, "stale")
    assert "line 2 was new and is now same" in batch.reason
    editor.groups.clear()
    batch = stage_again(batch, editor)
    assert (batch.status, Result.objects.count()) == (BatchStatus.STAGED, 1)


def stage_again(batch: ImportBatch, by: User) -> ImportBatch:
    """A worker that finds the permission gone."""
    ImportBatch.objects.filter(pk=batch.pk).update(status=BatchStatus.APPLYING)
    jobs.enqueue(reading.APPLY_IMPORT, str(batch.pk), {"by": by.get_username(), "reason": ""})
    work()
    return ImportBatch.objects.get(pk=batch.pk)


def test_a_second_delivery_of_a_slow_apply_ends_quietly(
    stage: Stage, editor: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch = stage(*ROWS)
    work()
    imports.request_apply(batch=batch, by=editor)
    apply = imports.apply

    def after_another(**given: Any) -> ImportBatch:
        apply(**given)
        return apply(**given)

    monkeypatch.setattr(imports, "apply", after_another)
    job = work()
    batch.refresh_from_db()
    assert (batch.status, batch.reason, Result.objects.count()) == (BatchStatus.APPLIED, "", 7)
    assert (job.status, job.outcome["status"], job.error) == (JobStatus.DONE, "applied", "")


def test_a_batch_is_applied_by_and_for_the_reason_of_who_asked_last(stage: Stage, editor: User, bob: User) -> None:
    batch = stage(*ROWS)
    work()
    imports.request_apply(batch=batch, by=editor, reason="Hers.")
    imports.give_up_applying(batch=batch, by=editor)
    imports.request_apply(batch=batch, by=bob, reason="His.")
    work()
    batch.refresh_from_db()
    assert (batch.status, batch.applied_by, batch.reason) == (BatchStatus.APPLIED, "bob", "His.")


@pytest.fixture
def bob(editor: User) -> User:
    """Another editor."""
    other = User.objects.create_user("bob")
    other.groups.set(editor.groups.all())
    return other


def test_a_batch_is_read_in_the_name_of_who_had_it_judged_again(
    stage: Stage, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judging_again, "AT_ONCE_BYTES", 100)
    batch = stage(*ROWS)
    work()
    judging_again.judge_again(batch=batch, mode=BatchMode.QUARANTINE, profile=None, by=bob)
    work()
    events = AuditEvent.objects.filter(object_type="registry.importbatch").order_by("id")
    assert list(events.values_list("verb", "by")) == [("stage", "editor"), ("judge-again", "bob"), ("stage", "bob")]


def test_the_page_tells_how_far_it_is_and_what_went_wrong(stage: Stage, client: Client, editor: User) -> None:
    batch = stage(*ROWS)
    client.force_login(editor)
    address = reverse("admin:registry_importbatch_change", args=(batch.pk,))
    Job.objects.update(progress_done=40, progress_total=100)
    page = client.get(address).content.decode()
    assert '<progress id="progress" max="100" value="40">' in page
    assert 'http-equiv="refresh"' in page
    Job.objects.update(status=JobStatus.FAILED, error="The disk is full.")
    page = client.get(address).content.decode()
    assert "The disk is full." in page
    assert 'http-equiv="refresh"' not in page


def test_applying_that_failed_for_good_goes_back_to_a_decision(stage: Stage, client: Client, editor: User) -> None:
    batch = stage(*ROWS)
    work()
    imports.request_apply(batch=batch, by=editor)
    Job.objects.filter(kind=reading.APPLY_IMPORT).update(status=JobStatus.FAILED, error="Out of memory.")
    client.force_login(editor)
    back = reverse("admin:registry_importbatch_give_up", args=(batch.pk,))
    assert back in client.get(reverse("admin:registry_importbatch_change", args=(batch.pk,))).content.decode()
    client.post(back)
    client.post(back)
    batch.refresh_from_db()
    assert batch.status == BatchStatus.STAGED
