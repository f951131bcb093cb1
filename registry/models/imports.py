"""Sources, mapping profiles and import batches."""

from collections.abc import Iterator
from typing import Any, ClassVar

from django.db import models
from django.db.models import Q, Value

from registry.models.base import Curated, KeptManager, KeyField, choice_check, paired_check
from registry.vocabulary import BatchMode, BatchStatus, ImportKind


class Source(models.Model):
    """The uploaded bytes a number came from, kept in parts. The citation is never fetched."""

    sha256 = models.CharField(max_length=64, unique=True)
    filename = models.CharField(max_length=250)
    size = models.PositiveBigIntegerField(help_text="Bytes.")
    url = models.CharField(max_length=500, blank=True, help_text="Where it was published: a citation, never fetched.")
    reference = models.CharField(max_length=250, blank=True, help_text="Commit, page or version.")
    uploaded_by = models.CharField(max_length=150)
    uploaded_at = models.DateTimeField()

    objects = KeptManager()
    natural_key_fields: ClassVar[tuple[str, ...]] = ("sha256",)

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return f"{self.filename} ({self.sha256[:12]})"

    def chunks(self) -> Iterator[bytes]:
        """The bytes as uploaded, a part at a time: a file may be larger than memory should hold."""
        numbers = self.parts.order_by("number").values_list("number", flat=True)
        for number in list(numbers):
            yield bytes(self.parts.get(number=number).content)


class SourcePart(models.Model):
    """A piece of a source's bytes; all of them in order are the file."""

    source = models.ForeignKey(Source, on_delete=models.PROTECT, related_name="parts", db_index=False)
    number = models.PositiveIntegerField()
    content = models.BinaryField()

    class Meta:
        ordering = ("source", "number")
        constraints = (models.UniqueConstraint(fields=("source", "number"), name="source_part"),)

    def __str__(self) -> str:
        return f"part {self.number} of {self.source}"


class MappingProfile(Curated):
    """How a foreign layout is read. `spec` is data and can do only what `importing.profiles` states."""

    key = KeyField(unique=True)
    title = models.CharField(max_length=200)
    kind = models.CharField(max_length=20, choices=ImportKind, default=ImportKind.RESULTS)
    spec = models.JSONField(default=dict)

    class Meta:
        ordering = ("key",)
        constraints = (choice_check("kind", ImportKind, "profile_kind"),)

    def __str__(self) -> str:
        return self.key

    def clean(self) -> None:
        """A faulty spec is found when it is saved, not when a file is read through it."""
        from registry.importing.profiles import validate_spec

        if self.kind in ImportKind.values:
            validate_spec(self.spec, self.kind)


class ImportBatch(models.Model):
    """One uploaded file and what became of each row. It can be reverted as a whole."""

    kind = models.CharField(max_length=20, choices=ImportKind, default=ImportKind.RESULTS)
    source = models.ForeignKey(Source, on_delete=models.PROTECT, related_name="batches")
    profile_key = models.CharField(max_length=120, blank=True)
    profile_version = models.PositiveIntegerField(null=True, blank=True)
    spec = models.JSONField(
        null=True, help_text="What the profile said when it read the file; it may say otherwise now."
    )
    source_url = models.CharField(max_length=500, blank=True, help_text="Holds for rows that give none.")
    source_ref = models.CharField(
        max_length=250, blank=True, default="", db_default="", help_text="Holds for rows that give none."
    )
    format = models.CharField(
        max_length=40, default="csv", db_default="csv", help_text="What kind of file it was read as."
    )
    header = models.JSONField(default=list, db_default=Value([], models.JSONField()), help_text="Columns of the file.")
    basis = models.CharField(
        max_length=64,
        blank=True,
        default="",
        db_default="",
        help_text="Digest of what its rows were read against: while it stays the same, so does the reading.",
    )
    read_as = models.ForeignKey(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="read_again",
        db_index=False,
        help_text="The batch whose rows are this one's too: the same bytes, read the same way.",
    )
    mode = models.CharField(max_length=20, choices=BatchMode, default=BatchMode.ALL_OR_NOTHING)
    status = models.CharField(max_length=20, choices=BatchStatus, default=BatchStatus.STAGED)
    encoding = models.CharField(max_length=200, blank=True)
    rows = models.PositiveIntegerField(default=0)
    counts = models.JSONField(default=dict, help_text="Rows by verdict.")
    problems = models.JSONField(default=list, help_text="Problems of the file as a whole.")
    foreseen = models.JSONField(
        null=True, help_text="Of a large batch: what the gates answered when it was read, and would answer after it."
    )
    created_by = models.CharField(max_length=150)
    created_at = models.DateTimeField()
    applied_by = models.CharField(max_length=150, blank=True)
    applied_at = models.DateTimeField(null=True, blank=True)
    reverted_by = models.CharField(max_length=150, blank=True)
    reverted_at = models.DateTimeField(null=True, blank=True)
    reason = models.TextField(blank=True)

    objects = KeptManager()

    class Meta:
        ordering = ("-id",)
        verbose_name_plural = "import batches"
        permissions: ClassVar[Any] = [
            ("import_result", "Can import results and comparisons"),
            ("export_result", "Can export results"),
            ("apply_importbatch", "Can apply an import"),
            ("revert_importbatch", "Can revert an import"),
        ]
        constraints = (
            paired_check("applied_by", "applied_at", "batch_applied"),
            paired_check("reverted_by", "reverted_at", "batch_reverted"),
            models.CheckConstraint(
                condition=~Q(status=BatchStatus.APPLIED) | ~Q(applied_by=""), name="batch_applied_by_someone"
            ),
            choice_check("status", BatchStatus, "batch_status"),
            choice_check("mode", BatchMode, "batch_mode"),
            choice_check("kind", ImportKind, "batch_kind"),
        )

    def __str__(self) -> str:
        return f"batch {self.pk}: {self.source.filename}"

    @property
    def kept_profile(self) -> MappingProfile | None:
        """As it was when the file came in; none without one, and of batches read before 2026-12."""
        if self.spec is None:
            return None
        return MappingProfile(key=self.profile_key, kind=self.kind, version=self.profile_version or 0, spec=self.spec)

    @property
    def staged(self) -> "models.QuerySet[Any]":
        """Its rows, which may be kept with the batch that was read the same way."""
        from registry.models.staging import STAGED

        return STAGED[self.kind]._default_manager.filter(batch=self.read_as_id or self.pk)
