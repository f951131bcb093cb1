from django.apps import AppConfig


class RegistryConfig(AppConfig):
    """What we know: taxonomy, benchmarks, mappings, evidence. Imports nothing from `ranking`."""

    name = "registry"
    verbose_name = "Evidence registry"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from registry import (  # noqa: F401  each registers what it defines
            changes_decision,
            decisions,
            name_decisions,
            records_decision,
            tasks,
        )
