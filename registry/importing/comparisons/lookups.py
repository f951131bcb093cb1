"""What rows of comparisons are compared with, read from the registry once for a whole file."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from registry.importing.lookups import Subject, all_subjects, named
from registry.models import Comparison, Facet, Judge, Lineage, Task
from registry.vocabulary import ResultState

_AT_A_TIME = 500


class Plan(NamedTuple):
    """A facet as far as its comparisons go."""

    pk: int
    key: str
    """`collection/facet`."""
    subject_kind: str


class Said(NamedTuple):
    """What a comparison says, beside its identity. `outcome` is about `a`, as in the file."""

    task: int
    a: int
    b: int
    outcome: str
    judge: str
    """Key; the judge may not exist yet."""
    order: str
    judged_at: datetime | None
    lineage: int | None


class Stored(NamedTuple):
    pk: int
    batch: int
    comparison_id: str
    source: str
    """SHA-256."""
    said: Said


@dataclass(frozen=True, slots=True)
class Known:
    """Facets by full key and, where that is plain, by slug; tasks, configurations, judges and lineages by name."""

    facets: dict[str, Plan] = field(default_factory=dict)
    ambiguous: frozenset[str] = frozenset()
    """Slugs of facets that several collections have."""
    tasks: dict[tuple[int, str], int] = field(default_factory=dict)
    subjects: dict[str, Subject] = field(default_factory=dict)
    unreviewed: frozenset[str] = frozenset()
    judges: dict[str, bool] = field(default_factory=dict)
    """Is the judge of this key a person?"""
    lineages: dict[str, int] = field(default_factory=dict)

    @classmethod
    def load(cls) -> "Known":
        plans = list(_plans())
        times = Counter(slug for slug, _ in plans)
        subjects, unreviewed = named(all_subjects())
        return cls(
            facets={slug: plan for slug, plan in plans if times[slug] == 1} | {plan.key: plan for _, plan in plans},
            ambiguous=frozenset(slug for slug, count in times.items() if count > 1),
            tasks={(facet, key): pk for pk, facet, key in Task.objects.values_list("pk", "facet", "key")},
            subjects=subjects,
            unreviewed=unreviewed,
            judges=dict(Judge.objects.values_list("key", "person")),
            lineages=dict(Lineage.objects.values_list("key", "pk")),
        )


def _plans() -> Iterator[tuple[str, Plan]]:
    """Each facet with its slug."""
    rows = Facet.objects.values_list("pk", "slug", "collection__slug", "collection__subject_kind")
    return ((slug, Plan(pk, f"{collection}/{slug}", kind)) for pk, slug, collection, kind in rows)


def stored_comparisons(tasks: Iterable[int]) -> Iterator[Stored]:
    """The active comparisons on these tasks, one by one: there may be more than memory holds."""
    wanted = sorted(tasks)
    for start in range(0, len(wanted), _AT_A_TIME):
        rows = Comparison.objects.filter(state=ResultState.ACTIVE, task__in=wanted[start : start + _AT_A_TIME])
        told = rows.order_by().values_list(
            *("pk", "batch", "comparison_id", "source__sha256"),
            *("task", "a", "b", "outcome", "judge__key", "order", "judged_at", "lineage"),
        )
        for pk, batch, comparison_id, source, *said in told.iterator():
            yield Stored(pk, batch, comparison_id, source, Said(*said))
