"""The one history: what was done to what, by whom, when and why, with before and after."""

from typing import Any, ClassVar

from django.apps import apps
from django.db import models

from registry.models.base import KeptManager


class AuditEvent(models.Model):
    """One change. Append-only (triggers hold it) and without foreign keys, so it never blocks live data."""

    at = models.DateTimeField(db_index=True)
    by = models.CharField(max_length=150)
    verb = models.CharField(max_length=60)
    object_type = models.CharField(max_length=60)
    object_id = models.CharField(max_length=60)
    object_key = models.CharField(max_length=300)
    before = models.JSONField(null=True)
    after = models.JSONField(null=True)
    reason = models.TextField(blank=True)
    action_id = models.UUIDField(help_text="Events of one action share it.")

    objects = KeptManager()

    class Meta:
        ordering = ("-id",)
        indexes: ClassVar[Any] = [models.Index(fields=("object_type", "object_id"), name="audit_object")]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.by} {self.verb} {self.object_key}"

    @property
    def kind(self) -> str:
        """What the object is, in the words that people read; models may be gone that events tell of."""
        try:
            return str(apps.get_model(self.object_type)._meta.verbose_name)
        except (LookupError, ValueError):
            return self.object_type.split(".")[-1]
