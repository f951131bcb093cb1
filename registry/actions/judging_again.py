"""Judging a batch again: the same bytes, against what the registry knows by now, read as a person now chooses."""

from django.contrib.auth.models import AbstractUser

from registry import audit
from registry.actions import reading
from registry.actions.base import Refused, action
from registry.actions.imports import AT_ONCE_BYTES, refuse_bad_citation
from registry.importing.problems import NotATable
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
    reading.layout_of(profile, batch.kind)  # which a worker could not refuse
    batch.status, batch.problems, batch.format = BatchStatus.READING, [], form or batch.format
    batch.save()
    was, became = audit.changes(before, reading.told(batch))
    # How many rows had which verdict is told here; how many have it now, when they are staged.
    audit.record("judge-again", batch, by=by, before={**(was or {}), "counts": before["counts"]}, after=became)
    if batch.source.size > AT_ONCE_BYTES:
        return reading.left_to_a_worker(batch, by=by)
    try:
        return reading.read(batch, by=by)
    except NotATable as error:
        return reading.refused_as_none(batch, error, by=by)


def _locked(batch: ImportBatch) -> ImportBatch:
    batch = ImportBatch.objects.select_for_update(of=("self",)).select_related("source").get(pk=batch.pk)
    if batch.status not in JUDGED_AGAIN:
        raise Refused("not-staged", f"Batch {batch.pk} is {batch.get_status_display()} and cannot be judged again.")
    return batch
