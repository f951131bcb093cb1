"""The one history. Every action writes its events here, inside its own transaction."""

import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import models
from django.utils import timezone

from registry.models import AuditEvent

State = dict[str, Any]
Told = tuple[models.Model, State | None, State | None]
"""An object, what it was before and what it is after."""

_action_id: ContextVar[uuid.UUID | None] = ContextVar("action_id", default=None)


@contextmanager
def one_action() -> Iterator[uuid.UUID]:
    """All events recorded inside share one id; an action called by an action joins it."""
    outer = _action_id.get()
    token = _action_id.set(outer or uuid.uuid4())
    try:
        yield _action_id.get()  # type: ignore[misc]  # just set
    finally:
        _action_id.reset(token)


def state_of(obj: models.Model) -> State:
    """The stored fields of `obj` as JSON-ready values; related records are named by their own text."""
    return {field.name: _plain(obj, field) for field in obj._meta.concrete_fields if field.name != "content"}


def _plain(obj: models.Model, field: "models.Field[Any, Any]") -> Any:
    if field.is_relation:
        related = getattr(obj, field.name)
        return None if related is None else key_of(related)
    value = getattr(obj, field.attname)
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, uuid.UUID):
        return str(value)
    return value


def key_of(obj: models.Model) -> str:
    """The name by which people know `obj`: its key or slug within what owns it, else its text.

    Two collections may have a facet of one slug; a change from one to the other must not look like none.
    """
    *owners, last = getattr(obj, "natural_key_fields", ("",))
    for attribute in ("key", "slug", "name"):
        value = getattr(obj, attribute, None)
        if isinstance(value, str) and value:
            within = [key_of(getattr(obj, owner)) for owner in owners] if attribute == last else []
            return "/".join([*within, value])
    return str(obj)


def changes(before: State | None, after: State | None) -> tuple[State | None, State | None]:
    """Only what differs; `version` alone is no difference."""
    if before is None or after is None:
        return before, after
    names = [name for name in after if before.get(name) != after[name] and name != "version"]
    return {name: before.get(name) for name in names}, {name: after[name] for name in names}


def record(
    verb: str,
    obj: models.Model,
    *,
    by: AbstractBaseUser,
    before: State | None = None,
    after: State | None = None,
    reason: str = "",
) -> AuditEvent:
    """Append one event. Call it inside the transaction of the change it tells of."""
    (event,) = record_all(verb, [(obj, before, after)], by=by, reason=reason)
    return event


def record_all(verb: str, told: Iterable[Told], *, by: AbstractBaseUser, reason: str = "") -> list[AuditEvent]:
    """The same for many objects, in the order given: a statement for hundreds of events instead of one for each."""
    shared = {"at": timezone.now(), "by": by.get_username(), "verb": verb, "reason": reason}
    action_id = _action_id.get() or uuid.uuid4()
    events = [
        AuditEvent(
            object_type=obj._meta.label_lower,
            object_id=str(obj.pk),
            object_key=key_of(obj)[:300],
            before=before,
            after=after,
            action_id=action_id,
            **shared,
        )
        for obj, before, after in told
    ]
    return AuditEvent.objects.bulk_create(events)
