"""The comparisons that count in a collection, counted in the database: never one object a verdict.

One counts when its batch is applied, both sides are of the collection's kind, no exclusion reaches it, and, where it
belongs to a lineage, a counting mapping of a registered benchmark makes that lineage usable. What belongs to none is
our own, and needs no mapping. Tasks that are the same as one of another collection share its comparisons.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Count

from ranking.evidence import ComparisonCount, ComparisonSource
from registry.eligibility import PUBLIC_USES, active_exclusions
from registry.models import (
    Collection,
    Comparison,
    Configuration,
    ImportBatch,
    Judge,
    Lineage,
    MappingLineage,
    Source,
    Suite,
    Task,
)
from registry.rights import RightsTable
from registry.rules import COUNTING_ROLES
from registry.vocabulary import BatchStatus, ContractUse, ExclusionScope, RegistryStatus, ResultState, RightsVerdict

EVERYWHERE = ""

Place = tuple[str, str]
"""(facet, task)"""


@dataclass(frozen=True, slots=True)
class _Counted:
    """A row of the count, its numbers in the database turned into keys."""

    task: int
    a: str
    b: str
    outcome: str
    judge: str
    order: str
    lineage: str | None
    source: str
    batch: int
    count: int


def comparisons(collection: Collection) -> tuple[tuple[ComparisonCount, ...], tuple[ComparisonSource, ...]]:
    """How often each judge gave each outcome, and the sources that it was read from; a fixed number of queries."""
    places = _places(collection)
    reach = _Reach(collection)
    counts: Counter[tuple[str, str, str, str, str, str, str]] = Counter()
    sources: Counter[tuple[str, str]] = Counter()
    for row in _rows(places, collection.subject_kind):
        if reach.lets_through(row):
            counts[*places[row.task], row.a, row.b, row.outcome, row.judge, row.order] += row.count
            sources[row.source, row.lineage or ""] += row.count
    return (
        tuple(sorted(ComparisonCount(*words, count) for words, count in counts.items())),
        _with_rights(sources),
    )


def _places(collection: Collection) -> dict[int, Place]:
    """Where what was judged on a task counts here: on the task itself and on the one that it is the same as."""
    planned = Task.objects.filter(facet__collection=collection).values_list("pk", "same_as", "facet__slug", "key")
    return {task: (facet, key) for pk, same_as, facet, key in planned for task in (pk, same_as) if task is not None}


def _rows(places: dict[int, Place], kind: str) -> Iterator[_Counted]:
    """Grouped by numbers and joined to nothing: sorting ten million rows by their keys takes PostgreSQL minutes."""
    subjects = dict(Configuration.objects.filter(subject_kind=kind).values_list("pk", "key"))
    judges = dict(Judge.objects.values_list("pk", "key"))
    lineages: dict[int | None, str | None] = {None: None, **dict(Lineage.objects.values_list("pk", "key"))}
    sources = dict(Source.objects.values_list("pk", "sha256"))
    applied = ImportBatch.objects.filter(status=BatchStatus.APPLIED)
    standing = Comparison.objects.filter(task__in=list(places), state=ResultState.ACTIVE, batch__in=applied)
    numbers = ("task", "a", "b", "outcome", "judge", "order", "lineage", "source", "batch")
    counted = standing.order_by().values_list(*numbers).annotate(count=Count("pk"))
    for task, a, b, outcome, judge, order, lineage, source, batch, count in counted.iterator():
        if a in subjects and b in subjects:
            words = (subjects[a], subjects[b], outcome, judges[judge], order, lineages[lineage], sources[source])
            yield _Counted(task, *words, batch, count)


class _Reach:
    """Which comparisons the mappings and the exclusions of a collection let through."""

    def __init__(self, collection: Collection) -> None:
        self._refused = {(refusal.scope, refusal.target, mapping) for refusal, mapping in active_exclusions()}
        self._mappings = self._usable(collection)
        self._standing: dict[tuple[str | None, str, int], list[str]] = {}

    def _usable(self, collection: Collection) -> dict[str, list[str]]:
        """The mappings that make each lineage usable."""
        usable = MappingLineage.objects.filter(
            mapping__collection=collection,
            mapping__role__in=COUNTING_ROLES,
            mapping__benchmark__registry_status=RegistryStatus.REGISTERED,
            lineage__use=ContractUse.USABLE,
            subject_kind=collection.subject_kind,
        ).select_related("mapping__collection", "mapping__benchmark__suite", "lineage")
        found: dict[str, list[str]] = defaultdict(list)
        for row in usable:
            if not self._is_refused(ExclusionScope.BENCHMARK, row.mapping.benchmark.key, row.mapping.key):
                found[row.lineage.key].append(row.mapping.key)
        return found

    def lets_through(self, row: _Counted) -> bool:
        stream = (row.lineage, row.source, row.batch)
        if stream not in self._standing:
            mappings = [EVERYWHERE] if row.lineage is None else self._mappings.get(row.lineage, [])
            self._standing[stream] = [mapping for mapping in mappings if not self._refuses_stream(stream, mapping)]
        return any(
            not self._is_refused(ExclusionScope.CONFIGURATION, row.a, mapping)
            and not self._is_refused(ExclusionScope.CONFIGURATION, row.b, mapping)
            for mapping in self._standing[stream]
        )

    def _refuses_stream(self, stream: tuple[str | None, str, int], mapping: str) -> bool:
        scopes = (ExclusionScope.LINEAGE, ExclusionScope.SOURCE, ExclusionScope.BATCH)
        return any(self._is_refused(scope, str(target), mapping) for scope, target in zip(scopes, stream, strict=True))

    def _is_refused(self, scope: str, target: str, mapping: str) -> bool:
        return (scope, target, EVERYWHERE) in self._refused or (scope, target, mapping) in self._refused


def _with_rights(sources: Counter[tuple[str, str]]) -> tuple[ComparisonSource, ...]:
    rights = RightsTable.load()
    ids = dict(Source.objects.filter(sha256__in={source for source, _ in sources}).values_list("sha256", "pk"))
    lineages = Lineage.objects.filter(key__in={lineage for _, lineage in sources}).select_related("suite")
    suites = {lineage.key: lineage.suite for lineage in lineages}
    return tuple(
        sorted(
            ComparisonSource(source, lineage, count, _rights_of(ids[source], suites.get(lineage), rights))
            for (source, lineage), count in sources.items()
        )
    )


def _rights_of(source: int, suite: Suite | None, rights: RightsTable) -> tuple[tuple[str, str], ...]:
    """What is our own takes nobody's leave; a decision about the source itself comes first even there."""
    if suite is None:
        return tuple(
            (use.value, rights.verdicts.get(("source", source, use), RightsVerdict.ALLOWED.value))
            for use in PUBLIC_USES
        )
    return tuple(
        (use.value, rights.verdict(use, publisher=suite.publisher_id, suite=suite.pk, source=source))
        for use in PUBLIC_USES
    )
