"""What rows of results are compared with, read from the registry once for a whole file."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple

from registry.importing.subjects import Parts, Subject, all_subjects, named
from registry.models import MetricContract

Identity = tuple[int, int, str, str, str]
"""Contract, configuration, source_url, source_ref, external_id."""


@dataclass(frozen=True, slots=True)
class Contract:
    pk: int
    key: str
    lineage: str
    protocol: str
    unit: str
    direction: str
    subject_kind: str
    lower: float | None
    upper: float | None
    minimum_n: int


class Said(NamedTuple):
    """What a result says: all of its columns beside its identity."""

    value: float | None
    absence: str
    stderr: float | None
    sd: float | None
    n: int | None
    runs: int | None
    observed_on: date | None
    notes: str


@dataclass(frozen=True, slots=True)
class Known:
    """Contracts by key, configurations by key and by reviewed alias, and by their parts."""

    contracts: dict[str, Contract] = field(default_factory=dict)
    subjects: dict[str, Subject] = field(default_factory=dict)
    by_parts: dict[Parts, list[Subject]] = field(default_factory=dict)
    unreviewed: tuple[str, ...] = ()

    @classmethod
    def load(cls) -> "Known":
        every = list(all_subjects())
        subjects, unreviewed = named(every)
        by_parts: dict[Parts, list[Subject]] = defaultdict(list)
        for subject in every:
            by_parts[subject.parts].append(subject)
        return cls({contract.key: contract for contract in _contracts()}, subjects, dict(by_parts), unreviewed)


def _contracts() -> Iterator[Contract]:
    rows = MetricContract.objects.order_by("key").values_list(
        "pk", "key", "lineage__key", "protocol__key", "unit", "direction", "subject_kind", "lower", "upper", "minimum_n"
    )
    return (Contract(*row) for row in rows)
