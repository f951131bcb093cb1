"""Results, comparisons, sample outputs, exclusions and rights decisions."""

from typing import Any, ClassVar

from django.db import models
from django.db.models import F, Q

from registry.models.base import Curated, KeptManager, KeyField, choice_check, paired_check, validate_address
from registry.models.benchmarks import Lineage, Publisher, Suite
from registry.models.contracts import MetricContract
from registry.models.imports import ImportBatch, Source
from registry.models.mappings import EvidenceMapping
from registry.models.subjects import Configuration
from registry.models.taxonomy import Task
from registry.vocabulary import (
    Absence,
    ExclusionScope,
    ExclusionType,
    Outcome,
    ResultState,
    RightsUse,
    RightsVerdict,
    ShownOrder,
)

# NaN and the infinities: PostgreSQL stores them in a double column, and NaN even equals itself there,
# so that only bounds keep them out on both databases.
LARGEST = 1e300


def finite_check(
    field: str, name: str, lowest: float = -LARGEST, sentence: str | None = None
) -> models.CheckConstraint:
    return models.CheckConstraint(
        condition=Q(**{f"{field}__isnull": True}) | (Q(**{f"{field}__gte": lowest}) & Q(**{f"{field}__lte": LARGEST})),
        name=name,
        violation_error_message=sentence,
    )


class Result(models.Model):
    """One value of one contract for one configuration from one source.

    A correction is a new row; the old one stays as `superseded` and points to what replaced it.
    """

    contract = models.ForeignKey(MetricContract, on_delete=models.PROTECT, related_name="results")
    configuration = models.ForeignKey(Configuration, on_delete=models.PROTECT, related_name="results")
    source = models.ForeignKey(Source, on_delete=models.PROTECT, related_name="results")
    batch = models.ForeignKey(ImportBatch, on_delete=models.PROTECT, related_name="results")
    line = models.PositiveIntegerField()
    value = models.FloatField(null=True, blank=True, help_text="In the contract's unit.")
    absence = models.CharField(max_length=20, choices=Absence, blank=True)
    stderr = models.FloatField(null=True, blank=True, help_text="Standard error, in the contract's unit.")
    sd = models.FloatField(null=True, blank=True, help_text="Spread over runs: never used as a standard error.")
    n = models.PositiveIntegerField(null=True, blank=True, help_text="Number of distinct tasks.")
    runs = models.PositiveIntegerField(null=True, blank=True)
    observed_on = models.DateField(null=True, blank=True)
    source_url = models.CharField(max_length=500)
    source_ref = models.CharField(max_length=250, blank=True)
    external_id = models.CharField(max_length=200, blank=True)
    notes = models.TextField(blank=True)
    state = models.CharField(max_length=20, choices=ResultState, default=ResultState.ACTIVE)
    replaced_by = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="replaces", db_index=False
    )

    objects = KeptManager()

    class Meta:
        ordering = ("contract", "configuration", "id")
        constraints = (
            models.UniqueConstraint(
                fields=("contract", "configuration", "source_url", "source_ref", "external_id"),
                condition=Q(state=ResultState.ACTIVE),
                name="result_identity",
            ),
            models.CheckConstraint(
                condition=(Q(value__isnull=False) & Q(absence="")) | (Q(value__isnull=True) & ~Q(absence="")),
                name="result_value_or_absence",
            ),
            models.CheckConstraint(condition=Q(absence="") | Q(absence__in=Absence.values), name="result_absence"),
            finite_check("value", "result_value_finite"),
            finite_check("stderr", "result_stderr_finite", lowest=0.0),
            finite_check("sd", "result_sd_finite", lowest=0.0),
            choice_check("state", ResultState, "result_state"),
        )

    def __str__(self) -> str:
        return f"result {self.pk}: {self.contract.key}"


