"""What the audit trail says of one object."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from textwrap import dedent
from typing import TYPE_CHECKING, Any

from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse

from registry.actions.changes import Operation
from registry.exchange.dumping import value_as_yaml
from registry.models import AuditEvent, Curated

if TYPE_CHECKING:
    from registry.admin.desk import Desk

SHOWN = 50


@dataclass(frozen=True, slots=True)
class Told:
    """One event as the page shows it."""

    event: AuditEvent
    changes: list[tuple[str, str, str]]
    """Field, before, after."""

    @property
    def what(self) -> str:
        return self.event.kind


def told(events: Iterable[AuditEvent]) -> Iterator[Told]:
    for event in events:
        before, after = event.before or {}, event.after or {}
        names = [name for name in {**before, **after} if name not in ("id", "version")]
        yield Told(event, [(name, *_told(before.get(name), after.get(name))) for name in names])


def _told(before: Any, after: Any) -> tuple[str, str]:
    """Of a value with parts, only the lines that differ."""
    if not (isinstance(before, dict) and isinstance(after, dict)):
        return words(before), words(after)
    was, becomes = value_as_yaml(before).splitlines(), value_as_yaml(after).splitlines()
    found = SequenceMatcher(None, was, becomes).get_opcodes()
    changed = [(was[a:b], becomes[c:d]) for tag, a, b, c, d in found if tag != "equal"]
    return _lines(lines for lines, _ in changed), _lines(lines for _, lines in changed)


def _lines(groups: Iterable[list[str]]) -> str:
    return words("\n".join(dedent("\n".join(lines)) for lines in groups if lines))


def words(value: Any) -> str:
    if value is None or value in ("", [], {}):
        return "—"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list) and not any(isinstance(member, dict | list) for member in value):
        return ", ".join(map(str, value))
    return value_as_yaml(value).rstrip() if isinstance(value, dict) else str(value)


def of(records: Iterable[Model]) -> QuerySet[AuditEvent]:
    """The events of these records, newest first."""
    named = Q(pk__in=())
    for record in records:
        named |= Q(object_type=record._meta.label_lower, object_id=str(record.pk))
    return AuditEvent.objects.filter(named).order_by("-pk")


def since(operation: Operation) -> list[Told]:
    """What happened to the record after the version that was edited: each version has one event."""
    record = operation.model_class._base_manager.filter(pk=operation.pk).first()
    if record is None:
        gone = AuditEvent.objects.filter(object_type=operation.model, object_id=str(operation.pk)).order_by("-pk")
        return list(told(gone[:1]))
    missed = record.version - (operation.version or 0) if isinstance(record, Curated) else 0
    return list(told(of([record])[: max(missed, 0)]))


def page(desk: "Desk", request: HttpRequest, object_id: str) -> HttpResponse:
    obj = desk.get_object(request, object_id)
    if obj is None:
        return desk.not_there(request, object_id)
    if not desk.has_view_or_change_permission(request, obj):
        raise PermissionDenied(f"You may not see this {desk.opts.verbose_name}.")
    events = of([obj, *_rows(desk, request, obj), *desk.decided_about(obj)])
    shown = Paginator(events, SHOWN).get_page(request.GET.get("p"))
    context = {
        **desk.admin_site.each_context(request),
        "title": f"History: {obj}",
        "subtitle": None,
        "told": list(told(shown.object_list)),
        "page": shown,
        "object": obj,
        "opts": desk.opts,
    }
    return TemplateResponse(request, "admin/object_history.html", context)


def _rows(desk: "Desk", request: HttpRequest, obj: Model) -> Iterator[Model]:
    """The records that are edited as rows of this one."""
    for inline in desk.get_inline_instances(request, obj):
        formset: Any = inline.get_formset(request, obj)
        yield from formset.model._default_manager.filter(**{formset.fk.name: obj})
