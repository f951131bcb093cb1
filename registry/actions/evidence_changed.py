"""Which collections a change can matter to, and the job that looks at their gates again.

The registry only announces; what a gate is, it does not know.
"""

from collections.abc import Iterable

from django.db import models

from registry import jobs
from registry.models import (
    Benchmark,
    Collection,
    EvidenceMapping,
    Exclusion,
    Facet,
    Lineage,
    MappingFacet,
    MappingLineage,
    Measurement,
    MetricContract,
    RightsDecision,
    Suite,
    Task,
    TaskAlignment,
)

_PATHS: dict[type[models.Model], str] = {
    Facet: "facets",
    Task: "facets__tasks",
    EvidenceMapping: "mappings",
    MappingFacet: "mappings__facets",
    MappingLineage: "mappings__lineages",
    Measurement: "mappings__measurements",
    TaskAlignment: "mappings__alignments",
    Benchmark: "mappings__benchmark",
    MetricContract: "mappings__benchmark__contracts",
    Suite: "mappings__benchmark__suite",
    # A page tells of every lineage of the suites it maps, used or not.
    Lineage: "mappings__benchmark__suite__lineages",
}


def affected_by(obj: models.Model) -> list[str]:
    """Slugs of the collections whose evidence `obj` may be part of; all of them where that is not plain.

    A needless recompute finds the same digest and writes nothing.
    """
    every = Collection.objects.order_by("slug")
    if isinstance(obj, Collection):
        every = every.filter(pk=obj.pk)
    elif isinstance(obj, Exclusion) and obj.mapping_id:
        every = every.filter(mappings=obj.mapping_id)
    elif isinstance(obj, RightsDecision) and obj.suite_id:
        every = every.filter(mappings__benchmark__suite=obj.suite_id).distinct()
    elif isinstance(obj, RightsDecision) and obj.publisher_id:
        every = every.filter(mappings__benchmark__suite__publisher=obj.publisher_id).distinct()
    elif path := _PATHS.get(type(obj)):
        every = every.filter(**{path: obj.pk}).distinct()
    return list(every.values_list("slug", flat=True))


def announce(slugs: Iterable[str]) -> None:
    """Queue one recompute a collection, in the transaction of the change."""
    for slug in sorted(set(slugs)):
        jobs.enqueue(jobs.RECOMPUTE_GATE, slug)
