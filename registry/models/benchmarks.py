"""Publishers, suites, benchmarks, lineages and the links that make lineages dependent."""

from typing import ClassVar

from django.db import models
from django.db.models import F, Q

from registry.models.base import Curated, KeyField, choice_check, validate_address
from registry.vocabulary import ContractUse, Eligibility, LinkCertainty, LinkKind, RegistryStatus


class Publisher(Curated):
    """Who publishes a suite."""

    key = KeyField(unique=True)
    name = models.CharField(max_length=200)
    url = models.URLField(max_length=500, blank=True, validators=[validate_address])

    class Meta:
        ordering = ("key",)

    def __str__(self) -> str:
        return self.name


class Suite(Curated):
    """A family of benchmarks by one publisher."""

    publisher = models.ForeignKey(Publisher, on_delete=models.PROTECT, related_name="suites")
    key = KeyField(unique=True)
    title = models.CharField(max_length=200)
    description = models.TextField(blank=True)
    url = models.URLField(max_length=500, blank=True, validators=[validate_address])
    not_to_confuse = models.TextField(blank=True, help_text="Other benchmarks with a similar name.")

    class Meta:
        ordering = ("key",)

    def __str__(self) -> str:
        return self.title


class Benchmark(Curated):
    """The exact part of a suite that is mapped."""

    suite = models.ForeignKey(Suite, on_delete=models.PROTECT, related_name="benchmarks")
    key = KeyField(unique=True)
    title = models.CharField(max_length=200)
    description = models.TextField(blank=True)
    eligibility = models.CharField(max_length=40, choices=Eligibility)
    registry_status = models.CharField(max_length=20, choices=RegistryStatus, default=RegistryStatus.CANDIDATE)

    class Meta:
        ordering = ("key",)
        constraints = (
            choice_check("eligibility", Eligibility, "benchmark_eligibility"),
            choice_check("registry_status", RegistryStatus, "benchmark_registry_status"),
        )

    def __str__(self) -> str:
        return self.title


class Lineage(Curated):
    """One stream of evidence with one version and one track. Two lineages are never merged."""

    suite = models.ForeignKey(Suite, on_delete=models.PROTECT, related_name="lineages")
    key = KeyField(unique=True)
    title = models.CharField(max_length=200)
    upstream_version = models.CharField(max_length=60)
    track = models.CharField(max_length=60)
    use = models.CharField(max_length=20, choices=ContractUse, default=ContractUse.CATALOGUED)
    note = models.TextField(blank=True)

    class Meta:
        ordering = ("key",)
        constraints = (
            models.UniqueConstraint(
                fields=("suite", "upstream_version", "track"),
                name="lineage_version_track",
                violation_error_message="The suite has a lineage of this version and track already.",
            ),
            choice_check("use", ContractUse, "lineage_use"),
        )

    def __str__(self) -> str:
        return self.key


class LineageLink(Curated):
    """Why two lineages are not independent. A group is a connected component of links."""

    a = models.ForeignKey(Lineage, on_delete=models.PROTECT, related_name="links_from")
    b = models.ForeignKey(Lineage, on_delete=models.PROTECT, related_name="links_to")
    kind = models.CharField(max_length=20, choices=LinkKind)
    certainty = models.CharField(max_length=20, choices=LinkCertainty, default=LinkCertainty.SHARED)
    reason = models.TextField()

    natural_key_fields: ClassVar[tuple[str, ...]] = ("a", "b", "kind")

    class Meta:
        ordering = ("a", "b", "kind")
        constraints = (
            models.UniqueConstraint(
                fields=("a", "b", "kind"),
                name="lineage_link",
                violation_error_message="These two lineages have a link of this kind already.",
            ),
            models.CheckConstraint(
                condition=~Q(a=F("b")),
                name="lineage_link_two_ends",
                violation_error_message="A lineage is not linked to itself: name two.",
            ),
            choice_check("kind", LinkKind, "lineage_link_kind"),
            choice_check("certainty", LinkCertainty, "lineage_link_certainty"),
        )

    def __str__(self) -> str:
        return f"{self.a} and {self.b} ({self.kind})"
