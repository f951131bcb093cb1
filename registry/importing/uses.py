"""Where a name of a configuration stands in files: waiting for it to resolve, or read as that configuration."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import Q

from registry.importing import profiles
from registry.importing.layouts import Layout
from registry.importing.unresolved import NAMED, REASONS
from registry.models import ConfigurationAlias, ImportBatch, MappingProfile
from registry.models.staging import STAGED
from registry.spelling import composed
from registry.vocabulary import BatchStatus, Verdict

Rows = dict[ImportBatch, int]
"""How many rows of which batch."""

# Which of its names a row gives is read from its cells again; what is beyond this is not looked at.
MOST_READ = 5_000


def waiting_for(names: list[str]) -> Rows:
    """Rows that are refused because such a name resolves nothing, in batches that can be judged again."""
    counted: Counter[int] = Counter()
    for kind, columns in NAMED.items():
        rows = STAGED[kind]._default_manager.filter(
            batch__status__in=(BatchStatus.STAGED, BatchStatus.REFUSED), verdict=Verdict.REFUSED
        )
        said = Q(pk__in=())
        for column in columns:
            said |= Q(**{f"values__{column}__in": names})
        for pk, problems in rows.filter(said).values_list("batch", "problems").iterator():
            counted[pk] += any(problem["reason"] in REASONS for problem in problems or ())
    return _batches(counted)


@dataclass(frozen=True, slots=True)
class Uses:
    """Good rows of the configuration that an alias means, in batches that wait or are applied."""

    named: Rows
    """Those that give it by this very name."""
    unsure: Rows
    """Those of which nobody knows how they were read: by this name or by another one."""
    is_whole: bool
    """False where there are more rows than are looked at."""


def read_by(alias: ConfigurationAlias) -> Uses:
    named: Counter[int] = Counter()
    unsure: Counter[int] = Counter()
    looked_at = 0
    layouts: dict[int, Layout | None] = {}
    for row, columns in _of_configuration(alias):
        looked_at += 1
        if row.batch_id not in layouts:
            layouts[row.batch_id] = layout_of(row.batch)
        layout = layouts[row.batch_id]
        if layout is None:
            unsure[row.batch_id] += 1
        elif alias.name in _names(layout, row, columns):
            named[row.batch_id] += 1
    return Uses(_batches(named), _batches(unsure), is_whole=looked_at < MOST_READ)


def layout_of(batch: ImportBatch) -> Layout | None:
    """How the rows of a batch were read, whatever its profile says by now.

    None where that is not known: of batches read before 2026-12, whose profile has been changed since.
    """
    profile = batch.kept_profile
    if batch.profile_key and profile is None:
        profile = MappingProfile.objects.filter(key=batch.profile_key, version=batch.profile_version or 0).first()
        if profile is None:
            return None
    try:
        return profiles.layout_of(profile, batch.kind)
    except ValidationError:
        return None


def _of_configuration(alias: ConfigurationAlias) -> Iterator[tuple[Any, tuple[str, ...]]]:
    """The newest first, each with the columns that may name it."""
    for kind, columns in NAMED.items():
        meant = Q(pk__in=())
        for column in columns:
            meant |= Q(**{column: alias.configuration_id})
        model: Any = STAGED[kind]
        rows = model._default_manager.filter(meant, batch__status__in=(BatchStatus.STAGED, BatchStatus.APPLIED))
        good = rows.exclude(verdict__in=(Verdict.REFUSED, Verdict.SKIPPED)).order_by("-batch", "line")
        yield from ((row, columns) for row in good.select_related("batch")[:MOST_READ].iterator())


def _names(layout: Layout, row: Any, columns: tuple[str, ...]) -> list[str]:
    reading = layout.read(row.line, row.cells)
    return [composed(reading.cell(column).text) for column in columns]


def _batches(counted: Counter[int]) -> Rows:
    batches = ImportBatch.objects.select_related("source").in_bulk([pk for pk, rows in counted.items() if rows])
    return {batches[pk]: counted[pk] for pk in sorted(batches, reverse=True)}
