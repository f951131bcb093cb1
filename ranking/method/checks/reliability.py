"""Does the score separate the rows from noise, also when the evidence is halved and single rows are left out?"""

import numpy as np

from ranking.method.arrays import Booleans, Floats
from ranking.method.checks.asking import at_least, criterion, lowest, not_testable
from ranking.method.checks.halves import Halves
from ranking.method.checks.statistics import correlation, reliability, reliability_without_each, stepped_up
from ranking.method.estimate import Estimate
from ranking.method.inputs import Policy
from ranking.method.results import Check
from ranking.method.solution import Solution

CODE = "reliability"


def reliable(solution: Solution, halved: Halves, policy: Policy) -> Check:
    whole = solution.estimate
    facets = {
        facet.key: _r(solution.composite(np.array([cell.facet == number for cell in solution.cells])))
        for number, facet in enumerate(solution.layout.facets)
    }
    return criterion(
        CODE,
        (
            at_least("reliability-whole", policy["reliability_whole"], _r(whole), "Reliability of the score"),
            _first_party(solution, policy["reliability_first_party"]),
            lowest("reliability-facet", policy["reliability_facet"], facets, "Reliability of the least reliable facet"),
            at_least(
                "reliability-without-row",
                policy["reliability_without_row"],
                float(reliability_without_each(whole.covariance, whole.score).min()),
                "Lowest reliability after leaving out any one row",
            ),
            *_split_half(solution, halved, policy),
        ),
    )


def _r(estimate: Estimate) -> float:
    return reliability(estimate.covariance, estimate.score)


def _first_party(solution: Solution, required: float) -> Check:
    code, what = "reliability-first-party", "Reliability of the first-party part"
    if not solution.fits:
        return not_testable(code, required, "no-comparisons", f"{what}: there are no comparisons.")
    return at_least(code, required, _r(solution.composite(solution.first_party)), what)


def _split_half(solution: Solution, halved: Halves, policy: Policy) -> tuple[Check, ...]:
    what = "Agreement of the two halves of the first-party tasks, stepped up, median of 20 halvings"
    figures = {"split_half": what, "split_half_without_row": f"{what}, lowest after leaving out any one row"}
    figures["split_half_without_quarter"] = f"{what}, lower one without the bottom and without the top quarter"
    if not solution.fits:
        return tuple(
            not_testable(code.replace("_", "-"), policy[code], "no-comparisons", f"{text}: there are no comparisons.")
            for code, text in figures.items()
        )
    rows = len(solution.rows)
    quarter, every = rows // 4, np.ones(rows, dtype=np.bool_)
    without_bottom, without_top = every.copy(), every.copy()
    without_bottom[solution.separation.order[rows - quarter :]] = False
    without_top[solution.separation.order[:quarter]] = False
    observed = (
        agreement(halved.first_party, every),
        min(agreement(halved.first_party, kept) for kept in ~np.eye(rows, dtype=np.bool_)),
        min(agreement(halved.first_party, without_bottom), agreement(halved.first_party, without_top)),
    )
    return tuple(
        at_least(code.replace("_", "-"), policy[code], figure, text)
        for (code, text), figure in zip(figures.items(), observed, strict=True)
    )


def agreement(pairs: Floats, kept: Booleans) -> float:
    """Median over halvings of the stepped-up correlation of the `kept` rows of `pairs` (repeats, 2, r)."""
    a, b = pairs[:, 0, kept], pairs[:, 1, kept]
    return float(np.median(stepped_up(correlation(a, b))))
