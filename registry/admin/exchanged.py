"""Lists as files: out in three formats, and the curated ones in again."""

from typing import Any, cast

from django import forms
from django.contrib import messages
from django.contrib.auth.models import AbstractUser
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect, StreamingHttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.text import capfirst

from registry.actions.base import Refused, permit
from registry.actions.changes import as_json
from registry.admin import confirm
from registry.admin.desk import Desk, UnreadableQuery
from registry.exchange import tables
from registry.exchange.edits import MOST_PROBLEMS, Edits, edits_of
from registry.exchange.tables import Table
from registry.exchange.writing import FORMATS
from registry.importing.problems import NotATable, Problem, Unreadable
from registry.records_decision import ImportRecords

EXPORT = "registry.export_result"
"""To take any table out, beside being allowed to look at it."""


class Exported(Desk):
    """A list that can be taken out as a file: what it shows with the same search and filters, without its pages."""

    def table(self, among: QuerySet[Any]) -> Table:
        raise NotImplementedError

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.export)
        own = [path(f"export.{each}", view, {"extension": each}, name=self._name(f"export_{each}")) for each in FORMATS]
        return [*own, *super().get_urls()]

    def _name(self, page: str) -> str:
        return f"{self.opts.app_label}_{self.opts.model_name}_{page}"

    def _permission(self, verb: str) -> str:
        return f"{self.opts.app_label}.{verb}_{self.opts.model_name}"

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        exports = FORMATS.values() if request.user.has_perm(EXPORT) else ()
        page = super().changelist_view(request, {"exports": exports, **(extra_context or {})})
        if exports and isinstance(page, TemplateResponse) and page.context_data and "cl" in page.context_data:
            page.context_data["left_out"] = self.left_out(page.context_data["cl"].queryset)
        return page

    def left_out(self, among: QuerySet[Any]) -> str:
        """What of the list an export would not hold, for people to see before they take it."""
        return self.table(among).left_out()

    def export(self, request: HttpRequest, extension: str) -> HttpResponseBase:
        by = cast("AbstractUser", request.user)
        permit(by, EXPORT)
        permit(by, self._permission("view"))
        try:
            table = self.table(self.get_changelist_instance(request).queryset)
            content = FORMATS[extension].write(table)
        except UnreadableQuery:
            return self.unreadable(request)
        except Refused as refusal:
            messages.error(request, refusal.sentence)
            return HttpResponseRedirect(reverse(f"admin:{self._name('changelist')}"))
        response = StreamingHttpResponse(content, content_type=FORMATS[extension].content_type)
        response["Content-Disposition"] = f'attachment; filename="{table.name}.{extension}"'
        return response


class RecordsForm(forms.Form):
    file = forms.FileField(
        allow_empty_file=True,
        help_text="CSV in UTF-8, XLSX or JSON, with the columns that the export of this list has.",
    )


class Exchanged(Exported):
    """A list of curated records, which also come in from such a file: looked at first, then carried out as edits."""

    def table(self, among: QuerySet[Any]) -> Table:
        return tables.table_of(self.model, among)

    def left_out(self, among: QuerySet[Any]) -> str:
        """Nothing: all that is listed goes out."""
        return ""

    def get_urls(self) -> list[URLPattern]:
        own = path("import/", self.admin_site.admin_view(self.import_records), name=self._name("import"))
        return [own, *super().get_urls()]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        url = reverse(f"admin:{self._name('import')}") if request.user.has_perm(self._permission("add")) else ""
        return super().changelist_view(request, {"import_url": url, **(extra_context or {})})

    def import_records(self, request: HttpRequest) -> HttpResponse:
        """The page that takes a file, says what is wrong with it, or leads on to the confirm page."""
        permit(cast("AbstractUser", request.user), self._permission("add"))
        form = RecordsForm(request.POST, request.FILES) if request.method == "POST" else RecordsForm()
        context: dict[str, Any] = {}
        if form.is_valid():
            try:
                edits = self._read(request, form)
                if edits.operations:
                    return confirm.ask(request, self._decision(form, edits), back=confirm.Back(request.path))
                context["same"] = edits.same
            except NotATable as error:
                form.add_error("file", f"This is no table of {self.opts.verbose_name_plural}: {error.why}")
            except Unreadable as error:
                context |= _faults(error.problems)
        return self._page(request, form, context)

    def _page(self, request: HttpRequest, form: forms.Form, more: dict[str, Any]) -> HttpResponse:
        context = {
            **self.admin_site.each_context(request),
            "title": f"Import {self.opts.verbose_name_plural}",
            "form": form,
            "opts": self.opts,
            "columns": tables.columns(self.model),
            **more,
        }
        return TemplateResponse(request, "admin/records_import.html", context)

    def _read(self, request: HttpRequest, form: forms.Form) -> Edits:
        file = form.cleaned_data["file"]
        return edits_of(self.model, file.read(), file.name, by=cast("AbstractUser", request.user))

    def _decision(self, form: forms.Form, edits: Edits) -> ImportRecords:
        return ImportRecords(
            operations=[as_json(operation) for operation in edits.operations],
            title=f"{capfirst(self.opts.verbose_name_plural)} from {form.cleaned_data['file'].name}"[:250],
            url=reverse(f"admin:{self._name('changelist')}"),
            collections=sorted(edits.reached),
            same=edits.same,
        )


def _faults(problems: list[Problem]) -> dict[str, Any]:
    shown = problems[:MOST_PROBLEMS]
    return {"problems": [problem.as_json() for problem in shown], "more": len(problems) > len(shown)}
