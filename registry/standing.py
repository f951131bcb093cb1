"""Whether the results of a batch count, and what keeps the others out: numbers by reason, never names or values."""

from collections import Counter
from typing import NamedTuple

from django.db.models import QuerySet

from registry.eligibility import Judged, judge
from registry.models import EvidenceMapping, ImportBatch, Result

CATALOGUED = "catalogued only: no facet is measured by its contract"


class Standing(NamedTuple):
    collection: str
    told: str
    """That they count, or one reason why they do not; a result may have several."""
    results: int


def of_batch(batch: ImportBatch) -> list[Standing]:
    """In each category that has a mapping of a benchmark of the batch: first those that count, then the reasons."""
    found: Counter[tuple[str, bool, str]] = Counter()
    for judged in judge(_mappings(batch), _beside(batch)):
        if judged.result.batch_id == batch.pk:
            reasons = _reasons(judged)
            found.update((judged.mapping.collection.slug, bool(reasons), told) for told in reasons or ["count"])
    return [Standing(slug, told, times) for (slug, _, told), times in sorted(found.items())]


def _reasons(judged: Judged) -> list[str]:
    told = [reason.message for reason in judged.reasons]
    return told if told or judged.facet else [CATALOGUED]


def _mappings(batch: ImportBatch) -> list[EvidenceMapping]:
    of_its_benchmarks = EvidenceMapping.objects.filter(benchmark__contracts__results__batch=batch)
    return list(of_its_benchmarks.select_related("collection", "benchmark__suite").distinct())


def _beside(batch: ImportBatch) -> QuerySet[Result]:
    """With the other results of its contracts: the same said twice counts once."""
    return Result.objects.filter(contract__in=batch.results.order_by().values("contract"))
