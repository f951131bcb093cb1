"""Reads the registry into `Evidence`, in a fixed number of queries, and names it by its digest."""

from collections.abc import Iterable

from django.db.models import Count, Q

from ranking import canonical
from ranking.evidence import (
    Alignment,
    Candidate,
    ComparisonCount,
    Evidence,
    FacetPlan,
    JudgedBy,
    LineageGroup,
    MeasuredBy,
    ResultRecord,
    TaskPlan,
)
from registry.eligibility import Judged, judge
from registry.models import (
    Collection,
    Comparison,
    Configuration,
    Exclusion,
    Facet,
    Judge,
    Lineage,
    LineageLink,
    MetricContract,
    Result,
    TaskAlignment,
)
from registry.rules import independence_groups
from registry.vocabulary import BatchStatus, ExclusionScope, ResultState


def take(collection: Collection) -> Evidence:
    """The evidence of `collection` as the registry holds it now. Reverted and superseded rows leave no trace."""
    results = _results(collection)
    comparisons = _comparisons(collection)
    named = {result.configuration for result in results}
    named |= {side for comparison in comparisons for side in (comparison.a, comparison.b)}
    return Evidence(
        collection=collection.slug,
        edition=collection.edition.key,
        subject_kind=collection.subject_kind,
        facets=_facets(collection),
        alignments=_alignments(collection),
        groups=groups({result.lineage for result in results}),
        contracts=_contracts({result.contract for result in results}),
        judges=_judges({comparison.judge for comparison in comparisons}),
        candidates=_candidates(named),
        results=results,
        comparisons=comparisons,
    )


def digest(evidence: Evidence) -> str:
    return canonical.digest(evidence)


def _results(collection: Collection) -> tuple[ResultRecord, ...]:
    mappings = collection.mappings.select_related("collection", "benchmark__suite")
    counted = Result.objects.filter(state=ResultState.ACTIVE, batch__status=BatchStatus.APPLIED)
    return tuple(sorted((_record(judged) for judged in judge(mappings, counted)), key=canonical.text))


def _record(judged: Judged) -> ResultRecord:
    result, contract = judged.result, judged.result.contract
    return ResultRecord(
        mapping=judged.mapping.key,
        contract=contract.key,
        configuration=result.configuration.key,
        source=result.source.sha256,
        source_url=result.source_url,
        source_ref=result.source_ref,
        external_id=result.external_id,
        lineage=contract.lineage.key,
        facet=judged.facet,
        value=result.value,
        absence=result.absence,
        stderr=result.stderr,
        n=result.n if result.n is not None else contract.assumed_n,
        n_assumed=result.n is None and contract.assumed_n is not None,
        reasons=tuple((reason.code, reason.message) for reason in judged.reasons),
        rights=judged.rights,
    )


def _facets(collection: Collection) -> tuple[FacetPlan, ...]:
    facets: Iterable[Facet] = collection.facets.prefetch_related("tasks")
    return tuple(sorted(FacetPlan(facet.slug, facet.weight, facet.mode, _plan(facet)) for facet in facets))


def _plan(facet: Facet) -> tuple[TaskPlan, ...]:
    return tuple(sorted(TaskPlan(task.key, task.required) for task in facet.tasks.all()))


def _alignments(collection: Collection) -> tuple[Alignment, ...]:
    rows = TaskAlignment.objects.filter(mapping__collection=collection).select_related(
        "mapping__collection", "mapping__benchmark__suite", "task__facet"
    )
    return tuple(sorted(Alignment(row.mapping.key, row.task.facet.slug, row.task.key, row.directness) for row in rows))


def groups(lineages: set[str]) -> tuple[LineageGroup, ...]:
    """Each with its independence group, found among all lineages: a link may pass through one without results."""
    every = Lineage.objects.values_list("key", flat=True)
    group = independence_groups(every, LineageLink.objects.values_list("a__key", "b__key"))
    return tuple(LineageGroup(lineage, group[lineage]) for lineage in sorted(lineages))


def _candidates(keys: set[str]) -> tuple[Candidate, ...]:
    rows = Configuration.objects.filter(key__in=keys).values_list(
        "key", "model__organization__key", "model__key", "subject_kind", "availability", "reference"
    )
    return tuple(sorted(Candidate(key, f"{maker}/{model}", maker, *rest) for key, maker, model, *rest in rows))


def _contracts(keys: set[str]) -> tuple[MeasuredBy, ...]:
    rows = MetricContract.objects.filter(key__in=keys).values_list(
        *("key", "lineage__key", "protocol__key", "subject_kind", "kind", "direction", "unit"),
        *("lower", "upper", "stderr_over_rows"),
    )
    return tuple(sorted((MeasuredBy(*row) for row in rows), key=lambda contract: contract.key))


def _judges(keys: set[str]) -> tuple[JudgedBy, ...]:
    rows = Judge.objects.filter(key__in=keys).values_list("key", "family", "organization_key", "person")
    return tuple(sorted(JudgedBy(*row) for row in rows))


def _comparisons(collection: Collection) -> tuple[ComparisonCount, ...]:
    """Counted in the database. A judgment between the wrong kinds of subject, or of an excluded one, is left out."""
    refused = Exclusion.objects.filter(
        scope=ExclusionScope.CONFIGURATION, lifted_at__isnull=True, mapping__isnull=True
    ).values("target")
    kind = collection.subject_kind
    rows = (
        Comparison.objects.filter(task__facet__collection=collection, state=ResultState.ACTIVE)
        .filter(batch__status=BatchStatus.APPLIED, a__subject_kind=kind, b__subject_kind=kind)
        .exclude(Q(a__key__in=refused) | Q(b__key__in=refused))
        .order_by()
        .values_list("task__facet__slug", "task__key", "a__key", "b__key", "outcome", "judge__key", "order")
        .annotate(count=Count("pk"))
    )
    return tuple(sorted(ComparisonCount(*row) for row in rows))
