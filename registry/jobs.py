"""Background work that survives a lost message, a killed worker and a second delivery.

The `Job` row is the truth. It is written in the transaction of its cause, so that work is queued exactly when the
cause is committed. The Celery message sent afterwards only says "look now": a worker claims the row by a conditional
UPDATE, and whoever comes second finds nothing to claim. `sweep` rings again for rows whose message was lost and takes
back rows whose worker died. A handler must therefore be safe to run twice.
"""

import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import structlog
from celery import current_app
from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from registry.models import Job, WorkerHeartbeat
from registry.vocabulary import JobStatus

log = structlog.get_logger(__name__)

Outcome = dict[str, Any]
Handler = Callable[[Job], Outcome]

RECOMPUTE_GATE = "recompute-gate"
MAX_ATTEMPTS = 5
# Above any job of today; a lease that ends early only costs a second, harmless run.
LEASE = timedelta(minutes=2)
BACKOFF = timedelta(seconds=2)
# A message is given this long to arrive before the sweeper rings again.
PATIENCE = timedelta(seconds=5)
WAIT_SECONDS = 0.2

_handlers: dict[str, Handler] = {}


class Parked(Exception):  # noqa: N818  raised to end a job for good
    """A handler raises it when another try cannot help."""


def handler(kind: str) -> Callable[[Handler], Handler]:
    """Register the function that does jobs of `kind`."""

    def register(function: Handler) -> Handler:
        _handlers[kind] = function
        return function

    return register


def enqueue(kind: str, key: str, payload: dict[str, Any] | None = None) -> Job:
    """Queue work in the caller's transaction; a job of the same kind and key still waiting serves both causes.

    It is done as the newest of them asks, because whoever asked before may have let go since.

    The lock is what makes sharing safe: it holds the waiting row until the caller commits, so that a worker cannot
    claim it and run without seeing the caller's change. (On SQLite the transaction itself is the lock.)
    """
    with transaction.atomic():
        for _ in range(3):
            waiting = Job.objects.select_for_update().filter(kind=kind, key=key, status=JobStatus.PENDING).first()
            if waiting is not None:
                return _shared(waiting, payload or {})
            if job := _created(kind, key, payload or {}):
                return job
    raise RuntimeError(f"job {kind} {key} could not be queued")


def _created(kind: str, key: str, payload: dict[str, Any]) -> Job | None:
    """None when another transaction queued it a moment ago."""
    now = timezone.now()
    try:
        with transaction.atomic():
            job = Job.objects.create(kind=kind, key=key, payload=payload, created_at=now, not_before=now)
    except IntegrityError:
        return None
    transaction.on_commit(lambda: ring(job.pk), robust=True)
    return job


def _shared(job: Job, payload: dict[str, Any]) -> Job:
    """One that waits for another try has a new reason to be tried now; one that is due has been rung for."""
    now = timezone.now()
    if job.payload != payload:
        job.payload = payload
        job.save(update_fields=("payload",))
    if job.not_before > now:
        job.not_before = now
        job.save(update_fields=("not_before",))
        transaction.on_commit(lambda: ring(job.pk), robust=True)
    return job


def ring(job_id: int) -> None:
    """Send the message. A broker that is down costs time, never work: the sweeper rings again."""
    try:
        current_app.send_task("registry.tasks.run_job", (job_id,), retry=False)
    except Exception as error:  # noqa: BLE001  any broker raises its own kinds
        log.warning("job_message_not_sent", job=job_id, error=str(error))


def claim(job_id: int) -> Job | None:
    """Take the job if it is waiting and due; None when somebody else has it."""
    now = timezone.now()
    taken = Job.objects.filter(pk=job_id, status=JobStatus.PENDING, not_before__lte=now).update(
        status=JobStatus.RUNNING, attempts=F("attempts") + 1, claimed_at=now, lease_until=now + LEASE
    )
    return Job.objects.get(pk=job_id) if taken else None


