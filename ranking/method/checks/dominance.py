"""No group of evidence may carry most of the score."""

import numpy as np

from ranking.method.aggregate import shares
from ranking.method.checks.asking import at_most, criterion, untested
from ranking.method.inputs import FIRST_PARTY, Policy
from ranking.method.layout import Layout
from ranking.method.results import Check

CODE = "dominance"


def dominance(layout: Layout, policy: Policy) -> Check:
    """By the weight of a row that lacks nothing."""
    if not layout.cells:
        return untested(CODE, "no-cell", "No cell carries weight yet.")
    weight = group_weights(layout)
    external = {group: share for group, share in weight.items() if group != FIRST_PARTY}
    total = sum(external.values())
    of_external = {group: share / total for group, share in external.items()}
    return criterion(
        CODE,
        (
            at_most(
                "group-weight",
                policy["group_weight_limit"],
                max(weight.values()),
                "Share of the weight that the largest group of evidence carries",
                weight,
            ),
            at_most(
                "external-group-weight",
                policy["external_group_weight_limit"],
                max(of_external.values(), default=1.0),
                "Share of the external weight that the largest external group carries",
                of_external,
            ),
        ),
    )


def group_weights(layout: Layout) -> dict[str, float]:
    """Sum 1 where every facet has a cell."""
    share = shares(layout.cells, layout.weights, np.ones((1, len(layout.cells)), dtype=np.bool_))[0]
    weight: dict[str, float] = {}
    for cell, part in zip(layout.cells, share, strict=True):
        weight[cell.group] = weight.get(cell.group, 0.0) + float(part)
    return dict(sorted(weight.items()))
