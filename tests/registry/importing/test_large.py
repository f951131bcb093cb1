"""Files that a worker reads and applies: what is seen meanwhile, and what becomes of work that is cut off."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from registry import confirm, decisions, jobs
from registry.actions import imports, reading
from registry.actions.base import Refused
from registry.decisions import ApplyImport
from registry.models import Collection, ImportBatch, Job, Result, StagedResult
from registry.vocabulary import BatchStatus, JobStatus
from tests.registry.importing.conftest import Stage, csv_of

pytestmark = pytest.mark.django_db

ROWS = [{"external_id": f"c-{number}", "value": f"0.{number}", "source_ref": str(number)} for number in range(1, 8)]


@pytest.fixture(autouse=True)
def small_limits(registry: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seven rows are large here, and are loaded by threes."""
    Job.objects.all().delete()
    monkeypatch.setattr(imports, "AT_ONCE_BYTES", 100)
    monkeypatch.setattr(imports, "AT_ONCE_ROWS", 5)
    monkeypatch.setattr(decisions, "TRIED_ROWS", 5)
    monkeypatch.setattr("registry.importing.reading.LOADED_AT_A_TIME", 3)


def work() -> Job:
    """Do what waits; the newest job."""
    jobs.run_waiting()
    return Job.objects.first() or pytest.fail("nothing was queued")


def test_a_large_file_is_left_to_a_worker(stage: Stage) -> None:
    batch = stage(*ROWS)
    assert (batch.status, batch.rows, StagedResult.objects.count()) == (BatchStatus.READING, 0, 0)
    assert jobs.run_waiting() == 1
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
        (csv_of(*ROWS).splitlines()[0] + b" " * 200, "not-a-results-csv"),
        (csv_of(*ROWS) + b'\n"never closed', "quoting"),
        (csv_of(*ROWS) + b"\n\xff", "encoding"),
    ],
)
def test_what_is_wrong_further_down_refuses_the_file(stage: Stage, content: bytes, reason: str) -> None:
    content = content if reason != "not-a-results-csv" else csv_of(*ROWS).splitlines()[0] + b"\n" * 200
    batch = stage(content=content)
    jobs.run_waiting()
    batch.refresh_from_db()
    assert (batch.status, [problem["reason"] for problem in batch.problems]) == (BatchStatus.REFUSED, [reason])
    assert StagedResult.objects.count() == 0


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


def test_what_the_gates_would_answer_is_tried_out_by_the_worker(
    collection: Collection, stage: Stage, editor: User
) -> None:
    batch = stage(*ROWS)
    work()
    batch.refresh_from_db()
    assert batch.foreseen is not None
    assert set(batch.foreseen["before"]) == set(batch.foreseen["after"]) == {collection.slug}
    assert (Result.objects.count(), batch.status) == (0, BatchStatus.STAGED)
    headings = [consequence.heading for consequence in confirm.plan(ApplyImport(batch=batch.pk), editor).consequences]
    assert headings[0] == "Rows by verdict"
    ImportBatch.objects.update(foreseen={"before": {collection.slug: {"Policy": "another"}}, "after": {}})
    told = confirm.plan(ApplyImport(batch=batch.pk), editor).consequences[-1].rows
    assert "the gates have moved" in told[0][2]


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
