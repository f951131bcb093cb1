"""Reading a batch that is kept: at once in the transaction that stages it, or by a worker in many."""

from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet

from registry import audit, jobs
from registry.actions.base import Refused
from registry.importing import profiles
from registry.importing.contents import Content
from registry.importing.kinds import KINDS
from registry.importing.layouts import Layout
from registry.importing.opening import Opened, opened
from registry.importing.problems import NotATable, Problem, Unreadable
from registry.importing.reading import Reading, Step, counted
from registry.importing.staged import verdict_of
from registry.importing.tables import Record
from registry.models import ImportBatch, MappingProfile, StagedRow
from registry.vocabulary import BatchStatus, Verdict

READ_IMPORT = "read-import"
APPLY_IMPORT = "apply-import"
TRY_IMPORT = "try-import"
AGAIN = "Judge the batch again."
# A confirm page tries out a batch of so many rows itself; of more a worker does it, once they are read.
TRIED_ROWS = 5_000


def layout_of(profile: MappingProfile | None, kind: str) -> Layout:
    """Raises Refused("bad-profile")."""
    try:
        return profiles.layout_of(profile, kind)
    except ValidationError as error:
        raise Refused("bad-profile", f"The profile {profile} cannot be used. {' '.join(error.messages)}") from error


def left_to_a_worker(batch: ImportBatch, *, by: AbstractUser) -> ImportBatch:
    jobs.enqueue(READ_IMPORT, str(batch.pk), {"by": by.get_username()})
    return batch


def read(
    batch: ImportBatch, *, by: AbstractUser, content: Content | None = None, step: Step = nullcontext
) -> ImportBatch:
    """Open a batch that is being read, stage and judge every row of it; done twice, it begins anew.

    `step` surrounds each portion of rows that is loaded. A file that is refused as a whole becomes a refused batch.
    Raises `NotATable` where it is none or has no row.
    """
    # As it was when the file came in: it may be edited while a worker reads.
    profile = batch.kept_profile or _present_profile(batch)
    layout = layout_of(profile, batch.kind)
    found = opened(content or batch.source, batch.source.filename, layout, batch.format)
    if found.problems or found.table is None:
        return refused(batch, found, by=by)
    _as_opened(batch, found)
    reading = Reading(batch, found.table, layout.written_as(found.format), profile.spec if profile else None)
    with transaction.atomic():
        _lock_unread(batch)
        _rows_of(batch).delete()
        if (same := reading.twin()) is not None:
            twin, counts = same
            return _settled(reading, twin.rows, counted(counts), by=by, read_as=twin)
    rows, problems = reading.load(step)
    if problems:
        return refused(batch, Opened(found.format, found.table, problems), by=by, rows=rows)
    with transaction.atomic():
        _lock_unread(batch)
        if _rows_of(batch).count() != rows:
            raise Refused("read-twice", f"Another worker reads batch {batch.pk} too.")
        return _settled(reading, rows, reading.judge(), by=by)


def _rows_of(batch: ImportBatch) -> "QuerySet[Any]":
    """Those that it was read into itself."""
    return KINDS[batch.kind].staging.model._default_manager.filter(batch=batch)


def _lock_unread(batch: ImportBatch) -> None:
    """Two workers can have one job, where the first was slow for its lease: neither may undo what the other settled."""
    waiting = ImportBatch.objects.select_for_update().filter(pk=batch.pk, status=BatchStatus.READING)
    if waiting.first() is None:
        raise Refused("not-reading", f"Batch {batch.pk} is not being read any more.")


def no_table(kind: str) -> str:
    """The code that refuses bytes which are no table at all."""
    return f"not-a-{kind}-csv"


def refused_as_none(batch: ImportBatch, error: NotATable, *, by: AbstractUser) -> ImportBatch:
    """The same of a kept file that proves to be no table at all."""
    problem = Problem(1, "", "", no_table(batch.kind), error.told(batch.kind))
    return refused(batch, Opened(batch.format or "csv", None, [problem]), by=by)


def refused(batch: ImportBatch, found: Opened, *, by: AbstractUser, rows: int = 0) -> ImportBatch:
    """The file is refused as a whole: no row of it is judged or kept."""
    problems = list(found.problems)
    # Counted before the transaction: of a large file that takes seconds.
    if not rows and found.table is not None:
        try:
            rows = sum(1 for _ in found.table)
        except Unreadable as error:
            problems += [problem for problem in error.problems if problem not in problems]
    with transaction.atomic():
        _lock_unread(batch)
        _rows_of(batch).delete()
        _as_opened(batch, found)
        batch.encoding, batch.read_as = found.table.encoding if found.table else "", None
        batch.problems = [problem.as_json() for problem in problems]
        batch.counts = counted({Verdict.REFUSED: rows})
        return _kept(batch, BatchStatus.REFUSED, rows, by=by)


