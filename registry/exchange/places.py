"""Which models are carried, in which files, and by which names records refer to each other."""

from functools import cache
from typing import Any, TypeAlias

from django.db.models import Field, ForeignKey, Model

from registry import models

# A string: `Field` takes no parameters outside the type checker.
AnyField: TypeAlias = "Field[Any, Any]"

# A record comes after all that it refers to.
MODELS: tuple[type[models.Curated], ...] = (
    models.Edition,
    models.Collection,
    models.Facet,
    models.Task,
    models.CapabilityAtom,
    models.Publisher,
    models.Suite,
    models.Benchmark,
    models.Lineage,
    models.LineageLink,
    models.Protocol,
    models.MetricContract,
    models.Organization,
    models.ModelRelease,
    models.Configuration,
    models.ConfigurationAlias,
    models.EvidenceMapping,
    models.MappingFacet,
    models.MappingLineage,
    models.Measurement,
    models.TaskAlignment,
    models.MappingProfile,
    models.RightsDecision,
    models.Exclusion,
    models.Judge,
    models.SampleOutput,
)


def file_name(model: type[Model]) -> str:
    """`capability_atoms.yaml`, from the model's own plural."""
    return f"{str(model._meta.verbose_name_plural).replace(' ', '_')}.yaml"


@cache
def fields_of(model: type[Model]) -> tuple[AnyField, ...]:
    """The fields a file may hold: the natural key first, then the model's order."""
    natural = key_fields(model)
    stored = [
        field
        for field in (*model._meta.concrete_fields, *model._meta.many_to_many)
        if field.editable and not field.primary_key
    ]
    return tuple(sorted(stored, key=lambda field: natural.index(field.name) if field.name in natural else len(natural)))


def key_fields(model: type[Model]) -> tuple[str, ...]:
    return tuple(getattr(model, "natural_key_fields"))  # noqa: B009  not on Model, but on all that are carried


@cache
def natural_paths(model: type[Model]) -> tuple[str, ...]:
    """The lookups that, in this order, make the flat natural key: `facet__collection__slug`, `facet__slug`, `key`."""
    return tuple(
        path
        for name in key_fields(model)
        for path in lookups(model._meta.get_field(name))  # type: ignore[arg-type]
    )


def lookups(field: AnyField) -> tuple[str, ...]:
    """The lookups of what stands in a file for `field`: itself, or the parts of its target's natural key."""
    target = target_of(field)
    return (field.name,) if target is None else tuple(f"{field.name}__{path}" for path in natural_paths(target))


def target_of(field: AnyField) -> type[Model] | None:
    return field.related_model if isinstance(field, ForeignKey) or field.many_to_many else None
