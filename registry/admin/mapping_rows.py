"""The rows of all mappings as lists of their own: looked at, taken out and brought in; edited on the mapping's page."""

from django.contrib import admin

from registry.admin.desk import ReadOnly
from registry.admin.exchanged import Exchanged
from registry.models import MappingFacet, MappingLineage, Measurement, TaskAlignment

MAPPING = ("mapping__collection", "mapping__benchmark__suite")
SEARCHED = ("mapping__collection__slug", "mapping__benchmark__key")


class MappingRows(Exchanged, ReadOnly):
    concept = "Mappings"


@admin.register(MappingFacet)
class MappingFacetAdmin(MappingRows):
    list_display = ("mapping", "facet", "coverage_note")
    list_filter = ("mapping__collection",)
    list_select_related = (*MAPPING, "facet")
    search_fields = (*SEARCHED, "facet__slug", "facet__title", "coverage_note")


@admin.register(MappingLineage)
class MappingLineageAdmin(MappingRows):
    list_display = ("mapping", "lineage", "subject_kind")
    list_filter = ("mapping__collection", "subject_kind")
    list_select_related = (*MAPPING, "lineage")
    search_fields = (*SEARCHED, "lineage__key")


@admin.register(Measurement)
class MeasurementAdmin(MappingRows):
    list_display = ("mapping", "contract", "facet", "reason")
    list_filter = ("mapping__collection",)
    list_select_related = (*MAPPING, "contract", "facet")
    search_fields = (*SEARCHED, "contract__key", "facet__slug", "reason")


@admin.register(TaskAlignment)
class TaskAlignmentAdmin(MappingRows):
    list_display = ("mapping", "task", "directness", "reason")
    list_filter = ("mapping__collection",)
    list_select_related = (*MAPPING, "task")
    search_fields = (*SEARCHED, "task__key", "task__title", "reason")
