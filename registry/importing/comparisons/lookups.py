"""What rows of comparisons are compared with, read from the registry once for a whole file."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from registry.importing.subjects import Subject, all_subjects, named
from registry.models import Facet, Judge, Lineage, Task


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


@dataclass(frozen=True, slots=True)
class Known:
    """Facets by full key and, where that is plain, by slug; tasks, configurations, judges and lineages by name."""

    facets: dict[str, Plan] = field(default_factory=dict)
    ambiguous: tuple[str, ...] = ()
    """Slugs of facets that several collections have."""
    tasks: dict[tuple[int, str], int] = field(default_factory=dict)
    subjects: dict[str, Subject] = field(default_factory=dict)
    unreviewed: tuple[str, ...] = ()
    judges: dict[str, bool] = field(default_factory=dict)
    """Is the judge of this key a person? Where people need not be known, only the others are here."""
    lineages: dict[str, int] = field(default_factory=dict)

    @classmethod
    def load(cls, *, new_people: bool = False) -> "Known":
        judges = Judge.objects.order_by("key")
        plans = list(_plans())
        times = Counter(slug for slug, _ in plans)
        subjects, unreviewed = named(all_subjects())
        tasks = Task.objects.order_by("facet", "key").values_list("pk", "facet", "key")
        return cls(
            facets={slug: plan for slug, plan in plans if times[slug] == 1} | {plan.key: plan for _, plan in plans},
            ambiguous=tuple(slug for slug, count in times.items() if count > 1),
            tasks={(facet, key): pk for pk, facet, key in tasks},
            subjects=subjects,
            unreviewed=unreviewed,
            judges=dict((judges.filter(person=False) if new_people else judges).values_list("key", "person")),
            lineages=dict(Lineage.objects.order_by("key").values_list("key", "pk")),
        )


def _plans() -> Iterator[tuple[str, Plan]]:
    """Each facet with its slug."""
    rows = Facet.objects.order_by("pk").values_list("pk", "slug", "collection__slug", "collection__subject_kind")
    return ((slug, Plan(pk, f"{collection}/{slug}", kind)) for pk, slug, collection, kind in rows)
