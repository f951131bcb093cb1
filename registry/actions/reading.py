"""Reading a batch that is kept: at once in the transaction that stages it, or by a worker in many."""

from contextlib import nullcontext
from itertools import zip_longest

from django.contrib.auth.models import AbstractUser
from django.core.exceptions import ValidationError
from django.db import transaction

from registry import audit
from registry.actions.base import Refused
from registry.importing import profiles
from registry.importing.contents import Content
from registry.importing.layouts import Layout
from registry.importing.opening import Opened, opened
from registry.importing.problems import Unreadable
from registry.importing.reading import Reading, Step, counted
from registry.importing.staged import verdict_of
from registry.models import ImportBatch, MappingProfile
from registry.vocabulary import BatchStatus, Verdict

READ_IMPORT = "read-import"
APPLY_IMPORT = "apply-import"
AGAIN = "Judge the batch again."


def layout_of(profile: MappingProfile | None, kind: str) -> Layout:
    """Raises Refused("bad-profile")."""
    try:
        return profiles.layout_of(profile, kind)
    except ValidationError as error:
        raise Refused("bad-profile", f"The profile {profile} cannot be used. {' '.join(error.messages)}") from error


def read(
    batch: ImportBatch, *, by: AbstractUser, content: Content | None = None, step: Step = nullcontext
) -> ImportBatch:
    """Stage and judge every row of a batch that is being read; done twice, it begins anew.

    `step` surrounds each portion of rows that is loaded. Raises `NotATable` where there is no row.
    """
    reading = _reading(batch, _kept_profile(batch), content or batch.source)
    rows_of_batch = reading.kind.staging.model._default_manager.filter(batch=batch)
    with transaction.atomic():
        _lock_unread(batch)
        rows_of_batch.delete()
        if (found := reading.twin()) is not None:
            twin, counts = found
            return _settled(reading, twin.rows, counted(counts), by=by, read_as=twin)
    rows, problems = reading.load(step)
    with transaction.atomic():
        _lock_unread(batch)
        if problems:
            rows_of_batch.delete()
            return refused(batch, Opened(batch.format, reading.table, problems), by=by, rows=rows)
        if rows_of_batch.count() != rows:
            raise Refused("read-twice", f"Another worker reads batch {batch.pk} too.")
        return _settled(reading, rows, reading.judge(), by=by)


def _lock_unread(batch: ImportBatch) -> None:
    """Two workers can have one job, where the first was slow for its lease: neither may undo what the other settled."""
    waiting = ImportBatch.objects.select_for_update().filter(pk=batch.pk, status=BatchStatus.READING)
    if waiting.first() is None:
        raise Refused("not-reading", f"Batch {batch.pk} is not being read any more.")


def refused(batch: ImportBatch, found: Opened, *, by: AbstractUser, rows: int = 0) -> ImportBatch:
    """The file is refused as a whole: no row of it is judged or kept."""
    problems = list(found.problems)
    if not rows and found.table is not None:
        try:
            rows = sum(1 for _ in found.table)
        except Unreadable as error:
            problems += [problem for problem in error.problems if problem not in problems]
    batch.encoding = found.table.encoding if found.table else ""
    batch.problems = [problem.as_json() for problem in problems]
    batch.counts = counted({Verdict.REFUSED: rows})
    return _kept(batch, BatchStatus.REFUSED, rows, by=by)


def refuse_stale(batch: ImportBatch) -> None:
    """Raises Refused("stale") where a row would now fare otherwise than it was shown."""
    reading = _reading(batch, _present_profile(batch), batch.source)
    if reading.basis != batch.basis:
        _refuse_read_otherwise(reading, batch)
    judging = reading.kind.judging
    if batch.read_as is not None:
        if counted(judging.counts(batch.read_as)) != batch.counts:
            raise _stale("what it says has been corrected or taken back")
    elif (differs := judging.differs(batch)) is not None:
        raise _changed(differs.line, differs.was, differs.now)


def told(batch: ImportBatch) -> audit.State:
    """What the history says of a batch."""
    read = {name: getattr(batch, name) for name in ("mode", "format", "profile_key", "profile_version")}
    given = {name: getattr(batch, name) for name in ("source_url", "source_ref")}
    counted = {"rows": batch.rows, "counts": batch.counts}
    return {"status": str(batch.status), "source": batch.source.sha256, **given, **read, **counted}


def _reading(batch: ImportBatch, profile: MappingProfile | None, content: Content) -> Reading:
    layout = layout_of(profile, batch.kind)
    found = opened(content, batch.source.filename, layout, batch.format)
    if found.problems or found.table is None:
        raise _stale(f"the file can no longer be read as it was: {found.problems[0].message}")
    return Reading(batch, found.table, layout.written_as(found.format), profile.version if profile else None)


def _kept_profile(batch: ImportBatch) -> MappingProfile | None:
    """As it was when the file came in: it may be edited while a worker reads."""
    if batch.spec is None:
        return _present_profile(batch)
    kept = {"version": batch.profile_version or 0, "spec": batch.spec}
    return MappingProfile(key=batch.profile_key, kind=batch.kind, **kept)


def _present_profile(batch: ImportBatch) -> MappingProfile | None:
    profile = MappingProfile.objects.filter(key=batch.profile_key).first()
    if batch.profile_key and profile is None:
        raise Refused("stale", f"The profile {batch.profile_key} is gone. {AGAIN}")
    return profile


def _settled(
    reading: Reading, rows: int, counts: dict[str, int], *, by: AbstractUser, read_as: ImportBatch | None = None
) -> ImportBatch:
    batch = reading.batch
    batch.encoding, batch.basis, batch.counts, batch.read_as = reading.table.encoding, reading.basis, counts, read_as
    return _kept(batch, BatchStatus.STAGED, rows, by=by)


def _kept(batch: ImportBatch, status: BatchStatus, rows: int, *, by: AbstractUser) -> ImportBatch:
    batch.status, batch.rows, batch.foreseen = status, rows, None
    batch.save(update_fields=("encoding", "problems", "counts", "basis", "read_as", "status", "rows", "foreseen"))
    audit.record("stage", batch, by=by, after=told(batch))
    return batch


def _refuse_read_otherwise(reading: Reading, batch: ImportBatch) -> None:
    """What rows were read against has changed: are they read as they were, one by one?"""
    staging = reading.kind.staging
    for row, kept in zip_longest(reading.checked(), batch.staged.order_by("line").iterator()):
        if row is None or kept is None:
            raise _stale("the file has another number of rows")
        if _good(verdict_of(row)) != _good(kept.verdict) or (
            _good(kept.verdict) and staging.fields(row) != staging.kept(kept)
        ):
            raise _changed(kept.line, kept.verdict, verdict_of(row))


def _good(verdict: str) -> bool:
    return verdict not in (Verdict.REFUSED, Verdict.SKIPPED)


def _changed(line: int, was: str, now: str) -> Refused:
    return _stale(f"line {line} was {was} and is now {now}, or is read otherwise")


def _stale(what: str) -> Refused:
    return Refused("stale", f"Something has changed since the file was staged: {what}. {AGAIN}")
