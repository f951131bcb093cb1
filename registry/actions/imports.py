"""Importing results and comparisons: stage a file, apply it, take it back, or let it go."""

from collections import Counter
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.core.exceptions import ValidationError
from django.utils import timezone

from registry import audit
from registry.actions import comparisons, results
from registry.actions.base import Refused, action
from registry.actions.evidence_changed import announce
from registry.actions.staging import keep_rows, keep_source
from registry.actions.writing import Reach, Writing
from registry.importing import cells
from registry.importing.chunks import chunks
from registry.importing.examination import Examination, examine
from registry.importing.judging import Judged
from registry.importing.layouts import Layout
from registry.importing.problems import Bad, NotATable
from registry.importing.profiles import layout_of
from registry.importing.readers import LARGEST_FILE
from registry.models import ImportBatch, MappingProfile
from registry.vocabulary import BatchMode, BatchStatus, ImportKind, Verdict

WRITINGS: dict[str, Writing] = {
    ImportKind.RESULTS: results.WRITING,
    ImportKind.COMPARISONS: comparisons.WRITING,
}
WRITTEN = (Verdict.NEW, Verdict.CHANGED)
BAD = (Verdict.REFUSED, Verdict.CONFLICT)


@action("registry.import_result")
def stage(
    *,
    content: bytes,
    filename: str,
    profile: MappingProfile | None = None,
    source_url: str = "",
    source_ref: str = "",
    by: AbstractUser,
    mode: BatchMode = BatchMode.ALL_OR_NOTHING,
    kind: str = "",
) -> ImportBatch:
    """Read a file and keep a verdict for each row; nothing else is stored.

    The file holds what `kind` says, else what the profile reads, else results. `source_url` and `source_ref` hold for
    rows that give none. A file that is refused as a whole is kept as a refused batch. Raises
    Refused("not-a-results-csv"), or comparisons, where the bytes are no table at all, and then nothing is kept.
    """
    kind = kind or (profile.kind if profile else ImportKind.RESULTS)
    _refuse_bad_options(content, source_url, source_ref)
    try:
        found = examine(content, _layout(profile, kind), kind, source_url=source_url, source_ref=source_ref)
    except NotATable as error:
        raise Refused(no_table(kind), error.told(kind)) from error
    batch = ImportBatch.objects.create(
        kind=kind,
        source=keep_source(content, filename, url=source_url, reference=source_ref, by=by),
        profile_key=profile.key if profile else "",
        profile_version=profile.version if profile else None,
        source_url=source_url,
        source_ref=source_ref,
        mode=mode,
        status=BatchStatus.REFUSED if found.problems else BatchStatus.STAGED,
        encoding=found.encoding,
        rows=found.rows,
        problems=[problem.as_json() for problem in found.problems],
        created_by=by.get_username(),
        created_at=timezone.now(),
    )
    batch.counts = keep_rows(batch, found)
    batch.save(update_fields=("counts",))
    audit.record("stage", batch, by=by, after=_told(batch))
    return batch


@action("registry.apply_importbatch")
def apply(*, batch: ImportBatch, by: AbstractUser, reason: str = "") -> ImportBatch:
    """Store the good rows of a staged batch, in one transaction.

    The file is judged again, under lock, against the registry and the evidence of this moment; where a row would now
    fare otherwise than it was shown, all is refused as stale.
    """
    batch = _locked(batch)
    _refuse_unfit(batch, reason)
    writing = WRITINGS[batch.kind]
    writing.lock(batch)
    touched: set[int] = set()
    for some in chunks(_as_staged(batch, _examine_again(batch))):
        touched |= writing.write(batch, some, by=by, reason=reason)
    batch.status, batch.reason = BatchStatus.APPLIED, reason
    batch.applied_by, batch.applied_at = by.get_username(), timezone.now()
    batch.save(update_fields=("status", "reason", "applied_by", "applied_at"))
    audit.record("apply", batch, by=by, after=_told(batch), reason=reason)
    announce(writing.collections(touched))
    return batch


@action("registry.revert_importbatch")
def revert(*, batch: ImportBatch, by: AbstractUser, reason: str) -> ImportBatch:
    """Take back all that an applied batch stored; what it corrected counts again.

    Refused where a later batch stands on it.
    """
    batch = _locked(batch)
    if batch.status != BatchStatus.APPLIED:
        raise Refused("not-applied", f"Batch {batch.pk} is {batch.get_status_display()}: there is nothing to revert.")
    if not reason.strip():
        raise Refused("reason-needed", "Reverting a batch needs a reason.")
    writing = WRITINGS[batch.kind]
    touched = writing.take_back(batch, by=by, reason=reason)
    batch.status, batch.reason = BatchStatus.REVERTED, reason
    batch.reverted_by, batch.reverted_at = by.get_username(), timezone.now()
    batch.save(update_fields=("status", "reason", "reverted_by", "reverted_at"))
    audit.record("revert", batch, by=by, after=_told(batch), reason=reason)
    announce(writing.collections(touched))
    return batch


