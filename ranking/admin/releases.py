"""Releases, publications and the requests behind them: looked at, never edited."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path

from ranking.admin.preview import candidate
from ranking.models import Publication, PublishRequest, Release
from registry.admin.desk import ReadOnly


@admin.register(Release)
class ReleaseAdmin(ReadOnly):
    concept = "Gates and releases"
    change_form_template = "admin/release.html"
    list_display = ("__str__", "collection", "kind", "sealed_by", "sealed_at")
    list_filter = ("kind", "collection")
    list_select_related = ("collection",)
    search_fields = ("digest", "collection__slug", "sealed_by")
    exclude = ("content",)

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).defer("content")

    def get_urls(self) -> list[URLPattern]:
        preview = path("<int:pk>/preview/", self.admin_site.admin_view(self.preview), name="ranking_release_preview")
        return [preview, *super().get_urls()]

    def preview(self, request: HttpRequest, pk: int) -> HttpResponse:
        """The page as the release seals it, before anybody publishes it."""
        release = get_object_or_404(Release.objects.select_related("collection"), pk=pk, collection__isnull=False)
        if not self.has_view_permission(request, release):
            raise PermissionDenied("You may not see this candidate.")
        assert release.collection is not None, "asked for above"
        return candidate(request, release.collection, release)


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
