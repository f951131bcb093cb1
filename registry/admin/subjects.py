"""Organizations, models, configurations, their other names, and judges."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from registry.actions.names import REVIEW
from registry.admin import confirm
from registry.admin.base import CuratedAdmin
from registry.admin.forms import CuratedForm
from registry.admin.lists import stamped
from registry.models import Configuration, ConfigurationAlias, Judge, ModelRelease, Organization
from registry.name_decisions import MOST_AT_ONCE


@admin.register(Organization)
class OrganizationAdmin(CuratedAdmin):
    concept = "Subjects"
    list_display = ("key", "name")
    search_fields = ("key", "name")


@admin.register(ModelRelease)
class ModelReleaseAdmin(CuratedAdmin):
    concept = "Subjects"
    list_display = ("key", "name", "organization", "released_on")
    list_filter = ("organization",)
    list_select_related = ("organization",)
    search_fields = ("key", "name", "organization__key", "organization__name")


@admin.register(Configuration)
class ConfigurationAdmin(CuratedAdmin):
    concept = "Subjects"
    excludable = ("configuration", "key")
    list_display = ("key", "model", "subject_kind", "harness", "effort", "availability", "reference")
    list_filter = ("subject_kind", "availability", "reference")
    list_select_related = ("model",)
    search_fields = ("key", "model__key", "model__name", "harness", "effort", "aliases__name")
    autocomplete_fields = ("model",)


class AliasForm(CuratedForm):
    """A review is of what the alias says: once that is another, it waits for a review again."""

    stamps = ("reviewed_by", "reviewed_at")

    def clean(self) -> dict[str, Any] | None:
        if not {"name", "configuration"}.isdisjoint(self.changed_data):
            self.instance.reviewed_by, self.instance.reviewed_at = "", None
        return super().clean()


@admin.register(ConfigurationAlias)
class ConfigurationAliasAdmin(CuratedAdmin):
    concept = "Subjects"
    form = AliasForm
    change_form_template = "admin/configuration_alias.html"
    fields = ("name", "configuration", "reason")
    list_display = ("name", "configuration", "reviewed_by", "reviewed_at")
    list_filter = (("reviewed_at", stamped("review", empty="waiting", filled="reviewed")),)
    list_select_related = ("configuration__model",)
    search_fields = ("name", "configuration__key", "configuration__model__name")
    autocomplete_fields = ("configuration",)
    actions = ("review",)

    @admin.action(description="Review…", permissions=["change"])
    def review(self, request: HttpRequest, chosen: QuerySet[ConfigurationAlias]) -> HttpResponse | None:
        """Those of them that wait, side by side on one confirm page."""
        waiting = list(chosen.filter(reviewed_at=None).values_list("pk", flat=True)[: MOST_AT_ONCE + 1])
        if not waiting:
            messages.info(request, "All of these are reviewed: nothing was done.")
            return None
        if len(waiting) > MOST_AT_ONCE:
            messages.error(request, f"Up to {MOST_AT_ONCE} names are reviewed together; choose fewer.")
            return None
        return HttpResponseRedirect(confirm.address("review-aliases", aliases=waiting))

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any) -> Any:
        alias = context.get("original")
        if alias is not None and request.user.has_perm(REVIEW):
            context["review_url"] = (
                confirm.address("withdraw-alias-review", alias=alias.pk)
                if alias.reviewed_by
                else confirm.address("review-aliases", aliases=[alias.pk])
            )
        return super().render_change_form(request, context, *args, **kwargs)

    def response_add(self, request: HttpRequest, obj: Any, post_url_continue: str | None = None) -> HttpResponse:
        """Back to the batch whose name it is, where it was proposed from there."""
        batch = request.GET.get("batch", "")
        if not (batch.isascii() and batch.isdigit()) or {"_continue", "_addanother"} & request.POST.keys():
            return super().response_add(request, obj, post_url_continue)
        told = f"{obj.name} is proposed as an alias of {obj.configuration.key}. It resolves once somebody reviews it."
        messages.success(request, told)
        return HttpResponseRedirect(reverse("admin:registry_importbatch_change", args=(batch,)) + "#names")


@admin.register(Judge)
class JudgeAdmin(CuratedAdmin):
    concept = "Subjects"
    list_display = ("key", "family", "organization_key", "person")
    list_filter = ("person",)
    search_fields = ("key", "family")
