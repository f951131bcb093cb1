"""Reads the registry into `Evidence`, in a fixed number of queries, and names it by its digest."""

import json
from collections.abc import Iterable
from dataclasses import replace

from ranking import canonical, counting
from ranking.evidence import (
    Alignment,
    Candidate,
    Evidence,
    FacetPlan,
    JudgedBy,
    LineageGroup,
    MeasuredBy,
    ResultRecord,
    Sealed,
    TaskPlan,
)
from ranking.models import Publication
from ranking.models.releases import PublicationState, ReleaseKind
from ranking.reading import read
from ranking.table import sealed_by
from registry.eligibility import Judged, judge
from registry.models import (
    Collection,
    Configuration,
    Facet,
    Judge,
    Lineage,
    LineageLink,
    MetricContract,
    Result,
    TaskAlignment,
)
from registry.rules import independence_groups
from registry.vocabulary import BatchStatus, ResultState


def take(collection: Collection, *, before: int | None = None, rebased: str = "") -> Evidence:
    """The evidence of `collection` as the registry holds it now. Reverted and superseded rows leave no trace.

    What the last ranking sealed is part of it, with the reason to find its scale anew, if there is one; `before` looks
    as if publication of that number had not been yet.
    """
    evidence = _present(collection)
    previous = ranked_before(collection, before)
    return evidence if previous is None else replace(evidence, sealed=_sealed(previous, evidence, rebased))


def ranked_before(collection: Collection, number: int | None = None) -> Publication | None:
    """The last ranking of `collection`, before publication `number`. A withdrawn one sets no scale any more."""
    ranked = Publication.objects.filter(collection=collection, release__kind=ReleaseKind.RANKING)
    ranked = ranked.exclude(state=PublicationState.WITHDRAWN).select_related("release__evaluation__snapshot")
    return (ranked if number is None else ranked.filter(number__lt=number)).order_by("-number").first()


def _sealed(previous: Publication, evidence: Evidence, rebased: str) -> Sealed:
    release = previous.release
    assert release.evaluation is not None, "every ranking is of an evaluation"
    known = read(Evidence, json.loads(release.evaluation.snapshot.body))
    sealed = sealed_by(release.digest, json.loads(release.content), new_since(known, evidence))
    return replace(sealed, rebased=rebased)


def new_since(known: Evidence, evidence: Evidence) -> tuple[str, ...]:
    """The digest of each result and comparison that `known` does not hold, in order."""
    results, comparisons = set(known.results), set(known.comparisons)
    fresh = [row for row in evidence.results if row not in results]
    return tuple(
        sorted(
            canonical.digest(row) for row in (*fresh, *(row for row in evidence.comparisons if row not in comparisons))
        )
    )


def _present(collection: Collection) -> Evidence:
    results = _results(collection)
    comparisons, comparison_sources = counting.comparisons(collection)
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
        comparison_sources=comparison_sources,
    )


def digest(evidence: Evidence) -> str:
    return canonical.digest(evidence)


def _results(collection: Collection) -> tuple[ResultRecord, ...]:
    mappings = collection.mappings.select_related("collection", "benchmark__suite")
    counted = Result.objects.filter(state=ResultState.ACTIVE, batch__status=BatchStatus.APPLIED)
    return tuple(sorted((_record(judged) for judged in judge(mappings, counted)), key=canonical.text))


def _record(judged: Judged) -> ResultRecord:
    result, contract = judged.result, judged.result.contract
    counts = bool(judged.facet) and not judged.reasons
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
        value=_figure(result.value) if counts else None,
        absence=result.absence,
        stderr=_figure(result.stderr) if counts else None,
        n=result.n if result.n is not None else contract.assumed_n,
        n_assumed=result.n is None and contract.assumed_n is not None,
        reasons=tuple((reason.code, reason.message) for reason in judged.reasons),
        rights=judged.rights,
    )


def _figure(number: float | None) -> float | None:
    """As the snapshot writes it, so that what is computed now is what anybody computes from the snapshot."""
    return None if number is None else canonical.rounded(number)


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
    rows = Configuration.objects.filter(key__in=keys).select_related("model__organization")
    return tuple(sorted(_candidate(row) for row in rows))


def _candidate(row: Configuration) -> Candidate:
    maker = row.model.organization.key
    return Candidate(
        key=row.key,
        model=f"{maker}/{row.model.key}",
        maker=maker,
        subject_kind=row.subject_kind,
        availability=row.availability,
        reference=row.reference,
    )


def _contracts(keys: set[str]) -> tuple[MeasuredBy, ...]:
    rows = MetricContract.objects.filter(key__in=keys).select_related("lineage", "protocol")
    return tuple(sorted((_measured_by(row) for row in rows), key=lambda contract: contract.key))


def _measured_by(row: MetricContract) -> MeasuredBy:
    return MeasuredBy(
        key=row.key,
        lineage=row.lineage.key,
        protocol=row.protocol.key,
        subject_kind=row.subject_kind,
        kind=row.kind,
        direction=row.direction,
        unit=row.unit,
        lower=_figure(row.lower),
        upper=_figure(row.upper),
        stderr_over_rows=row.stderr_over_rows,
    )


def _judges(keys: set[str]) -> tuple[JudgedBy, ...]:
    rows = Judge.objects.filter(key__in=keys).values_list("key", "family", "organization_key", "person")
    return tuple(sorted(JudgedBy(*row) for row in rows))
