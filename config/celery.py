"""The Celery application. The database row is the truth, a message only a doorbell (see registry.jobs).

celery -A config worker -B      one worker, which also rings for lost messages (beat); more workers without -B
"""

import os
from typing import Any

from celery import Celery
from celery.signals import setup_logging
from django_structlog.celery.steps import DjangoStructLogInitStep

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("assay")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
# A task's log lines carry its id and that of the request that caused it.
app.steps["worker"].add(DjangoStructLogInitStep)


@setup_logging.connect
def keep_django_logging(**kwargs: Any) -> None:
    """That this is connected stops Celery from configuring logging over Django's LOGGING."""
