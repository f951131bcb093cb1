"""Reading the gate policies in force."""

from typing import Any

from ranking.models import GatePolicy
from registry.actions.base import Refused
from registry.models import Collection, Edition

REFERENCE = "v3"
"""The edition whose policy every other one is held against: a page says where its own asks less."""


def values(policy: GatePolicy) -> dict[str, Any]:
    """The value of each threshold, by name, without its reason."""
    return {name: threshold["value"] for name, threshold in policy.thresholds.items()}


def active(edition: Edition) -> GatePolicy | None:
    return GatePolicy.objects.filter(edition=edition, state="active").select_related("edition").first()


def in_force(collection: Collection) -> GatePolicy:
    """The active policy of the collection's edition; raises Refused where there is none."""
    policy = active(collection.edition)
    if policy is None:
        raise Refused("no-policy", f"Edition {collection.edition.key} has no gate policy in force.")
    return policy


def reference_for(policy: GatePolicy) -> GatePolicy | None:
    """The policy in force that `policy` is held against; None for one of the edition of reference itself."""
    if policy.edition.key == REFERENCE:
        return None
    return GatePolicy.objects.filter(edition__key=REFERENCE, state="active").select_related("edition").first()
