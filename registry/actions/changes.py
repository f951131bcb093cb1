"""Several edits as one change: what a form with its rows says, as data, carried out in one transaction.

The same data goes through a confirm page where a change asks first (DOMAIN 6, level 1).
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.core.exceptions import ValidationError
from django.db import IntegrityError, models, transaction
from django.utils.module_loading import import_string

from registry import audit
from registry.actions import curate
from registry.actions.base import Refused
from registry.actions.evidence_changed import affected_by
from registry.models import (
    Benchmark,
    Curated,
    EvidenceMapping,
    Exclusion,
    Facet,
    Lineage,
    LineageLink,
    MappingLineage,
    Measurement,
    MetricContract,
    RightsDecision,
    TaskAlignment,
)

ADD, CHANGE, REMOVE = "add", "change", "remove"

# What decides which evidence counts, and how much: once a live page rests on it, changing it asks first.
GUARDED: dict[type[Curated], frozenset[str]] = {
    Facet: frozenset({"weight", "mode"}),
    Benchmark: frozenset({"registry_status", "suite"}),
    Lineage: frozenset({"use"}),
    LineageLink: frozenset({"a", "b"}),
    MetricContract: frozenset(
        {
            *("use", "benchmark", "lineage", "protocol", "subject_kind", "kind", "direction", "unit", "lower", "upper"),
            *("minimum_n", "assumed_n", "stderr_over_rows", "required_identity"),
        }
    ),
    EvidenceMapping: frozenset({"role", "projection", "benchmark"}),
    MappingLineage: frozenset({"lineage", "subject_kind", "mapping"}),
    Measurement: frozenset({"contract", "facet", "mapping"}),
    RightsDecision: frozenset({"publisher", "suite", "source", "use", "verdict"}),
    TaskAlignment: frozenset({"directness", "task", "mapping"}),
}
# Nothing counts through these before something else names them, and that asks.
_HARMLESS_TO_ADD = frozenset({Benchmark, Lineage, MetricContract, EvidenceMapping})


@dataclass(frozen=True, slots=True)
class Operation:
    """One edit. `values` are JSON; a value `{"added": i}` is the record that operation number `i` adds."""

    op: str
    model: str
    """For example `registry.facet`."""
    pk: int | None = None
    version: int | None = None
    """The version that was edited; a newer one in the database refuses the edit."""
    values: dict[str, Any] = field(default_factory=dict)

    @property
    def model_class(self) -> type[Curated]:
        found = apps.get_model(self.model)
        # An exclusion is made and lifted by a decision of its own, which asks the gates.
        if not issubclass(found, Curated) or found is Exclusion:
            raise Refused("not-curated", f"{self.model} is not edited here.")
        return found

    @property
    def is_guarded(self) -> bool:
        model = self.model_class
        if self.op == CHANGE:
            return bool(GUARDED.get(model, frozenset()) & self.values.keys())
        return model in GUARDED and not (self.op == ADD and model in _HARMLESS_TO_ADD)


class Failed(Exception):  # noqa: N818  it carries an answer
    """Nothing was done because of one operation."""

    def __init__(self, index: int, error: Refused | ValidationError) -> None:
        super().__init__(str(error))
        self.index = index
        self.error = error

    @property
    def sentence(self) -> str:
        return self.error.sentence if isinstance(self.error, Refused) else " ".join(self.error.messages)


class AsksFirst(Refused):
    """Live pages rest on what would change: the person must see the consequences before it is done."""

    def __init__(self, collections: Iterable[str], live: Iterable[str]) -> None:
        named = ", ".join(sorted(live))
        super().__init__("asks-first", f"Live pages rest on this: {named}. Look at the consequences first.")
        self.collections = sorted(collections)


def carry_out(
    *, operations: Sequence[Operation], by: AbstractUser, reason: str = "", asked: bool = False
) -> list[Curated]:
    """All of the operations or none; the records, in their order.

    Raises Failed, PermissionDenied, and AsksFirst where live pages rest on a change nobody has been `asked` about.
    """
    records: list[Curated] = []
    reached: set[str] = set()
    with audit.one_action(), transaction.atomic():
        for index, operation in enumerate(operations):
            try:
                reached |= _do(operation, records, by, reason)
            except (Refused, ValidationError) as error:
                raise Failed(index, error) from error
            except IntegrityError as error:
                refusal = Refused("taken", "Somebody saved the same thing at this moment. Nothing was saved.")
                raise Failed(index, refusal) from error
        if not asked and (live := _published(reached)):
            raise AsksFirst(reached, live)
    return records


def _do(operation: Operation, records: list[Curated], by: AbstractUser, reason: str) -> set[str]:
    """Do it, append its record, and name the collections that a guarded change reaches."""
    record = _subject(operation)
    reached = set(affected_by(record)) if operation.is_guarded and record.pk else set()
    if operation.op == REMOVE:
        curate.remove(obj=record, by=by, reason=reason)
    else:
        many = _assign(record, operation.values, records)
        curate.save(obj=record, by=by, reason=reason, many=many)
        reached |= set(affected_by(record)) if operation.is_guarded else set()
    records.append(record)
    return reached


def _subject(operation: Operation) -> Curated:
    model = operation.model_class
    if operation.op == ADD:
        return model()
    # Without an order of its own, which may join what cannot be locked.
    record = model._base_manager.select_for_update().order_by().filter(pk=operation.pk).first()
    if record is None:
        raise Refused("gone", f"This {model._meta.verbose_name} was removed by somebody else. Nothing was saved.")
    expected = record.version if operation.op == REMOVE and operation.version is None else operation.version
    if expected != record.version:
        raise Refused("stale", f"{record} was changed by somebody else since you opened it. Nothing was saved.")
    return record


def _assign(record: Curated, values: dict[str, Any], records: list[Curated]) -> dict[str, list[Any]] | None:
    """Put the values on the record; the members of its many-to-many fields come back, for `curate.save`."""
    many: dict[str, list[Any]] = {}
    for name, value in values.items():
        target = record._meta.get_field(name)
        if isinstance(target, models.ManyToManyField):
            many[name] = list(target.related_model._default_manager.filter(pk__in=value))
        elif isinstance(target, models.Field):
            refers = isinstance(target, models.ForeignKey) and _is_added(value)
            setattr(record, target.attname, records[value["added"]].pk if refers else value)
    return many or None


def _is_added(value: Any) -> bool:
    return isinstance(value, dict) and value.keys() == {"added"}


def _published(slugs: set[str]) -> set[str]:
    """Asked of the callable named in settings: what is public, the registry does not know."""
    live: set[str] = import_string(settings.PUBLISHED_COLLECTIONS)(slugs) if slugs else set()
    return live


def as_json(operation: Operation) -> dict[str, Any]:
    """As it travels through a confirm page."""
    return asdict(operation)
