"""Would the order hold: across groups of evidence, across halves and repetitions, and against the last release?"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from ranking.method.arrays import Booleans, Floats
from ranking.method.checks.asking import at_least, at_most, criterion, lowest, not_testable
from ranking.method.checks.halves import Halves
from ranking.method.checks.statistics import correlation, reliability, tau
from ranking.method.inputs import Policy
from ranking.method.results import Check, Row
from ranking.method.solution import Solution

CODE = "stability"
AGREEMENT = {"agreement_tau": "Rank agreement (tau-b)", "agreement_r": "Agreement in scores (r)"}
FEWEST_COMMON = 8
"""Rows below which a rank agreement is chance."""


@dataclass(frozen=True, slots=True)
class Previous:
    """The release before this one."""

    rows: tuple[Row, ...]
    """By score."""
    top_without_new: frozenset[str] | None
    """The top group when the evidence that this release names as new is removed; None where it was not recomputed."""


def stable(solution: Solution, halved: Halves, policy: Policy, previous: Previous | None) -> Check:
    release = _first(solution, halved, policy) if previous is None else _later(solution, previous, policy)
    return criterion(CODE, (*_agreement(solution, policy), *release))


def _agreement(solution: Solution, policy: Policy) -> tuple[Check, ...]:
    """Each group's composite against that of all others."""
    columns = {group: np.array([cell.group == group for cell in solution.cells]) for group in _groups(solution)}
    found = {group: _against_others(solution, own) for group, own in columns.items()}
    what = "of each group of evidence with all others, lowest"
    parts = []
    for place, (code, text) in enumerate(AGREEMENT.items()):
        figures = {group: both[place] for group, both in found.items() if both is not None}
        if len(figures) < len(found) or len(found) < 2:
            parts.append(
                not_testable(
                    code.replace("_", "-"),
                    policy[code],
                    "too-few-common-rows" if len(found) > 1 else "one-group",
                    f"{text} {what}: it takes two groups, each with {FEWEST_COMMON} rows that the others know too.",
                )
            )
        else:
            parts.append(lowest(code.replace("_", "-"), policy[code], figures, f"{text} {what}"))
    return tuple(parts)


def _groups(solution: Solution) -> list[str]:
    return sorted({cell.group for cell in solution.cells})


def _against_others(solution: Solution, own: Booleans) -> tuple[float, float] | None:
    both = (solution.shares(own).sum(axis=1) > 0) & (solution.shares(~own).sum(axis=1) > 0)
    if both.sum() < FEWEST_COMMON:
        return None
    a, b = (solution.composite(columns).score[both] for columns in (own, ~own))
    return tau(a, b), float(correlation(a, b))


def _first(solution: Solution, halved: Halves, policy: Policy) -> tuple[Check, ...]:
    """Repeatability within one collection period; external values are the same in both halves."""
    note = "repeatability within one collection period, external values the same in both halves"
    figures = {
        "first_tau_first_party": ("Rank agreement of halves of the first-party part", _median_tau(halved.first_party)),
        "first_tau_whole": ("Rank agreement of the whole score between halves", _median_tau(halved.whole)),
        "first_tau_replication": ("Predicted rank agreement of two fresh repetitions", replication(solution)),
    }
    return tuple(
        at_least(code.replace("_", "-"), policy[code], figure, f"{what} ({note})")
        if solution.fits
        else not_testable(code.replace("_", "-"), policy[code], "no-comparisons", f"{what}: there are no comparisons.")
        for code, (what, figure) in figures.items()
    )


def _median_tau(pairs: Floats) -> float:
    """Over the halvings of `pairs` (repeats, 2, r)."""
    return float(np.median([tau(first, second) for first, second in pairs]))


def replication(solution: Solution) -> float:
    """Predicted tau of two fresh replications: the mean over pairs of (2 Phi(sqrt(R) |d|/s) - 1)^2, R cut to [0, 1]."""
    estimate = solution.estimate
    pairs = np.triu_indices(len(solution.rows), 1)
    difference = np.abs(estimate.score[:, None] - estimate.score)[pairs]
    error = np.sqrt(estimate.contrasts[0][pairs])
    # Without any error a difference repeats for sure, and equality says nothing.
    certain = np.where(difference > 0, np.inf, 0.0)
    distance = np.divide(difference, error, out=certain, where=error > 0)
    r = min(max(reliability(estimate.covariance, estimate.score), 0.0), 1.0)
    return float(np.mean((2 * ndtr(np.sqrt(r) * distance) - 1) ** 2)) if r else 0.0


def _later(solution: Solution, previous: Previous, policy: Policy) -> tuple[Check, ...]:
    then = {row.key: row for row in previous.rows}
    common = [number for number, name in enumerate(solution.names) if name in then]
    return (
        _later_tau(solution, then, common, policy),
        _reversals(solution, then, common, policy),
        _leader(solution, previous),
    )


def _later_tau(solution: Solution, then: Mapping[str, Row], common: list[int], policy: Policy) -> Check:
    code, what = "later-tau", "Rank agreement with the release before, on the rows that both have"
    if len(common) < FEWEST_COMMON:
        message = f"{what}: {len(common)} rows are too few; it takes {FEWEST_COMMON}."
        return not_testable(code, policy["later_tau"], "too-few-common-rows", message)
    before = np.array([then[solution.names[number]].score for number in common])
    return at_least(code, policy["later_tau"], tau(before, solution.estimate.score[common]), what)


def _reversals(solution: Solution, then: Mapping[str, Row], common: list[int], policy: Policy) -> Check:
    reversals = sum(
        bool(solution.separation.above[high, low]) and _was_above(then[solution.names[low]], then[solution.names[high]])
        for high in common
        for low in common
    )
    what = "Pairs that both releases separate, in opposite directions"
    return at_most("later-reversals", policy["later_reversals"], reversals, what)


def _was_above(row: Row, other: Row) -> bool:
    return row.score > other.score and other.key not in row.indistinct


def _leader(solution: Solution, previous: Previous) -> Check:
    leader = previous.rows[0].key
    top = {solution.names[int(number)] for number in solution.separation.top}
    back = previous.top_without_new is not None and leader in previous.top_without_new
    return at_least(
        "old-leader",
        1,
        int(leader in top or back),
        "The leader of the release before is in the top group, or is there again without the evidence that is new",
    )
