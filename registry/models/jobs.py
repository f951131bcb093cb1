"""Background work: the row is the truth, the message only a doorbell (see `registry.jobs`)."""

from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from registry.models.base import choice_check
from registry.vocabulary import JobStatus


class Job(models.Model):
    """One piece of work, written in the transaction of its cause."""

    kind = models.CharField(max_length=60)
    key = models.CharField(max_length=200, help_text="What it is about; one waiting job a kind and key.")
    payload = models.JSONField(default=dict)
    status = models.CharField(max_length=10, choices=JobStatus, default=JobStatus.PENDING)
    attempts = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField()
    not_before = models.DateTimeField()
    claimed_at = models.DateTimeField(null=True, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    progress_done = models.PositiveIntegerField(default=0)
    progress_total = models.PositiveIntegerField(default=0)
    outcome = models.JSONField(default=dict)
    error = models.TextField(blank=True)

    class Meta:
        ordering = ("-id",)
        constraints = (
            models.UniqueConstraint(
                fields=("kind", "key"), condition=Q(status=JobStatus.PENDING), name="job_waiting_once"
            ),
            choice_check("status", JobStatus, "job_status"),
        )
        indexes: ClassVar[Any] = [models.Index(fields=("status", "not_before"), name="job_due")]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}: {self.status}"


class WorkerHeartbeat(models.Model):
    """When a worker last looked for work; `/readyz` turns red when this grows old."""

    name = models.CharField(max_length=100, unique=True)
    seen_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name
