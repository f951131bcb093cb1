from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig


class ConfigConfig(AppConfig):
    """No models: an app only so that the checks register."""

    name = "config"

    def ready(self) -> None:
        from config import checks  # noqa: F401 - registering is its effect; apps must be loaded first


class DeskConfig(AdminConfig):
    """Django's admin on our own site."""

    default_site = "registry.desk.DeskSite"
