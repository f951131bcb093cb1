"""Celery's side of `registry.jobs`: the doorbell and the sweeper."""

from celery import shared_task

from registry import jobs


@shared_task(name="registry.tasks.run_job")
def run_job(job_id: int) -> None:
    jobs.run(job_id)


@shared_task(name="registry.tasks.sweep_jobs")
def sweep_jobs() -> None:
    jobs.beat("worker")
    jobs.sweep()
