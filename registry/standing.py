"""Whether the results of a batch count, and what keeps the others out: numbers by reason, never names or values."""

from collections import Counter
from collections.abc import Iterator
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
    for judged in of_results(batch.results.all()):
        reasons = _reasons(judged)
        found.update((judged.mapping.collection.slug, bool(reasons), told) for told in reasons or ["count"])
    return [Standing(slug, told, times) for (slug, _, told), times in sorted(found.items())]


def _reasons(judged: Judged) -> list[str]:
    told = [reason.message for reason in judged.reasons]
    return told if told or judged.facet else [CATALOGUED]


def of_results(results: QuerySet[Result]) -> Iterator[Judged]:
    """Each as every mapping of its benchmark sees it, beside what else says something of its configuration under its
    contract: the same said twice counts once.
    """
    own = results.order_by()
    mappings = EvidenceMapping.objects.filter(benchmark__in=own.values("contract__benchmark"))
    beside = Result.objects.filter(contract__in=own.values("contract"), configuration__in=own.values("configuration"))
    asked = set(own.values_list("pk", flat=True))
    for judged in judge(mappings.select_related("collection", "benchmark__suite"), beside):
        if judged.result.pk in asked:
            yield judged
