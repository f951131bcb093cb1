"""What files may say of exclusions: they are added, and lifted by whoever may; they do not come back."""

from typing import Any

from django.contrib.auth.models import AbstractUser
from django.utils import timezone

from registry.actions.base import Refused
from registry.actions.exclusions import must_exist
from registry.exchange.problems import Bad
from registry.models import Exclusion
from registry.vocabulary import ExclusionScope

# Numbered by one installation; the same number is another row elsewhere. A backup carries them, a file must not.
LOCAL_SCOPES = (ExclusionScope.BATCH, ExclusionScope.RESULT)


def complete(values: dict[str, Any], *, by: AbstractUser) -> None:
    """Fill in who and when where the file leaves them out: as in the standing exclusion of the same, else here and now.

    Several exclusions of one target can follow one another, so the time is part of what tells them apart.
    """
    if values["scope"] in LOCAL_SCOPES:
        raise Bad("local-target", "A batch or result is numbered by one installation: exclude it there.")
    if values["scope"] in ExclusionScope.values:
        try:
            must_exist(values["scope"], values["target"])
        except Refused as refused:
            raise Bad("unknown-target", refused.sentence) from refused
    if values["excluded_at"] is None:
        same = {name: values[name] for name in ("scope", "target", "mapping", "type")}
        standing = Exclusion.objects.filter(**same, lifted_at=None).order_by("excluded_at").last()
        values["excluded_at"] = standing.excluded_at if standing else timezone.now()
        values["excluded_by"] = values["excluded_by"] or (standing.excluded_by if standing else "")
    values["excluded_by"] = values["excluded_by"] or by.get_username()


def refuse_to_relapse(stored: Exclusion, values: dict[str, Any]) -> None:
    """A lifted exclusion is history. To refuse again is a new exclusion with a time of its own."""
    if stored.lifted_at and stored.lifted_at != values["lifted_at"]:
        raise Bad("lifted", f"This exclusion was lifted by {stored.lifted_by}; to refuse again, record a new one.")
