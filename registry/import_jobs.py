"""Imports too large to keep somebody waiting: read and applied by a worker, each safe to run twice."""

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import transaction

from registry import jobs
from registry.actions import imports, reading
from registry.actions.base import Refused
from registry.decisions import foresee_apply
from registry.importing.contents import Counted
from registry.importing.problems import NotATable
from registry.importing.reading import Step
from registry.models import ImportBatch, Job
from registry.people import acting_user
from registry.vocabulary import BatchStatus


@jobs.handler(reading.READ_IMPORT)
def read_import(job: Job) -> jobs.Outcome:
    """Read a file portion by portion; whoever looks sees how far it is."""
    batch = _batch(job)
    if batch.status != BatchStatus.READING:
        return _ended(batch)
    content, by = Counted(batch.source), User.objects.get(username=job.payload.get("by", batch.created_by))

    def step() -> transaction.Atomic:
        jobs.progress(job, content.seen, batch.source.size)
        return transaction.atomic()

    try:
        return _ended(_read(batch, by, content, step))
    except Refused as refused:
        return _refused(refused.code, refused.sentence)


def _read(batch: ImportBatch, by: User, content: Counted, step: Step) -> ImportBatch:
    try:
        return reading.read(batch, by=by, content=content, step=step)
    except NotATable as error:
        return reading.refused_as_none(batch, error, by=by)


@jobs.handler(reading.TRY_IMPORT)
def try_import(job: Job) -> jobs.Outcome:
    """Find out what the gates would answer. Nothing is stored, so that it takes nobody's permission but the machine's:
    whoever imports need not be who applies.
    """
    batch = _batch(job)
    try:
        foresee_apply(batch, acting_user(None))
    except Refused as refused:
        return _refused(refused.code, refused.sentence)
    except PermissionDenied as error:
        return _refused("not-permitted", str(error))
    return _ended(batch)


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
        return _given_up(batch, refused.code, refused.sentence)
    except PermissionDenied as error:
        return _given_up(batch, "not-permitted", str(error))


def _given_up(batch: ImportBatch, code: str, sentence: str) -> jobs.Outcome:
    # Whoever asked may have lost the permission; the machine says so in its own name.
    machine = acting_user(None)
    try:
        imports.give_up_applying(batch=batch, by=machine, reason=sentence)
    except Refused:
        # Another worker had the same job and is done with it: there is nothing left to give up.
        batch.refresh_from_db()
        return _ended(batch)
    return _refused(code, sentence)


def _refused(code: str, sentence: str) -> jobs.Outcome:
    return {"refused": code, "message": sentence}


def _batch(job: Job) -> ImportBatch:
    return ImportBatch.objects.select_related("source", "read_as").get(pk=job.key)


def _ended(batch: ImportBatch) -> jobs.Outcome:
    return {"batch": batch.pk, "status": str(batch.status), "counts": batch.counts}
