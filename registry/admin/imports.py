"""Importing: upload or paste, look at every verdict, then apply, revert or discard."""

from typing import Any, cast

from django import forms
from django.contrib import admin, messages
from django.contrib.auth.models import AbstractUser
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.core.validators import URLValidator
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.views.decorators.http import require_POST

from registry.actions import imports
from registry.actions.base import Refused, permit
from registry.actions.reading import APPLY_IMPORT, READ_IMPORT
from registry.admin import confirm
from registry.admin.base import CuratedAdmin
from registry.admin.desk import ReadOnly
from registry.admin.staged import TELLING, rows, shown
from registry.importing.contents import Content, Held
from registry.importing.formats import FORMATS
from registry.importing.report import bad_rows_csv, skip_reasons
from registry.models import ImportBatch, Job, MappingProfile, Source
from registry.vocabulary import BatchMode, BatchStatus, ImportKind, Verdict

PER_PAGE = 50
IMPORT = "registry.import_result"


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
        help_text="Or paste the rows here, header first.",
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
    source_url = forms.CharField(
        required=False,
        max_length=500,
        validators=[URLValidator(schemes=("http", "https"))],
        label="Source address",
        help_text="Where it was published, for rows that do not say. A citation: it is never fetched.",
    )
    source_ref = forms.CharField(
        required=False, max_length=250, label="Source reference", help_text="Commit, page or version."
    )
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
        return cast("Content", file) if file else Held(self.cleaned_data["text"].encode())

    @property
    def filename(self) -> str:
        file = self.cleaned_data["file"]
        return str(file.name) if file else "pasted.csv"


@admin.register(ImportBatch)
class ImportBatchAdmin(ReadOnly):
    """All of it takes the permission to import."""

    concept = "Imports"
    excludable = ("batch", "pk")
    list_display = ("number", "source", "status", "rows", "mode", "created_by", "created_at")
    list_filter = ("status", "mode", "kind")
    list_select_related = ("source",)
    search_fields = ("source__filename", "source__sha256", "created_by", "profile_key")

    @admin.display(description="batch", ordering="pk")
    def number(self, batch: ImportBatch) -> str:
        return f"batch {batch.pk}"

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm(IMPORT)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm(IMPORT)

    def get_urls(self) -> list[URLPattern]:
        def wrap(view: Any) -> Any:
            return self.admin_site.admin_view(view)

        own = [
            path("<int:pk>/refused.csv", wrap(self.refused), name="registry_importbatch_refused"),
            path("<int:pk>/give-up/", wrap(require_POST(self.give_up)), name="registry_importbatch_give_up"),
            path("<int:pk>/discard/", wrap(require_POST(self.discard)), name="registry_importbatch_discard"),
        ]
        return [*own, *super().get_urls()]

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        permit(_by(request), IMPORT)
        form = UploadForm(request.POST or None, request.FILES or None)
        if form.is_valid():
            try:
                batch = self._stage(request, form)
                return HttpResponseRedirect(_address(batch))
            except Refused as refusal:
                form.add_error(None, refusal.sentence)
        context = {**self.admin_site.each_context(request), "title": "Import", "form": form, "opts": self.opts}
        return TemplateResponse(request, "admin/import_upload.html", context)

    def _stage(self, request: HttpRequest, form: UploadForm) -> ImportBatch:
        given = form.cleaned_data
        return imports.stage(
            content=form.content,
            filename=form.filename,
            kind=given["kind"],
            form=given["form"],
            profile=given["profile"],
            source_url=given["source_url"],
            source_ref=given["source_ref"],
            mode=BatchMode(given["mode"]),
            by=_by(request),
        )

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        permit(_by(request), IMPORT)
        batch = cast("ImportBatch | None", self.get_object(request, object_id))
        if batch is None:
            return self.not_there(request, object_id)
        if request.method != "GET":
            raise PermissionDenied("A batch is not edited: apply, revert or discard it.")
        context = {
            **self.admin_site.each_context(request),
            **batch_context(batch, request),
            "title": f"Import batch {batch.pk}",
            "exclude_url": self.exclude_url(request, batch),
            "opts": self.opts,
        }
        return TemplateResponse(request, "admin/import_batch.html", context)

    def refused(self, request: HttpRequest, pk: int) -> HttpResponse:
        permit(_by(request), IMPORT)
        batch = get_object_or_404(ImportBatch, pk=pk)
        response = HttpResponse(bad_rows_csv(batch), content_type="text/csv; charset=utf-8")
        response["Content-Disposition"] = f'attachment; filename="batch-{pk}-refused.csv"'
        return response

    def give_up(self, request: HttpRequest, pk: int) -> HttpResponse:
        batch = get_object_or_404(ImportBatch, pk=pk)
        try:
            imports.give_up_applying(batch=batch, by=_by(request))
            messages.success(request, f"Batch {pk} waits for a decision again. Nothing of it was stored.")
        except Refused as refusal:
            messages.error(request, refusal.sentence)
        return HttpResponseRedirect(_address(batch))

    def discard(self, request: HttpRequest, pk: int) -> HttpResponse:
        batch = get_object_or_404(ImportBatch, pk=pk)
        try:
            imports.discard(batch=batch, by=_by(request))
            messages.success(request, f"Batch {pk} is discarded. The file and its verdicts stay in the history.")
        except Refused as refusal:
            messages.error(request, refusal.sentence)
        return HttpResponseRedirect(_address(batch))


