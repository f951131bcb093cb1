"""Mapping profiles: the spec as YAML beside its grammar, tried on a file before and after it is saved."""

import re
from typing import Any, cast

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path

from registry.actions.base import permit
from registry.admin.base import CuratedAdmin
from registry.admin.forms import CuratedForm
from registry.admin.uploads import source_address
from registry.exchange.dumping import value_as_yaml
from registry.importing import profiles, starting
from registry.importing.contents import Content
from registry.importing.formats import FORMATS
from registry.importing.formats.yaml_text import read_yaml
from registry.importing.patterns import PATTERNS
from registry.importing.problems import NotATable, Unreadable
from registry.importing.trying import ROWS, Trial, tried
from registry.models import ImportBatch, MappingProfile, Source
from registry.vocabulary import BatchStatus, ImportKind

# Enough for the first rows of anything, and read while somebody waits.
LARGEST_TRIED = 2 * 1024 * 1024
SOURCES_OFFERED = 50
BATCHES_SHOWN = 20

GRAMMAR = re.findall(r"^`(\w+)`: ((?:.+\n?)+?)(?=^`|\n|\Z)", profiles.__doc__ or "", re.MULTILINE)
"""Each part of a spec with what it says, as the grammar itself states it."""


class SpecField(forms.CharField):
    """A spec as text: YAML in which every value is text, and JSON, which is YAML too."""

    widget = forms.Textarea(attrs={"rows": 28, "cols": 90, "spellcheck": "false", "class": "spec"})

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(strip=False, **kwargs)

    def prepare_value(self, value: Any) -> Any:
        return value if isinstance(value, str) else value_as_yaml(value or {})

    def to_python(self, value: Any) -> Any:
        try:
            return read_yaml(str(value or "").encode())
        except Unreadable as error:
            told = [f"Line {problem.line}: {problem.message}" for problem in error.problems]
            raise ValidationError(told, code="not-yaml") from error

    def validate(self, value: Any) -> None:
        """What it may hold depends on the kind of file."""
        if value is None:
            raise ValidationError(self.error_messages["required"], code="required")

    def run_validators(self, value: Any) -> None:
        """They are for text."""

    def has_changed(self, initial: Any, data: Any) -> bool:
        try:
            return bool(self.to_python(data) != initial)
        except ValidationError:
            return True


HELP = "How the columns are read: data, not code. Every value is text; comments are not kept. An example stands below."

EXAMPLE = """\
skip:
- when: {split: [all]}
  reason: The mean of the other splits; it would count them twice.
absences:
- column: score
  words: {"-": not-reported}
  reason: The board writes a dash where a run was not sent in.
patterns:
- {column: score, pattern: percent, into: {rate: value, unit: unit}}
vocabularies:
  part: {column: split, words: {dev: development, test: held-out}}
columns:
  contract: "example.{part}.accuracy"
  configuration: "example:{maker}|{model}"
  value: "{rate}"
  unit: "{unit}"
  n: "{tasks}"
  source_url: "https://example.org/boards/{board}"
  external_id: "{row}"
ignored: [rank]
"""
"""That of docs/imports.md."""


class ProfileForm(CuratedForm):
    spec = SpecField(help_text=HELP)


