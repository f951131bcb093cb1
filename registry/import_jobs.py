"""Imports too large to keep somebody waiting: read and applied by a worker, each safe to run twice."""

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import transaction

from registry import jobs
from registry.actions import imports, reading
from registry.actions.base import Refused
from registry.decisions import foresee_apply
from registry.importing.contents import Counted
from registry.importing.opening import Opened
from registry.importing.problems import NotATable, Problem
from registry.models import ImportBatch, Job
from registry.people import acting_user
from registry.vocabulary import BatchStatus


@jobs.handler(reading.READ_IMPORT)
def read_import(job: Job) -> jobs.Outcome:
    """Read a file portion by portion; whoever looks sees how far it is."""
    batch = _batch(job)
    if batch.status != BatchStatus.READING:
        return _ended(batch)
    content, by = Counted(batch.source), User.objects.get(username=batch.created_by)

    def step() -> transaction.Atomic:
        jobs.progress(job, content.seen, batch.source.size)
        return transaction.atomic()

    try:
        batch = reading.read(batch, by=by, content=content, step=step)
        foresee_apply(batch, by)
        return _ended(batch)
    except Refused as refused:
        return {"refused": refused.code, "message": refused.sentence}
    except NotATable as error:
        problem = Problem(1, "", "", imports.no_table(batch.kind), error.told(batch.kind))
        with transaction.atomic():
            return _ended(reading.refused(batch, Opened(batch.format, None, [problem]), by=by))


@jobs.handler(reading.APPLY_IMPORT)
def apply_import(job: Job) -> jobs.Outcome:
    """Carry out a confirmed request; refused, the batch waits for a decision again and the job says why."""
    batch = _batch(job)
    if batch.status != BatchStatus.APPLYING:
        return _ended(batch)
    by = User.objects.get(username=job.payload["by"])
    try:
        return _ended(imports.apply(batch=batch, by=by, reason=job.payload["reason"]))
    except Refused as refused:
        code, sentence = refused.code, refused.sentence
    except PermissionDenied as error:
        code, sentence = "not-permitted", str(error)
    # Whoever asked may have lost the permission; the machine says so in its own name.
    imports.give_up_applying(batch=batch, by=acting_user(None), reason=sentence)
    return {"refused": code, "message": sentence}


def _batch(job: Job) -> ImportBatch:
    return ImportBatch.objects.select_related("source", "read_as").get(pk=job.key)


def _ended(batch: ImportBatch) -> jobs.Outcome:
    return {"batch": batch.pk, "status": str(batch.status), "counts": batch.counts}
