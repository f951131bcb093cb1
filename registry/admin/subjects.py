"""Organizations, models, configurations, their other names, and judges."""

from typing import Any

from django import forms
from django.contrib import admin
from django.utils import timezone

from registry.admin.base import CuratedAdmin
from registry.admin.forms import CuratedForm
from registry.admin.help import HELP
from registry.admin.lists import entitled
from registry.models import Configuration, ConfigurationAlias, Judge, ModelRelease, Organization


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
    """Who and when follow from the tick."""

    reviewed = forms.BooleanField(required=False, help_text=HELP["configurationalias.reviewed"])
    stamps = ("reviewed_by", "reviewed_at")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial.setdefault("reviewed", bool(self.instance.reviewed_by))

    def clean(self) -> dict[str, Any] | None:
        reviewed = self.cleaned_data.get("reviewed")
        if reviewed != bool(self.instance.reviewed_by):
            self.instance.reviewed_by = self.by if reviewed else ""
            self.instance.reviewed_at = timezone.now() if reviewed else None
        return super().clean()


@admin.register(ConfigurationAlias)
class ConfigurationAliasAdmin(CuratedAdmin):
    concept = "Subjects"
    form = AliasForm
    fields = ("name", "configuration", "reason", "reviewed")
    list_display = ("name", "configuration", "reviewed_by", "reviewed_at")
    list_filter = (("reviewed_at", entitled("review", admin.EmptyFieldListFilter)),)
    list_select_related = ("configuration__model",)
    search_fields = ("name", "configuration__key", "configuration__model__name")
    autocomplete_fields = ("configuration",)


@admin.register(Judge)
class JudgeAdmin(CuratedAdmin):
    concept = "Subjects"
    list_display = ("key", "family", "organization_key", "person")
    list_filter = ("person",)
    search_fields = ("key", "family")
