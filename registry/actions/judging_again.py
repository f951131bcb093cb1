"""Judging a batch again: the same bytes, against what the registry knows by now, read as a person now chooses."""

from django.contrib.auth.models import AbstractUser

from registry import audit, jobs
from registry.actions import reading
from registry.actions.base import Refused, action
from registry.actions.imports import AT_ONCE_BYTES, no_table, refuse_bad_citation
from registry.importing.kinds import KINDS
from registry.importing.layouts import Layout
from registry.importing.opening import Opened, opened
from registry.importing.problems import NotATable, Problem
from registry.models import ImportBatch, MappingProfile
from registry.vocabulary import BatchMode, BatchStatus

JUDGED_AGAIN = (BatchStatus.STAGED, BatchStatus.REFUSED)


@action("registry.import_result")
def judge_again(
    *,
    batch: ImportBatch,
    mode: BatchMode,
    profile: MappingProfile | None,
    by: AbstractUser,
    form: str = "",
    source_url: str | None = None,
    source_ref: str | None = None,
) -> ImportBatch:
    """Read a batch that waits for a decision, or was refused, once more from its stored source.

    It stays the same batch: its rows and verdicts are replaced, and the history keeps how many there were of each. It
    is read as the format `form`, else as the one it was read as, with the address and reference that are given for
    rows without any, else with those it had. A large file is left to a worker.
    """
    batch = _locked(batch)
    before = reading.told(batch)
    batch.source_url = batch.source_url if source_url is None else source_url
    batch.source_ref = batch.source_ref if source_ref is None else source_ref
    refuse_bad_citation(batch.source_url, batch.source_ref)
    batch.mode, batch.profile_key = mode, profile.key if profile else ""
    batch.profile_version, batch.spec = (profile.version, profile.spec) if profile else (None, None)
    found = _opened(batch, reading.layout_of(profile, batch.kind), form or batch.format)
    batch.status, batch.problems, batch.format = BatchStatus.READING, [], found.format
    batch.header = found.table.header if found.table else []
    batch.save()
    was, became = audit.changes(before, reading.told(batch))
    audit.record("judge-again", batch, by=by, before=was, after=became)
    if not found.problems and batch.source.size > AT_ONCE_BYTES:
        jobs.enqueue(reading.READ_IMPORT, str(batch.pk))
        return batch
    return _read(batch, found, by)


def _locked(batch: ImportBatch) -> ImportBatch:
    batch = ImportBatch.objects.select_for_update(of=("self",)).select_related("source").get(pk=batch.pk)
    if batch.status not in JUDGED_AGAIN:
        raise Refused("not-staged", f"Batch {batch.pk} is {batch.get_status_display()} and cannot be judged again.")
    return batch


def _opened(batch: ImportBatch, layout: Layout, form: str) -> Opened:
    try:
        return opened(batch.source, batch.source.filename, layout, form)
    except NotATable as error:
        return _no_table(batch, form, error)


def _read(batch: ImportBatch, found: Opened, by: AbstractUser) -> ImportBatch:
    try:
        return _refused(batch, found, by) if found.problems else reading.read(batch, by=by)
    except NotATable as error:
        return _refused(batch, _no_table(batch, batch.format, error), by)


def _refused(batch: ImportBatch, found: Opened, by: AbstractUser) -> ImportBatch:
    KINDS[batch.kind].staging.model._default_manager.filter(batch=batch).delete()
    batch.read_as = None
    return reading.refused(batch, found, by=by)


def _no_table(batch: ImportBatch, form: str, error: NotATable) -> Opened:
    return Opened(form, None, [Problem(1, "", "", no_table(batch.kind), error.told(batch.kind))])
