"""Writing results within the transaction of an import: new rows, corrections, and their way back."""

from collections.abc import Iterable

from django.contrib.auth.models import AbstractUser

from registry import audit
from registry.actions.base import Refused
from registry.actions.writing import Reach
from registry.importing.lookups import Said
from registry.importing.reversal import restored_by, reversal, withdrawn_by
from registry.importing.verdicts import Judged
from registry.models import Collection, ImportBatch, MetricContract, Result
from registry.vocabulary import ResultState, Verdict
from registry.wording import counted


class _Results:
    """Touched are the contracts."""

    def lock(self, batch: ImportBatch) -> None:
        written = batch.staged.filter(verdict__in=(Verdict.NEW, Verdict.CHANGED)).order_by()
        keys = list(written.values_list("values__contract", flat=True).distinct())
        _lock(MetricContract.objects.filter(key__in=keys).values_list("pk", flat=True))

    def write(self, batch: ImportBatch, rows: list[Judged], *, by: AbstractUser, reason: str) -> set[int]:
        """The corrected step aside first: one identity counts."""
        corrected = [judged.replaces.pk for judged in rows if judged.replaces]
        Result.objects.filter(pk__in=corrected).update(state=ResultState.SUPERSEDED)
        stored = Result.objects.bulk_create([_result(batch, judged) for judged in rows])
        links = []
        for judged, result in zip(rows, stored, strict=True):
            if judged.replaces is not None:
                links.append(Result(pk=judged.replaces.pk, replaced_by=result))
                before, after = _told(judged.replaces.pk, judged.replaces.said), _told(result.pk, judged.row.said)
                audit.record("correct", result, by=by, before=before, after=after, reason=reason)
        Result.objects.bulk_update(links, ["replaced_by"])
        return {result.contract_id for result in stored}

    def take_back(self, batch: ImportBatch, *, by: AbstractUser, reason: str) -> set[int]:
        """What the results corrected counts again."""
        contracts = set(batch.results.order_by().values_list("contract", flat=True).distinct())
        _lock(contracts)
        _refuse_if_stood_on(batch)
        restored = list(restored_by(batch).select_related("contract", "replaced_by"))
        withdrawn_by(batch).update(state=ResultState.REVERTED)
        _restore(restored, by=by, reason=reason)
        return contracts

    def reach(self, batch: ImportBatch) -> Reach:
        plan = reversal(batch)
        return Reach(counted(plan.withdrawn, "result"), plan.restored)

    def collections(self, touched: Iterable[int]) -> Iterable[str]:
        """Those that have a mapping of the benchmark of any of the contracts."""
        mapped = Collection.objects.filter(mappings__benchmark__contracts__in=list(touched))
        return mapped.order_by("slug").values_list("slug", flat=True).distinct()


WRITING = _Results()


def _lock(contracts: Iterable[int]) -> None:
    list(MetricContract.objects.select_for_update().filter(pk__in=list(contracts)).order_by("pk"))


def _refuse_if_stood_on(batch: ImportBatch) -> None:
    plan = reversal(batch)
    if plan.later:
        told = f"Batch {_listed(plan.later)} corrected results of batch {batch.pk}: revert it first."
        raise Refused("superseded-since", told)
    if plan.contradicted:
        told = f"What batch {batch.pk} corrected would contradict results of batch {_listed(plan.contradicted)}."
        raise Refused("would-contradict", f"{told} Revert that first.")


def _listed(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers))


def _restore(results: Iterable[Result], *, by: AbstractUser, reason: str) -> None:
    for result in results:
        correction = result.replaced_by
        assert correction is not None
        before, after = _told(correction.pk, _said(correction)), _told(result.pk, _said(result))
        audit.record("restore", result, by=by, before=before, after=after, reason=reason)
    Result.objects.filter(pk__in=[result.pk for result in results]).update(state=ResultState.ACTIVE, replaced_by=None)


def _result(batch: ImportBatch, judged: Judged) -> Result:
    row = judged.row
    assert row.identity is not None
    assert row.said is not None
    contract, configuration, source_url, source_ref, external_id = row.identity
    return Result(
        batch=batch,
        source_id=batch.source_id,
        line=row.line,
        contract_id=contract,
        configuration_id=configuration,
        source_url=source_url,
        source_ref=source_ref,
        external_id=external_id,
        **row.said._asdict(),
    )


def _said(result: Result) -> Said:
    return Said(*(getattr(result, name) for name in Said._fields))


def _told(pk: int, said: Said | None) -> audit.State:
    assert said is not None
    day = said.observed_on
    return {"result": pk} | said._asdict() | {"observed_on": day.isoformat() if day else None}
