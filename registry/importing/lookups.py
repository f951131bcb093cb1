"""What rows are compared with, read from the registry once for a whole file."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple

from registry.models import Configuration, ConfigurationAlias, MetricContract

Identity = tuple[int, int, str, str, str]
"""Contract, configuration, source_url, source_ref, external_id."""

Group = tuple[int, int, str, str]
"""The identity without external_id: one subject's number in one source."""

Parts = tuple[str, str, str, str]
"""Organization, model, harness, effort."""


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


@dataclass(frozen=True, slots=True)
class Subject:
    """A configuration."""

    pk: int
    key: str
    subject_kind: str
    parts: Parts


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


def named(subjects: Iterable[Subject]) -> tuple[dict[str, Subject], tuple[str, ...]]:
    """Each by its key and its reviewed aliases, and the aliases that nobody has reviewed."""
    by_id = {subject.pk: subject for subject in subjects}
    aliases = list(ConfigurationAlias.objects.order_by("name").values_list("name", "configuration", "reviewed_at"))
    reviewed = {name: by_id[pk] for name, pk, reviewed_at in aliases if reviewed_at}
    # A key wins over an alias of the same text.
    found = reviewed | {subject.key: subject for subject in by_id.values()}
    return found, tuple(name for name, _, reviewed_at in aliases if not reviewed_at)


def _contracts() -> Iterator[Contract]:
    rows = MetricContract.objects.order_by("key").values_list(
        "pk", "key", "lineage__key", "protocol__key", "unit", "direction", "subject_kind", "lower", "upper", "minimum_n"
    )
    return (Contract(*row) for row in rows)


def all_subjects() -> Iterator[Subject]:
    rows = Configuration.objects.order_by("key").values_list(
        "pk", "key", "subject_kind", "model__organization__key", "model__key", "harness", "effort"
    )
    return (
        Subject(pk, key, kind, (maker, model, harness, effort)) for pk, key, kind, maker, model, harness, effort in rows
    )
