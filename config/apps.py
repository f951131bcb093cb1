from django.apps import AppConfig


class ConfigConfig(AppConfig):
    """No models: an app only so that the checks register."""

    name = "config"

    def ready(self) -> None:
        from config import checks  # noqa: F401 - registering is its effect; apps must be loaded first
