"""The errors against independent referees: statsmodels, and refitting without each task."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
import statsmodels.api as sm

from ranking.method.arrays import Floats, tally
from ranking.method.bradley_terry import fit, gradient, information
from ranking.method.contest import Contest
from ranking.method.inputs import Inputs, Verdicts
from ranking.method.layout import Layout, lay_out
from ranking.method.pairwise import PairwiseCell
from ranking.method.solution import Solution, solve
from ranking.method.units import Units, judged
from tests.ranking.method import human, worlds

POLICY = human.policy()


def contest(solution: Solution) -> Contest:
    return next(iter(solution.fits.values())).contest


def solved(inputs: Inputs) -> Solution:
    return solve(lay_out(inputs, POLICY))


@pytest.mark.parametrize("evidence", [human.inputs, lambda: worlds.inputs(worlds.World(tasks=40), 1)])
def test_cluster_robust_errors_are_those_of_statsmodels(evidence: Callable[[], Inputs]) -> None:
    """Sandwich with tasks as clusters, no small-sample factor, no ghost; the first of the core is the base."""
    one = contest(solved(evidence()))
    units, p = one.inside, len(one.core)
    theta = fit(one.wins(), ghost=0.0)
    design = np.zeros((len(units), p))
    design[np.arange(len(units)), units.lo] = 1
    design[np.arange(len(units)), units.hi] = -1
    referee = sm.GLM(units.y, design[:, 1:], family=sm.families.Binomial()).fit(
        tol=1e-12, cov_type="cluster", cov_kwds={"groups": units.task, "use_correction": False}
    )
    assert theta[1:] - theta[0] == pytest.approx(referee.params, abs=1e-6)
    assert sandwich(one, theta) == pytest.approx(referee.bse, abs=1e-6)


def sandwich(one: Contest, theta: Floats) -> Floats:
    units = one.inside
    scores = np.stack(
        [one.inside_points[task] - expected(units.where(units.task == task), theta) for task in range(len(one.tasks))]
    )
    bread = np.linalg.inv(information(theta, replace(one.counts(one.everyone), ghost=0.0))[1:, 1:])
    errors: Floats = np.sqrt(np.diag(bread @ scores[:, 1:].T @ scores[:, 1:] @ bread))
    return errors


def expected(units: Units, theta: Floats) -> Floats:
    win = 1 / (1 + np.exp(theta[units.hi] - theta[units.lo]))
    return tally(units.lo, win, len(theta)) + tally(units.hi, 1 - win, len(theta))


def without_task(verdicts: Verdicts, task: int) -> Verdicts:
    kept = verdicts.task != task
    columns = ("task", "a", "b", "judge", "outcome", "order", "count")
    return replace(verdicts, **{name: getattr(verdicts, name)[kept] for name in columns})


def with_a_guest(inputs: Inputs) -> Inputs:
    """Another configuration of a release that the panel already has: it is placed against the pool."""
    second = inputs.configurations[0].key
    return replace(
        inputs,
        configurations=tuple(
            replace(one, model_release=second) if place == 1 else one for place, one in enumerate(inputs.configurations)
        ),
    )


@pytest.mark.parametrize(
    "evidence",
    [
        human.inputs,
        lambda: worlds.inputs(worlds.World(tasks=40), 2),
        lambda: with_a_guest(worlds.inputs(worlds.World(tasks=40, rounds=2), 3)),
        # So few units that a task can carry most of what is known of a configuration.
        lambda: worlds.inputs(worlds.World(size=10, tasks=6, spread=0.7), 7),
    ],
    ids=["human", "balanced", "guest", "thin"],
)
def test_the_jackknife_is_leaving_each_task_out_and_refitting(evidence: Callable[[], Inputs]) -> None:
    inputs = evidence()
    solution = solved(inputs)
    cell = next(iter(solution.fits.values()))
    (verdicts,) = inputs.verdicts
    for task in range(len(cell.contest.tasks)):
        refitted = refit(solution.layout, without_task(verdicts, task), cell)
        assert cell.theta + cell.moves[task] == pytest.approx(refitted, abs=1e-5, nan_ok=True)


def refit(layout: Layout, verdicts: Verdicts, cell: PairwiseCell) -> Floats:
    """From nothing but the remaining verdicts, by evalica."""
    units = judged(verdicts, layout.configurations).units
    core, guests = np.zeros((2, len(layout.panel)), dtype=np.bool_)
    core[cell.contest.core], guests[cell.contest.guests] = True, True
    one = Contest.of(units, core, guests)
    worths = one.seat(one.everyone, fit(one.wins()))
    theta = np.full(len(layout.panel), np.nan)
    theta[one.core], theta[one.guests] = worths.core, worths.guests
    centred: Floats = theta - theta[layout.panel].mean()
    return centred


def test_the_published_fit_solves_its_equations_to_the_last_digits() -> None:
    for cell in solved(human.inputs()).fits.values():
        counts = cell.contest.counts(cell.contest.everyone)
        assert np.abs(gradient(cell.worths.core, counts)).max() < 1e-9