def run(job_id: int) -> Job | None:
    """Claim and do one job; None when there was nothing to claim."""
    job = claim(job_id)
    if job is None:
        return None
    try:
        outcome = _handlers[job.kind](job)
    except Parked as error:
        _end(_held(job), JobStatus.FAILED, error=str(error))
    except Exception as error:
        log.exception("job_failed", job=job.pk, kind=job.kind, key=job.key, attempt=job.attempts)
        _retry(_held(job), job.attempts, error=f"{type(error).__name__}: {error}")
    else:
        _end(_held(job), JobStatus.DONE, outcome=outcome)
    return job


def _held(job: Job) -> "QuerySet[Job]":
    """The row for as long as it is this claim's: each claim counts an attempt, and whoever ends one gives it up."""
    return Job.objects.filter(pk=job.pk, status=JobStatus.RUNNING, attempts=job.attempts)


def _end(held: "QuerySet[Job]", status: JobStatus, *, outcome: Outcome | None = None, error: str = "") -> None:
    if not held.update(status=status, outcome=outcome or {}, error=error, finished_at=timezone.now()):
        # Its lease was over and another took it: what that one finds is what counts.
        log.warning("job_ended_by_another", status=status.value, error=error)


def _retry(held: "QuerySet[Job]", attempts: int, *, error: str) -> None:
    """Back to waiting, later each time; parked as failed after the last try or when a newer one waits already."""
    if attempts >= MAX_ATTEMPTS:
        _end(held, JobStatus.FAILED, error=error)
        return
    try:
        with transaction.atomic():
            held.update(status=JobStatus.PENDING, error=error, not_before=timezone.now() + BACKOFF * 2**attempts)
    except IntegrityError:
        _end(held, JobStatus.FAILED, error=f"{error} (a newer job of the same kind and key is waiting)")


def progress(job: Job, done: int, total: int) -> None:
    """Tell how far a long job is, and keep its lease."""
    _held(job).update(progress_done=done, progress_total=total, lease_until=timezone.now() + LEASE)


def sweep() -> int:
    """Ring again for waiting jobs and take back jobs whose worker died; how many were rung."""
    now = timezone.now()
    _take_back(Job.objects.all())
    due = Job.objects.filter(status=JobStatus.PENDING, not_before__lte=now - PATIENCE).order_by("pk")
    ids = list(due.values_list("pk", flat=True)[:500])
    for job_id in ids:
        ring(job_id)
    return len(ids)


def _take_back(among: "QuerySet[Job]") -> None:
    """Those whose worker died. One that turns out to live, because it told its progress or ended, keeps its job."""
    now = timezone.now()
    for job in among.filter(status=JobStatus.RUNNING, lease_until__lt=now):
        held = _held(job).filter(lease_until__lt=now)
        _retry(held, job.attempts, error="the worker stopped before the job ended")


def run_waiting(limit: int = 1000) -> int:
    """Do the jobs that are due, here and now, as a command does that must not depend on a worker."""
    done = 0
    while done < limit:
        due = Job.objects.filter(status=JobStatus.PENDING, not_before__lte=timezone.now()).order_by("pk").first()
        if due is None:
            break
        done += run(due.pk) is not None
    return done


def do(kind: str, key: str) -> None:
    """Do this job here and now, or wait for whoever does it; where that one died, take it over."""
    while (job := Job.objects.filter(kind=kind, key=key).first()) and job.status in (
        JobStatus.PENDING,
        JobStatus.RUNNING,
    ):
        if run(job.pk) is None:
            _take_back(Job.objects.filter(pk=job.pk))
            time.sleep(WAIT_SECONDS)


def beat(name: str) -> None:
    """A worker says that it is alive."""
    WorkerHeartbeat.objects.update_or_create(name=name, defaults={"seen_at": timezone.now()})


def health() -> dict[str, float | int | None]:
    """Seconds since a worker was seen and since the oldest due job began to wait; None where there is none."""
    now = timezone.now()
    seen = WorkerHeartbeat.objects.order_by("-seen_at").first()
    oldest = Job.objects.filter(status=JobStatus.PENDING, not_before__lte=now).order_by("not_before").first()
    return {
        "worker_seen_seconds": (now - seen.seen_at).total_seconds() if seen else None,
        "oldest_waiting_seconds": (now - oldest.not_before).total_seconds() if oldest else None,
        "failed": Job.objects.filter(status=JobStatus.FAILED).count(),
    }
