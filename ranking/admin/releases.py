"""Releases, publications and the requests behind them: looked at, never edited.

Each list names a release by both its names, the public id first: addresses go by it. A candidate has none yet.
"""

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path

from ranking.admin.preview import candidate
from ranking.admin.waiting import waiting_candidates
from ranking.catalogue import SHORT
from ranking.models import Publication, PublishRequest, Release
from registry.admin import confirm
from registry.admin.desk import ReadOnly

NO_ID = "none: not published"


@admin.register(Release)
class ReleaseAdmin(ReadOnly):
    concept = "Gates and releases"
    change_form_template = "admin/release.html"
    list_display = ("public_id", "digest_begins", "collection", "kind", "sealed_by", "sealed_at")
    list_display_links = ("public_id", "digest_begins")
    list_filter = ("kind", "collection")
    list_select_related = ("collection", "publication")
    search_fields = ("publication__identifier", "digest", "collection__slug", "sealed_by")
    exclude = ("content",)
    readonly_fields = ("public_id",)

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).defer("content")

    @admin.display(description="public id", ordering="publication__identifier", empty_value=NO_ID)
    def public_id(self, release: Release) -> str | None:
        published = getattr(release, "publication", None)
        return published.identifier[:SHORT] if published else None

    @admin.display(description="digest", ordering="digest")
    def digest_begins(self, release: Release) -> str:
        return release.digest[:SHORT]

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any) -> Any:
        release = context["original"]
        waits = request.user.has_perm("ranking.publish_release") and waiting_candidates().filter(pk=release.pk).exists()
        context["publish_url"] = confirm.address("publish", release=release.pk) if waits else ""
        return super().render_change_form(request, context, *args, **kwargs)

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
    list_display = ("public_id", "digest_begins", "collection", "number", "state", "published_by", "published_at")
    list_filter = ("state", "collection")
    list_select_related = ("release", "collection")
    search_fields = ("identifier", "release__digest", "collection__slug", "published_by", "reason")

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).defer("release__content")

    @admin.display(description="public id", ordering="identifier")
    def public_id(self, publication: Publication) -> str:
        return publication.identifier[:SHORT]

    @admin.display(description="digest", ordering="release__digest")
    def digest_begins(self, publication: Publication) -> str:
        return publication.release.digest[:SHORT]


@admin.register(PublishRequest)
class PublishRequestAdmin(ReadOnly):
    concept = "Gates and releases"
    list_display = ("public_id", "digest_begins", "collection", "state", "requested_by", "requested_at", "answer")
    list_display_links = ("public_id", "digest_begins")
    list_filter = ("state",)
    list_select_related = ("release__collection", "publication")
    search_fields = ("publication__identifier", "release__digest", "requested_by", "reason", "answer")

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).defer("release__content")

    @admin.display(description="public id", ordering="publication__identifier", empty_value=NO_ID)
    def public_id(self, wish: PublishRequest) -> str | None:
        return wish.publication.identifier[:SHORT] if wish.publication else None

    @admin.display(description="digest", ordering="release__digest")
    def digest_begins(self, wish: PublishRequest) -> str:
        return wish.release.digest[:SHORT]

    @admin.display(description="collection", ordering="release__collection")
    def collection(self, wish: PublishRequest) -> Any:
        return wish.release.collection
