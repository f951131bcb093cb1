"""What the mapping page shows beside its form: contracts, exclusions, and which results count."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Q, QuerySet

from registry import eligibility
from registry.eligibility import Judged
from registry.models import EvidenceMapping, Exclusion, Lineage, MetricContract, Result
from registry.vocabulary import ExclusionScope

PER_PAGE = 15
# Every result is judged anew for the page; a benchmark with more of them is looked at in the list of results.
JUDGED = 5_000


@dataclass(frozen=True, slots=True)
class Record:
    contracts: QuerySet[MetricContract]
    exclusions: list[Exclusion]
    results: "Page[Judged]"
    recorded: int
    counting: int
    reasons: list[tuple[str, int]]
    """How many results each reason keeps out; a result may have several."""


def record_of(mapping: EvidenceMapping, *, page: Any) -> Record:
    contracts = MetricContract.objects.filter(benchmark=mapping.benchmark_id).select_related("lineage", "protocol")
    recorded = Result.objects.filter(contract__benchmark=mapping.benchmark_id)
    first = recorded.order_by("contract__key", "configuration__key", "pk")[:JUDGED]
    judged = sorted(eligibility.judge([mapping], Result.objects.filter(pk__in=first.values("pk"))), key=_order)
    why = Counter(reason.code for row in judged for reason in row.reasons)
    return Record(
        contracts=contracts,
        exclusions=list(_exclusions(mapping)),
        results=Paginator(judged, PER_PAGE).get_page(page),
        recorded=len(judged) if len(judged) < JUDGED else recorded.count(),
        counting=sum(bool(row.facet) and not row.reasons for row in judged),
        reasons=why.most_common(),
    )


def _order(row: Judged) -> tuple[bool, str, str, int]:
    """Those that count first; never by value."""
    result = row.result
    return bool(row.reasons), result.contract.key, result.configuration.key, result.pk


def _exclusions(mapping: EvidenceMapping) -> QuerySet[Exclusion]:
    """Active ones within this mapping, and those everywhere that may reach its results."""
    contracts = MetricContract.objects.filter(benchmark=mapping.benchmark_id).values("key")
    lineages = Lineage.objects.filter(suite=mapping.benchmark.suite_id).values("key")
    everywhere = (
        Q(scope=ExclusionScope.BENCHMARK, target=mapping.benchmark.key)
        | Q(scope=ExclusionScope.LINEAGE, target__in=lineages)
        | Q(scope=ExclusionScope.CONTRACT, target__in=contracts)
        | Q(scope__in=(ExclusionScope.SOURCE, ExclusionScope.BATCH, ExclusionScope.CONFIGURATION))
    )
    reaching = Q(mapping=mapping) | (Q(mapping__isnull=True) & everywhere)
    return Exclusion.objects.filter(reaching, lifted_at__isnull=True)
