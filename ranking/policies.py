"""Reading the gate policy in force."""

from typing import Any

from ranking.models import GatePolicy
from registry.actions.base import Refused
from registry.models import Collection


def values(policy: GatePolicy) -> dict[str, Any]:
    """The value of each threshold, by name, without its reason."""
    return {name: threshold["value"] for name, threshold in policy.thresholds.items()}


def in_force(collection: Collection) -> GatePolicy:
    """The active policy of the collection's edition; raises Refused where there is none."""
    policy = GatePolicy.objects.filter(edition=collection.edition, state="active").select_related("edition").first()
    if policy is None:
        raise Refused("no-policy", f"Edition {collection.edition.key} has no gate policy in force.")
    return policy
