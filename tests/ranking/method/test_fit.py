"""Newton's method beside evalica: the same maximum from any start, however many the units."""

import numpy as np
import pytest

from ranking.method.arrays import Floats
from ranking.method.bradley_terry import Counts, fit, gradient, newton, place


def table(size: int, units: float, seed: int) -> tuple[Floats, Counts]:
    """Wins (p, p) of abilities a logit apart, and their counts."""
    random = np.random.default_rng(seed)
    ability = random.standard_normal(size)
    played = np.triu(random.poisson(units, (size, size)), 1).astype(np.float64)
    won = played / (1 + np.exp(ability - ability[:, None]))
    wins = won + np.where(played > 0, played - won, 0.0).T
    return wins, Counts(wins + wins.T, wins.sum(axis=1))


@pytest.mark.parametrize("units", [3.0, 1e3, 1e6])
@pytest.mark.parametrize("seed", range(5))
def test_newton_ends_where_evalica_does(units: float, seed: int) -> None:
    wins, counts = table(12, units, seed)
    random = np.random.default_rng(seed)
    found = newton(counts, random.normal(scale=3, size=12))
    assert found == pytest.approx(fit(wins), abs=1e-6)
    assert np.abs(gradient(found, counts)).max() < 1e-8 * max(units, 1.0)


def test_a_guest_is_placed_where_its_own_equation_holds() -> None:
    """A member of the pool, taken out of it and placed against the others where they stand, stays where it was."""
    _, counts = table(8, 5.0, 1)
    theta = newton(counts, np.zeros(8))
    placed = place(counts.units[:1, 1:], counts.points[:1], theta[1:])
    assert placed == pytest.approx(theta[:1], abs=1e-9)


def test_without_units_the_ghost_alone_decides() -> None:
    assert place(np.zeros((1, 3)), np.zeros(1), np.ones(3)).tolist() == [0.0]


def test_who_wins_everything_stays_finite() -> None:
    """Half a unit lost to the ghost: log-odds of some 2 N against the rest."""
    (theta,) = place(np.full((1, 1), 100.0), np.full(1, 100.0), np.zeros(1))
    assert theta == pytest.approx(np.log(201.0), abs=1e-2)
