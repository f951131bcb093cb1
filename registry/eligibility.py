"""Judges stored results for a mapping: joins what the rules need, once, and asks `registry.rules`."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby

from django.db.models import QuerySet

from registry.models import (
    Configuration,
    EvidenceMapping,
    Exclusion,
    MappingLineage,
    Measurement,
    MetricContract,
    Result,
)
from registry.rights import RightsTable
from registry.rules import ContractTerms, Reach, Reason, Refusal, ResultFacts, Subject, reasons, refusals_reaching
from registry.vocabulary import ResultState, RightsUse

PUBLIC_USES = (RightsUse.RANK, RightsUse.SHOW, RightsUse.EXPORT)


@dataclass(frozen=True, slots=True)
class Judged:
    """One result as one mapping sees it. It counts when `reasons` is empty."""

    mapping: EvidenceMapping
    result: Result
    facet: str
    reasons: tuple[Reason, ...]
    rights: tuple[tuple[str, str], ...]


def judge(mappings: Iterable[EvidenceMapping], results: QuerySet[Result]) -> Iterator[Judged]:
    """Every result of `results` in every mapping of its benchmark.

    Costs six queries whatever the numbers. `mappings` must have collection and benchmark__suite selected.
    """
    mappings = list(mappings)
    bench = _Bench(mappings)
    by_benchmark: dict[int, list[Result]] = defaultdict(list)
    for result in _joined(results.filter(contract__benchmark__in={mapping.benchmark_id for mapping in mappings})):
        by_benchmark[result.contract.benchmark_id].append(result)
    for mapping in mappings:
        yield from bench.judge(mapping, by_benchmark[mapping.benchmark_id])


def _joined(results: QuerySet[Result]) -> QuerySet[Result]:
    return results.select_related(
        "contract__lineage", "contract__benchmark__suite", "configuration__model", "source", "batch"
    )


class _Bench:
    """What judging needs beside the results."""

    def __init__(self, mappings: list[EvidenceMapping]) -> None:
        ids = [mapping.pk for mapping in mappings]
        self.rights = RightsTable.load()
        self.exclusions = active_exclusions()
        self.usable = set(
            MappingLineage.objects.filter(mapping__in=ids).values_list("mapping", "lineage", "subject_kind")
        )
        measurements = Measurement.objects.filter(mapping__in=ids)
        self.facets = {
            (mapping, contract): facet
            for mapping, contract, facet in measurements.values_list("mapping", "contract", "facet__slug")
        }

    def judge(self, mapping: EvidenceMapping, results: list[Result]) -> Iterator[Judged]:
        for _, same in groupby(sorted(results, key=_order), key=_said):
            facts = [(result, self._facts(mapping, result)) for result in same]
            counted = next((result for result, fact in facts if not reasons(fact)), None)
            for result, fact in facts:
                twin = "" if counted is None or result is counted else identity(counted)
                facet = self.facets.get((mapping.pk, result.contract_id), "")
                yield Judged(mapping, result, facet, reasons(replace(fact, counted_as=twin)), self._rights(result))

    def _facts(self, mapping: EvidenceMapping, result: Result) -> ResultFacts:
        contract = result.contract
        return ResultFacts(
            value=result.value,
            absence=result.absence,
            stderr=result.stderr,
            n=result.n,
            state=result.state,
            batch_status=result.batch.status,
            rank_rights=self._verdict(result, RightsUse.RANK),
            benchmark_status=contract.benchmark.registry_status,
            mapping_role=mapping.role,
            projection=mapping.projection,
            lineage_use=contract.lineage.use,
            lineage_mapped=(mapping.pk, contract.lineage_id, contract.subject_kind) in self.usable,
            contract=terms(contract),
            subject=subject(result.configuration),
            refusals=refusals_reaching(_reach(mapping, result), self.exclusions),
        )

    def _rights(self, result: Result) -> tuple[tuple[str, str], ...]:
        return tuple((use.value, self._verdict(result, use)) for use in PUBLIC_USES)

    def _verdict(self, result: Result, use: RightsUse) -> str:
        suite = result.contract.benchmark.suite
        return self.rights.verdict(use, publisher=suite.publisher_id, suite=suite.pk, source=result.source_id)


def active_exclusions() -> list[tuple[Refusal, str]]:
    """Each with the key of its mapping, empty for everywhere, in an order no database decides."""
    rows = Exclusion.objects.filter(lifted_at__isnull=True).select_related(
        "mapping__collection", "mapping__benchmark__suite"
    )
    found = [
        (Refusal(row.scope, row.target, row.type, row.reason), row.mapping.key if row.mapping else "") for row in rows
    ]
    return sorted(found, key=lambda entry: (entry[0].scope, entry[0].target, entry[0].type, entry[0].reason, entry[1]))


def terms(contract: MetricContract) -> ContractTerms:
    return ContractTerms(
        use=contract.use,
        kind=contract.kind,
        subject_kind=contract.subject_kind,
        unit=contract.unit,
        lower=contract.lower,
        upper=contract.upper,
        minimum_n=contract.minimum_n,
        assumed_n=contract.assumed_n,
        required_identity=tuple(contract.required_identity),
    )


def subject(configuration: Configuration) -> Subject:
    return Subject(
        kind=configuration.subject_kind,
        model=configuration.model.key,
        harness=configuration.harness,
        effort=configuration.effort,
        settings=configuration.settings,
    )


def identity(result: Result) -> str:
    """The name of a result in its source."""
    return result.external_id or result.source_ref or result.source_url


def _said(result: Result) -> tuple[str, ...]:
    """Equal for results that say the same thing in the same source."""
    superseded = "" if result.state == ResultState.ACTIVE else str(result.pk)
    where = (result.source_url, result.source_ref)
    return (result.contract.key, result.configuration.key, *where, repr(result.value), superseded)


def _order(result: Result) -> tuple[tuple[str, ...], str]:
    return _said(result), result.external_id


def _reach(mapping: EvidenceMapping, result: Result) -> Reach:
    return Reach.of(
        mapping=mapping.key,
        benchmark=result.contract.benchmark.key,
        lineage=result.contract.lineage.key,
        contract=result.contract.key,
        configuration=result.configuration.key,
        source=result.source.sha256,
        batch=result.batch_id,
        result=result.pk,
    )
