"""Results, comparisons and sample outputs; exclusions and rights, which decide what counts."""

from collections.abc import Iterator
from typing import Any, ClassVar, cast

from django import forms
from django.contrib import admin
from django.contrib.auth.models import AbstractUser
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone

from registry.actions import exclusions
from registry.actions.base import permit
from registry.admin import confirm
from registry.admin.base import CuratedAdmin
from registry.admin.desk import ReadOnly
from registry.admin.exchanged import Exchanged, Exported
from registry.admin.forms import CuratedForm
from registry.admin.lists import stamped
from registry.decisions import Exclude
from registry.exchange.evidence import table_of
from registry.exchange.tables import Table
from registry.importing.comparisons.resource import ComparisonResource
from registry.importing.results.resource import ResultResource
from registry.models import Comparison, Exclusion, Result, RightsDecision, SampleOutput
from registry.standing import of_results
from registry.vocabulary import RightsVerdict


class Imported(Exported, ReadOnly):
    """Comes in by import and goes out by export; nobody types one."""

    concept = "Evidence"

    def decided_about(self, record: Any) -> Iterator[Model]:
        """It comes and goes with its batch; what corrected it, it shares an event with."""
        yield from super().decided_about(record)
        yield record.batch
        if getattr(record, "replaced_by", None) is not None:
            yield record.replaced_by


@admin.register(Result)
class ResultAdmin(Imported):
    change_form_template = "admin/result.html"
    excludable = ("result", "pk")
    ordering = ("-pk",)
    list_display = ("__str__", "configuration", "value", "absence", "n", "state", "batch")
    list_filter = ("state", "absence", "contract__lineage", "contract__benchmark")
    list_select_related = ("contract", "configuration__model", "batch__source")
    search_fields = ("contract__key", "configuration__key", "external_id", "source_url")

    def table(self, among: QuerySet[Any]) -> Table:
        return table_of(ResultResource, among)

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any) -> Any:
        context["judged"] = list(of_results(Result.objects.filter(pk=context["original"].pk)))
        return super().render_change_form(request, context, *args, **kwargs)


@admin.register(Comparison)
class ComparisonAdmin(Imported):
    ordering = ("-pk",)
    list_display = ("comparison_id", "task", "a", "b", "outcome", "judge", "order", "state")
    list_filter = ("outcome", "state", "order")
    list_select_related = ("task", "a__model", "b__model", "judge")
    search_fields = ("comparison_id", "task__key", "a__key", "b__key", "judge__key")

    def table(self, among: QuerySet[Any]) -> Table:
        return table_of(ComparisonResource, among)


@admin.register(SampleOutput)
class SampleOutputAdmin(CuratedAdmin):
    concept = "Evidence"
    list_display = ("task", "configuration")
    list_select_related = ("task", "configuration__model")
    search_fields = ("task__title", "configuration__key")
    autocomplete_fields = ("task", "configuration")


class RightsForm(CuratedForm):
    """Whoever saves a verdict is its reviewer, on that day."""

    stamps = ("reviewed_by", "reviewed_on")

    def clean(self) -> dict[str, Any] | None:
        verdict = self.cleaned_data.get("verdict")
        if verdict == RightsVerdict.UNREVIEWED:
            self.instance.reviewed_by, self.instance.reviewed_on = "", None
        elif self.changed_data:
            self.instance.reviewed_by, self.instance.reviewed_on = self.by, timezone.localdate()
        return super().clean()


@admin.register(RightsDecision)
class RightsDecisionAdmin(CuratedAdmin):
    concept = "Evidence"
    form = RightsForm
    fields = ("publisher", "suite", "source", "use", "verdict", "clause", "clause_url", "attribution")
    list_display = ("target", "use", "verdict", "reviewed_by", "reviewed_on")
    list_filter = ("verdict", "use")
    list_select_related = ("publisher", "suite", "source")
    search_fields = ("publisher__key", "suite__key", "source__filename", "source__sha256", "clause")
    autocomplete_fields = ("source",)

    @admin.display(description="for")
    def target(self, decision: RightsDecision) -> str:
        return str(decision.publisher or decision.suite or decision.source)


class ExclusionForm(forms.ModelForm):  # type: ignore[type-arg]  # generic only to the type checker
    class Meta:
        model = Exclusion
        fields = ("scope", "target", "mapping", "type", "reason", "lift_condition")
        help_texts: ClassVar = {
            "scope": "What kind of thing is refused.",
            "type": "What is wrong with it.",
            "reason": "Why, in words that can be read in public.",
            "lift_condition": "What would have to happen for it to count again.",
        }


def _decision(form: ExclusionForm) -> Exclude:
    given = form.cleaned_data
    texts = {name: given[name] for name in ("scope", "target", "type", "reason", "lift_condition")}
    return Exclude(**texts, mapping=given["mapping"].pk if given["mapping"] else None)


@admin.register(Exclusion)
class ExclusionAdmin(Exchanged, ReadOnly):
    """Excluded and lifted by decisions; never edited, never deleted."""

    concept = "Evidence"
    change_form_template = "admin/exclusion.html"
    list_display = ("scope", "target", "mapping", "type", "excluded_by", "excluded_at", "lifted_at")
    list_filter = ("scope", "type", ("lifted_at", stamped("state", empty="in force", filled="lifted")))
    list_select_related = ("mapping__collection", "mapping__benchmark__suite")
    search_fields = ("target", "reason", "excluded_by")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("registry.add_exclusion")

    def _page(self, request: HttpRequest, form: forms.Form, more: dict[str, Any]) -> HttpResponse:
        """A file of exclusions is compared with the list, and leads to no edit."""
        return super()._page(request, form, {"decided_at": reverse("admin:registry_exclusion_add"), **more})

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        """The reason and the rule are written before the consequences are seen."""
        permit(cast("AbstractUser", request.user), "registry.add_exclusion")
        reopened = "_reopen" in request.POST
        form = ExclusionForm(request.POST or None, initial=request.GET.dict())
        if form.is_valid() and not reopened:
            return confirm.ask(request, _decision(form), back=confirm.Back.to(request))
        context = {
            **self.admin_site.each_context(request),
            "title": "Exclude evidence",
            "form": form,
            "target": exclusions.told(form["scope"].value() or "", str(form["target"].value() or "")),
            "opts": self.opts,
        }
        return TemplateResponse(request, "admin/exclusion_add.html", context)

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any) -> Any:
        exclusion = context["original"]
        if exclusion.lifted_at is None and request.user.has_perm("registry.lift_exclusion"):
            context["lift_url"] = confirm.address("lift-exclusion", exclusion=exclusion.pk)
        return super().render_change_form(request, context, *args, **kwargs)
