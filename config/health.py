"""Is it up, can it work, and what is it doing: for supervisors and for Prometheus, not for readers."""

import secrets
from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.registry import Collector

from registry import jobs

# A worker says that it lives every 30 s (CELERY_BEAT_SCHEDULE); three silences are one too many.
WORKER_SILENT_SECONDS = 100
# Longer than the longest job ahead of it should take.
WAITING_SECONDS = 600


def process(request: HttpRequest) -> HttpResponse:
    """This process answers; nothing else is asked, so that a broken database does not get it restarted."""
    return HttpResponse("ok\n", content_type="text/plain")


def readiness(request: HttpRequest) -> HttpResponse:
    """200 if the database answers with this code's schema, a worker is alive and no job waits too long; else 503."""
    report = _report()
    return JsonResponse(report, status=200 if report["ready"] else 503)


def metrics(request: HttpRequest) -> HttpResponse:
    """Prometheus text, for whoever bears METRICS_TOKEN; for others there is no such page."""
    expected = f"Bearer {settings.METRICS_TOKEN}".encode()
    given = request.headers.get("Authorization", "").encode()
    if not settings.METRICS_TOKEN or not secrets.compare_digest(given, expected):
        raise Http404
    return HttpResponse(generate_latest(METRICS), content_type=CONTENT_TYPE_PLAIN_0_0_4)


def _report() -> dict[str, Any]:
    try:
        pending = _pending_migrations()
    except DatabaseError as error:
        return {"ready": False, "problems": ["database"], "database": type(error).__name__}
    report = {"database": "ok", "pending_migrations": pending}
    if pending:
        return {"ready": False, "problems": ["migrations"], **report}
    work = jobs.health()
    problems = _job_problems(work)
    return {"ready": not problems, "problems": problems, **report, **work}


def _job_problems(work: dict[str, float | int | None]) -> list[str]:
    seen, waiting = work["worker_seen_seconds"], work["oldest_waiting_seconds"]
    silent = seen is None or seen > WORKER_SILENT_SECONDS
    late = waiting is not None and waiting > WAITING_SECONDS
    return ["worker"] * silent + ["waiting"] * late


def _pending_migrations() -> int:
    executor = MigrationExecutor(connection)
    return len(executor.migration_plan(executor.loader.graph.leaf_nodes()))


class JobCollector(Collector):
    """Gauges read from the database when scraped: the same whichever web process answers."""

    def collect(self) -> Iterator[Metric]:
        for name, value in jobs.health().items():
            if value is not None:
                yield GaugeMetricFamily(f"assay_jobs_{name}", f"{name} of registry.jobs.health", value=value)


METRICS = CollectorRegistry()
METRICS.register(JobCollector())
ProcessCollector(registry=METRICS)