class TryForm(forms.Form):
    """A spec and a file to try it on: one that is stored, or one at hand."""

    kind = forms.ChoiceField(choices=ImportKind.choices, label="What it holds")
    spec = SpecField(help_text="What you change here is tried and not saved.")
    source = forms.ModelChoiceField(
        Source.objects.none(), required=False, empty_label="a file at hand", label="Stored source"
    )
    file = forms.FileField(required=False, allow_empty_file=True, help_text="2 MiB at most. It is not kept.")
    source_url = source_address()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        newest = Source.objects.filter(size__lte=LARGEST_TRIED).values("pk")[:SOURCES_OFFERED]
        field = cast("forms.ModelChoiceField[Source]", self.fields["source"])
        field.queryset = Source.objects.filter(pk__in=list(newest.values_list("pk", flat=True)))

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if bool(given.get("source")) == bool(given.get("file")) and not self.errors:
            raise forms.ValidationError("Choose a stored source or a file at hand, one of the two.", code="one-of-two")
        if given.get("file") and given["file"].size > LARGEST_TRIED:
            self.add_error("file", "This is larger than 2 MiB: the first rows of it will do.")
        return given

    def trial(self) -> Trial | None:
        """What came of it; a fault of spec or file is told at its field."""
        given = self.cleaned_data
        source, file = given["source"], given["file"]
        content, name = (source, source.filename) if source else (cast("Content", file), str(file.name))
        url = given["source_url"] or (source.url if source else "")
        try:
            return tried(content, name, given["spec"], given["kind"], source_url=url)
        except ValidationError as error:
            self.add_error("spec", error.messages)
        except NotATable as error:
            self.add_error("source" if source else "file", error.told(given["kind"]))
        return None


@admin.register(MappingProfile)
class MappingProfileAdmin(CuratedAdmin):
    concept = "Imports"
    form = ProfileForm
    change_form_template = "admin/mapping_profile.html"
    fields = ("key", "title", "kind", "spec")
    list_display = ("key", "title", "kind", "version")
    search_fields = ("key", "title")

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.try_out)
        return [path("<int:pk>/try/", view, name="registry_mappingprofile_try"), *super().get_urls()]

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """A new one starts with the columns of the batch that led here, or else with what is required."""
        batch = _batch(request)
        start = starting.skeleton(batch.kind, batch.header, batch.format) if batch else starting.skeleton()
        return {"kind": batch.kind, "spec": start} if batch else {"spec": start}

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any) -> Any:
        context |= _grammar()
        context["for_batch"] = None if context.get("original") else _batch(request)
        if (profile := context.get("original")) is not None:
            context |= _read_through(profile)
        return super().render_change_form(request, context, *args, **kwargs)

    def try_out(self, request: HttpRequest, pk: int) -> HttpResponse:
        permit(cast("Any", request.user), "registry.import_result")
        profile = cast("MappingProfile | None", self.get_object(request, str(pk)))
        if profile is None:
            return self.not_there(request, str(pk))
        start = {"kind": profile.kind, "spec": profile.spec}
        form = TryForm(request.POST or None, request.FILES or None, initial=start)
        trial = form.trial() if form.is_valid() else None
        context = {
            **self.admin_site.each_context(request),
            **_grammar(),
            "title": f"Try {profile.key}",
            "profile": profile,
            "form": form,
            "trial": trial,
            "format": FORMATS[trial.format].label if trial else "",
            "most_rows": ROWS,
            "opts": self.opts,
        }
        return TemplateResponse(request, "admin/profile_try.html", context)


def _batch(request: HttpRequest) -> ImportBatch | None:
    """The batch for whose layout a profile is made."""
    number = request.GET.get("batch", "")
    return ImportBatch.objects.filter(pk=number).first() if number.isdecimal() and len(number) < 10 else None


def _grammar() -> dict[str, Any]:
    patterns = [(name, _plain(found.help), found.parts) for name, found in PATTERNS.items()]
    return {"example": EXAMPLE, "grammar": [(name, _plain(says)) for name, says in GRAMMAR], "patterns": patterns}


def _plain(text: str) -> str:
    """Without the marks of the documents."""
    return text.replace("`", "")


def _read_through(profile: MappingProfile) -> dict[str, Any]:
    """The batches that were read through it, by version, and those that wait."""
    batches = ImportBatch.objects.filter(profile_key=profile.key)
    waiting = batches.filter(status=BatchStatus.STAGED).exclude(profile_version=profile.version)
    versions = batches.order_by("-profile_version").values_list("profile_version").annotate(Count("pk"))
    return {
        "batches": batches.select_related("source")[:BATCHES_SHOWN],
        "versions": list(versions),
        "outdated": waiting.count(),
    }
