"""A job is never lost, never done by two at a time, and safe to ring for twice."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.utils import timezone

from registry import jobs
from registry.models import Job
from registry.tasks import run_job, sweep_jobs
from registry.vocabulary import JobStatus

KIND = "test-kind"


@pytest.fixture
def done() -> Iterator[list[str]]:
    """What the handler has done; a payload of {"fail": …} makes it fail."""
    seen: list[str] = []

    @jobs.handler(KIND)
    def handle(job: Job) -> dict[str, Any]:
        if job.payload.get("park"):
            raise jobs.Parked("No use.")
        if job.payload.get("fail"):
            raise ValueError("no luck")
        seen.append(job.key)
        return {"seen": len(seen)}

    yield seen
    del jobs._handlers[KIND]


def claimed() -> Job:
    """One that a worker has."""
    return jobs.claim(jobs.enqueue(KIND, "a").pk) or pytest.fail("somebody else has it")


def lose(job: Job) -> None:
    """Its worker says nothing any more."""
    Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))


def make_due(job: Job) -> None:
    Job.objects.filter(pk=job.pk).update(not_before=timezone.now())


@pytest.mark.django_db
def test_a_job_runs_once_however_often_it_is_rung_for(done: list[str]) -> None:
    job = jobs.enqueue(KIND, "a")
    for _ in range(6):
        run_job(job.pk)
    job.refresh_from_db()
    assert (done, job.status, job.outcome, job.attempts) == (["a"], JobStatus.DONE, {"seen": 1}, 1)


@pytest.mark.django_db
def test_causes_that_come_while_one_waits_share_it(done: list[str]) -> None:
    first = jobs.enqueue(KIND, "a")
    assert jobs.enqueue(KIND, "a") == first
    assert jobs.enqueue(KIND, "b") != first
    jobs.run_waiting()
    assert sorted(done) == ["a", "b"]
    assert jobs.enqueue(KIND, "a") != first


@pytest.mark.django_db
def test_work_is_queued_exactly_when_its_cause_is_committed(
    done: list[str], monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    rung: list[int] = []
    monkeypatch.setattr(jobs, "ring", rung.append)
    with pytest.raises(RuntimeError), transaction.atomic():  # noqa: PT012  the cause and its failure
        jobs.enqueue(KIND, "a")
        raise RuntimeError
    with django_capture_on_commit_callbacks(execute=True):
        job = jobs.enqueue(KIND, "b")
        assert rung == []
    assert rung == [job.pk]
    assert list(Job.objects.filter(kind=KIND).values_list("key", flat=True)) == ["b"]


@pytest.mark.django_db
def test_a_broker_that_is_down_costs_no_work(done: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise OSError("connection refused")

    monkeypatch.setattr("celery.app.base.Celery.send_task", refuse)
    job = jobs.enqueue(KIND, "a")
    jobs.ring(job.pk)
    assert jobs.run_waiting() == 1
    assert done == ["a"]


@pytest.mark.django_db
def test_a_failing_job_is_tried_again_later_and_then_parked(done: list[str]) -> None:
    job = jobs.enqueue(KIND, "a", {"fail": True})
    for attempt in range(1, jobs.MAX_ATTEMPTS + 1):
        Job.objects.filter(pk=job.pk).update(not_before=timezone.now())
        jobs.run(job.pk)
        job.refresh_from_db()
        assert job.attempts == attempt
        assert job.not_before > timezone.now() or job.status == JobStatus.FAILED
    assert (job.status, job.error) == (JobStatus.FAILED, "ValueError: no luck")
    assert jobs.run(job.pk) is None


@pytest.mark.django_db
def test_a_new_cause_brings_a_waiting_retry_forward(done: list[str]) -> None:
    job = jobs.enqueue(KIND, "a", {"fail": True})
    jobs.run(job.pk)
    assert jobs.claim(job.pk) is None
    assert jobs.enqueue(KIND, "a") == job
    assert jobs.claim(job.pk)


@pytest.mark.django_db
def test_a_job_is_rung_for_once_however_many_causes_share_it(
    done: list[str], monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    rung: list[int] = []
    monkeypatch.setattr(jobs, "ring", rung.append)
    with django_capture_on_commit_callbacks(execute=True):
        job = jobs.enqueue(KIND, "a")
        for _ in range(9):
            jobs.enqueue(KIND, "a")
    assert rung == [job.pk]


@pytest.mark.django_db
def test_a_job_that_cannot_be_helped_is_parked_at_once(done: list[str]) -> None:
    job = jobs.enqueue(KIND, "a", {"park": True})
    jobs.run(job.pk)
    job.refresh_from_db()
    assert (job.status, job.attempts, job.error) == (JobStatus.FAILED, 1, "No use.")


@pytest.mark.django_db
def test_the_sweeper_takes_back_the_job_of_a_killed_worker(done: list[str]) -> None:
    job = jobs.enqueue(KIND, "a")
    assert jobs.claim(job.pk)  # and the worker is killed here
    sweep_jobs()
    job.refresh_from_db()
    assert job.status == JobStatus.RUNNING
    Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    sweep_jobs()
    Job.objects.filter(pk=job.pk).update(not_before=timezone.now())
    jobs.run_waiting()
    job.refresh_from_db()
    assert (done, job.status) == (["a"], JobStatus.DONE)


@pytest.mark.django_db
def test_a_killed_job_gives_way_to_a_newer_one_that_waits(done: list[str]) -> None:
    job = jobs.enqueue(KIND, "a")
    jobs.claim(job.pk)
    newer = jobs.enqueue(KIND, "a")
    Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    jobs.sweep()
    job.refresh_from_db()
    assert (job.status, newer.status) == (JobStatus.FAILED, JobStatus.PENDING)
    assert "newer job" in job.error


@pytest.mark.django_db
@pytest.mark.parametrize("attempts", [1, jobs.MAX_ATTEMPTS])
def test_a_job_that_ends_while_the_sweeper_looks_at_it_stays_done(
    attempts: int, done: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    job = claimed()
    Job.objects.update(attempts=attempts)
    lose(job)
    job.refresh_from_db()
    retry = jobs._retry

    def late(*arguments: Any, **named: Any) -> None:
        jobs._end(jobs._held(job), JobStatus.DONE, outcome={"seen": 1})
        retry(*arguments, **named)

    monkeypatch.setattr(jobs, "_retry", late)
    jobs.sweep()
    job.refresh_from_db()
    assert (job.status, job.outcome, job.error) == (JobStatus.DONE, {"seen": 1}, "")


@pytest.mark.django_db
def test_a_worker_that_tells_its_progress_while_the_sweeper_looks_keeps_its_job(
    done: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    job = claimed()
    lose(job)
    retry = jobs._retry

    def late(*arguments: Any, **named: Any) -> None:
        jobs.progress(job, 3, 10)
        retry(*arguments, **named)

    monkeypatch.setattr(jobs, "_retry", late)
    jobs.sweep()
    job.refresh_from_db()
    assert (job.status, job.progress_done) == (JobStatus.RUNNING, 3)


@pytest.mark.django_db
@pytest.mark.parametrize("end", ["well", "failed", "parked"])
@pytest.mark.parametrize("attempts", [0, jobs.MAX_ATTEMPTS - 2])
def test_a_worker_that_was_too_slow_changes_nothing_of_what_the_next_one_has(
    end: str, attempts: int, done: list[str]
) -> None:
    job = jobs.enqueue(KIND, "a")
    Job.objects.update(attempts=attempts)

    @jobs.handler(KIND)
    def slow(first: Job) -> dict[str, Any]:
        lose(first)
        jobs.sweep()
        make_due(first)
        assert jobs.claim(first.pk)
        jobs.progress(first, 9, 10)
        if end == "failed":
            raise ValueError("no luck")
        if end == "parked":
            raise jobs.Parked("No use.")
        return {"seen": "first"}

    jobs.run(job.pk)
    job.refresh_from_db()
    assert (job.status, job.attempts, job.outcome) == (JobStatus.RUNNING, attempts + 2, {})
    assert (job.progress_done, job.finished_at) == (0, None)


@pytest.mark.django_db
def test_a_job_that_waits_is_done_as_the_newest_cause_asks(done: list[str]) -> None:
    first = jobs.enqueue(KIND, "a", {"by": "ann", "reason": "Hers."})
    second = jobs.enqueue(KIND, "a", {"by": "bob", "reason": "His."})
    assert (second, Job.objects.get().payload) == (first, {"by": "bob", "reason": "His."})


@pytest.mark.django_db
def test_whoever_needs_a_job_takes_it_over_from_a_worker_that_died(
    done: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even where nobody sweeps."""
    monkeypatch.setattr(jobs, "BACKOFF", timedelta(0))
    lose(claimed())
    jobs.do(KIND, "a")
    assert (done, Job.objects.get().status) == (["a"], JobStatus.DONE)


