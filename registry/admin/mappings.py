"""Evidence mappings: what one benchmark proves about one collection, on one page."""

from collections.abc import Iterable
from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import ManyToManyField, Model
from django.forms import CheckboxSelectMultiple
from django.http import HttpRequest

from registry.admin.base import CuratedAdmin, CuratedInline, Worded
from registry.admin.record import record_of
from registry.models import (
    EvidenceMapping,
    Exclusion,
    Facet,
    Lineage,
    MappingFacet,
    MappingLineage,
    Measurement,
    MetricContract,
    Task,
    TaskAlignment,
)

Choices = list[tuple[Any, Any]]
NOTHING: tuple[str, str] = ("", "—")


class MappingInline(CuratedInline):
    """Rows that may only name what belongs to the mapping's collection and benchmark.

    The choices are read once a page, not once a row.
    """

    # Their lists are for reading.
    show_change_link = False
    related: tuple[str, ...]
    """What a row's name is made of."""

    def choices(self, mapping: EvidenceMapping) -> dict[str, Choices]:
        raise NotImplementedError

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).select_related(*self.related)

    def get_formset(self, request: HttpRequest, obj: Any = None, **kwargs: Any) -> Any:
        formset = super().get_formset(request, obj, **kwargs)
        for name, choices in self.choices(obj).items() if obj else ():
            if name in formset.form.base_fields:
                formset.form.base_fields[name].choices = [NOTHING, *choices]
        return formset


def _named(records: Iterable[Any]) -> Choices:
    return [(record.pk, str(record)) for record in records]


def _facets(mapping: EvidenceMapping) -> Choices:
    return _named(Facet.objects.filter(collection=mapping.collection_id))


class FacetInline(MappingInline):
    model = MappingFacet
    verbose_name_plural = "facets it speaks to"
    fields = ("facet", "coverage_note")
    related = ("facet",)

    def choices(self, mapping: EvidenceMapping) -> dict[str, Choices]:
        return {"facet": _facets(mapping)}


class LineageInline(MappingInline):
    model = MappingLineage
    verbose_name_plural = "usable lineages"
    fields = ("lineage", "subject_kind")
    related = ("lineage",)

    def choices(self, mapping: EvidenceMapping) -> dict[str, Choices]:
        return {"lineage": _named(Lineage.objects.filter(suite=mapping.benchmark.suite_id))}


class MeasurementInline(MappingInline):
    model = Measurement
    verbose_name_plural = "measurements"
    fields = ("contract", "facet", "reason")
    related = ("contract", "facet")

    def choices(self, mapping: EvidenceMapping) -> dict[str, Choices]:
        contracts = MetricContract.objects.filter(benchmark=mapping.benchmark_id)
        return {"contract": _named(contracts), "facet": _facets(mapping)}


class AlignmentInline(MappingInline):
    model = TaskAlignment
    verbose_name_plural = "task alignments"
    fields = ("task", "directness", "reason")
    related = ("task__facet",)

    def choices(self, mapping: EvidenceMapping) -> dict[str, Choices]:
        tasks = Task.objects.filter(facet__collection=mapping.collection_id).select_related("facet")
        groups: dict[str, Choices] = {}
        for task in tasks:
            groups.setdefault(task.facet.title, []).append((task.pk, task.title))
        return {"task": list(groups.items())}


@admin.register(EvidenceMapping)
class EvidenceMappingAdmin(CuratedAdmin):
    concept = "Mappings"
    change_form_template = "admin/mapping.html"
    list_display = ("__str__", "role", "declared_subject", "upstream_access", "projection")
    list_filter = ("role", "upstream_access", "collection")
    list_select_related = ("collection", "benchmark__suite")
    search_fields = ("collection__slug", "collection__title", "benchmark__key", "benchmark__title")
    formfield_overrides: ClassVar = {
        **Worded.formfield_overrides,
        ManyToManyField: {"widget": CheckboxSelectMultiple},
    }
    fieldsets: ClassVar = [
        ("Identity and role", {"fields": ["collection", "benchmark", "role", "upstream_access"]}),
        (
            "Subject identity",
            {
                "fields": [
                    "declared_subject",
                    "metric_partitions",
                    "separate_partition_required",
                    "projection",
                    "projection_reason",
                ]
            },
        ),
        ("Atoms and note", {"fields": ["atoms", "note"]}),
    ]

    def get_inlines(self, request: HttpRequest, obj: Any) -> list[Any]:
        """A mapping is named first; what it may hold follows from its collection and benchmark."""
        return [FacetInline, LineageInline, MeasurementInline, AlignmentInline] if obj else []

    def decided_about(self, record: Model) -> Iterable[Model]:
        """The exclusions within it."""
        return Exclusion.objects.filter(mapping=record.pk)

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any) -> Any:
        if mapping := context.get("original"):
            context["record"] = record_of(mapping, page=request.GET.get("p"))
        return super().render_change_form(request, context, *args, **kwargs)
