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

from registry import jobs


def process(request: HttpRequest) -> HttpResponse:
    """This process answers; nothing else is asked, so that a broken database does not get it restarted."""
    return HttpResponse("ok\n", content_type="text/plain")


def readiness(request: HttpRequest) -> HttpResponse:
    """503 until the database answers, holds this code's schema, and a worker is alive."""
    report = _report()
    return JsonResponse(report, status=200 if report["ready"] else 503)


def metrics(request: HttpRequest) -> HttpResponse:
    """Prometheus text, for whoever bears METRICS_TOKEN; for others there is no such page."""
    expected = f"Bearer {settings.METRICS_TOKEN}".encode()
    given = request.headers.get("Authorization", "").encode()
    if not settings.METRICS_TOKEN or not secrets.compare_digest(given, expected):
        raise Http404
    return HttpResponse(generate_latest(REGISTRY), content_type=CONTENT_TYPE_PLAIN_0_0_4)


def _report() -> dict[str, Any]:
    try:
        pending = _pending_migrations()
    except DatabaseError as error:
        return {"ready": False, "database": type(error).__name__}
    report = {"database": "ok", "migrations_pending": pending}
    if pending:
        return {"ready": False, **report}
    work = jobs.health()
    return {"ready": work.get("ok", True), **report, "jobs": work}


def _pending_migrations() -> int:
    executor = MigrationExecutor(connection)
    return len(executor.migration_plan(executor.loader.graph.leaf_nodes()))


class JobCollector:
    """Gauges read from the database when scraped: true whichever of the web processes answers."""

    def collect(self) -> Iterator[Metric]:
        for name, value in jobs.health().items():
            if isinstance(value, int | float):
                yield GaugeMetricFamily(f"assay_jobs_{name}", f"registry.jobs.health: {name}", value=value)


REGISTRY = CollectorRegistry()
REGISTRY.register(JobCollector())  # type: ignore[arg-type]
ProcessCollector(registry=REGISTRY)
