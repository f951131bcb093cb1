"""What became of a confirmed page: the second post of it finds this row and does nothing."""

from django.db import models

from registry.models.base import KeptManager


class Confirmation(models.Model):
    """One confirmation that was carried out, by the nonce of the page that asked."""

    nonce = models.UUIDField(unique=True)
    action = models.CharField(max_length=60)
    object_key = models.CharField(max_length=300)
    by = models.CharField(max_length=150)
    at = models.DateTimeField()
    reason = models.TextField(blank=True)
    outcome = models.JSONField(default=dict)

    objects = KeptManager()

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return f"{self.action} {self.object_key}"