class Pages(Paginator):  # type: ignore[type-arg]
    """How many rows have which verdict the batch knows already."""

    def __init__(self, batch: ImportBatch, verdict: str) -> None:
        super().__init__(rows(batch, verdict), PER_PAGE)
        known = batch.counts.get(verdict) if verdict in Verdict.values else batch.rows
        self._known = 0 if batch.problems else known or 0

    @property
    def count(self) -> int:
        return self._known


def _work(batch: ImportBatch) -> Job | None:
    """The job that a batch waits for."""
    kind = {BatchStatus.READING: READ_IMPORT, BatchStatus.APPLYING: APPLY_IMPORT}.get(BatchStatus(batch.status))
    return Job.objects.filter(kind=kind, key=str(batch.pk)).first() if kind else None


def batch_context(batch: ImportBatch, request: HttpRequest) -> dict[str, Any]:
    verdict = request.GET.get("verdict", "")
    page = Pages(batch, verdict).get_page(request.GET.get("p"))
    hindrance = imports.hindrance(batch)
    return {
        "batch": batch,
        "hindrance": hindrance,
        "format": FORMATS[batch.format].label if batch.format in FORMATS else batch.format,
        "counts": [(word, word.label, batch.counts.get(word.value, 0)) for word in Verdict],
        "verdict": verdict,
        "page": page,
        "columns": TELLING[ImportKind(batch.kind)],
        "rows": [shown(row, batch) for row in page.object_list],
        "work": _work(batch),
        "refresh_seconds": confirm.REFRESH_SECONDS,
        "apply_url": "" if hindrance else confirm.address("apply-import", batch=batch.pk),
        "revert_url": confirm.address("revert-batch", batch=batch.pk) if batch.status == BatchStatus.APPLIED else "",
        "may_discard": batch.status in imports.DISCARDABLE,
        "counts_bad": batch.counts.get("refused", 0) + batch.counts.get("conflict", 0),
        "skipped": list(skip_reasons(batch).items()),
    }


def _by(request: HttpRequest) -> AbstractUser:
    return cast("AbstractUser", request.user)


def _address(batch: ImportBatch) -> str:
    return reverse("admin:registry_importbatch_change", args=(batch.pk,))


@admin.register(Source)
class SourceAdmin(ReadOnly):
    concept = "Imports"
    excludable = ("source", "sha256")
    list_display = ("filename", "short", "size", "url", "uploaded_by", "uploaded_at")
    search_fields = ("filename", "sha256", "url", "uploaded_by")

    @admin.display(description="SHA-256")
    def short(self, source: Source) -> str:
        return source.sha256[:12]


@admin.register(MappingProfile)
class MappingProfileAdmin(CuratedAdmin):
    concept = "Imports"
    list_display = ("key", "title", "kind")
    search_fields = ("key", "title")