@pytest.mark.django_db
def test_the_sweeper_rings_for_a_job_whose_message_was_lost(done: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    job = jobs.enqueue(KIND, "a")
    rung: list[int] = []
    monkeypatch.setattr(jobs, "ring", rung.append)
    assert jobs.sweep() == 0
    Job.objects.filter(pk=job.pk).update(not_before=timezone.now() - 2 * jobs.PATIENCE)
    assert jobs.sweep() == 1
    assert rung == [job.pk]


@pytest.mark.django_db
def test_progress_is_told_and_keeps_the_lease(done: list[str]) -> None:
    job = claimed()
    Job.objects.filter(pk=job.pk).update(lease_until=timezone.now())
    jobs.progress(job, 3, 10)
    job.refresh_from_db()
    assert (job.progress_done, job.progress_total) == (3, 10)
    assert job.lease_until
    assert job.lease_until > timezone.now()


@pytest.mark.django_db(transaction=True)
def test_eight_workers_that_ring_at_once_do_it_once(done: list[str]) -> None:
    job = jobs.enqueue(KIND, "a")

    def work(_: int) -> None:
        try:
            jobs.run(job.pk)
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    assert done == ["a"]


@pytest.mark.django_db(transaction=True)
def test_a_cause_committed_while_the_job_runs_is_not_lost(done: list[str]) -> None:
    """A worker must not claim a waiting job whose second cause is not committed yet."""
    job = jobs.enqueue(KIND, "a")

    def run() -> None:
        try:
            jobs.run(job.pk)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            shared = jobs.enqueue(KIND, "a")
            User.objects.create(username="cause")
            running = pool.submit(run)
            # On PostgreSQL the claim waits for this transaction; on SQLite the write lock does the same.
            with pytest.raises(TimeoutError):
                running.result(timeout=0.3)
        running.result(timeout=30)
    assert shared == job
    assert done == ["a"]
