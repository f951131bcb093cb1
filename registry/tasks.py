"""Celery's side of `registry.jobs`: the doorbell and the sweeper; and the jobs of the registry."""

from typing import Any

from celery import shared_task
from celery.signals import worker_ready

from registry import import_jobs, jobs  # noqa: F401  registers what it defines


@shared_task(name="registry.tasks.run_job")
def run_job(job_id: int) -> None:
    jobs.run(job_id)


@shared_task(name="registry.tasks.sweep_jobs")
def sweep_jobs() -> None:
    jobs.beat("worker")
    jobs.sweep()


@worker_ready.connect
def sweep_at_start(**_: Any) -> None:
    """Whatever waits from before does not wait for the first beat as well."""
    sweep_jobs.delay()