def _as_opened(batch: ImportBatch, found: Opened) -> None:
    batch.format, batch.header = found.format, found.table.header if found.table else []


def refuse_stale(batch: ImportBatch) -> None:
    """Raises Refused("stale") where a row would now fare otherwise than it was shown."""
    profile = _present_profile(batch)
    layout = layout_of(profile, batch.kind)
    table = _Again(batch, layout)
    reading = Reading(batch, table, layout.written_as(batch.format), profile.spec if profile else None)
    if reading.basis != batch.basis:
        _refuse_read_otherwise(reading, batch)
    judging = reading.kind.judging
    if batch.read_as is not None:
        if counted(judging.counts(batch.read_as)) != batch.counts:
            raise _stale("what it says has been corrected or taken back")
    elif (differs := judging.differs(batch)) is not None:
        raise _changed(differs.line, differs.was, differs.now)


@dataclass(frozen=True, slots=True)
class _Again:
    """The table of a batch that was read. Opening a document takes seconds, so that it waits until rows are wanted."""

    batch: ImportBatch
    layout: Layout

    @property
    def header(self) -> list[str]:
        return list(self.batch.header)

    @property
    def encoding(self) -> str:
        return self.batch.encoding

    def __iter__(self) -> Iterator[Record]:
        batch = self.batch
        found = opened(batch.source, batch.source.filename, self.layout, batch.format)
        if found.problems or found.table is None:
            raise _stale(f"the file can no longer be read as it was: {found.problems[0].message}")
        if found.table.header != self.header:
            raise _stale("the columns of the file are read otherwise")
        return iter(found.table)


def told(batch: ImportBatch) -> audit.State:
    """What the history says of a batch."""
    read = {name: getattr(batch, name) for name in ("mode", "format", "profile_key", "profile_version")}
    given = {name: getattr(batch, name) for name in ("source_url", "source_ref")}
    counted = {"rows": batch.rows, "counts": batch.counts}
    return {"status": str(batch.status), "source": batch.source.sha256, **given, **read, **counted}


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
    _have_tried_out(batch, rows)
    return _kept(batch, BatchStatus.STAGED, rows, by=by)


def _have_tried_out(batch: ImportBatch, rows: int) -> None:
    """A batch of more rows than a confirm page tries out, however few bytes they came in."""
    if rows > TRIED_ROWS:
        jobs.enqueue(TRY_IMPORT, str(batch.pk))


def _kept(batch: ImportBatch, status: BatchStatus, rows: int, *, by: AbstractUser) -> ImportBatch:
    batch.status, batch.rows, batch.foreseen = status, rows, None
    read = ("format", "header", "encoding", "problems", "counts", "basis", "read_as", "rows")
    batch.save(update_fields=("status", "foreseen", *read))
    audit.record("stage", batch, by=by, after=told(batch))
    return batch


def _refuse_read_otherwise(reading: Reading, batch: ImportBatch) -> None:
    """What rows were read against has changed: are they read as they were, one by one?"""
    staging = reading.kind.staging
    for row, kept in zip_longest(reading.checked(), batch.staged.order_by("line").iterator()):
        if row is None or kept is None:
            raise _stale("the file has another number of rows")
        was, now = _by_itself(kept), verdict_of(row)
        if was != now or (now == Verdict.NEW and staging.fields(row) != staging.kept(kept)):
            raise _changed(kept.line, kept.verdict, now)


def _by_itself(kept: StagedRow) -> str:
    """The verdict before the row was judged beside others, which may refuse a good one whose identity stands twice."""
    if kept.verdict == Verdict.SKIPPED:
        return Verdict.SKIPPED.value
    # What could be read of a row is kept where it was refused for its own sake.
    return Verdict.NEW.value if kept.values is None else Verdict.REFUSED.value


def _changed(line: int, was: str, now: str) -> Refused:
    return _stale(f"line {line} was {was} and is now {now}, or is read otherwise")


def _stale(what: str) -> Refused:
    return Refused("stale", f"Something has changed since the file was staged: {what}. {AGAIN}")
