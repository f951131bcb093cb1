"""The history of everything, searchable and as CSV; confirmations; background work."""

import csv
import json
from collections.abc import Iterator
from typing import Any, cast

from django.contrib import admin
from django.contrib.auth.models import AbstractUser
from django.http import HttpRequest, HttpResponseBase, StreamingHttpResponse
from django.urls import URLPattern, path

from registry.actions.base import permit
from registry.admin.desk import ReadOnly, UnreadableQuery
from registry.admin.exchanged import EXPORT
from registry.admin.lists import entitled, recent
from registry.importing.escaping import neutralised
from registry.models import AuditEvent, Confirmation, Job

COLUMNS = ("at", "by", "verb", "object_type", "object_id", "object_key", "before", "after", "reason", "action_id")


@admin.register(AuditEvent)
class AuditEventAdmin(ReadOnly):
    concept = "History"
    change_list_template = "admin/trail.html"
    list_display = ("at", "by", "verb", "object_type", "object_key", "reason")
    list_filter = (
        recent("verb", "verb"),
        recent("object_type", "kind of object"),
        recent("by", "person"),
        ("at", entitled("time", admin.DateFieldListFilter)),
    )
    search_fields = ("object_key", "object_id", "by", "reason", "verb", "action_id")
    search_help_text = "Names, people, reasons; or the id of one action to see all it did."

    def get_urls(self) -> list[URLPattern]:
        own = path("export.csv", self.admin_site.admin_view(self.export), name="registry_auditevent_csv")
        return [own, *super().get_urls()]

    def export(self, request: HttpRequest) -> HttpResponseBase:
        """What the list shows with the same search and filters, without its pages."""
        by = cast("AbstractUser", request.user)
        permit(by, EXPORT)
        permit(by, "registry.view_auditevent")
        try:
            events = self.get_changelist_instance(request).get_queryset(request).iterator(chunk_size=2000)
        except UnreadableQuery:
            return self.unreadable(request)
        response = StreamingHttpResponse(_lines(events), content_type="text/csv; charset=utf-8")
        response["Content-Disposition"] = 'attachment; filename="history.csv"'
        return response


class _Echo:
    """A file that hands back what the CSV writer writes."""

    def write(self, text: str) -> str:
        return text


def _lines(events: Iterator[AuditEvent]) -> Iterator[str]:
    write = csv.writer(_Echo()).writerow
    yield write(COLUMNS)
    for event in events:
        yield write([neutralised(_cell(getattr(event, column))) for column in COLUMNS])


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else str(value)


@admin.register(Confirmation)
class ConfirmationAdmin(ReadOnly):
    concept = "History"
    list_display = ("at", "by", "action", "object_key", "reason")
    list_filter = (recent("action", "decision"), recent("by", "person"))
    search_fields = ("object_key", "by", "reason")


@admin.register(Job)
class JobAdmin(ReadOnly):
    concept = "History"
    list_display = ("kind", "key", "status", "attempts", "created_at", "finished_at", "error")
    list_filter = ("status", recent("kind", "kind"))
    search_fields = ("kind", "key", "error")
