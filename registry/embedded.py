"""Web and worker in one process, for a machine where nothing else is installed.

gunicorn serves with threads from one process; beside them run a Celery worker on the in-memory broker and a sweeper.
A message lives only as long as the process, and that is enough: the job's row is the truth (see `registry.jobs`). With
`CELERY_BROKER_URL` set the same worker thread reads from that broker instead.
"""

import threading
import time
from typing import Any

import structlog
from celery import current_app
from django.conf import settings
from django.db import close_old_connections
from django.utils.module_loading import import_string
from gunicorn.app.base import BaseApplication

from registry import jobs

log = structlog.get_logger(__name__)

SWEEP_SECONDS = 5


class Site(BaseApplication):
    """The WSGI application under gunicorn, with a worker beside it."""

    def __init__(self, *, bind: str, threads: int) -> None:
        self.chosen = {
            "bind": bind,
            "workers": 1,
            "worker_class": "gthread",
            "threads": threads,
            "timeout": 120,
            "graceful_timeout": 5,
            "proc_name": "assay",
            "control_socket_disable": True,
            "post_worker_init": start_background,
        }
        super().__init__()

    def load_config(self) -> None:
        for name, value in self.chosen.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        return import_string(settings.WSGI_APPLICATION)


def start_background(_: Any) -> None:
    """Called by gunicorn in the process that serves."""
    for work in (work_for_ever, sweep_for_ever):
        threading.Thread(target=work, name=work.__name__, daemon=True).start()


def work_for_ever() -> None:
    """One Celery worker in this thread; a fault of it is logged and it starts again."""
    while True:
        try:
            worker(current_app).start()
        except Exception:
            log.exception("embedded_worker_stopped")
        time.sleep(1)


def worker(app: Any) -> Any:
    return app.Worker(
        pool="solo",
        concurrency=1,
        loglevel="WARNING",
        quiet=True,
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
        hostname="embedded@localhost",
    )


def sweep_for_ever() -> None:
    """What celery beat does where it runs: say that a worker is alive, ring for lost messages."""
    while True:
        close_old_connections()
        try:
            jobs.beat("embedded")
            jobs.sweep()
        except Exception:
            log.exception("embedded_sweep_failed")
        time.sleep(SWEEP_SECONDS)