class Judge(Curated):
    """Who judged a comparison: a model of a family, or a person of a crowd."""

    key = KeyField(unique=True)
    family = models.CharField(max_length=120, blank=True, help_text="Model family; blank for a person.")
    organization_key = models.CharField(max_length=120, blank=True, help_text="Maker of a model judge.")
    person = models.BooleanField(default=False)

    class Meta:
        ordering = ("key",)

    def __str__(self) -> str:
        return self.key


class Comparison(models.Model):
    """One pairwise judgment: one judge's verdict on two outputs for one task. It is never corrected, only taken back.

    Few indexes, because these rows come by the million: both sides and the judge are reached through the task, the
    source through the identity.
    """

    comparison_id = models.CharField(max_length=200)
    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="comparisons")
    a = models.ForeignKey(Configuration, on_delete=models.PROTECT, related_name="compared_as_a", db_index=False)
    b = models.ForeignKey(Configuration, on_delete=models.PROTECT, related_name="compared_as_b", db_index=False)
    outcome = models.CharField(max_length=10, choices=Outcome)
    raw_outcome = models.CharField(
        max_length=60, blank=True, default="", db_default="", help_text="The outcome in the words of its source."
    )
    judge = models.ForeignKey(Judge, on_delete=models.PROTECT, related_name="comparisons", db_index=False)
    order = models.CharField(max_length=2, choices=ShownOrder, blank=True)
    judged_at = models.DateTimeField(null=True, blank=True)
    lineage = models.ForeignKey(
        Lineage,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="comparisons",
        db_index=False,
        help_text="The stream it belongs to, whose suite says what may be done with it; blank: our own.",
    )
    source = models.ForeignKey(Source, on_delete=models.PROTECT, related_name="comparisons", db_index=False)
    batch = models.ForeignKey(ImportBatch, on_delete=models.PROTECT, related_name="comparisons")
    line = models.PositiveIntegerField()
    state = models.CharField(max_length=20, choices=ResultState, default=ResultState.ACTIVE)

    objects = KeptManager()

    class Meta:
        ordering = ("id",)
        constraints = (
            models.UniqueConstraint(
                fields=("source", "comparison_id"), condition=Q(state=ResultState.ACTIVE), name="comparison_identity"
            ),
            models.CheckConstraint(condition=~Q(a=F("b")), name="comparison_two_subjects"),
            models.CheckConstraint(condition=Q(order="") | Q(order__in=ShownOrder.values), name="comparison_order"),
            choice_check("outcome", Outcome, "comparison_outcome"),
            choice_check("state", ResultState, "comparison_state"),
        )

    def __str__(self) -> str:
        return self.comparison_id


class SampleOutput(Curated):
    """A saved output that illustrates a task. An old grade beside it never leaves the admin."""

    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="samples")
    configuration = models.ForeignKey(Configuration, on_delete=models.PROTECT, related_name="samples")
    text = models.TextField()
    retired_grade = models.FloatField(
        null=True, blank=True, help_text="An old internal judge's grade. Never public, never counted."
    )

    natural_key_fields: ClassVar[tuple[str, ...]] = ("task", "configuration")

    class Meta:
        ordering = ("task", "configuration")
        constraints = (finite_check("retired_grade", "sample_grade_finite", sentence="A grade is a finite number."),)

    def __str__(self) -> str:
        return f"{self.task}: {self.configuration}"


