from django.apps import AppConfig


class RankingConfig(AppConfig):
    """What we may say: gates, releases and every public page. Reads `registry`."""

    name = "ranking"
    verbose_name = "Gates and releases"
    default_auto_field = "django.db.models.BigAutoField"
