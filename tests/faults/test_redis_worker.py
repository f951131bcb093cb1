"""The same jobs through a real broker: a Celery worker in a process of its own, on Redis."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from celery import Celery
from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection
from redis import Redis

from ranking.actions import publish, seal
from ranking.models import GateEvaluation, Publication, PublishRequest
from registry import jobs
from registry.actions import evidence_changed
from registry.models import Collection, Job, WorkerHeartbeat
from tests.ranking.public import world

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.redis]


def database_url() -> str:
    """The address of the database this test runs on, for another process."""
    database = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{database['NAME']}"
    return f"postgres://{database['USER']}@/{database['HOST']}/{database['NAME']}"


@contextmanager
def worker(broker: str, log: Path) -> Iterator[subprocess.Popen[bytes]]:
    environment = os.environ | {"CELERY_BROKER_URL": broker, "DATABASE_URL": database_url()}
    command = [sys.executable, "-W", "ignore", "-m", "celery", "-A", "config", "worker"]
    command += ["--concurrency", "2", "--without-mingle", "--without-gossip"]
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, cwd=settings.BASE_DIR, env=environment, stdout=output, stderr=output, start_new_session=True
        )
        try:
            yield process
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@pytest.fixture
def broker(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """This process rings through Redis, as a web process with CELERY_BROKER_URL set does."""
    with Celery("sender", broker=redis_url, set_as_current=False) as sender:
        monkeypatch.setattr(jobs, "current_app", sender)
        yield redis_url


def wait_for(condition: Callable[[], Any], log: Path, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, log.read_text()[-4000:]
        time.sleep(0.05)


def test_a_gate_is_recomputed_and_a_page_published_by_a_worker_on_redis(
    broker: str, tmp_path: Path, editor: User, publisher: User
) -> None:
    world.build()
    log = tmp_path / "log"
    collection = Collection.objects.get(slug=world.SLUG)
    with worker(broker, log):
        evidence_changed.announce([world.SLUG])
        wait_for(lambda: GateEvaluation.objects.filter(collection=collection).exists(), log)
        candidate = seal.seal(collection=collection, by=editor)
        wish = publish.request(release=candidate, by=publisher, reason="Ready.")
        wait_for(lambda: PublishRequest.objects.get(pk=wish.pk).state == "published", log)
    assert Publication.objects.get().number == 1
    assert set(Job.objects.values_list("status", flat=True)) == {"done"}


def test_work_whose_messages_were_lost_is_done_and_a_second_delivery_does_nothing(
    broker: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.build()
    log = tmp_path / "log"
    evidence_changed.announce([world.SLUG])
    with Redis.from_url(broker) as client:
        client.flushall()  # the broker forgets
    job = Job.objects.get()
    with worker(broker, log):
        for _ in range(6):
            jobs.ring(job.pk)
        wait_for(lambda: Job.objects.get(pk=job.pk).status == "done", log)
        time.sleep(0.5)
    job.refresh_from_db()
    assert (job.attempts, GateEvaluation.objects.count()) == (1, 1)


def test_the_worker_says_that_it_is_alive(broker: str, tmp_path: Path) -> None:
    log = tmp_path / "log"
    with worker(broker, log):
        wait_for(WorkerHeartbeat.objects.exists, log)
    assert jobs.health()["worker_seen_seconds"] is not None
