"""Protocols and metric contracts."""

from typing import ClassVar

from django.contrib import admin

from registry.admin.base import CuratedAdmin
from registry.models import MetricContract, Protocol


@admin.register(Protocol)
class ProtocolAdmin(CuratedAdmin):
    concept = "Contracts"
    list_display = ("key", "title", "harness", "judge", "runs")
    search_fields = ("key", "title")


@admin.register(MetricContract)
class MetricContractAdmin(CuratedAdmin):
    concept = "Contracts"
    excludable = ("contract", "key")
    list_display = ("key", "title", "lineage", "subject_kind", "unit", "direction", "use")
    list_filter = ("use", "kind", "subject_kind", "lineage")
    list_select_related = ("lineage",)
    search_fields = ("key", "title", "benchmark__key", "lineage__key")
    fieldsets: ClassVar = [
        (None, {"fields": ["key", "title", "benchmark", "lineage", "protocol", "subject_kind"]}),
        ("The number", {"fields": ["unit", "kind", "direction", "lower", "upper"]}),
        ("What a result must state", {"fields": ["minimum_n", "assumed_n", "assumed_n_reason", "required_identity"]}),
        ("Use", {"fields": ["use", "use_reason"]}),
    ]
