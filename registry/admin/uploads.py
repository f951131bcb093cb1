"""The forms by which a file comes in, and by which one that is kept is judged again."""

import csv
import io
from typing import Any, cast

from django import forms
from django.core.validators import URLValidator
from django.http import HttpRequest

from registry.importing.contents import Content, Held
from registry.importing.formats import FORMATS
from registry.models import ImportBatch, MappingProfile
from registry.vocabulary import BatchMode, ImportKind


def source_address() -> forms.CharField:
    return forms.CharField(
        required=False,
        max_length=500,
        validators=[URLValidator(schemes=("http", "https"))],
        label="Source address",
        help_text="Where it was published, for rows that do not say. A citation: it is never fetched.",
    )


def _reference() -> forms.CharField:
    return forms.CharField(
        required=False, max_length=250, label="Source reference", help_text="Commit, page or version."
    )


class UploadForm(forms.Form):
    """A file, or its text; never both."""

    file = forms.FileField(
        required=False,
        allow_empty_file=True,
        help_text="A CSV in UTF-8, a workbook, or what an evaluation tool has written.",
    )
    text = forms.CharField(
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"}),
        help_text="Or paste the rows here, header first: CSV, or cells copied from a spreadsheet; up to 2 MB.",
    )
    form = forms.ChoiceField(
        choices=[("", "what it is recognised as"), *((each.key, each.label) for each in FORMATS.values())],
        required=False,
        label="Format",
        help_text="Only where a file is taken for something else than it is.",
    )
    kind = forms.ChoiceField(
        choices=[("", "what the profile reads, else results"), *ImportKind.choices],
        required=False,
        label="What it holds",
        help_text="Published results, or our own comparisons of two outputs.",
    )
    profile = forms.ModelChoiceField(
        MappingProfile.objects.all(),
        required=False,
        empty_label="as documented",
        help_text="How a foreign layout is read. Leave it for files in the layout of results.csv or comparisons.csv.",
    )
    source_url = source_address()
    source_ref = _reference()
    mode = forms.ChoiceField(
        choices=BatchMode.choices,
        initial=BatchMode.ALL_OR_NOTHING,
        widget=forms.RadioSelect,
        label="When a row is bad",
        help_text="A refused or conflicting row stops the whole file, or stays behind on the batch.",
    )

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if bool(given.get("file")) == bool(given.get("text")) and "file" not in self.errors:
            raise forms.ValidationError("Give a file or paste its text, one of the two.", code="one-of-two")
        return given

    @property
    def content(self) -> Content:
        """A large upload stays on disk."""
        file = self.cleaned_data["file"]
        return cast("Content", file) if file else Held(_as_csv(self.cleaned_data["text"]).encode())

    @property
    def filename(self) -> str:
        file = self.cleaned_data["file"]
        if file:
            return str(file.name)
        return "pasted-cells.csv" if _is_of_a_spreadsheet(self.cleaned_data["text"]) else "pasted.csv"


def _is_of_a_spreadsheet(text: str) -> bool:
    """Cells that are copied from one come with a tab between them."""
    header = text.lstrip().partition("\n")[0]
    return "\t" in header and "," not in header


def _as_csv(text: str) -> str:
    if not _is_of_a_spreadsheet(text):
        return text
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows(csv.reader(io.StringIO(text, newline=""), "excel-tab"))
    return written.getvalue()


def offered(request: HttpRequest) -> dict[str, Any]:
    """What the upload starts with where a page leads to it, such as the profile of a file that was to be mended."""
    given: dict[str, Any] = {name: request.GET[name] for name in UploadForm.base_fields if name in request.GET}
    if "profile" in given:
        given["profile"] = MappingProfile.objects.filter(key=given["profile"]).first()
    return given


class AgainForm(forms.Form):
    """How a kept file is to be read now; it starts with how it was read."""

    profile = forms.ModelChoiceField(
        MappingProfile.objects.none(), required=False, empty_label="as documented", help_text="How its layout is read."
    )
    form = forms.ChoiceField(
        choices=[("", "as before"), *((each.key, each.label) for each in FORMATS.values())],
        required=False,
        label="Format",
        help_text="Only where it was taken for something else than it is.",
    )
    source_url = source_address()
    source_ref = _reference()
    mode = forms.ChoiceField(choices=BatchMode.choices, widget=forms.RadioSelect, label="When a row is bad")

    def __init__(self, batch: ImportBatch, *args: Any, **kwargs: Any) -> None:
        profiles = MappingProfile.objects.filter(kind=batch.kind)
        kept = {name: getattr(batch, name) for name in ("mode", "source_url", "source_ref")}
        start = {"profile": profiles.filter(key=batch.profile_key).first(), **kept}
        super().__init__(*args, **{"initial": start, "auto_id": "again_%s", **kwargs})
        cast("forms.ModelChoiceField[MappingProfile]", self.fields["profile"]).queryset = profiles
