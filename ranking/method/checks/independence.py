"""Enough groups of external evidence, each speaking to enough of the table and of the weight."""

import numpy as np

from ranking.method.checks.asking import at_least
from ranking.method.inputs import Policy
from ranking.method.layout import Layout
from ranking.method.results import Check


def independence(layout: Layout, policy: Policy) -> Check:
    share = {group: round(100 * weight, 6) for group, weight in _reach(layout, policy["group_headline_rows"]).items()}
    counting = [group for group, weight in share.items() if weight >= policy["group_weight_share"]]
    return at_least(
        "independence",
        policy["independence_groups"],
        len(counting),
        f"Groups of external evidence with values for at least {policy['group_headline_rows']} headline rows in facets "
        f"that carry at least {policy['group_weight_share']} % of the weight",
        {"weight spoken to, %": share},
    )


def _reach(layout: Layout, rows: int) -> dict[str, float]:
    """Of each external group: the weight of the facets in which it has values for so many headline rows."""
    reach: dict[str, float] = {}
    for group in sorted({cell.group for cell in layout.cells if not cell.first_party}):
        reach[group] = 0.0
        for facet, weight in enumerate(layout.weights):
            held = [cell.has for cell in layout.cells if cell.group == group and cell.facet == facet]
            covered = np.logical_or.reduce([np.zeros_like(layout.rows), *held]) & layout.rows
            reach[group] += float(weight) if covered.sum() >= rows else 0.0
    return reach
