"""Protocols and metric contracts: how a number is made and what it means."""

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Q

from registry.models.base import Curated, KeyField, check_words, choice_check
from registry.models.benchmarks import Benchmark, Lineage
from registry.vocabulary import ContractUse, Direction, IdentityPart, SubjectKind, ValueKind

WHOLES = {"fraction": 1.0, "percent": 100.0}
"""What a rate of all tasks is in units that say it; a wrong bound lets in numbers of another unit."""


class Protocol(Curated):
    """How a number is made: harness, judge and simulator snapshots, prompts, runs, task split."""

    key = KeyField(unique=True)
    title = models.CharField(max_length=200)
    harness = models.CharField(max_length=200, blank=True)
    judge = models.CharField(max_length=200, blank=True)
    simulator = models.CharField(max_length=200, blank=True)
    prompts_sha256 = models.CharField(max_length=64, blank=True)
    runs = models.PositiveIntegerField(null=True, blank=True)
    task_split = models.CharField(max_length=200, blank=True)
    note = models.TextField(blank=True)

    class Meta:
        ordering = ("key",)

    def __str__(self) -> str:
        return self.key


def model_alone() -> list[str]:
    return [IdentityPart.MODEL.value]


class MetricContract(Curated):
    """The exact meaning of one number: lineage x subject kind x protocol, unit, direction, bounds."""

    key = KeyField(unique=True)
    title = models.CharField(max_length=250)
    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="contracts")
    lineage = models.ForeignKey(Lineage, on_delete=models.PROTECT, related_name="contracts")
    protocol = models.ForeignKey(Protocol, on_delete=models.PROTECT, related_name="contracts")
    subject_kind = models.CharField(max_length=40, choices=SubjectKind)
    unit = models.CharField(max_length=40, help_text="For example: percent, fraction, score, USD/task.")
    kind = models.CharField(max_length=20, choices=ValueKind)
    direction = models.CharField(max_length=10, choices=Direction)
    lower = models.FloatField(null=True, blank=True, help_text="Lowest possible value; blank where there is none.")
    upper = models.FloatField(null=True, blank=True, help_text="Highest possible value; blank where there is none.")
    minimum_n = models.PositiveIntegerField(default=1, help_text="A result over fewer tasks is out of contract.")
    required_identity = models.JSONField(
        default=model_alone, help_text="Parts a configuration must state: model, harness, effort, settings."
    )
    assumed_n = models.PositiveIntegerField(null=True, blank=True, help_text="Tasks, where the source states none.")
    stderr_over_rows = models.BooleanField(
        default=False,
        db_default=False,
        help_text="Upstream computes its standard error or interval over rows where tasks are the sample.",
    )
    assumed_n_reason = models.TextField(blank=True)
    use = models.CharField(max_length=20, choices=ContractUse, default=ContractUse.CATALOGUED)
    use_reason = models.TextField(blank=True)

    class Meta:
        ordering = ("key",)
        constraints = (
            models.CheckConstraint(
                condition=Q(lower__isnull=True) | Q(upper__isnull=True) | Q(lower__lt=F("upper")),
                name="contract_bounds",
                violation_error_message="The lower bound must be below the upper one.",
            ),
            models.CheckConstraint(
                condition=Q(kind__in=(ValueKind.RATING, ValueKind.UNBOUNDED))
                | (Q(lower__isnull=False) & Q(upper__isnull=False)),
                name="contract_kind_bounds",
                violation_error_message="This kind of value has bounds: state the lowest and the highest.",
            ),
            models.CheckConstraint(
                condition=(Q(assumed_n__isnull=True) & Q(assumed_n_reason=""))
                | (Q(assumed_n__isnull=False) & ~Q(assumed_n_reason="")),
                name="contract_assumed_n_reason",
                violation_error_message="A number of tasks that is assumed and the reason for it go together.",
            ),
            choice_check("subject_kind", SubjectKind, "contract_subject_kind"),
            choice_check("kind", ValueKind, "contract_kind"),
            choice_check("direction", Direction, "contract_direction"),
            choice_check("use", ContractUse, "contract_use"),
        )

    def __str__(self) -> str:
        return self.key

    def clean(self) -> None:
        check_words("required_identity", self.required_identity, IdentityPart)
        whole = WHOLES.get(self.unit) if self.kind == ValueKind.RATE else None
        if whole and ((self.lower or 0) < 0 or (self.upper or 0) > whole):
            raise ValidationError({"unit": f"A rate in this unit lies between 0 and {whole:g}; the bounds do not."})
