"""Editions, facets with their task plans, tasks and capability atoms. Collections are in `ranking.admin`."""

from typing import ClassVar

from django.contrib import admin

from registry.admin.base import CuratedAdmin, CuratedInline
from registry.models import CapabilityAtom, Edition, Facet, Task


@admin.register(Edition)
class EditionAdmin(CuratedAdmin):
    concept = "Taxonomy"
    list_display = ("key", "title")
    search_fields = ("key", "title")


class TaskInline(CuratedInline):
    model = Task
    verbose_name_plural = "task plan"
    fields = ("key", "title", "description", "required", "editorial", "position")


@admin.register(Facet)
class FacetAdmin(CuratedAdmin):
    concept = "Taxonomy"
    list_display = ("title", "collection", "mode", "weight", "position")
    list_filter = ("mode", "collection")
    list_select_related = ("collection",)
    search_fields = ("title", "slug", "collection__title", "collection__slug")
    inlines: ClassVar = [TaskInline]


@admin.register(Task)
class TaskAdmin(CuratedAdmin):
    concept = "Taxonomy"
    list_display = ("title", "facet", "required", "editorial")
    list_filter = ("required", "editorial")
    list_select_related = ("facet",)
    search_fields = ("key", "title", "facet__title", "facet__collection__slug")
    autocomplete_fields = ("facet",)


@admin.register(CapabilityAtom)
class CapabilityAtomAdmin(CuratedAdmin):
    concept = "Taxonomy"
    list_display = ("key", "title", "description")
    search_fields = ("key", "title")
