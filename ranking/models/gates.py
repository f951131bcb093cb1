"""Policies, snapshots and gate evaluations. None of them is changed once written."""

from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from registry.models import Collection, Edition
from registry.models.base import KeptManager, choice_check, paired_check


class PolicyState(models.TextChoices):
    DRAFT = "draft", "draft"
    ACTIVE = "active", "in force"
    RETIRED = "retired", "retired"
    DISCARDED = "discarded", "discarded"  # a draft that was never in force; its number is not given again


class GatePolicy(models.Model):
    """The versioned thresholds of an edition. A revision is a new version with a reason."""

    edition = models.ForeignKey(Edition, on_delete=models.PROTECT, related_name="policies")
    version = models.PositiveIntegerField()
    title = models.CharField(max_length=200)
    thresholds = models.JSONField(help_text="Each threshold with its value and the reason for it.")
    reason = models.TextField(help_text="Why this version exists.")
    state = models.CharField(max_length=10, choices=PolicyState, default=PolicyState.DRAFT)
    drafted_by = models.CharField(max_length=150)
    drafted_at = models.DateTimeField()
    approved_by = models.CharField(max_length=150, blank=True)
    approved_at = models.DateTimeField(null=True, blank=True)

    objects = KeptManager()

    class Meta:
        ordering = ("edition", "-version")
        verbose_name_plural = "gate policies"
        constraints = (
            models.UniqueConstraint(fields=("edition", "version"), name="policy_version"),
            models.UniqueConstraint(fields=("edition",), condition=Q(state="active"), name="policy_one_in_force"),
            paired_check("approved_by", "approved_at", "policy_approved"),
            choice_check("state", PolicyState, "policy_state"),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """`v3` for the first version of edition v3's policy, `v3.2` for its second."""
        return self.edition.key if self.version == 1 else f"{self.edition.key}.{self.version}"

    def value(self, threshold: str) -> Any:
        return self.thresholds[threshold]["value"]


class Snapshot(models.Model):
    """The canonical form of all evidence a computation read, under its SHA-256."""

    digest = models.CharField(max_length=64, unique=True)
    collection = models.ForeignKey(Collection, on_delete=models.PROTECT, related_name="snapshots")
    body = models.TextField(help_text="Canonical JSON. Holds values: never public before a release shows them.")
    taken_at = models.DateTimeField()

    objects = KeptManager()

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return self.digest[:12]


class GateEvaluation(models.Model):
    """One run of the gate over one snapshot under one policy."""

    OPEN = "open"
    CLOSED = "closed"

    collection = models.ForeignKey(Collection, on_delete=models.PROTECT, related_name="evaluations")
    snapshot = models.ForeignKey(Snapshot, on_delete=models.PROTECT, related_name="evaluations")
    policy = models.ForeignKey(GatePolicy, on_delete=models.PROTECT, related_name="evaluations")
    verdict = models.CharField(max_length=10)
    criteria = models.JSONField(help_text="Required, observed, missing, verdict, reason code and sentence of each.")
    facets = models.JSONField(help_text="The same for each facet.")
    evaluated_at = models.DateTimeField()

    objects = KeptManager()

    class Meta:
        ordering = ("-id",)
        constraints: ClassVar[Any] = [
            models.UniqueConstraint(fields=("snapshot", "policy"), name="evaluation_once"),
            models.CheckConstraint(condition=Q(verdict__in=("open", "closed")), name="evaluation_verdict"),
        ]

    def __str__(self) -> str:
        return f"{self.collection.slug}: {self.verdict}"


class PresentGate(models.Model):
    """Which evaluation holds now. Evidence that changes back finds its earlier evaluation, so newest is not present."""

    collection = models.OneToOneField(Collection, on_delete=models.PROTECT, related_name="present_gate")
    evaluation = models.ForeignKey(GateEvaluation, on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField(help_text="When the gate was last asked.")

    def __str__(self) -> str:
        return f"{self.collection.slug}: {self.evaluation.verdict}"
