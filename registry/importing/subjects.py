"""The configurations that a file may name, read from the registry once for a whole file."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from registry.models import Configuration, ConfigurationAlias

Parts = tuple[str, str, str, str]
"""Organization, model, harness, effort."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A configuration."""

    pk: int
    key: str
    subject_kind: str
    parts: Parts
    model_name: str = ""
    """As people know it."""


def all_subjects() -> Iterator[Subject]:
    rows = Configuration.objects.order_by("key").values_list(
        *("pk", "key", "subject_kind", "model__organization__key", "model__key", "harness", "effort", "model__name")
    )
    return (
        Subject(pk, key, kind, (maker, model, harness, effort), name)
        for pk, key, kind, maker, model, harness, effort, name in rows
    )


def named(subjects: Iterable[Subject]) -> tuple[dict[str, Subject], tuple[str, ...]]:
    """Each by its key and its reviewed aliases, and the aliases that nobody has reviewed."""
    by_id = {subject.pk: subject for subject in subjects}
    aliases = list(ConfigurationAlias.objects.order_by("name").values_list("name", "configuration", "reviewed_at"))
    reviewed = {name: by_id[pk] for name, pk, reviewed_at in aliases if reviewed_at}
    # A key wins over an alias of the same text.
    found = reviewed | {subject.key: subject for subject in by_id.values()}
    return found, tuple(name for name, _, reviewed_at in aliases if not reviewed_at)


def all_of(names: Mapping[str, Subject]) -> Iterable[Subject]:
    """Each configuration once, whatever the number of its names."""
    return {subject.pk: subject for subject in names.values()}.values()
