"""Accounts and the roles they have. Passwords are set through these too and never stand in the history."""

from collections.abc import Iterable

from django.contrib.auth.models import AbstractUser, Group, User

from registry import audit
from registry.actions.base import action, permit

TOLD = ("username", "first_name", "last_name", "email", "is_active", "is_staff", "is_superuser")


def save(*, user: User, roles: Iterable[Group], by: AbstractUser) -> User:
    """A new account, or the changes of one, with its roles."""
    return _change(user=user, roles=list(roles), by=by) if user.pk else _add(user=user, roles=list(roles), by=by)


@action("auth.add_user")
def _add(*, user: User, roles: list[Group], by: AbstractUser) -> User:
    _write(user, roles, by)
    audit.record("add", user, by=by, after=_state(user))
    return user


@action("auth.change_user")
def _change(*, user: User, roles: list[Group], by: AbstractUser) -> User:
    before = _state(User.objects.select_for_update().get(pk=user.pk))
    _write(user, roles, by)
    old, new = audit.changes(before, _state(user))
    if new:
        audit.record("change", user, by=by, before=old, after=new)
    return user


@action("auth.change_user")
def password_changed(*, user: User, by: AbstractUser) -> None:
    """Told by the form that has set it."""
    audit.record("change-password", user, by=by)


def _write(user: User, roles: list[Group], by: AbstractUser) -> None:
    if user.is_superuser and not by.is_superuser:
        permit(by, "auth.make_superuser")  # nobody holds it: only a superuser makes another
    user.save()
    user.groups.set(roles)


def _state(user: User) -> audit.State:
    roles = sorted(user.groups.values_list("name", flat=True))
    return {name: getattr(user, name) for name in TOLD} | {"roles": roles}
