"""The three groups, and the account of management commands. Superusers are outside the groups."""

from django.contrib.auth.models import Group, Permission, User
from django.db import transaction

from registry import models
from registry.people import COMMAND_LINE

VIEWER, EDITOR, PUBLISHER = "viewer", "editor", "publisher"
APPS = ("registry", "ranking")

# An exclusion is lifted, never rewritten or deleted; the rest of the curated records are the editors' to keep.
_CURATED = [model for model in models.Curated.__subclasses__() if model is not models.Exclusion]

# What a role may do beyond seeing everything. Permissions of `ranking` are named only: the registry imports none of it.
BEYOND_VIEWING: dict[str, tuple[str, ...]] = {
    VIEWER: (),
    EDITOR: (
        *(f"registry.{verb}_{model._meta.model_name}" for model in _CURATED for verb in ("add", "change", "delete")),
        "registry.add_exclusion",
        "registry.lift_exclusion",
        "registry.import_result",
        "registry.export_result",
        "registry.apply_importbatch",
        "registry.revert_importbatch",
        "ranking.add_gateevaluation",
        "ranking.seal_release",
        "ranking.add_gatepolicy",
        "ranking.change_gatepolicy",
    ),
    PUBLISHER: (
        "registry.export_result",
        "ranking.add_gateevaluation",
        "ranking.publish_release",
    ),
}


@transaction.atomic
def set_up_roles() -> None:
    """Make the groups what the table says and the command-line account an editor; safe to repeat."""
    viewing = set(Permission.objects.filter(content_type__app_label__in=APPS, codename__startswith="view_"))
    for name, permissions in BEYOND_VIEWING.items():
        group, _ = Group.objects.get_or_create(name=name)
        group.permissions.set(viewing | {_permission(permission) for permission in permissions})
    account, is_new = User.objects.get_or_create(username=COMMAND_LINE)
    if is_new:
        account.set_unusable_password()
        account.save(update_fields=("password",))
    account.groups.set(Group.objects.filter(name=EDITOR))


def _permission(name: str) -> Permission:
    app_label, codename = name.split(".")
    return Permission.objects.get(content_type__app_label=app_label, codename=codename)
