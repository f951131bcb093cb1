"""Saving and removing curated records: the only code that writes them."""

from typing import Any, TypeVar

from django.contrib.auth.models import AbstractUser
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Model, ProtectedError

from registry import audit
from registry.actions.base import Refused, permit
from registry.actions.evidence_changed import affected_by, announce
from registry.models import Curated, Measurement

Record = TypeVar("Record", bound=Curated)


def save(*, obj: Record, by: AbstractUser, reason: str = "", many: dict[str, list[Any]] | None = None) -> Record:
    """Validate and store `obj`, new or changed, with one audit event; nothing is written when nothing changed.

    `many` holds the new members of its many-to-many fields. Raises ValidationError on a bad value, PermissionDenied,
    and Refused("stale") when somebody saved the record since `obj` was read.
    """
    verb = "change" if obj.pk else "add"
    permit(by, f"{obj._meta.app_label}.{verb}_{obj._meta.model_name}")
    _derive(obj)
    obj.full_clean()
    with audit.one_action(), transaction.atomic():
        before = _stored(obj)
        after = audit.state_of(obj) | _members(many)
        old, new = audit.changes(before, after)
        if before is not None and not new:
            return obj
        _keep_names(obj, old)
        reached = set(affected_by(obj)) if before is not None else set()
        _write(obj, is_new=before is None)
        for name, members in (many or {}).items():
            getattr(obj, name).set(members)
        audit.record(verb, obj, by=by, before=old, after=new, reason=reason)
        announce(reached | set(affected_by(obj)))
    return obj


def remove(*, obj: Curated, by: AbstractUser, reason: str = "") -> None:
    """Delete a record nothing refers to; the audit event keeps what it said."""
    permit(by, f"{obj._meta.app_label}.delete_{obj._meta.model_name}")
    with audit.one_action(), transaction.atomic():
        reached = affected_by(obj)
        before = audit.state_of(obj)
        audit.record("remove", obj, by=by, before=before, reason=reason)
        try:
            Model.delete(obj)
        except ProtectedError as error:
            users = sorted({str(user._meta.verbose_name) for user in error.protected_objects})
            raise Refused("in-use", f"{obj} is used by: {', '.join(users)}. Retire it instead.") from error
        announce(reached)


def _derive(obj: Curated) -> None:
    """Columns that repeat another so that a constraint can see it."""
    if isinstance(obj, Measurement) and obj.contract_id:
        obj.lineage = obj.contract.lineage


def _stored(obj: Curated) -> audit.State | None:
    """The record as it is in the database, locked; None for a new one."""
    if not obj.pk:
        return None
    row = type(obj)._base_manager.select_for_update().get(pk=obj.pk)
    if row.version != obj.version:
        raise Refused("stale", f"{obj} was changed by somebody else since you opened it. Nothing was saved.")
    return audit.state_of(row) | {
        field.name: sorted(audit.key_of(member) for member in getattr(row, field.name).all())
        for field in obj._meta.many_to_many
    }


def _keep_names(obj: Curated, before: audit.State | None) -> None:
    """A name that changed would break every address, file and release that knows the record by it."""
    changed = [name for name in obj.permanent_fields() if name in (before or {})]
    if changed:
        told = "This is part of the record's name, which never changes. Add a new record and retire this one."
        raise ValidationError(dict.fromkeys(changed, told))


def _members(many: dict[str, list[Any]] | None) -> audit.State:
    return {name: sorted(audit.key_of(member) for member in members) for name, members in (many or {}).items()}


def _write(obj: Curated, *, is_new: bool) -> None:
    if not is_new:
        obj.version += 1
    obj.save(force_insert=is_new, force_update=not is_new)
