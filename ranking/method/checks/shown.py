"""Figures that stand beside a ranking and decide nothing (METHOD 5, last row)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ranking.method.arrays import Floats
from ranking.method.checks.fragility import Fragility, fragility
from ranking.method.checks.statistics import reliability
from ranking.method.order_effect import order_effect
from ranking.method.sittings import Record
from ranking.method.solution import Solution


@dataclass(frozen=True, slots=True)
class Shown:
    fragility: Fragility | None
    verdict_alpha: float | None
    """Krippendorff's alpha of the verdicts, nominal; low even where scores agree."""
    swaps: int
    """Units that one judge saw both ways round."""
    swaps_kept: float | None
    """Share of them judged alike both times."""
    order_effects: tuple[tuple[str, float, float], ...]
    """Of each facet with a recorded order: log-odds of being shown first, and their standard error."""
    top_reliability: float | None
    """R inside the top group; beside the leader."""


def shown(solution: Solution) -> Shown:
    """Raises Refusal `unsolved-equations`."""
    records = [judgment.record for judgment in solution.layout.judged if judgment is not None]
    swaps = sum(record.swaps for record in records)
    return Shown(
        fragility=fragility(solution),
        verdict_alpha=_verdict_alpha(records),
        swaps=swaps,
        swaps_kept=sum(record.swaps_kept for record in records) / swaps if swaps else None,
        order_effects=tuple(_order_effects(solution)),
        top_reliability=_top_reliability(solution),
    )


def _top_reliability(solution: Solution) -> float | None:
    top = solution.separation.top
    estimate = solution.estimate
    return reliability(estimate.covariance[np.ix_(top, top)], estimate.score[top]) if len(top) > 1 else None


def _order_effects(solution: Solution) -> Iterator[tuple[str, float, float]]:
    for judgment in solution.layout.judged:
        if judgment is not None and judgment.record.ordered:
            verdicts = judgment.record.order_verdicts
            seen = np.flatnonzero(verdicts.sum(axis=0) + verdicts.sum(axis=1))
            among = np.ix_(seen, seen)
            yield judgment.facet, *order_effect(judgment.record.order_points[among], verdicts[among])


def _verdict_alpha(records: Sequence[Record]) -> float | None:
    if not records:
        return None
    values = np.sum([record.values for record in records], axis=0)
    return alpha(values, sum(record.disagreement for record in records))


def alpha(values: Floats, disagreement: float) -> float | None:
    """Krippendorff's alpha, nominal, from `sittings.disagreement`; None where nothing could disagree.

    On counts, because the matrix of judges by units that evalica takes grows with the number of verdicts.
    """
    total = values.sum()
    by_chance = total**2 - (values**2).sum()
    return float(1 - (total - 1) * disagreement / by_chance) if by_chance else None
