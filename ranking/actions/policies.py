"""Gate policies come into force here."""

from typing import Any

from django.contrib.auth.models import AbstractUser
from django.utils import timezone

from ranking.models import GatePolicy
from ranking.models.gates import PolicyState
from registry import audit
from registry.actions.base import Refused, action
from registry.actions.evidence_changed import announce
from registry.models import Edition

Thresholds = dict[str, Any]


@action("ranking.add_gatepolicy")
def load_policy(
    *, edition: Edition, version: int, title: str, thresholds: Thresholds, reason: str, by: AbstractUser
) -> GatePolicy:
    """The first policy of an edition, in force at once; the stored one when it says the same.

    A stored version is never rewritten, and a revision takes a person other than its author: both are refused here.
    """
    check_thresholds(thresholds)
    stored = GatePolicy.objects.filter(edition=edition, version=version).first()
    if stored is not None:
        if (stored.title, stored.thresholds, stored.reason) != (title, thresholds, reason):
            raise Refused("policy-differs", f"Policy {stored} is stored as something else; revise it by a new version.")
        return stored
    if GatePolicy.objects.filter(edition=edition).exists():
        raise Refused("policy-exists", f"Edition {edition} has a policy; only its first one can be loaded.")
    policy = GatePolicy(edition=edition, version=version, title=title, thresholds=thresholds, reason=reason)
    policy.state, policy.drafted_by, policy.drafted_at = PolicyState.ACTIVE, by.get_username(), timezone.now()
    policy.full_clean()
    policy.save(force_insert=True)
    audit.record("add", policy, by=by, after=audit.state_of(policy), reason=reason)
    announce(edition.collections.values_list("slug", flat=True))
    return policy


def check_thresholds(thresholds: Thresholds) -> None:
    """Every threshold has a value and the reason for it; a gate without reasons could not be defended."""
    if not isinstance(thresholds, dict) or not thresholds:
        raise Refused("bad-threshold", "Thresholds must be names, each with a value and a reason.")
    for name, threshold in thresholds.items():
        if not isinstance(threshold, dict) or set(threshold) != {"value", "reason"}:
            raise Refused("bad-threshold", f"Threshold {name!r} must have a value and a reason and nothing else.")
        if not isinstance(threshold["reason"], str) or not threshold["reason"].strip():
            raise Refused("bad-threshold", f"Threshold {name!r} needs its reason in words.")
        if not _is_value(threshold["value"]):
            raise Refused("bad-threshold", f"Threshold {name!r} must be a number of at least 0 or a list of words.")


def _is_value(value: Any) -> bool:
    if isinstance(value, list):
        return all(isinstance(word, str) for word in value)
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < float("inf")
