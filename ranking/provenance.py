"""Who stands in a table, and which rows of which files its numbers are, in the words of the registry."""

from collections.abc import Iterable, Sequence
from datetime import UTC, date
from typing import Any

from django.db.models import Max, Min

from registry.models import Collection, Comparison, Configuration, Result
from registry.vocabulary import BatchStatus, ResultState

Record = dict[str, Any]


def subjects(keys: Iterable[str]) -> dict[str, Record]:
    """The names of configurations, by key."""
    rows = Configuration.objects.filter(key__in=set(keys)).select_related("model__organization")
    return {row.key: _subject(row) for row in rows}


def _subject(row: Configuration) -> Record:
    organization = row.model.organization
    return {
        "configuration": row.key,
        "model": row.model.name,
        "model_key": f"{organization.key}/{row.model.key}",
        "organization": organization.name,
        "organization_key": organization.key,
        "harness": row.harness,
        "effort": row.effort,
        "settings": row.settings,
        "availability": row.availability,
    }


IDENTITY = {
    "contract": "contract__key",
    "configuration": "configuration__key",
    "source_url": "source_url",
    "source_ref": "source_ref",
    "external_id": "external_id",
}
"""What names a result, and where the registry has it."""


def with_lines(told: Sequence[Record]) -> list[Record]:
    """Each row of evidence with its line in the imported file."""
    found = _active(told).values_list("line", *IDENTITY.values())
    line = {tuple(identity): number for number, *identity in found}
    return [row | {"line": line[tuple(row[name] for name in IDENTITY)]} for row in told]


def dates(collection: Collection, told: Sequence[Record]) -> Record:
    """From the first to the last day on which the evidence was observed or judged, where anybody recorded it."""
    observed = _active(told).aggregate(first=Min("observed_on"), last=Max("observed_on"))
    judged = Comparison.objects.filter(
        task__facet__collection=collection, state=ResultState.ACTIVE, batch__status=BatchStatus.APPLIED
    ).aggregate(first=Min("judged_at"), last=Max("judged_at"))
    days = [_day(found[end]) for found in (observed, judged) for end in ("first", "last") if found[end] is not None]
    return {"from": min(days).isoformat() if days else None, "to": max(days).isoformat() if days else None}


def _day(moment: Any) -> date:
    """Of a moment its day in UTC, so that no time zone of a machine is in it."""
    day: date = moment.astimezone(UTC).date() if hasattr(moment, "astimezone") else moment
    return day


def _active(told: Sequence[Record]) -> Any:
    contracts = {row["contract"] for row in told}
    return Result.objects.filter(
        contract__key__in=contracts, state=ResultState.ACTIVE, batch__status=BatchStatus.APPLIED
    )
