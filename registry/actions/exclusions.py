"""Refusing evidence with a reason, and lifting a refusal. An exclusion is never deleted."""

import re
from collections.abc import Iterable

from django.contrib.auth.models import AbstractUser
from django.db import IntegrityError, models, transaction
from django.utils import timezone

from registry import audit
from registry.actions.base import Refused, action, says_something
from registry.actions.evidence_changed import affected_by, announce
from registry.importing.suggestions import did_you_mean
from registry.models import (
    Benchmark,
    Configuration,
    EvidenceMapping,
    Exclusion,
    ImportBatch,
    Lineage,
    MetricContract,
    Result,
    Source,
)
from registry.spelling import is_number
from registry.vocabulary import ExclusionScope

_TARGETS: dict[str, tuple[type[models.Model], str]] = {
    ExclusionScope.BENCHMARK: (Benchmark, "key"),
    ExclusionScope.LINEAGE: (Lineage, "key"),
    ExclusionScope.CONTRACT: (MetricContract, "key"),
    ExclusionScope.CONFIGURATION: (Configuration, "key"),
    ExclusionScope.BATCH: (ImportBatch, "pk"),
    ExclusionScope.RESULT: (Result, "pk"),
}
_SHA256 = re.compile(r"[0-9a-f]{64}")


@action("registry.add_exclusion")
def exclude(
    *,
    scope: str,
    target: str,
    type: str,  # noqa: A002  the domain's word
    reason: str,
    lift_condition: str,
    by: AbstractUser,
    mapping: EvidenceMapping | None = None,
) -> Exclusion:
    """Refuse what `scope` and `target` name, everywhere or within `mapping`.

    Raises ValidationError on a bad field and Refused where the target does not exist or is refused already.
    """
    must_exist(scope, target)
    if not (says_something(reason) and says_something(lift_condition)):
        raise Refused("no-reason", "Say why it is excluded and what would lift it: both stand in the public ledger.")
    exclusion = Exclusion(
        scope=scope,
        target=target,
        mapping=mapping,
        type=type,
        reason=reason,
        lift_condition=lift_condition,
        excluded_by=by.get_username(),
        excluded_at=timezone.now(),
    )
    exclusion.full_clean(validate_constraints=False)
    _store(exclusion)
    audit.record("exclude", exclusion, by=by, after=audit.state_of(exclusion), reason=reason)
    announce(affected_by(exclusion))
    return exclusion


def _store(exclusion: Exclusion) -> None:
    """The database alone is asked whether the same is excluded already: two people may exclude at one moment."""
    try:
        with transaction.atomic():
            exclusion.save(force_insert=True)
    except IntegrityError as error:
        told = f"The {exclusion.scope} {exclusion.target} is excluded already for this type of reason."
        raise Refused("already-excluded", told) from error


@action("registry.lift_exclusion")
def lift(*, exclusion: Exclusion, by: AbstractUser, reason: str) -> Exclusion:
    """End an exclusion, with a reason; what it refused may count again."""
    locked = Exclusion.objects.select_for_update().get(pk=exclusion.pk)
    if locked.lifted_at is not None:
        raise Refused("already-lifted", f"This exclusion was lifted by {locked.lifted_by}.")
    if not says_something(reason):
        raise Refused("no-reason", "Say why it is lifted: the reason is kept with the exclusion.")
    before = audit.state_of(locked)
    locked.lifted_by, locked.lifted_at, locked.lift_reason = by.get_username(), timezone.now(), reason
    locked.version += 1
    locked.save()
    old, new = audit.changes(before, audit.state_of(locked))
    audit.record("lift", locked, by=by, before=old, after=new, reason=reason)
    announce(affected_by(locked))
    return locked


def must_exist(scope: str, target: str) -> None:
    """Raise Refused where nothing of that scope has exactly that key.

    Exactly: the rule compares texts, and an exclusion of result "01" would reach nothing.
    """
    if not _exists(scope, target):
        raise Refused("no-such-target", f"There is no {scope} {target!r} to exclude.{_meant_perhaps(scope, target)}")


def _meant_perhaps(scope: str, target: str) -> str:
    """A hint where targets have names; a number or digest looks like any other."""
    model, name = _TARGETS.get(scope, (Exclusion, ""))
    return did_you_mean(target, model._base_manager.values_list(name, flat=True)) if name == "key" else ""


def told(scope: str, target: str) -> str:
    """What a number or a digest names, for people; empty where the target is a name itself, or names nothing."""
    return ", ".join(meant(scope, [target]).get(target, ()))


_MEANT: dict[str, tuple[type[models.Model], str, tuple[str, ...]]] = {
    ExclusionScope.SOURCE: (Source, "sha256", ("filename",)),
    ExclusionScope.BATCH: (ImportBatch, "pk", ("source__filename",)),
    ExclusionScope.RESULT: (Result, "pk", ("contract__key", "configuration__key")),
}


def meant(scope: str, targets: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """What numbers and digests stand for: the name of a file, or contract and configuration. In one query."""
    if scope not in _MEANT:
        return {}
    model, name, parts = _MEANT[scope]
    asked = {target for target in targets if name != "pk" or is_number(target)}
    found = model._base_manager.filter(**{f"{name}__in": asked}).values_list(name, *parts)
    return {str(key): tuple(words) for key, *words in found if str(key) in asked}


def named(scope: str, target: str) -> str:
    """`result 167 (contract, configuration)`."""
    said = told(scope, target)
    return f"{scope} {target} ({said})" if said else f"{scope} {target}"


def _exists(scope: str, target: str) -> bool:
    if scope == ExclusionScope.SOURCE:
        # Bytes can be refused before anybody uploads them.
        return _SHA256.fullmatch(target) is not None
    try:
        model, name = _TARGETS[ExclusionScope(scope)]
        found = model._base_manager.filter(**{name: target}).values_list(name, flat=True).first()
    except (ValueError, KeyError):
        return False
    return found is not None and str(found) == target