class Exclusion(Curated):
    """A reasoned refusal, everywhere or within one mapping. It is lifted, never deleted.

    The target is named by scope and key (the SHA-256 for a source, the id for a batch or result), so that the record
    outlives what it names.
    """

    scope = models.CharField(max_length=20, choices=ExclusionScope)
    target = models.CharField(max_length=250, help_text="Key of what is refused; the number of a batch or result.")
    mapping = models.ForeignKey(
        EvidenceMapping,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="exclusions",
        help_text="Blank: refused everywhere.",
    )
    type = models.CharField(max_length=30, choices=ExclusionType)
    reason = models.TextField()
    lift_condition = models.TextField(help_text="What would lift it.")
    excluded_by = models.CharField(max_length=150)
    excluded_at = models.DateTimeField()
    lifted_by = models.CharField(max_length=150, blank=True)
    lifted_at = models.DateTimeField(null=True, blank=True)
    lift_reason = models.TextField(blank=True)

    objects = KeptManager()
    natural_key_fields: ClassVar[tuple[str, ...]] = ("scope", "target", "mapping", "type", "excluded_at")

    class Meta:
        ordering = ("scope", "target", "id")
        permissions: ClassVar[Any] = [("lift_exclusion", "Can lift an exclusion")]
        constraints = (
            paired_check(
                "lifted_by", "lifted_at", "exclusion_lifted", "A lifted exclusion says who lifted it and when."
            ),
            models.CheckConstraint(
                condition=~Q(reason=""), name="exclusion_reason", violation_error_message="Say why it is excluded."
            ),
            # Two, because to a database no mapping is equal to no mapping.
            *(
                models.UniqueConstraint(
                    fields=fields,
                    condition=Q(lifted_at__isnull=True, mapping__isnull="mapping" not in fields),
                    name=name,
                    violation_error_code="already-excluded",
                    violation_error_message="This is excluded already for this type of reason.",
                )
                for name, fields in {
                    "exclusion_once": ("scope", "target", "type"),
                    "exclusion_once_within": ("scope", "target", "mapping", "type"),
                }.items()
            ),
            choice_check("scope", ExclusionScope, "exclusion_scope"),
            choice_check("type", ExclusionType, "exclusion_type"),
        )

    def __str__(self) -> str:
        return f"{self.scope} {self.target}: {self.type}"


class RightsDecision(Curated):
    """May we store, rank with, show or export? Made for a publisher or suite, overridable for a source."""

    publisher = models.ForeignKey(Publisher, on_delete=models.PROTECT, null=True, blank=True, related_name="rights")
    suite = models.ForeignKey(Suite, on_delete=models.PROTECT, null=True, blank=True, related_name="rights")
    source = models.ForeignKey(Source, on_delete=models.PROTECT, null=True, blank=True, related_name="rights")
    use = models.CharField(max_length=20, choices=RightsUse)
    verdict = models.CharField(max_length=20, choices=RightsVerdict, default=RightsVerdict.UNREVIEWED)
    clause = models.TextField(help_text="The licence or clause it rests on.")
    clause_url = models.URLField(max_length=500, blank=True, validators=[validate_address])
    attribution = models.CharField(max_length=300, blank=True)
    reviewed_by = models.CharField(max_length=150, blank=True)
    reviewed_on = models.DateField(null=True, blank=True)

    natural_key_fields: ClassVar[tuple[str, ...]] = ("publisher", "suite", "source", "use")

    class Meta:
        ordering = ("publisher", "suite", "source", "use")
        constraints = (
            models.CheckConstraint(
                condition=(Q(publisher__isnull=False) & Q(suite__isnull=True) & Q(source__isnull=True))
                | (Q(publisher__isnull=True) & Q(suite__isnull=False) & Q(source__isnull=True))
                | (Q(publisher__isnull=True) & Q(suite__isnull=True) & Q(source__isnull=False)),
                name="rights_one_target",
                violation_error_message="Decide for a publisher, a suite or a source: exactly one of the three.",
            ),
            models.CheckConstraint(
                condition=Q(verdict=RightsVerdict.UNREVIEWED) | (~Q(reviewed_by="") & Q(reviewed_on__isnull=False)),
                name="rights_reviewed",
                violation_error_message="A verdict says who reviewed it and on what day.",
            ),
            *(
                models.UniqueConstraint(
                    fields=(target, "use"),
                    condition=Q(**{f"{target}__isnull": False}),
                    name=f"rights_once_{target}",
                    violation_error_message=f"This use is decided for this {target} already: change that decision.",
                )
                for target in ("publisher", "suite", "source")
            ),
            choice_check("use", RightsUse, "rights_use"),
            choice_check("verdict", RightsVerdict, "rights_verdict"),
        )

    def __str__(self) -> str:
        target = self.publisher or self.suite or self.source
        return f"{target}: {self.use} {self.verdict}"
