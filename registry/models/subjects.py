"""Organizations, model releases, configurations and the names they go by."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from registry.models.base import AliasField, Curated, KeyField, NameField, choice_check, paired_check
from registry.vocabulary import UNKNOWN, Availability, SubjectKind


class Organization(Curated):
    """Who makes a model."""

    key = KeyField(unique=True)
    name = NameField(max_length=200)

    class Meta:
        ordering = ("key",)

    def __str__(self) -> str:
        return self.name


class ModelRelease(Curated):
    """One release of one model by one organization."""

    organization = models.ForeignKey(Organization, on_delete=models.PROTECT, related_name="models")
    key = KeyField(help_text="Unique within the organization; part of the public address.")
    name = NameField(max_length=200)
    released_on = models.DateField(null=True, blank=True)
    note = models.TextField(blank=True)

    natural_key_fields: ClassVar[tuple[str, ...]] = ("organization", "key")

    class Meta:
        ordering = ("organization", "key")
        constraints = (
            models.UniqueConstraint(
                fields=("organization", "key"),
                name="model_release_key",
                violation_error_message="The organization has a model release of this key already.",
            ),
        )

    def __str__(self) -> str:
        return self.name


class Configuration(Curated):
    """One subject: model release + harness + reasoning effort + settings. Unknown is not default."""

    key = KeyField(unique=True)
    model = models.ForeignKey(ModelRelease, on_delete=models.PROTECT, related_name="configurations")
    subject_kind = models.CharField(max_length=40, choices=SubjectKind)
    harness = models.CharField(max_length=120, default=UNKNOWN, help_text="'unknown' where nobody stated it.")
    effort = models.CharField(max_length=60, default=UNKNOWN, help_text="'unknown' where nobody stated it.")
    settings = models.CharField(max_length=200, default=UNKNOWN, help_text="'unknown' where nobody stated them.")
    availability = models.CharField(max_length=20, choices=Availability, default=Availability.UNKNOWN)
    reference = models.BooleanField(
        default=False, help_text="A reference opponent: takes part in comparisons and is not ranked."
    )
    note = models.TextField(blank=True)

    class Meta:
        ordering = ("key",)
        constraints = (
            models.UniqueConstraint(
                fields=("model", "subject_kind", "harness", "effort", "settings"),
                name="configuration_parts",
                violation_error_message="Another configuration has the same parts, from model to settings.",
            ),
            models.CheckConstraint(
                condition=~Q(harness="") & ~Q(effort="") & ~Q(settings=""),
                name="configuration_parts_stated",
                violation_error_message="Harness, effort and settings are stated or unknown, never blank.",
            ),
            choice_check("subject_kind", SubjectKind, "configuration_subject_kind"),
            choice_check("availability", Availability, "configuration_availability"),
        )

    def __str__(self) -> str:
        return f"{self.model.name} · effort {self.effort} · harness {self.harness}"


class ConfigurationAlias(Curated):
    """Another name a configuration is reviewed to go by. Only a reviewed alias resolves in a file."""

    name = AliasField(max_length=250, unique=True)
    configuration = models.ForeignKey(Configuration, on_delete=models.PROTECT, related_name="aliases")
    reason = models.TextField(blank=True)
    reviewed_by = models.CharField(max_length=150, blank=True)
    reviewed_at = models.DateTimeField(null=True, blank=True)

    natural_key_fields: ClassVar[tuple[str, ...]] = ("name",)

    class Meta:
        ordering = ("name",)
        verbose_name_plural = "configuration aliases"
        constraints = (
            paired_check(
                "reviewed_by", "reviewed_at", "alias_reviewed", "A review has a reviewer and a time, or neither."
            ),
        )

    def __str__(self) -> str:
        return self.name
