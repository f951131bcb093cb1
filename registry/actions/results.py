"""Writing results within the transaction of an import: new rows, corrections, and their way back."""

from collections.abc import Iterable

from django.contrib.auth.models import AbstractUser

from registry import audit
from registry.importing.lookups import Said
from registry.importing.reversal import restored_by, withdrawn_by
from registry.importing.verdicts import Judged
from registry.models import ImportBatch, Result
from registry.vocabulary import ResultState


def write(batch: ImportBatch, rows: list[Judged], *, by: AbstractUser, reason: str) -> set[int]:
    """Store new and corrected results; the contracts touched. The corrected step aside first: one identity counts."""
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


def take_back(batch: ImportBatch, *, by: AbstractUser, reason: str) -> None:
    """The batch's results step aside and what they corrected counts again."""
    restored = list(restored_by(batch).select_related("contract", "replaced_by"))
    withdrawn_by(batch).update(state=ResultState.REVERTED)
    _restore(restored, by=by, reason=reason)


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
