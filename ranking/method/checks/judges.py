"""Enough independent judges, on the same work, in both orders, who agree."""

import numpy as np

from ranking.method.arrays import Floats
from ranking.method.checks.asking import criterion, lowest, untested
from ranking.method.checks.judge_agreement import agreement, family
from ranking.method.inputs import Policy
from ranking.method.layout import Layout
from ranking.method.results import FAILED, PASSED, Check
from ranking.method.solution import Solution
from ranking.method.units import Judged

CODE = "judges"


def judges(layout: Layout, solution: Solution | None, policy: Policy) -> Check:
    """`solution` is None where no ranking could be computed; then the agreement of the judges is not testable."""
    judged = [judgment for judgment in layout.judged if judgment is not None and len(judgment.units)]
    if not judged:
        return untested(CODE, "no-comparisons", "Nobody has judged a comparison that counts.")
    crowd = all(judge.person for judgment in judged for judge in judgment.active)
    counted = _people(judged, policy) if crowd else _families(judged, policy)
    order = _crowd_order(layout, judged, policy) if crowd and "crowd_order" in policy else _both_orders(judged, policy)
    return criterion(CODE, (*counted, order, agreement(solution, policy, crowd=crowd)))


def _people(judged: list[Judged], policy: Policy) -> tuple[Check, ...]:
    people = {judgment.facet: len(judgment.active) for judgment in judged}
    return (lowest("judge-people", policy["judge_people"], people, "People who judged, in the facet with the fewest"),)


def _families(judged: list[Judged], policy: Policy) -> tuple[Check, ...]:
    shares = {judgment.facet: family_shares(judgment) for judgment in judged}
    return (
        lowest(
            "judge-families",
            policy["judge_families"],
            {facet: len(share) for facet, share in shares.items()},
            "Families of judges, in the facet with the fewest",
        ),
        lowest(
            "judge-unit-share",
            policy["judge_unit_share"],
            {f"{facet} / {name}": part for facet, share in shares.items() for name, part in share.items()},
            "Share of the units that each family judged, lowest",
        ),
    )


def family_shares(judgment: Judged) -> dict[str, float]:
    """Of each family: the share of the facet's units that it judged."""
    shares = {}
    for name in sorted({family(judge) for judge in judgment.active}):
        of_family = np.array([family(judge) == name for judge in judgment.judges])
        seen = np.bincount(judgment.unit[of_family[judgment.judge]], minlength=len(judgment.units)) > 0
        shares[name] = float(seen.mean())
    return shares


def _both_orders(judged: list[Judged], policy: Policy) -> Check:
    shares = {judgment.facet: judgment.record.both_orders / len(judgment.units) for judgment in judged}
    what = "Share of the units judged in both orders, lowest facet"
    return lowest("both-orders-share", policy["both_orders_share"], shares, what)


def _crowd_order(layout: Layout, judged: list[Judged], policy: Policy) -> Check:
    """A policy may accept from a crowd that the order is on record and no row stood too often on one side."""
    terms = policy["crowd_order"]
    assert terms["accept"] == "recorded", "the only thing a policy may accept instead"
    total = sum(judgment.record.verdicts for judgment in judged)
    recorded = sum(judgment.record.ordered for judgment in judged)
    shares = left_shares(layout, judged)
    off = float(np.max(np.abs(shares - 0.5), initial=0.0))
    code, limit = "crowd-order", terms["left_share_limit"]
    beside = {"verdicts": total, "with the order recorded": recorded, "largest |left share - .5|": off}
    if recorded < total:
        message = f"The order shown is on record for {recorded} of {total} verdicts; it must be for all."
        return Check(code, total, recorded, total - recorded, FAILED, "order-not-recorded", message, beside)
    verdict, reason = (PASSED, "enough") if off <= limit else (FAILED, "too-high")
    message = f"Farthest that the share of verdicts with a headline row shown first lies from one half: {off:.3f}."
    return Check(code, limit, off, max(0.0, off - limit), verdict, reason, f"{message} Allowed: {limit}.", beside)


def left_shares(layout: Layout, judged: list[Judged]) -> Floats:
    """Of each declared headline row with such a verdict: the share in which it was shown first."""
    verdicts = np.sum([judgment.record.order_verdicts for judgment in judged], axis=0)
    first, shown = verdicts.sum(axis=1), verdicts.sum(axis=0) + verdicts.sum(axis=1)
    rows = layout.declared & (shown > 0)
    share: Floats = first[rows] / shown[rows]
    return share
