"""A configuration that a file names and nobody has recorded: proposed from what its rows say."""

from typing import Any, cast

from django import forms
from django.contrib import messages
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.db.models import Q
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse

from registry.actions import changes
from registry.actions.base import permit
from registry.actions.changes import ADD, Operation
from registry.importing.results.resource import PARTS
from registry.importing.unresolved import NAMED, Unresolved, rows_refused_for
from registry.models import (
    Configuration,
    ConfigurationAlias,
    Curated,
    ImportBatch,
    MetricContract,
    ModelRelease,
    Organization,
)
from registry.models.base import KEY, KEY_LENGTH
from registry.vocabulary import UNKNOWN, Availability, ImportKind, SubjectKind

PROPOSE = "registry.add_configuration"
NOT_STATED = "'unknown' where nobody stated it, which is not the default."


class ConfigurationForm(forms.Form):
    """Organization and model are chosen, or named to be recorded along with the configuration."""

    model = forms.ModelChoiceField(
        ModelRelease.objects.select_related("organization").order_by("organization__key", "key"),
        required=False,
        empty_label="a model that is not recorded yet",
        label="Model release",
    )
    organization = forms.ModelChoiceField(
        Organization.objects.all(),
        required=False,
        empty_label="an organization that is not recorded yet",
        help_text="For a new model: who makes it.",
    )
    organization_key = forms.CharField(required=False, max_length=KEY_LENGTH, label="Key of a new organization")
    organization_name = forms.CharField(required=False, max_length=200, label="Name of a new organization")
    model_key = forms.CharField(
        required=False, max_length=KEY_LENGTH, label="Key of a new model", help_text="Unique within its organization."
    )
    model_name = forms.CharField(required=False, max_length=200, label="Name of a new model")
    subject_kind = forms.ChoiceField(choices=SubjectKind.choices, help_text="What was measured.")
    harness = forms.CharField(max_length=120, initial=UNKNOWN, help_text=NOT_STATED)
    effort = forms.CharField(max_length=60, initial=UNKNOWN, help_text=NOT_STATED)
    settings = forms.CharField(max_length=200, initial=UNKNOWN, help_text=NOT_STATED)
    key = forms.CharField(
        max_length=KEY_LENGTH,
        label="Key of the configuration",
        help_text="Stable name used in files, addresses and releases; it never changes.",
    )
    availability = forms.ChoiceField(choices=Availability.choices, initial=Availability.UNKNOWN)

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if given.get("model") is None:
            self._require("model_key", "model_name")
            if given.get("organization") is None:
                self._require("organization_key", "organization_name")
        return given

    def _require(self, *names: str) -> None:
        for name in names:
            if not self.cleaned_data.get(name) and name not in self.errors:
                self.add_error(name, "Choose a recorded one above, or give this.")

    def operations(self, alias: str, reason: str) -> list[Operation]:
        """What is recorded, each after what it refers to; `alias` waits for a review."""
        given, found = self.cleaned_data, list[Operation]()
        model = given["model"].pk if given["model"] else None
        if model is None:
            maker: Any = given["organization"].pk if given["organization"] else None
            if maker is None:
                maker = _add(
                    found, Organization, {"key": given["organization_key"], "name": given["organization_name"]}
                )
            named = {"organization": maker, "key": given["model_key"], "name": given["model_name"]}
            model = _add(found, ModelRelease, named)
        parts = ("key", "subject_kind", "harness", "effort", "settings", "availability")
        made = _add(found, Configuration, {"model": model, "note": reason, **{part: given[part] for part in parts}})
        if alias and alias != given["key"]:
            _add(found, ConfigurationAlias, {"name": alias, "configuration": made, "reason": reason})
        return found

    def told(self, failed: changes.Failed, operation: Operation) -> None:
        """Put what an operation was refused for at the field that it came from."""
        prefix = {"registry.organization": "organization_", "registry.modelrelease": "model_"}.get(operation.model, "")
        error = failed.error
        if not isinstance(error, ValidationError) or not hasattr(error, "error_dict"):
            self.add_error(None, failed.sentence)
            return
        for name, errors in error.error_dict.items():
            own = f"{prefix}{name}"
            self.add_error(own if own in self.fields and name != NON_FIELD_ERRORS else None, errors)