@action("registry.import_result")
def discard(*, batch: ImportBatch, by: AbstractUser, reason: str = "") -> ImportBatch:
    """Let a batch go that was not applied; the file and its rows stay for the record."""
    batch = _locked(batch)
    if batch.status not in (BatchStatus.STAGED, BatchStatus.REFUSED):
        raise Refused("not-staged", f"Batch {batch.pk} is {batch.get_status_display()} and cannot be discarded.")
    batch.status, batch.reason = BatchStatus.DISCARDED, reason
    batch.save(update_fields=("status", "reason"))
    audit.record("discard", batch, by=by, after=_told(batch), reason=reason)
    return batch


def no_table(kind: str) -> str:
    """The code that refuses bytes which are no table at all."""
    return f"not-a-{kind}-csv"


def reach(batch: ImportBatch) -> Reach:
    """What taking the batch back would do."""
    return WRITINGS[batch.kind].reach(batch)


def _layout(profile: MappingProfile | None, kind: str) -> Layout:
    try:
        return layout_of(profile, kind)
    except ValidationError as error:
        raise Refused("bad-profile", f"The profile {profile} cannot be used. {' '.join(error.messages)}") from error


def _refuse_bad_options(content: bytes, source_url: str, source_ref: str) -> None:
    if len(content) > LARGEST_FILE:
        raise Refused("too-large", f"The file is larger than {LARGEST_FILE // 1024**2} MiB.")
    try:
        if source_url:
            cells.address(source_url)
        if source_ref:
            cells.visible(source_ref)
    except Bad as bad:
        raise Refused(bad.reason, f"The source that is given for the file cannot be taken. {bad.message}") from bad


def _locked(batch: ImportBatch) -> ImportBatch:
    batches = ImportBatch.objects.select_for_update(of=("self",))
    return batches.select_related("source").defer("source__content").get(pk=batch.pk)


def hindrance(batch: ImportBatch) -> Refused | None:
    """Why a batch as it was staged could not be applied, whoever asks and for whatever reason."""
    counts = Counter(batch.counts)
    bad = sum(counts[verdict] for verdict in BAD)
    if batch.status != BatchStatus.STAGED:
        return Refused("not-staged", f"Batch {batch.pk} is {batch.get_status_display()} and cannot be applied.")
    if bad and batch.mode == BatchMode.ALL_OR_NOTHING:
        return Refused("rows-refused", f"{bad} of {batch.rows} rows cannot be taken, so nothing is: all or nothing.")
    if not any(counts[verdict] for verdict in (*WRITTEN, Verdict.SAME)):
        return Refused("nothing-to-apply", f"None of the {batch.rows} rows can be applied.")
    return None


def _refuse_unfit(batch: ImportBatch, reason: str) -> None:
    if (refused := hindrance(batch)) is not None:
        raise refused
    if (changed := batch.counts[Verdict.CHANGED]) and not reason.strip():
        raise Refused("reason-needed", f"{changed} rows correct stored results: that needs a reason.")


def _examine_again(batch: ImportBatch) -> Examination:
    profile = MappingProfile.objects.filter(key=batch.profile_key).first()
    if batch.profile_key and profile is None:
        raise Refused("stale", f"The profile {batch.profile_key} is gone. Stage the file again.")
    content = bytes(batch.source.content)
    layout = _layout(profile, batch.kind)
    return examine(content, layout, batch.kind, source_url=batch.source_url, source_ref=batch.source_ref)


def _as_staged(batch: ImportBatch, found: Examination) -> Iterator[Judged[Any]]:
    """The rows to write. Raises Refused("stale") at the first row that would now fare otherwise than it was shown."""
    if found.problems:
        raise Refused("stale", f"The file can no longer be read as it was staged. {found.problems[0].message}")
    for judged, staged in zip_longest(found.judged(), batch.staged.order_by("line").iterator()):
        if judged is None or staged is None:
            raise Refused("stale", "The file has another number of rows than was staged. Stage it again.")
        now = judged.row.values, judged.verdict
        if now != (staged.values, staged.verdict):
            told = f"It was {staged.verdict} and is now {judged.verdict.value}, or is read otherwise."
            raise Refused("stale", f"Since the file was staged, line {staged.line} has changed. {told} Stage it again.")
        if judged.verdict in WRITTEN:
            yield judged


def _told(batch: ImportBatch) -> audit.State:
    return {"status": str(batch.status), "source": batch.source.sha256, "rows": batch.rows, "counts": batch.counts}
