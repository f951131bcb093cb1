"""Curated records: saved and removed by actions, and what those refuse comes back with what was typed."""

from typing import TYPE_CHECKING, Any, ClassVar, cast

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.widgets import AdminTextareaWidget, RelatedFieldWidgetWrapper
from django.core.exceptions import ValidationError
from django.db import models
from django.http import HttpRequest, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.text import capfirst

from registry.actions import changes
from registry.admin import confirm, history
from registry.admin.attempts import Attempt, NotSaved, ToConfirm, take_present_version
from registry.admin.exchanged import Exchanged
from registry.admin.forms import MAIN, OPENED, CuratedForm, CuratedFormset, edits, removal
from registry.admin.help import text_for
from registry.vocabulary import IdentityPart, SubjectKind

if TYPE_CHECKING:
    TabularInline = admin.TabularInline[Any, Any]
else:
    TabularInline = admin.TabularInline

REOPEN = "_reopen"

WORD_LISTS = {"metric_partitions": SubjectKind, "required_identity": IdentityPart}
"""JSON fields that hold words of the vocabulary."""


class Worded(admin.options.BaseModelAdmin):  # type: ignore[type-arg]  # generic only to the type checker
    """Every field says what it means; lists of words are ticked, not typed."""

    formfield_overrides: ClassVar = {
        models.TextField: {"widget": AdminTextareaWidget(attrs={"rows": 3})},
        models.URLField: {"assume_scheme": "https", "widget": forms.URLInput(attrs={"class": "vTextField"})},
    }

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if words := WORD_LISTS.get(db_field.name):
            box = forms.CheckboxSelectMultiple
            return forms.MultipleChoiceField(
                choices=words.choices, widget=box, required=not db_field.blank, help_text=text_for(db_field)
            )
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        if field is not None:
            field.help_text = field.help_text or text_for(db_field)
            field.widget = self.calmed(field.widget)
        return field

    def calmed(self, widget: Any) -> Any:
        """Beside a reference stand links to look at it and to add one: others are edited and removed on their own."""
        if isinstance(widget, RelatedFieldWidgetWrapper):
            widget.can_change_related = widget.can_delete_related = False
        return widget


def _with_version(fieldsets: Any) -> Any:
    """The hidden version goes into the first group of fields."""
    (name, options), *others = fieldsets
    return [(name, {**options, "fields": [*options["fields"], OPENED]}), *others]


class CuratedInline(Worded, TabularInline):
    """Rows of a record, each a curated record of its own."""

    form = CuratedForm
    formset = CuratedFormset
    extra = 1
    show_change_link = True

    def calmed(self, widget: Any) -> Any:
        """In a row, the choice alone."""
        return widget.widget if isinstance(widget, RelatedFieldWidgetWrapper) else widget

    def get_formset(self, request: HttpRequest, obj: Any = None, **kwargs: Any) -> Any:
        formset: Any = super().get_formset(request, obj, **kwargs)
        formset.form.problems = getattr(request, "problems", {})
        return formset

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        fieldsets = super().get_fieldsets(request, obj)
        may_write = self.has_change_permission(request, obj) or self.has_add_permission(request, obj)
        return _with_version(fieldsets) if may_write else fieldsets


class CuratedAdmin(Worded, Exchanged):
    """Saves and removes through `registry.actions.changes`; what it refuses comes back with what was typed."""

    form = CuratedForm

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:  # noqa: FBT001, FBT002
        form = super().get_form(request, obj, change=change, **kwargs)
        own = cast("type[CuratedForm]", form)
        own.problems, own.by = getattr(request, "problems", {}), request.user.get_username()
        return form

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        fieldsets = super().get_fieldsets(request, obj)
        may_write = self.has_change_permission(request, obj) if obj else self.has_add_permission(request)
        return _with_version(fieldsets) if may_write else fieldsets

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: Any) -> None:
        """Nothing yet: the form and its rows are saved together below."""

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: Any) -> None:
        found = edits(form, formsets)
        operations = [operation for operation, _ in found]
        try:
            records = changes.carry_out(operations=operations, by=cast("Any", request.user))
        except changes.Failed as failed:
            raise NotSaved(found[failed.index][1], operations[failed.index], failed) from failed
        except changes.AsksFirst as asks:
            raise ToConfirm(operations, self._named(form.instance), asks.collections) from asks
        for record, (_, prefix) in zip(records, found, strict=True):
            if prefix == MAIN:
                form.instance.pk = record.pk

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, form_url: str = "", extra_context: Any = None
    ) -> Any:
        if REOPEN in request.POST:
            told = "Nothing is saved yet. This is what you had typed."
            # Invalid, so that it is not saved, though nothing is wrong with it.
            return self._again(request, object_id, {MAIN: ValidationError(told)}, 200, {"notice": told, "errors": []})
        try:
            return super().changeform_view(request, object_id, form_url, extra_context)
        except NotSaved as error:
            return self._refused(request, object_id, error)
        except ToConfirm as error:
            return confirm.ask(request, error.decision(request.get_full_path()), back=confirm.Back.to(request))

    def delete_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> Any:
        try:
            return super().delete_view(request, object_id, extra_context)
        except NotSaved as error:
            messages.error(request, error.sentence)
            return HttpResponseRedirect(self._address(object_id))
        except ToConfirm as error:
            decision = error.decision(reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist"))
            return confirm.ask(request, decision, back=confirm.Back(self._address(object_id)))

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """Nothing goes along with a record: what uses it is named, and the action asks for the permission."""
        found, counts, _, protected = super().get_deleted_objects(objs, request)
        return found, counts, set(), protected

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        operation = removal(obj)
        try:
            changes.carry_out(operations=[operation], by=cast("Any", request.user))
        except changes.Failed as failed:
            raise NotSaved(MAIN, operation, failed) from failed
        except changes.AsksFirst as asks:
            raise ToConfirm([operation], self._named(obj), asks.collections) from asks

    def _named(self, obj: Any) -> str:
        return f"{capfirst(self.opts.verbose_name)} {obj}"[:250]

    def _address(self, object_id: str) -> str:
        return reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_change", args=(object_id,))

    def _refused(self, request: HttpRequest, object_id: str | None, error: NotSaved) -> Any:
        """The same page with the answer where it belongs; 409 when somebody else was faster."""
        problem = error.problem()
        context = {}
        if error.is_conflict:
            context = {"conflict": history.since(error.operation)}
            take_present_version(request, error)
        return self._again(request, object_id, {error.prefix: problem}, 409 if error.is_conflict else 200, context)

    def _again(
        self, request: HttpRequest, object_id: str | None, problems: Any, status: int, context: Any = None
    ) -> Any:
        cast("Attempt", request).problems = problems
        response = super().changeform_view(request, object_id, "", context)
        if isinstance(response, TemplateResponse):
            response.status_code = status
        return response
