"""Importing results and comparisons: stage a file, apply it, take it back, or let it go."""

from collections import Counter

from django.contrib.auth.models import AbstractUser
from django.utils import timezone

from registry import audit, jobs
from registry.actions import comparisons, reading, results
from registry.actions.base import Refused, action, says_something
from registry.actions.evidence_changed import announce
from registry.actions.reading import APPLY_IMPORT, no_table
from registry.actions.sources import keep_source
from registry.actions.writing import WRITTEN, Reach, Writing
from registry.importing.checking import parsed
from registry.importing.contents import Content, Held, identified
from registry.importing.mending import BAD
from registry.importing.opening import is_held, opened
from registry.importing.problems import Bad, NotATable
from registry.importing.readers import LARGEST_FILE
from registry.importing.reading import counted
from registry.importing.results.resource import COLUMNS
from registry.models import ImportBatch, MappingProfile
from registry.vocabulary import BatchMode, BatchStatus, ImportKind, Verdict

WRITINGS: dict[str, Writing] = {
    ImportKind.RESULTS: results.WRITING,
    ImportKind.COMPARISONS: comparisons.WRITING,
}
# What somebody is kept waiting for: a second or so. More is for the worker.
AT_ONCE_BYTES = 1024 * 1024
AT_ONCE_ROWS = 10_000


@action("registry.import_result")
def stage(
    *,
    content: Content | bytes,
    filename: str,
    profile: MappingProfile | None = None,
    source_url: str = "",
    source_ref: str = "",
    by: AbstractUser,
    mode: BatchMode = BatchMode.ALL_OR_NOTHING,
    kind: str = "",
    form: str = "",
) -> ImportBatch:
    """Keep a file and read it: a verdict for each row, and nothing else is stored.

    It is read as the format `form`, else as what it is recognised as, and holds what `kind` says, else what the profile
    reads, else results. `source_url` and `source_ref` hold for rows that give none. A large file is left to a worker,
    and its batch is `reading` until then. A file that is refused as a whole is kept as a refused batch. Raises
    Refused("not-a-results-csv"), or comparisons, where the bytes are no table at all, and then nothing is kept; of a
    large document only the worker can tell, and then its batch is refused.
    """
    kind = kind or (profile.kind if profile else ImportKind.RESULTS)
    content = Held(content) if isinstance(content, bytes) else content
    sha256, size = identified(content)
    if size > LARGEST_FILE:
        raise Refused("too-large", f"The file is larger than {LARGEST_FILE // 1024**2} MiB.")
    refuse_bad_citation(source_url, source_ref)
    source = keep_source(content, sha256, size, filename, url=source_url, reference=source_ref, by=by)
    layout, plain = reading.layout_of(profile, kind), not is_held(content, source.filename, form)
    batch = ImportBatch.objects.create(
        kind=kind,
        source=source,
        format="csv" if plain else form,
        profile_key=profile.key if profile else "",
        profile_version=profile.version if profile else None,
        spec=profile.spec if profile else None,
        source_url=source_url,
        source_ref=source_ref,
        mode=mode,
        status=BatchStatus.READING,
        counts=counted({}),
        created_by=by.get_username(),
        created_at=timezone.now(),
    )
    try:
        if size <= AT_ONCE_BYTES:
            return reading.read(batch, by=by)
        if plain:
            # Its beginning alone, which costs nothing: whoever sent a picture need not wait to be told.
            opened(content, source.filename, layout, form)
    except NotATable as error:
        raise Refused(no_table(kind), error.told(kind)) from error
    return reading.left_to_a_worker(batch, by=by)


@action("registry.apply_importbatch")
def apply(*, batch: ImportBatch, by: AbstractUser, reason: str = "") -> ImportBatch:
    """Store the good rows of a staged batch, in one transaction.

    Its rows are judged again, under lock, against the evidence of this moment, and read again where what they were read
    against has changed; where a row would now fare otherwise than it was shown, all is refused as stale.
    """
    batch = _locked(batch)
    before = reading.told(batch)
    _refuse_unfit(batch, reason, BatchStatus.STAGED, BatchStatus.APPLYING)
    writing = WRITINGS[batch.kind]
    writing.lock(batch)
    reading.refuse_stale(batch)
    touched = writing.write(batch, by=by, reason=reason)
    batch.status, batch.reason = BatchStatus.APPLIED, reason
    batch.applied_by, batch.applied_at = by.get_username(), timezone.now()
    batch.save(update_fields=("status", "reason", "applied_by", "applied_at"))
    _record("apply", batch, before, by=by, reason=reason)
    announce(writing.collections(touched))
    return batch


@action("registry.apply_importbatch")
def request_apply(*, batch: ImportBatch, by: AbstractUser, reason: str = "") -> ImportBatch:
    """Leave it to a worker to apply a batch that would keep somebody waiting."""
    batch = _locked(batch)
    _refuse_unfit(batch, reason, BatchStatus.STAGED)
    _move(batch, BatchStatus.APPLYING, "request-apply", by=by, reason=reason)
    jobs.enqueue(APPLY_IMPORT, str(batch.pk), {"by": by.get_username(), "reason": reason})
    return batch


