"""What files may say of exclusions: they are added, and lifted by whoever may; they do not come back."""

from typing import Any

from django.contrib.auth.models import AbstractUser
from django.utils import timezone

from registry.actions.base import Refused, says_something
from registry.actions.exclusions import must_exist
from registry.exchange.problems import Bad
from registry.models import Exclusion
from registry.vocabulary import ExclusionScope

# Numbered by one installation; the same number is another row elsewhere. A backup carries them, a file must not.
LOCAL_SCOPES = (ExclusionScope.BATCH, ExclusionScope.RESULT)


# What a file may leave out, for `complete` to fill in.
FILLED_IN = ("excluded_at", "excluded_by")


def faults(values: dict[str, Any]) -> list[tuple[str, Bad]]:
    """What is wrong with what could be read of an exclusion, beyond what its columns hold."""
    silent = [name for name in ("reason", "lift_condition") if values.get(name) and not says_something(values[name])]
    told = "This stands in the public ledger, and holds nothing that can be read."
    return [*_faults_of_target(values), *((name, Bad("no-reason", told)) for name in silent)]


def _faults_of_target(values: dict[str, Any]) -> list[tuple[str, Bad]]:
    scope, target = values.get("scope"), values.get("target")
    if scope in LOCAL_SCOPES:
        return [("", Bad("local-target", "A batch or result is numbered by one installation: exclude it there."))]
    if scope in ExclusionScope.values and target:
        try:
            must_exist(scope, target)
        except Refused as refused:
            return [("", Bad("unknown-target", refused.sentence))]
    return []


def given(values: dict[str, Any]) -> dict[str, Any]:
    """Without what the file leaves out and will be filled in."""
    return {name: value for name, value in values.items() if value or name not in FILLED_IN}


def complete(values: dict[str, Any], *, by: AbstractUser) -> None:
    """Fill in who and when where the file leaves them out: as in the standing exclusion of the same, else here and now.

    Several exclusions of one target can follow one another, so the time is part of what tells them apart.
    """
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
