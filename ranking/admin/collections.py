"""The collection desk: what is asked, what the gate says, and what may go out."""

from collections.abc import Iterable
from typing import Any, ClassVar, cast

from django.contrib import admin, messages
from django.contrib.auth.models import AbstractUser
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.views.decorators.http import require_POST

from ranking.actions import recompute
from ranking.admin.desk import desk_of
from ranking.admin.preview import previewed
from ranking.models import Release
from registry.actions.base import Refused
from registry.admin.base import CuratedAdmin, CuratedInline
from registry.models import Collection, Facet


class FacetInline(CuratedInline):
    model = Facet
    fields = ("title", "slug", "description", "weight", "mode", "position")
    template = "admin/facets.html"


@admin.register(Collection)
class CollectionAdmin(CuratedAdmin):
    concept = "Taxonomy"
    change_form_template = "admin/collection.html"
    list_display = ("title", "slug", "edition", "subject_kind", "planning")
    list_filter = ("edition", "planning", "subject_kind")
    list_select_related = ("edition",)
    search_fields = ("title", "slug", "question")
    fields = ("edition", "title", "slug", "question", "summary", "subject_kind", "planning")
    inlines: ClassVar = [FacetInline]

    def get_urls(self) -> list[URLPattern]:
        def wrap(view: Any) -> Any:
            return self.admin_site.admin_view(view)

        own = [
            path("<int:pk>/recompute/", wrap(require_POST(self.recompute)), name="registry_collection_recompute"),
            path("<int:pk>/preview/", wrap(self.preview), name="registry_collection_preview"),
        ]
        return [*own, *super().get_urls()]

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any) -> Any:
        if collection := context.get("original"):
            context["desk"] = desk_of(collection, request.user)
        return super().render_change_form(request, context, *args, **kwargs)

    def decided_about(self, record: Model) -> Iterable[Model]:
        """Its releases: sealing, publishing and withdrawing are events of those."""
        return Release.objects.filter(collection=record.pk).defer("content")

    def recompute(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Level 0: it changes nothing anybody decided, and is safe to repeat."""
        collection = get_object_or_404(Collection, pk=pk)
        job = recompute.request(collection=collection, by=cast("AbstractUser", request.user))
        messages.success(request, f"The gate of {collection} will be asked again (job {job.pk}).")
        return HttpResponseRedirect(reverse("admin:registry_collection_change", args=(pk,)) + "#gate")

    def preview(self, request: HttpRequest, pk: int) -> HttpResponse:
        """The public page as a release sealed now would show it; for people at the desk only."""
        collection = get_object_or_404(Collection, pk=pk)
        if not self.has_view_permission(request, collection):
            raise PermissionDenied("You may not see this collection.")
        try:
            return previewed(request, collection)
        except Refused as refusal:
            context = {**self.admin_site.each_context(request), "title": "No preview", "refusal": refusal}
            return TemplateResponse(request, "admin/confirm_refused.html", context, status=409)
