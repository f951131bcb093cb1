"""Who acts where nobody is logged in."""

from django.contrib.auth.models import User

from registry.actions.base import Refused

COMMAND_LINE = "command-line"
"""The account of management commands: an editor that nobody can log in to, made by `actions.roles`."""


def acting_user(username: str | None) -> User:
    """The active user of that name; the command-line account where no name is given."""
    name = COMMAND_LINE if username is None else username
    user = User.objects.filter(username=name, is_active=True).first()
    if user is None and username is None:
        raise Refused("unknown-user", f"The account {name} does not exist yet: run migrate, or name a user.")
    if user is None:
        raise Refused("unknown-user", f"There is no active user {name!r}.")
    return user
