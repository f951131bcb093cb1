"""What taking a batch back would do, before it is done."""

from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q, QuerySet

from registry.models import ImportBatch, Result, StagedResult
from registry.vocabulary import BatchStatus, ResultState, Verdict


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


def leaning_on(batch: ImportBatch) -> tuple[int, ...]:
    """Applied batches with rows that this one had stored already: taken back, they are stored nowhere."""
    same = StagedResult.objects.filter(stored__batch=batch, verdict=Verdict.SAME, batch__status=BatchStatus.APPLIED)
    return tuple(same.exclude(batch=batch).order_by("batch").values_list("batch", flat=True).distinct())


def _later(batch: ImportBatch) -> tuple[int, ...]:
    """Batches that corrected results of this one."""
    corrections = Result.objects.filter(replaces__batch=batch).exclude(batch=batch)
    return tuple(corrections.order_by("batch").values_list("batch", flat=True).distinct())


def _contradicted(batch: ImportBatch) -> tuple[int, ...]:
    """Batches whose results would contradict a restored one: another value from the same source."""
    restored = restored_by(batch).order_by()
    place = {name: OuterRef(name) for name in ("contract", "configuration", "source_url", "source_ref")}
    otherwise = ~Q(absence=OuterRef("absence")) | (Q(absence="") & ~Q(value=OuterRef("value")))
    active = Result.objects.filter(state=ResultState.ACTIVE, contract__in=restored.values("contract"))
    contradicting = active.exclude(batch=batch).filter(Exists(restored.filter(otherwise, **place)))
    return tuple(contradicting.order_by("batch").values_list("batch", flat=True).distinct())
