from typing import Any

from django.apps import AppConfig, apps
from django.db import DEFAULT_DB_ALIAS
from django.db.models.signals import post_migrate


class RankingConfig(AppConfig):
    """What we may say: gates, releases and every public page. Reads `registry`."""

    name = "ranking"
    verbose_name = "Gates and releases"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from ranking import decisions, overall_decisions, policy_decisions, tasks  # noqa: F401  each registers what it defines

        post_migrate.connect(_set_up_roles, sender=self, dispatch_uid="ranking.roles")


def _set_up_roles(*, using: str = DEFAULT_DB_ALIAS, **signal: Any) -> None:
    """After every migrate the groups are what the table of roles says.

    Here and not in `registry`, because the table names permissions of both. Django makes an app's permissions in a
    receiver of the same signal, in no order to rely on, so they are made first. After a migrate that ended before all
    tables existed there is nothing to do yet.
    """
    from django.contrib.auth.management import create_permissions

    from registry.actions import roles

    migrated = signal.get("apps", apps)
    try:
        for app_label, model in (("auth", "User"), ("registry", "ImportBatch"), ("ranking", "Release")):
            migrated.get_model(app_label, model)
    except LookupError:
        return
    for app_label in roles.APPS:
        create_permissions(apps.get_app_config(app_label), verbosity=0, using=using, apps=migrated)
    roles.set_up_roles()
