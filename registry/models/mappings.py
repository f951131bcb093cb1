"""Evidence mappings: what one benchmark proves about one collection."""

from decimal import Decimal
from typing import ClassVar

from django.db import models
from django.db.models import Max, Q

from registry.models.base import Curated, check_words, choice_check
from registry.models.benchmarks import Benchmark, Lineage
from registry.models.contracts import MetricContract
from registry.models.taxonomy import CapabilityAtom, Collection, Facet, Task
from registry.vocabulary import MappingRole, Projection, SubjectKind, UpstreamAccess


class EvidenceMapping(Curated):
    """One benchmark mapped to one collection. A benchmark may have many."""

    collection = models.ForeignKey(Collection, on_delete=models.PROTECT, related_name="mappings")
    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="mappings")
    role = models.CharField(max_length=20, choices=MappingRole)
    upstream_access = models.CharField(max_length=20, choices=UpstreamAccess)
    declared_subject = models.CharField(
        max_length=40, choices=SubjectKind, help_text="The kind of subject the benchmark measures."
    )
    metric_partitions = models.JSONField(default=list, help_text="Subject kinds that the metrics split into.")
    separate_partition_required = models.BooleanField(
        default=False, help_text="The partitions must stay in tables of their own."
    )
    projection = models.CharField(max_length=20, choices=Projection, default=Projection.FORBIDDEN)
    projection_reason = models.TextField(blank=True)
    atoms = models.ManyToManyField(CapabilityAtom, blank=True, related_name="mappings")
    note = models.TextField(blank=True)

    natural_key_fields: ClassVar[tuple[str, ...]] = ("collection", "benchmark")

    @classmethod
    def permanent_fields(cls) -> tuple[str, ...]:
        """Both are part of its key and of its public address."""
        return cls.natural_key_fields

    class Meta:
        ordering = ("collection", "benchmark")
        constraints = (
            models.UniqueConstraint(
                fields=("collection", "benchmark"),
                name="mapping_once",
                violation_error_message="This benchmark is mapped to this collection already.",
            ),
            models.CheckConstraint(
                condition=Q(projection=Projection.FORBIDDEN) | ~Q(projection_reason=""),
                name="mapping_projection_reason",
                violation_error_message="Say why a result for one subject kind may stand for another.",
            ),
            choice_check("role", MappingRole, "mapping_role"),
            choice_check("upstream_access", UpstreamAccess, "mapping_upstream_access"),
            choice_check("declared_subject", SubjectKind, "mapping_declared_subject"),
            choice_check("projection", Projection, "mapping_projection"),
        )

    def __str__(self) -> str:
        return self.key

    def clean(self) -> None:
        check_words("metric_partitions", self.metric_partitions, SubjectKind)

    @property
    def key(self) -> str:
        """`collection/suite/benchmark`; costs queries unless collection and benchmark__suite are selected."""
        return f"{self.collection.slug}/{self.benchmark.suite.key}/{self.benchmark.key}"

    @property
    def maximum_directness(self) -> Decimal | None:
        """The highest task alignment, in per cent."""
        top: Decimal | None = self.alignments.aggregate(top=Max("directness"))["top"]
        return top


class MappingFacet(Curated):
    """A facet that the mapping speaks to; without a measurement it is described, not evidenced."""

    mapping = models.ForeignKey(EvidenceMapping, on_delete=models.PROTECT, related_name="facets")
    facet = models.ForeignKey(Facet, on_delete=models.PROTECT, related_name="mapping_facets")
    coverage_note = models.TextField(blank=True, help_text="What upstream measures of this facet, and what not.")

    natural_key_fields: ClassVar[tuple[str, ...]] = ("mapping", "facet")

    class Meta:
        ordering = ("mapping", "facet__position")
        constraints = (
            models.UniqueConstraint(
                fields=("mapping", "facet"),
                name="mapping_facet",
                violation_error_message="The mapping names this facet already.",
            ),
        )

    def __str__(self) -> str:
        return self.facet.title


class MappingLineage(Curated):
    """A lineage and subject kind whose results may count in this mapping."""

    mapping = models.ForeignKey(EvidenceMapping, on_delete=models.PROTECT, related_name="lineages")
    lineage = models.ForeignKey(Lineage, on_delete=models.PROTECT, related_name="mapping_lineages")
    subject_kind = models.CharField(max_length=40, choices=SubjectKind)

    natural_key_fields: ClassVar[tuple[str, ...]] = ("mapping", "lineage", "subject_kind")

    class Meta:
        ordering = ("mapping", "lineage")
        constraints = (
            models.UniqueConstraint(
                fields=("mapping", "lineage", "subject_kind"),
                name="mapping_lineage",
                violation_error_message="The mapping uses this lineage for this subject kind already.",
            ),
            choice_check("subject_kind", SubjectKind, "mapping_lineage_subject_kind"),
        )

    def __str__(self) -> str:
        return f"{self.lineage.key}/{self.subject_kind}"


class Measurement(Curated):
    """This contract measures this facet: a contract counts in one facet, one a facet and lineage.

    `lineage` repeats the contract's so that the database can hold the second rule.
    """

    mapping = models.ForeignKey(EvidenceMapping, on_delete=models.PROTECT, related_name="measurements")
    contract = models.ForeignKey(MetricContract, on_delete=models.PROTECT, related_name="measurements")
    facet = models.ForeignKey(Facet, on_delete=models.PROTECT, related_name="measurements")
    lineage = models.ForeignKey(Lineage, on_delete=models.PROTECT, related_name="measurements", editable=False)
    reason = models.TextField(help_text="Why this number speaks for this facet, and what it leaves out.")

    natural_key_fields: ClassVar[tuple[str, ...]] = ("mapping", "contract")

    class Meta:
        ordering = ("mapping", "facet__position", "contract")
        constraints = (
            models.UniqueConstraint(
                fields=("mapping", "contract"),
                name="measurement_contract",
                violation_error_message="This contract measures a facet here already: it counts in one only.",
            ),
            models.UniqueConstraint(
                fields=("facet", "lineage"),
                name="measurement_facet_lineage",
                violation_error_message="Another contract of this lineage measures this facet already.",
            ),
        )

    def __str__(self) -> str:
        return f"{self.contract.key} measures {self.facet.title}"


class TaskAlignment(Curated):
    """How directly the mapping's benchmark measures one task, 0 to 100 per cent."""

    mapping = models.ForeignKey(EvidenceMapping, on_delete=models.PROTECT, related_name="alignments")
    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="alignments")
    directness = models.DecimalField(max_digits=5, decimal_places=2, help_text="Per cent.")
    reason = models.TextField()

    natural_key_fields: ClassVar[tuple[str, ...]] = ("mapping", "task")

    class Meta:
        ordering = ("mapping", "task")
        constraints = (
            models.UniqueConstraint(
                fields=("mapping", "task"),
                name="alignment_task",
                violation_error_message="The mapping is aligned to this task already: change that alignment.",
            ),
            models.CheckConstraint(
                condition=Q(directness__gte=Decimal(0)) & Q(directness__lte=Decimal(100)),
                name="alignment_directness",
                violation_error_message="Directness is a percentage from 0 to 100.",
            ),
        )

    def __str__(self) -> str:
        return f"{self.task.title}: {self.directness} %"
