"""Writing results within the transaction of an import: new rows, corrections, and their way back."""

from collections.abc import Iterable

from django.contrib.auth.models import AbstractUser
from django.db.models import QuerySet

from registry import audit
from registry.actions.base import Refused
from registry.actions.moving import move
from registry.actions.writing import WRITTEN, Reach
from registry.importing.chunks import chunks
from registry.importing.results.lookups import Said
from registry.importing.results.staged import StagedResults
from registry.importing.reversal import Reversal, leaning_on, restored_by, reversal, withdrawn_by
from registry.models import Collection, ImportBatch, MetricContract, Result, StagedResult
from registry.vocabulary import BatchStatus, ResultState, Verdict
from registry.wording import counted


class _Results:
    """Touched are the contracts."""

    def touched(self, batch: ImportBatch) -> set[int]:
        rows = batch.results.order_by() if batch.status == BatchStatus.APPLIED else _written(batch)
        return set(rows.values_list("contract", flat=True).distinct())

    def lock(self, batch: ImportBatch) -> None:
        _lock(self.touched(batch))

    def write(self, batch: ImportBatch, *, by: AbstractUser, reason: str) -> set[int]:
        """The corrected step aside first: one identity counts."""
        contracts = self.touched(batch)
        corrected = _written(batch).filter(verdict=Verdict.CHANGED).values("stored")
        Result.objects.filter(pk__in=corrected).update(state=ResultState.SUPERSEDED)
        move(batch, StagedResult, Result, {name: f"staged.{name}" for name in StagedResults.own})
        if batch.counts[Verdict.CHANGED]:
            _replace(batch, by=by, reason=reason)
        return contracts

    def take_back(self, batch: ImportBatch, *, by: AbstractUser, reason: str) -> set[int]:
        """What the results corrected counts again."""
        contracts = self.touched(batch)
        _lock(contracts)
        if hindrance := _hindrance(batch, reversal(batch)):
            raise hindrance
        restored = list(restored_by(batch).values_list("pk", flat=True))
        withdrawn_by(batch).update(state=ResultState.REVERTED)
        _restore(restored, by=by, reason=reason)
        return contracts

    def reach(self, batch: ImportBatch) -> Reach:
        plan = reversal(batch)
        return Reach(counted(plan.withdrawn, "result"), plan.restored, _hindrance(batch, plan), leaning_on(batch))

    def collections(self, touched: Iterable[int]) -> Iterable[str]:
        """Those that have a mapping of the benchmark of any of the contracts."""
        mapped = Collection.objects.filter(mappings__benchmark__contracts__in=list(touched))
        return mapped.order_by("slug").values_list("slug", flat=True).distinct()


WRITING = _Results()


def _lock(contracts: Iterable[int]) -> None:
    list(MetricContract.objects.select_for_update().filter(pk__in=list(contracts)).order_by("pk"))


def _hindrance(batch: ImportBatch, plan: Reversal) -> Refused | None:
    if plan.later:
        told = f"Batch {_listed(plan.later)} corrected results of batch {batch.pk}: revert it first."
        return Refused("superseded-since", told)
    if plan.contradicted:
        told = f"What batch {batch.pk} corrected would contradict results of batch {_listed(plan.contradicted)}."
        return Refused("would-contradict", f"{told} Revert that first.")
    return None


def _listed(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers))


def _restore(restored: Iterable[int], *, by: AbstractUser, reason: str) -> None:
    for some in chunks(restored):
        results = Result.objects.select_related("contract", "replaced_by").in_bulk(some)
        audit.record_all("restore", (_restored(results[pk]) for pk in some), by=by, reason=reason)
        Result.objects.filter(pk__in=some).update(state=ResultState.ACTIVE, replaced_by=None)


def _restored(result: Result) -> audit.Told:
    correction = result.replaced_by
    assert correction is not None
    return result, _told(correction), _told(result)


def _written(batch: ImportBatch) -> "QuerySet[StagedResult]":
    return StagedResult.objects.filter(batch=batch, verdict__in=WRITTEN).order_by()


def _replace(batch: ImportBatch, *, by: AbstractUser, reason: str) -> None:
    """Each corrected result points to its correction, and the history tells both."""
    corrections = _written(batch).filter(verdict=Verdict.CHANGED).order_by("line")
    for some in chunks(corrections.values_list("line", "stored").iterator()):
        # The history names a result by its contract: without it here, each event would ask for it.
        written = batch.results.select_related("contract").filter(line__in=[line for line, _ in some])
        new = {result.line: result for result in written}
        old = Result.objects.in_bulk([pk for _, pk in some])
        for line, pk in some:
            old[pk].replaced_by = new[line]
        told = ((new[line], _told(old[pk]), _told(new[line])) for line, pk in some)
        audit.record_all("correct", told, by=by, reason=reason)
        Result.objects.bulk_update(old.values(), ["replaced_by"])


def _told(result: Result) -> audit.State:
    said = Said(*(getattr(result, name) for name in Said._fields))
    day = said.observed_on
    return {"result": result.pk} | said._asdict() | {"observed_on": day.isoformat() if day else None}
