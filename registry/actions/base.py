"""What every action shares: one transaction, one permission check, one group of audit events."""

import unicodedata
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.core.exceptions import PermissionDenied
from django.db import transaction

from registry import audit
from registry.spelling import fault_of_text

Result = TypeVar("Result")


class TokenNeeded(PermissionDenied):
    """The person may, once they have shown their one-time password."""


class Refused(Exception):  # noqa: N818  a refusal is an answer, not a fault
    """The action cannot be done in the present state; `code` is stable, the text is for people."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence


def says_something(text: str) -> bool:
    """Is there anything to read in it? Spaces and invisible characters are no reason."""
    return any(unicodedata.category(character)[0] in "LNPS" for character in text)


def check_text(text: str) -> None:
    """Raise Refused where a text holds what no page can show."""
    if fault := fault_of_text(text):
        raise Refused("not-text", fault)


def permit(by: AbstractUser, permission: str) -> None:
    """Raise PermissionDenied unless `by` is active and holds `permission` (`app.codename`)."""
    if not (by.is_active and by.has_perm(permission)):
        raise PermissionDenied(f"{by.get_username()} may not do this: it takes the permission {permission}.")
    if settings.REQUIRE_OTP and permission in settings.OTP_PERMISSIONS and not _verified(by):
        raise TokenNeeded(f"This takes a one-time password beside the permission {permission}.")


def _verified(by: AbstractUser) -> bool:
    """Whoever comes through the web carries `is_verified`; a worker or command acts for somebody who was asked."""
    ask = getattr(by, "is_verified", None)
    return ask is None or bool(ask())


def action(permission: str) -> Callable[[Callable[..., Result]], Callable[..., Result]]:
    """An action: `verb(*, ..., by)`. It runs in one transaction, after one permission check."""

    def decorate(function: Callable[..., Result]) -> Callable[..., Result]:
        @wraps(function)
        def act(*, by: AbstractUser, **arguments: Any) -> Result:
            permit(by, permission)
            with audit.one_action(), transaction.atomic():
                return function(by=by, **arguments)

        return act

    return decorate
