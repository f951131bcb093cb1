"""Editions, collections, facets, tasks and capability atoms: what is asked."""

from decimal import Decimal
from typing import ClassVar

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q

from registry.models.base import Curated, KeyField, choice_check
from registry.vocabulary import EvaluationMode, SubjectKind


class Edition(Curated):
    """One generation of the taxonomy."""

    key = KeyField(unique=True)
    title = models.CharField(max_length=200)
    description = models.TextField(blank=True)

    class Meta:
        ordering = ("key",)

    def __str__(self) -> str:
        return self.key


class Collection(Curated):
    """One category of work with one question: the unit that is ranked."""

    edition = models.ForeignKey(Edition, on_delete=models.PROTECT, related_name="collections")
    slug = models.SlugField(max_length=80, unique=True, help_text="Address of the public page; it never changes.")
    title = models.CharField(max_length=200)
    question = models.CharField(max_length=300, help_text="The question a rank here would answer.")
    summary = models.TextField(help_text="The outcome this category wants, in a sentence.")
    subject_kind = models.CharField(
        max_length=40, choices=SubjectKind, help_text="The kind of subject that this collection ranks."
    )
    planning = models.BooleanField(default=True, help_text="On while no release of this collection has ranked.")

    natural_key_fields: ClassVar[tuple[str, ...]] = ("slug",)

    class Meta:
        ordering = ("slug",)
        constraints = (choice_check("subject_kind", SubjectKind, "collection_subject_kind"),)

    def __str__(self) -> str:
        return self.title


class Facet(Curated):
    """A weighted skill within a collection. Weights are percentages and sum to exactly 100."""

    collection = models.ForeignKey(Collection, on_delete=models.PROTECT, related_name="facets")
    slug = models.SlugField(max_length=80)
    title = models.CharField(max_length=200)
    description = models.TextField()
    weight = models.DecimalField(max_digits=5, decimal_places=2, help_text="Per cent of the collection's score.")
    mode = models.CharField(max_length=20, choices=EvaluationMode, help_text="The evidence this facet needs.")
    position = models.PositiveSmallIntegerField(default=0)

    natural_key_fields: ClassVar[tuple[str, ...]] = ("collection", "slug")

    class Meta:
        ordering = ("collection", "position", "slug")
        constraints = (
            models.UniqueConstraint(
                fields=("collection", "slug"),
                name="facet_slug",
                violation_error_message="The collection has a facet of this slug already.",
            ),
            models.CheckConstraint(
                condition=Q(weight__gte=Decimal(0)) & Q(weight__lte=Decimal(100)),
                name="facet_weight",
                violation_error_message="A weight is a percentage from 0 to 100.",
            ),
            choice_check("mode", EvaluationMode, "facet_mode"),
        )

    def __str__(self) -> str:
        return self.title

    @property
    def key(self) -> str:
        """`collection/facet`; costs a query unless the collection is selected."""
        return f"{self.collection.slug}/{self.slug}"


class Task(Curated):
    """One item of a facet's task plan. Required tasks count for coverage."""

    facet = models.ForeignKey(Facet, on_delete=models.PROTECT, related_name="tasks")
    key = KeyField()
    title = models.CharField(max_length=200)
    description = models.TextField(blank=True)
    required = models.BooleanField(default=True)
    editorial = models.BooleanField(default=True, help_text="Written by the editors, not taken from a source.")
    position = models.PositiveSmallIntegerField(default=0)
    same_as = models.ForeignKey(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="repeated_by",
        db_index=False,
        help_text="The same item in the plan of another collection: what was judged there counts here too.",
    )

    natural_key_fields: ClassVar[tuple[str, ...]] = ("facet", "key")

    class Meta:
        ordering = ("facet", "position", "key")
        constraints = (
            models.UniqueConstraint(
                fields=("facet", "key"),
                name="task_key",
                violation_error_message="The facet has a task of this key already.",
            ),
        )

    def __str__(self) -> str:
        return self.title

    def clean(self) -> None:
        """Evidence must reach a collection once: by no chain, not from itself, not by two tasks."""
        if self.same_as is None or not self.facet_id:
            return
        own = Task.objects.filter(facet__collection=self.facet.collection_id)
        if self.same_as.same_as_id or (self.pk and self.repeated_by.exists()):
            raise ValidationError(
                {"same_as": "Name the first of them: a task that repeats another is repeated by none."}
            )
        if self.same_as.facet.collection_id == self.facet.collection_id:
            raise ValidationError({"same_as": "It stands in this collection already: its evidence would count twice."})
        if own.filter(same_as=self.same_as).exclude(pk=self.pk).exists():
            raise ValidationError({"same_as": "Another task of this collection is the same as that one already."})


class CapabilityAtom(Curated):
    """A small ability, from a controlled list that all collections share."""

    key = KeyField(unique=True)
    title = models.CharField(max_length=200)
    description = models.TextField(blank=True)

    class Meta:
        ordering = ("key",)

    def __str__(self) -> str:
        return self.key
