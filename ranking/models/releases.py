"""Releases and their publication. A release is sealed: triggers refuse every UPDATE and DELETE of it."""

from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from ranking.models.gates import GateEvaluation
from registry.models import Collection
from registry.models.base import KeptManager, KeptQuerySet, Row, choice_check, paired_check


class ReleaseKind(models.TextChoices):
    STATUS = "status", "evidence status"
    RANKING = "ranking", "ranking"
    OVERALL = "overall", "overall leaderboard"


class RequestState(models.TextChoices):
    WAITING = "waiting", "waiting for the worker"
    PUBLISHED = "published", "published"
    REFUSED = "refused", "refused"


class PublicationState(models.TextChoices):
    LIVE = "live", "live"
    SUPERSEDED = "superseded", "superseded"
    WITHDRAWN = "withdrawn", "withdrawn"


class SealedQuerySet(KeptQuerySet[Row]):
    def update(self, **kwargs: Any) -> int:
        raise TypeError(f"A {self.model.__name__} is sealed: seal a new one instead of changing it.")


SealedManager = models.Manager.from_queryset(SealedQuerySet)


class Release(models.Model):
    """What a page says, frozen. Its digest covers content alone: equal evidence, equal digest."""

    kind = models.CharField(max_length=10, choices=ReleaseKind)
    collection = models.ForeignKey(Collection, on_delete=models.PROTECT, null=True, related_name="releases")
    evaluation = models.ForeignKey(GateEvaluation, on_delete=models.PROTECT, null=True, related_name="releases")
    content = models.TextField(help_text="Canonical JSON of all that the public pages show.")
    digest = models.CharField(max_length=64, help_text="SHA-256 of kind and content.")
    sealed_by = models.CharField(max_length=150)
    sealed_at = models.DateTimeField()

    objects = SealedManager()

    class Meta:
        ordering = ("-id",)
        permissions: ClassVar[Any] = [
            ("seal_release", "Can seal a candidate"),
            ("publish_release", "Can publish, supersede and withdraw"),
        ]
        constraints = (
            choice_check("kind", ReleaseKind, "release_kind"),
            models.CheckConstraint(condition=~Q(sealed_by=""), name="release_sealed_by"),
            models.CheckConstraint(
                condition=Q(kind="overall") | (Q(collection__isnull=False) & Q(evaluation__isnull=False)),
                name="release_of_an_evaluation",
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.digest[:12]}"


class Publication(models.Model):
    """A release made public: gapless number, permanent id, predecessor, and what became of it."""

    release = models.OneToOneField(Release, on_delete=models.PROTECT, related_name="publication")
    collection = models.ForeignKey(Collection, on_delete=models.PROTECT, null=True, related_name="publications")
    number = models.PositiveIntegerField(help_text="Gapless within the collection; order goes by it, never by clock.")
    identifier = models.CharField(max_length=64, unique=True, help_text="SHA-256 of digest, number and predecessor.")
    predecessor = models.OneToOneField("self", on_delete=models.PROTECT, null=True, related_name="successor")
    published_by = models.CharField(max_length=150)
    published_at = models.DateTimeField()
    reason = models.TextField()
    state = models.CharField(max_length=12, choices=PublicationState, default=PublicationState.LIVE)
    withdrawn_by = models.CharField(max_length=150, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    withdrawal_reason = models.TextField(blank=True)

    objects = KeptManager()

    class Meta:
        ordering = ("collection", "-number")
        constraints = (
            models.UniqueConstraint(fields=("collection", "number"), name="publication_number"),
            models.UniqueConstraint(fields=("collection",), condition=Q(state="live"), name="publication_one_live"),
            # Those of the overall leaderboard have no collection, and nulls are unique to a database.
            models.UniqueConstraint(
                fields=("number",), condition=Q(collection__isnull=True), name="publication_overall_number"
            ),
            models.UniqueConstraint(
                fields=("state",),
                condition=Q(collection__isnull=True, state="live"),
                name="publication_overall_one_live",
            ),
            paired_check("withdrawn_by", "withdrawn_at", "publication_withdrawn"),
            choice_check("state", PublicationState, "publication_state"),
        )

    def __str__(self) -> str:
        return f"{self.release.kind} {self.identifier[:12]}, number {self.number}"


class PublishRequest(models.Model):
    """A confirmed wish to publish, recorded with its job; the worker checks again and then publishes or refuses."""

    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="requests")
    requested_by = models.CharField(max_length=150)
    requested_at = models.DateTimeField()
    reason = models.TextField()
    facts = models.JSONField(help_text="What was confirmed; the worker refuses when it no longer holds.")
    state = models.CharField(max_length=12, choices=RequestState, default=RequestState.WAITING)
    publication = models.OneToOneField(Publication, on_delete=models.PROTECT, null=True, related_name="request")
    answer = models.TextField(blank=True, help_text="Why it was refused.")
    answered_at = models.DateTimeField(null=True, blank=True)

    objects = KeptManager()

    class Meta:
        ordering = ("-id",)
        constraints = (
            models.UniqueConstraint(fields=("release",), condition=Q(state="waiting"), name="request_waiting_once"),
            models.CheckConstraint(
                condition=(Q(state="published") & Q(publication__isnull=False))
                | (~Q(state="published") & Q(publication__isnull=True)),
                name="request_published",
            ),
            choice_check("state", RequestState, "request_state"),
        )

    def __str__(self) -> str:
        return f"{self.release}: {self.state}"
