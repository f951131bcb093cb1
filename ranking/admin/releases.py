"""Releases, publications and the requests behind them: looked at, never edited."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from ranking.models import Publication, PublishRequest, Release
from registry.admin.desk import ReadOnly


@admin.register(Release)
class ReleaseAdmin(ReadOnly):
    concept = "Gates and releases"
    list_display = ("__str__", "collection", "kind", "sealed_by", "sealed_at")
    list_filter = ("kind", "collection")
    list_select_related = ("collection",)
    search_fields = ("digest", "collection__slug", "sealed_by")
    exclude = ("content",)

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).defer("content")


@admin.register(Publication)
class PublicationAdmin(ReadOnly):
    concept = "Gates and releases"
    list_display = ("__str__", "collection", "number", "state", "published_by", "published_at")
    list_filter = ("state", "collection")
    list_select_related = ("release", "collection")
    search_fields = ("identifier", "collection__slug", "published_by", "reason")

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).defer("release__content")


@admin.register(PublishRequest)
class PublishRequestAdmin(ReadOnly):
    concept = "Gates and releases"
    list_display = ("release", "state", "requested_by", "requested_at", "answer")
    list_filter = ("state",)
    list_select_related = ("release",)
    search_fields = ("release__digest", "requested_by", "reason", "answer")

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).defer("release__content")
