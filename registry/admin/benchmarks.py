"""Publishers, suites, benchmarks, lineages and their links."""

from django.contrib import admin

from registry.admin.base import CuratedAdmin
from registry.models import Benchmark, Lineage, LineageLink, Publisher, Suite


@admin.register(Publisher)
class PublisherAdmin(CuratedAdmin):
    concept = "Benchmarks"
    list_display = ("key", "name", "url")
    search_fields = ("key", "name")


@admin.register(Suite)
class SuiteAdmin(CuratedAdmin):
    concept = "Benchmarks"
    list_display = ("key", "title", "publisher")
    list_filter = ("publisher",)
    list_select_related = ("publisher",)
    search_fields = ("key", "title", "publisher__name")


@admin.register(Benchmark)
class BenchmarkAdmin(CuratedAdmin):
    concept = "Benchmarks"
    excludable = ("benchmark", "key")
    list_display = ("key", "title", "suite", "eligibility", "registry_status")
    list_filter = ("registry_status", "eligibility")
    list_select_related = ("suite",)
    search_fields = ("key", "title", "suite__key", "suite__title")


@admin.register(Lineage)
class LineageAdmin(CuratedAdmin):
    concept = "Benchmarks"
    excludable = ("lineage", "key")
    list_display = ("key", "title", "suite", "upstream_version", "track", "use")
    list_filter = ("use", "suite")
    list_select_related = ("suite",)
    search_fields = ("key", "title", "suite__key")


@admin.register(LineageLink)
class LineageLinkAdmin(CuratedAdmin):
    concept = "Benchmarks"
    list_display = ("a", "b", "kind", "certainty", "reason")
    list_filter = ("kind", "certainty")
    list_select_related = ("a", "b")
    search_fields = ("a__key", "b__key", "reason")