@action("registry.apply_importbatch")
def give_up_applying(*, batch: ImportBatch, by: AbstractUser, reason: str = "") -> ImportBatch:
    """Nothing of the batch was stored: it waits for a decision again."""
    batch = _locked(batch)
    if batch.status != BatchStatus.APPLYING:
        raise Refused("not-applying", f"Batch {batch.pk} is {batch.get_status_display()}.")
    return _move(batch, BatchStatus.STAGED, "give-up-applying", by=by, reason=reason)


@action("registry.revert_importbatch")
def revert(*, batch: ImportBatch, by: AbstractUser, reason: str) -> ImportBatch:
    """Take back all that an applied batch stored; what it corrected counts again.

    Refused where a later batch stands on it.
    """
    batch = _locked(batch)
    before = reading.told(batch)
    _refuse_unapplied(batch)
    if not says_something(reason):
        raise Refused("reason-needed", "Reverting a batch needs a reason.")
    writing = WRITINGS[batch.kind]
    touched = writing.take_back(batch, by=by, reason=reason)
    batch.status, batch.reason = BatchStatus.REVERTED, reason
    batch.reverted_by, batch.reverted_at = by.get_username(), timezone.now()
    batch.save(update_fields=("status", "reason", "reverted_by", "reverted_at"))
    _record("revert", batch, before, by=by, reason=reason)
    announce(writing.collections(touched))
    return batch


@action("registry.import_result")
def discard(*, batch: ImportBatch, by: AbstractUser, reason: str = "") -> ImportBatch:
    """Let a batch go that was not applied; the file and its rows stay for the record."""
    batch = _locked(batch)
    if batch.status not in DISCARDABLE:
        raise Refused("not-staged", f"Batch {batch.pk} is {batch.get_status_display()} and cannot be discarded.")
    return _move(batch, BatchStatus.DISCARDED, "discard", by=by, reason=reason)


DISCARDABLE = (BatchStatus.READING, BatchStatus.STAGED, BatchStatus.REFUSED)


def _move(batch: ImportBatch, status: BatchStatus, verb: str, *, by: AbstractUser, reason: str) -> ImportBatch:
    before = reading.told(batch)
    batch.status, batch.reason = status, reason
    batch.save(update_fields=("status", "reason"))
    _record(verb, batch, before, by=by, reason=reason)
    return batch


def _record(verb: str, batch: ImportBatch, before: audit.State, *, by: AbstractUser, reason: str) -> None:
    was, became = audit.changes(before, reading.told(batch))
    audit.record(verb, batch, by=by, before=was, after=became, reason=reason)


def reached(batch: ImportBatch) -> list[str]:
    """Slugs of the collections whose gates applying it, or reverting it once it is applied, may move."""
    writing = WRITINGS[batch.kind]
    return sorted(writing.collections(writing.touched(batch)))


def reach(batch: ImportBatch) -> Reach:
    """What taking the batch back would do. Raises Refused where it cannot be taken back."""
    _refuse_unapplied(batch)
    found = WRITINGS[batch.kind].reach(batch)
    if found.hindrance:
        raise found.hindrance
    return found


def _refuse_unapplied(batch: ImportBatch) -> None:
    if batch.status != BatchStatus.APPLIED:
        raise Refused("not-applied", f"Batch {batch.pk} is {batch.get_status_display()}: there is nothing to revert.")


def refuse_bad_citation(source_url: str, source_ref: str) -> None:
    """Of what is given for a file as a whole."""
    for name, given in (("source_url", source_url), ("source_ref", source_ref)):
        try:
            if given:
                parsed(COLUMNS[name], given)
        except Bad as bad:
            raise Refused(bad.reason, f"The source that is given for the file cannot be taken. {bad.message}") from bad


def _locked(batch: ImportBatch) -> ImportBatch:
    return ImportBatch.objects.select_for_update(of=("self",)).select_related("source").get(pk=batch.pk)


def hindrance(batch: ImportBatch, *statuses: BatchStatus) -> Refused | None:
    """Why a batch as it was staged could not be applied, whoever asks and for whatever reason."""
    counts = Counter(batch.counts)
    bad = sum(counts[verdict] for verdict in BAD)
    if batch.status not in (statuses or (BatchStatus.STAGED,)):
        return Refused("not-staged", f"Batch {batch.pk} is {batch.get_status_display()} and cannot be applied.")
    if bad and batch.mode == BatchMode.ALL_OR_NOTHING:
        return Refused("rows-refused", f"{bad} of {batch.rows} rows cannot be taken, so nothing is: all or nothing.")
    if not any(counts[verdict] for verdict in (*WRITTEN, Verdict.SAME)):
        return Refused("nothing-to-apply", f"None of the {batch.rows} rows can be applied.")
    return None


def _refuse_unfit(batch: ImportBatch, reason: str, *statuses: BatchStatus) -> None:
    if (refused := hindrance(batch, *statuses)) is not None:
        raise refused
    if (changed := batch.counts[Verdict.CHANGED]) and not says_something(reason):
        raise Refused("reason-needed", f"{changed} rows correct stored results: that needs a reason.")
