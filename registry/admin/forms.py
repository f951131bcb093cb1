"""The forms of curated records, and what they say as data."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Field, ForeignKey, Model

from registry.actions.changes import ADD, CHANGE, REMOVE, Operation

if TYPE_CHECKING:
    Form = forms.ModelForm[Any]
    Formset = forms.BaseInlineFormSet[Any, Any, Any]
else:
    Form = forms.ModelForm
    Formset = forms.BaseInlineFormSet

OPENED = "opened"
GONE = "Somebody removed a row since you opened the page; nothing is saved. Open the page again."
MAIN = ""
"""The prefix of the form itself, beside those of its rows."""


class CuratedForm(Form):
    """Remembers the version it was opened on. `problems` are answers of the action, shown where they belong."""

    opened = forms.IntegerField(required=False, widget=forms.HiddenInput)

    problems: ClassVar[dict[str, ValidationError]] = {}
    by: ClassVar[str] = ""
    """Who is at the desk."""
    stamps: ClassVar[tuple[str, ...]] = ()
    """Fields without a widget that `clean` writes on the record, such as who reviewed it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk:
            self.initial[OPENED] = self.instance.version
            self._close(self.instance.permanent_fields())
        if self.prefix:
            self._name_fields()

    def _close(self, names: Iterable[str]) -> None:
        """What the record is known by is shown and cannot be typed over."""
        for name in names:
            if name in self.fields:
                self.fields[name].disabled = True

    def _name_fields(self) -> None:
        """In a row the column's heading is the label; whoever does not see it hears it."""
        for field in self.fields.values():
            if not field.widget.is_hidden:
                field.widget.attrs["aria-label"] = str(field.label).capitalize()

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        if problem := self.problems.get(self.prefix or MAIN):
            self.add_error(None, self._placed(problem))
        return cleaned

    def _placed(self, problem: ValidationError) -> ValidationError:
        """What is said about a field that is not on this form is said above it."""
        if not hasattr(problem, "error_dict"):
            return problem
        placed: dict[str, list[ValidationError]] = {}
        for name, errors in problem.error_dict.items():
            placed.setdefault(name if name in self.fields else NON_FIELD_ERRORS, []).extend(errors)
        return ValidationError(placed)


class CuratedFormset(Formset):
    """Rows that somebody removed meanwhile have no place on the page any more: what was typed there is told above."""

    def clean(self) -> None:
        super().clean()
        gone = [form for form in self.initial_forms if form.instance._meta.pk.name in form.errors]
        if gone:
            raise ValidationError([f"{GONE} {_typed(form)}" for form in gone], code="gone")


def _typed(form: forms.BaseForm) -> str:
    told = [f"{form[name].label}: {value}" for name, field in form.fields.items()
            if not field.widget.is_hidden and (value := form[name].value())]  # fmt: skip
    return f"You had typed: {'; '.join(told)}."


Edit = tuple[Operation, str]
"""An operation and the prefix of the form it comes from."""


def edits(form: CuratedForm, formsets: Iterable[Formset]) -> list[Edit]:
    """What the form and its rows would change: removals first, so that what replaces them finds room."""
    formsets = list(formsets)
    removed = [edit for formset in formsets for edit in _removed(formset)]
    main = _edit(form)
    parent: Any = form.instance.pk or {"added": len(removed)}
    rows = [edit for formset in formsets for edit in _kept(formset, parent)]
    return [*removed, *main, *rows]


def removal(obj: Model, version: int | None = None) -> Operation:
    return Operation(REMOVE, obj._meta.label_lower, pk=obj.pk, version=version)


def _removed(formset: Formset) -> list[Edit]:
    return [
        (removal(form.instance, form.cleaned_data.get(OPENED)), form.prefix or MAIN)
        for form in formset.deleted_forms
        if form.instance.pk
    ]


def _kept(formset: Formset, parent: Any) -> list[Edit]:
    found: list[Edit] = []
    for form in formset.forms:
        if form in formset.deleted_forms or not form.has_changed():
            continue
        for operation, prefix in _edit(form):
            own = {formset.fk.name: parent} if operation.op == ADD else {}
            found.append((replace(operation, values=operation.values | own), prefix))
    return found


def _edit(form: CuratedForm) -> list[Edit]:
    label = form.instance._meta.label_lower
    prefix = form.prefix or MAIN
    if not form.instance.pk:
        return [(Operation(ADD, label, values=_values(form, [*form.fields, *form.stamps])), prefix)]
    if not form.changed_data:
        return []
    opened = form.cleaned_data.get(OPENED)
    values = _values(form, [*form.changed_data, *form.stamps])
    return [(Operation(CHANGE, label, pk=form.instance.pk, version=opened, values=values), prefix)]


def _values(form: CuratedForm, names: Sequence[str]) -> dict[str, Any]:
    """The model's fields of these names as JSON values."""
    meta = form.instance._meta
    values = {field.name: _value(form, field) for field in meta.concrete_fields if field.name in names}
    values |= {
        field.name: [member.pk for member in form.cleaned_data[field.name]]
        for field in meta.many_to_many
        if field.name in names
    }
    plain: dict[str, Any] = json.loads(json.dumps(values, cls=DjangoJSONEncoder))
    return {name: value for name, value in plain.items() if meta.get_field(name).editable}


def _value(form: CuratedForm, field: "Field[Any, Any]") -> Any:
    value = getattr(form.instance, field.attname)
    return value if not isinstance(field, ForeignKey) or value is None else int(value)