def _add(found: list[Operation], model: type[Curated], values: dict[str, Any]) -> dict[str, int]:
    """Append the operation; how later ones refer to its record."""
    found.append(Operation(ADD, model._meta.label_lower, values=values))
    return {"added": len(found) - 1}


def propose_configuration(
    request: HttpRequest, batch: ImportBatch, found: Unresolved, *, reason: str, context: dict[str, Any]
) -> HttpResponse:
    """The form, and what comes of it: configuration and alias in one transaction, or nothing."""
    permit(cast("Any", request.user), PROPOSE)
    if found.alias or found.resolved:
        messages.info(request, f"The name {found.name} is taken care of already: nothing was done.")
        return HttpResponseRedirect(context["back"])
    form = ConfigurationForm(request.POST or None, initial=_initial(batch, found))
    alias = "" if found.parts or found.fault else found.name
    if form.is_valid() and _carried_out(request, form, alias, reason):
        messages.success(request, _told(form.cleaned_data["key"], alias))
        return HttpResponseRedirect(context["back"])
    more = {"title": "Propose a configuration", "form": form, "found": found, "alias": alias}
    return TemplateResponse(request, "admin/import_configuration.html", {**context, **more})


def _carried_out(request: HttpRequest, form: ConfigurationForm, alias: str, reason: str) -> bool:
    operations = form.operations(alias, reason)
    try:
        changes.carry_out(operations=operations, by=cast("Any", request.user), reason=reason)
    except changes.Failed as failed:
        form.told(failed, operations[failed.index])
        return False
    return True


def _told(key: str, alias: str) -> str:
    if alias and alias != key:
        told = f"Configuration {key} is recorded, and {alias} is proposed as its alias."
        return f"{told} It resolves once somebody reviews it."
    return f"Configuration {key} is recorded: judge the batch again, and its rows find it."


def _initial(batch: ImportBatch, found: Unresolved) -> dict[str, Any]:
    """What the rows say; nothing is taken out of a name by guess."""
    said = _said(batch, found)
    maker, model, harness, effort = found.parts or tuple(
        said.get(part, missing) for part, missing in zip(PARTS, ("", "", UNKNOWN, UNKNOWN), strict=True)
    )
    contract = MetricContract.objects.filter(key=said.get("contract", "")).first()
    release = ModelRelease.objects.filter(organization__key=maker, key=model).first()
    organization = Organization.objects.filter(key=maker).first()
    given = {
        "model": release,
        "organization": organization,
        "organization_key": "" if organization else maker,
        "model_key": "" if release else model,
        "harness": harness,
        "effort": effort,
        "subject_kind": contract.subject_kind if contract else "",
        "key": _key(found, (maker, model, effort)),
    }
    return {name: value for name, value in given.items() if value}


def _said(batch: ImportBatch, found: Unresolved) -> dict[str, Any]:
    """What could be read of the first row that gives the name."""
    rows = rows_refused_for(batch)
    if found.parts:
        named = rows.filter(values__organization=found.parts[0], values__model=found.parts[1])
    else:
        said = Q(pk__in=())
        for column in NAMED[ImportKind(batch.kind)]:
            said |= Q(**{f"values__{column}": found.name})
        named = rows.filter(said)
    row = named.order_by("line").first()
    return (row.values or {}) if row else {}


def _key(found: Unresolved, parts: tuple[str, str, str]) -> str:
    maker, model, effort = parts
    if KEY.match(found.name) and not found.parts:
        return found.name
    key = f"{maker}/{model}" if effort == UNKNOWN else f"{maker}/{model}@{effort}"
    return key if maker and model and KEY.match(key) else ""
