from datetime import UTC, datetime

import pytest
from django.db import DatabaseError

from config import health
from registry import jobs

pytestmark = pytest.mark.django_db


def test_the_process_answers(client, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert client.get("/healthz").status_code == 200


def test_not_ready_without_a_worker(client):
    response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json()["problems"] == ["worker"]


def test_ready_while_a_worker_is_heard(client, time_machine):
    time_machine.move_to(datetime(2026, 1, 1, tzinfo=UTC))
    jobs.beat("worker")
    assert client.get("/readyz").json()["ready"]
    time_machine.shift(health.WORKER_SILENT_SECONDS + 1)
    assert client.get("/readyz").json()["problems"] == ["worker"]


def test_not_ready_while_a_job_waits_too_long(client, time_machine):
    time_machine.move_to(datetime(2026, 1, 1, tzinfo=UTC))
    jobs.enqueue(jobs.RECOMPUTE_GATE, "some-collection")
    time_machine.shift(health.WAITING_SECONDS + 1)
    jobs.beat("worker")
    assert client.get("/readyz").json()["problems"] == ["waiting"]


def test_not_ready_on_an_old_schema(client, monkeypatch):
    monkeypatch.setattr(health, "_pending_migrations", lambda: 2)
    response = client.get("/readyz")
    assert (response.status_code, response.json()["problems"]) == (503, ["migrations"])


def test_not_ready_without_a_database(client, monkeypatch):
    def gone() -> int:
        raise DatabaseError

    monkeypatch.setattr(health, "_pending_migrations", gone)
    response = client.get("/readyz")
    assert (response.status_code, response.json()["problems"]) == (503, ["database"])


@pytest.mark.parametrize("given", [None, "Bearer ", "Bearer wrong", "Bearer täken"])
def test_metrics_do_not_exist_without_the_token(client, settings, given):
    settings.METRICS_TOKEN = "token"
    assert client.get("/metrics", headers={"Authorization": given} if given else {}).status_code == 404


def test_metrics_do_not_exist_when_no_token_is_set(client, settings):
    settings.METRICS_TOKEN = ""
    assert client.get("/metrics", headers={"Authorization": "Bearer "}).status_code == 404


def test_metrics(client, settings):
    settings.METRICS_TOKEN = "token"
    jobs.beat("worker")
    response = client.get("/metrics", headers={"Authorization": "Bearer token"})
    assert response.status_code == 200
    assert b"assay_jobs_worker_seen_seconds" in response.content
