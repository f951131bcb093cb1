"""Settings and the doors of the process. Imports `ranking` and `registry`; neither imports it."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
