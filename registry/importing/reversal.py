"""What taking a batch back would do, before it is done."""

from dataclasses import dataclass

from django.db.models import QuerySet

from registry.importing.lookups import Group, stored_results
from registry.models import ImportBatch, Result
from registry.vocabulary import ResultState


@dataclass(frozen=True, slots=True)
class Reversal:
    """Results taken back; results they replaced, which count again; and the batches that stand on this one."""

    withdrawn: int
    restored: int
    later: tuple[int, ...]
    contradicted: tuple[int, ...]


def reversal(batch: ImportBatch) -> Reversal:
    return Reversal(
        withdrawn=withdrawn_by(batch).count(),
        restored=restored_by(batch).count(),
        later=_later(batch),
        contradicted=_contradicted(batch),
    )


def withdrawn_by(batch: ImportBatch) -> QuerySet[Result]:
    return Result.objects.filter(batch=batch, state=ResultState.ACTIVE)


def restored_by(batch: ImportBatch) -> QuerySet[Result]:
    return Result.objects.filter(replaced_by__batch=batch, replaced_by__state=ResultState.ACTIVE)


def _later(batch: ImportBatch) -> tuple[int, ...]:
    """Batches that corrected results of this one."""
    corrections = Result.objects.filter(replaces__batch=batch).exclude(batch=batch)
    return tuple(corrections.order_by("batch").values_list("batch", flat=True).distinct())


def _contradicted(batch: ImportBatch) -> tuple[int, ...]:
    """Batches whose results would contradict a restored one: another value from the same source."""
    withdrawn = set(withdrawn_by(batch).values_list("pk", flat=True))
    restored: dict[Group, set[tuple[float | None, str]]] = {}
    for result in restored_by(batch):
        group = (result.contract_id, result.configuration_id, result.source_url, result.source_ref)
        restored.setdefault(group, set()).add((result.value, result.absence))
    standing = stored_results({group[0] for group in restored}, {group[2] for group in restored})
    rivals = [
        stored.pk
        for stored in standing
        if stored.pk not in withdrawn
        and (values := restored.get(stored.identity[:4]))
        and values != {(stored.said.value, stored.said.absence)}
    ]
    batches = Result.objects.filter(pk__in=rivals).order_by("batch").values_list("batch", flat=True)
    return tuple(batches.distinct())
