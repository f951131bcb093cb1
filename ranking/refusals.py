"""Exclusions as a release tells of them: which ones touch it, and what each is about, in words."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from operator import itemgetter
from typing import Any

from django.db.models import Q

from ranking.evidence import Evidence
from registry.actions.exclusions import meant
from registry.models import Comparison, Exclusion, Result
from registry.vocabulary import ExclusionScope

Record = dict[str, Any]

_IN_ORDER = itemgetter("scope", "target", "type", "reason", "since")
# What these name is no part of a page; where it came from and where its rows lead says whom they touch.
_ROWS = {ExclusionScope.SOURCE: "source__sha256", ExclusionScope.BATCH: "batch", ExclusionScope.RESULT: "pk"}


def touching(mappings: list[Record], lineages: list[Record], evidence: Evidence) -> tuple[list[Record], list[Record]]:
    """The exclusions that touch what a release speaks of: those in force, and those that were lifted."""
    named = {
        ExclusionScope.BENCHMARK: {found["benchmark"]["key"] for found in mappings},
        ExclusionScope.LINEAGE: {found["key"] for found in lineages},
        ExclusionScope.CONTRACT: {row["key"] for found in mappings for row in found["contracts"]},
        ExclusionScope.CONFIGURATION: {candidate.key for candidate in evidence.candidates},
    }
    touched = Q(mapping__collection__slug=evidence.collection)
    for scope, keys in (named | _of_rows(evidence.collection)).items():
        touched |= Q(mapping__isnull=True, scope=scope, target__in=keys)
    rows = list(Exclusion.objects.filter(touched).select_related("mapping__collection", "mapping__benchmark__suite"))
    return told(row for row in rows if row.lifted_at is None), told(row for row in rows if row.lifted_at)


def told(exclusions: Iterable[Exclusion]) -> list[Record]:
    """In an order that no database decides."""
    rows = list(exclusions)
    about = _about(rows)
    return sorted((_record(row, about) for row in rows), key=_IN_ORDER)


def _record(row: Exclusion, about: Mapping[tuple[str, str], str]) -> Record:
    found = {
        "scope": row.scope,
        "target": row.target,
        "about": about.get((row.scope, row.target), ""),
        "mapping": row.mapping.key if row.mapping else None,
        "type": row.type,
        "reason": row.reason,
        "lift_condition": row.lift_condition,
        "since": row.excluded_at.date().isoformat(),
    }
    if row.lifted_at is None:
        return found
    ended = {"lifted_on": row.lifted_at.date().isoformat(), "lifted_by": row.lifted_by, "lift_reason": row.lift_reason}
    return found | ended


def _of_rows(collection: str) -> dict[ExclusionScope, set[str]]:
    """The sources, batches and results that are refused everywhere and brought rows here.

    And those that brought none anywhere, of which nobody can say where they belong.
    """
    found: dict[ExclusionScope, set[str]] = {}
    for scope, targets in _targets(Exclusion.objects.filter(mapping=None, scope__in=_ROWS)).items():
        led = _led_to(scope, targets)
        found[scope] = {target for target in targets if not led[target] or collection in led[target]}
    return found


def _targets(rows: Iterable[Exclusion]) -> dict[ExclusionScope, set[str]]:
    found: dict[ExclusionScope, set[str]] = defaultdict(set)
    for row in rows:
        found[ExclusionScope(row.scope)].add(row.target)
    return found


def _led_to(scope: ExclusionScope, targets: set[str]) -> dict[str, set[str]]:
    """The collections that each target brought rows to, in which they may count or not."""
    led: dict[str, set[str]] = defaultdict(set)
    path = _ROWS[scope]
    paths: list[tuple[Any, str]] = [(Result, "contract__benchmark__mappings__collection__slug")]
    if scope != ExclusionScope.RESULT:
        paths.append((Comparison, "task__facet__collection__slug"))
        paths.append((Comparison, "lineage__suite__benchmarks__mappings__collection__slug"))
    for model, collection in paths:
        rows = model.objects.filter(**{f"{path}__in": targets}).order_by().values_list(path, collection).distinct()
        for target, slug in rows:
            led[str(target)].add(slug or "")
    return led


def _about(rows: Iterable[Exclusion]) -> dict[tuple[str, str], str]:
    """What stands behind a number or a digest: a file's name, or contract and configuration. Keys speak themselves."""
    return {
        (scope.value, target): " of ".join(words)
        for scope, targets in _targets(rows).items()
        for target, words in meant(scope, targets).items()
    }
