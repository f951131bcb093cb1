"""Do the judges agree on the scores: between families of models, or between halves of a crowd?"""

from collections.abc import Iterator

import numpy as np

from ranking.method.arrays import Booleans, Floats
from ranking.method.checks.asking import at_least, not_testable
from ranking.method.checks.halves import REPEATS, first_half, on_own_panel
from ranking.method.checks.statistics import correlation, stepped_up
from ranking.method.inputs import Judge, Policy
from ranking.method.results import Check
from ranking.method.solution import Solution
from ranking.method.units import Judged

PEOPLE = "people"
"""What a facet calls its persons where models judge too: one family."""


def family(judge: Judge) -> str:
    return PEOPLE if judge.person else judge.family


def agreement(solution: Solution | None, policy: Policy, *, crowd: bool) -> Check:
    code, required = "judge-agreement", policy["judge_agreement"]
    what = (
        "Agreement of the scores between halves of the crowd" if crowd else "Agreement of the scores between families"
    )
    if solution is None:
        return not_testable(code, required, "no-ranking", f"{what}: no scores could be computed.")
    observed = crowd_agreement(solution) if crowd else family_agreement(solution)
    if observed is None:
        return not_testable(code, required, "one-family", f"{what}: one family has nobody to agree with.")
    return at_least(code, required, observed, f"{what}, stepped up to all judges")


def family_agreement(solution: Solution) -> float | None:
    """k r / (1 + (k - 1) r), r the mean over pairs of the k families."""
    names = sorted({family(judge) for _, judgment in _judgments(solution) for judge in judgment.active})
    if len(names) < 2:
        return None
    scores = [
        _scores(solution, {column: _of(judgment, {name}) for column, judgment in _judgments(solution)})
        for name in names
    ]
    pairs = [correlation(a, b) for place, a in enumerate(scores) for b in scores[place + 1 :]]
    return float(stepped_up(np.asarray(np.mean(pairs)), len(names)))


def _of(judgment: Judged, names: set[str]) -> Booleans:
    return np.array([family(judge) in names for judge in judgment.judges])


def crowd_agreement(solution: Solution) -> float | None:
    """Median over twenty halvings of the crowd, by SHA-256 of (repeat, person)."""
    people = sorted({judge.key for _, judgment in _judgments(solution) for judge in judgment.active})
    if len(people) < 2:
        return None
    found = []
    for repeat in range(REPEATS):
        first = set(first_half(repeat, people))
        chosen = {
            column: np.array([judge.key in first for judge in judgment.judges])
            for column, judgment in _judgments(solution)
        }
        rest = {column: ~mask for column, mask in chosen.items()}
        found.append(stepped_up(correlation(_scores(solution, chosen), _scores(solution, rest))))
    return float(np.median(found))


def _judgments(solution: Solution) -> Iterator[tuple[int, Judged]]:
    """The pairwise columns with their judgments."""
    for column in solution.fits:
        judgment = solution.layout.judged[solution.cells[column].facet]
        assert judgment is not None, "a pairwise cell has units"
        yield column, judgment


def _scores(solution: Solution, chosen: dict[int, Booleans]) -> Floats:
    """(r,) the first-party part as only the chosen judges of each column saw it."""
    z = np.zeros_like(solution.z)
    for column, judgment in _judgments(solution):
        theta = solution.fits[column].from_units(judgment.units_by(chosen[column]))
        z[:, column] = on_own_panel(theta, solution.layout.panel)[solution.rows]
    scores: Floats = (solution.shares(solution.first_party) * z).sum(axis=1)
    return scores
