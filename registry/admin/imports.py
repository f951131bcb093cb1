"""Importing: upload or paste, look at every verdict, mend names, then apply, judge again, revert or discard."""

from collections.abc import Callable
from typing import Any, cast

from django.contrib import admin, messages
from django.contrib.auth.models import AbstractUser
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseRedirect,
    StreamingHttpResponse,
)
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_POST

from registry.actions import imports
from registry.actions.base import Refused, permit
from registry.actions.judging_again import judge_again
from registry.actions.names import PROPOSE, propose_alias
from registry.admin.batch_page import IMPORT, batch_context
from registry.admin.configurations import propose_configuration
from registry.admin.desk import ReadOnly
from registry.admin.exchanged import EXPORT
from registry.admin.uploads import AgainForm, UploadForm, offered
from registry.importing import mending, starting
from registry.importing.kinds import KINDS
from registry.importing.unresolved import Unresolved, unresolved
from registry.models import Configuration, ImportBatch, Source
from registry.vocabulary import BatchMode
from registry.wording import counted

SEE = "registry.view_importbatch"


@admin.register(ImportBatch)
class ImportBatchAdmin(ReadOnly):
    """Looking takes the permission to see batches; each button takes that of its action."""

    concept = "Imports"
    excludable = ("batch", "pk")
    list_display = ("number", "source", "status", "rows", "mode", "created_by", "created_at")
    list_filter = ("status", "mode", "kind")
    list_select_related = ("source",)
    search_fields = ("source__filename", "source__sha256", "created_by", "profile_key")

    @admin.display(description="batch", ordering="pk")
    def number(self, batch: ImportBatch) -> str:
        return f"batch {batch.pk}"

    def has_add_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm(IMPORT)

    def get_urls(self) -> list[URLPattern]:
        posted = {"give-up": self.give_up, "discard": self.discard, "again": self.again, "alias": self.alias}
        seen = {"configuration": self.configuration}
        own = [self._url(f"{name}/", name.replace("-", "_"), require_POST(view)) for name, view in posted.items()]
        own += [self._url(f"{name}/", name, view) for name, view in seen.items()]
        template = path(
            "template/<str:kind>.csv", self.admin_site.admin_view(self.template), name="registry_importbatch_template"
        )
        return [self._url("refused.csv", "refused", self.refused), template, *own, *super().get_urls()]

    def _url(self, page: str, name: str, view: Any) -> URLPattern:
        wrapped: Any = self.admin_site.admin_view(view)
        found: URLPattern = path(f"<int:pk>/{page}", wrapped, name=f"registry_importbatch_{name}")
        return found

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        permit(_by(request), IMPORT)
        form = UploadForm(request.POST or None, request.FILES or None, initial=offered(request))
        if form.is_valid():
            try:
                batch = self._stage(request, form)
                return HttpResponseRedirect(_address(batch))
            except Refused as refusal:
                form.add_error(None, refusal.sentence)
        layouts = [(kind, starting.columns(kind)) for kind in KINDS]
        own = {"title": "Import", "form": form, "layouts": layouts, "opts": self.opts}
        context = {**self.admin_site.each_context(request), **own}
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
        permit(_by(request), SEE)
        batch = cast("ImportBatch | None", self.get_object(request, object_id))
        if batch is None:
            return self.not_there(request, object_id)
        if request.method != "GET":
            raise PermissionDenied("A batch is not edited: apply, judge again, revert or discard it.")
        context = {
            **self.admin_site.each_context(request),
            **batch_context(batch, request),
            "title": f"Import batch {batch.pk}",
            "exclude_url": self.exclude_url(request, batch),
            "opts": self.opts,
        }
        return TemplateResponse(request, "admin/import_batch.html", context)

    def refused(self, request: HttpRequest, pk: int) -> StreamingHttpResponse:
        permit(_by(request), EXPORT)
        permit(_by(request), SEE)
        batch = get_object_or_404(ImportBatch, pk=pk)
        if not mending.bad_rows(batch).exists():
            raise Http404(f"Batch {pk} holds no row that cannot be taken.")
        response = StreamingHttpResponse(mending.lines(batch), content_type="text/csv; charset=utf-8")
        response["Content-Disposition"] = f'attachment; filename="batch-{pk}-refused.csv"'
        return response

    def template(self, request: HttpRequest, kind: str) -> HttpResponse:
        """A file of the own layout to fill in."""
        permit(_by(request), IMPORT)
        if kind not in KINDS:
            raise Http404(f"There is no layout {kind}.csv.")
        response = HttpResponse(starting.template(kind), content_type="text/csv; charset=utf-8")
        response["Content-Disposition"] = f'attachment; filename="{kind}.csv"'
        return response

    def give_up(self, request: HttpRequest, pk: int) -> HttpResponse:
        def act(batch: ImportBatch) -> str:
            imports.give_up_applying(batch=batch, by=_by(request))
            return f"Batch {pk} waits for a decision again. Nothing of it was stored."

        return _done(request, pk, act)

    def discard(self, request: HttpRequest, pk: int) -> HttpResponse:
        def act(batch: ImportBatch) -> str:
            imports.discard(batch=batch, by=_by(request))
            return f"Batch {pk} is discarded. The file and its verdicts stay in the history."

        return _done(request, pk, act)

    def again(self, request: HttpRequest, pk: int) -> HttpResponse:
        permit(_by(request), IMPORT)

        def act(batch: ImportBatch) -> str:
            form = AgainForm(batch, request.POST)
            if not form.is_valid():
                told = [f"{form[name].label}: {' '.join(map(str, errors))}" for name, errors in form.errors.items()]
                raise ValidationError(told)
            mode = BatchMode.QUARANTINE if "leave" in request.POST else BatchMode(form.cleaned_data["mode"])
            chosen = {name: form.cleaned_data[name] for name in ("profile", "form", "source_url", "source_ref")}
            read = judge_again(batch=batch, mode=mode, by=_by(request), **chosen)
            return f"Batch {pk} is judged again: it is {read.get_status_display()}."

        return _done(request, pk, act)

    def alias(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Propose that a name of the batch means a configuration."""
        permit(_by(request), PROPOSE)

        def act(batch: ImportBatch) -> str:
            found = _name_of(batch, request.POST.get("name", ""))
            key = request.POST.get("configuration", "")
            meant = Configuration.objects.filter(key=key).first()
            if meant is None:
                raise Refused("no-such-configuration", f"There is no configuration {key}.")
            alias = propose_alias(name=found.name, configuration=meant, by=_by(request), reason=_met(batch, found))
            return (
                f"The name {alias.name} is proposed as an alias of {meant.key}. It resolves once somebody reviews it."
            )

        return _done(request, pk, act, "#names")

    def configuration(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Propose that a name of the batch means a configuration that is not recorded yet."""
        batch = get_object_or_404(ImportBatch.objects.select_related("source"), pk=pk)
        try:
            found = _name_of(batch, request.GET.get("name", ""))
        except Refused as refusal:
            messages.error(request, refusal.sentence)
            return HttpResponseRedirect(f"{_address(batch)}#names")
        back = f"{_address(batch)}#names"
        context = {**self.admin_site.each_context(request), "opts": self.opts, "batch": batch, "back": back}
        return propose_configuration(request, batch, found, reason=_met(batch, found), context=context)


def _done(request: HttpRequest, pk: int, act: Callable[[ImportBatch], str], where: str = "") -> HttpResponse:
    """Do it and say so, or why not, on the page of the batch."""
    batch = get_object_or_404(ImportBatch, pk=pk)
    try:
        messages.success(request, act(batch))
    except Refused as refusal:
        messages.error(request, refusal.sentence)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    return HttpResponseRedirect(f"{_address(batch)}{where}")


def _name_of(batch: ImportBatch, name: str) -> Unresolved:
    for found in unresolved(batch).found:
        if found.name == name:
            return found
    raise Refused("no-such-name", f"No refused row of batch {batch.pk} gives the name {name[:120]}.")


def _met(batch: ImportBatch, found: Unresolved) -> str:
    return f"The name of {counted(found.rows, 'row')} of batch {batch.pk}, {batch.source.filename}."


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
    change_form_template = "admin/source.html"

    def get_urls(self) -> list[URLPattern]:
        view: Any = self.admin_site.admin_view(self.download)
        return [path("<int:pk>/file", view, name="registry_source_file"), *super().get_urls()]

    def download(self, request: HttpRequest, pk: int) -> StreamingHttpResponse:
        """The bytes as they came; a browser saves them and shows nothing of them."""
        permit(_by(request), EXPORT)
        permit(_by(request), "registry.view_source")
        source = get_object_or_404(Source, pk=pk)
        response = StreamingHttpResponse(source.chunks(), content_type="application/octet-stream")
        response["Content-Disposition"] = content_disposition_header(as_attachment=True, filename=source.filename)
        response["Content-Length"] = str(source.size)
        return response

    @admin.display(description="SHA-256")
    def short(self, source: Source) -> str:
        return source.sha256[:12]
