"""Published statistics, to the precision they were published in. Where a publication has no ghost, there is none."""

import csv
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

import evalica
import numpy as np
import pandas as pd
import pytest

from ranking.method.arrays import Floats
from ranking.method.bradley_terry import Counts, fit, information
from ranking.method.checks.shown import alpha
from ranking.method.connectivity import components, standing
from ranking.method.order_effect import order_effect
from ranking.method.refusal import Refusal
from ranking.method.sittings import disagreement
from tests.ranking.method import human

REFERENCE = Path(__file__).parents[2] / "data" / "reference"
NO_GHOST = 0.0


def rows(name: str | Path) -> list[dict[str, str]]:
    with (REFERENCE / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def wins(results: Iterable[tuple[str, str, float]]) -> tuple[list[str], Floats]:
    """Names in order, and the points of row against column, from (winner, loser, how often)."""
    results = list(results)
    names = sorted({name for winner, loser, _ in results for name in (winner, loser)})
    table = np.zeros((len(names), len(names)))
    for winner, loser, count in results:
        table[names.index(winner), names.index(loser)] += count
    return names, table


def battles(source: Path) -> tuple[list[str], Floats]:
    """From evalica's left, right, winner."""
    shares = {"left": (1.0, 0.0), "right": (0.0, 1.0), "tie": (0.5, 0.5)}
    found = []
    for row in rows(source):
        left, right = shares[row["winner"]]
        found += [(row["left"], row["right"], left), (row["right"], row["left"], right)]
    return wins(found)


def test_citations_between_journals_of_statistics() -> None:
    names, table = wins((row["winner_cited"], row["loser_citing"], float(row["n"])) for row in rows("citations.csv"))
    theta = fit(table, NO_GHOST)
    base = names.index("Biometrika")
    others = [names.index(name) for name in ("Comm Statist", "JASA", "JRSS-B")]
    assert theta[others] - theta[base] == pytest.approx([-2.9490725, -0.4795698, 0.2689541], abs=5e-7)
    matrix = information(theta, Counts(table + table.T, table.sum(axis=1), NO_GHOST))
    errors = np.sqrt(np.diag(np.linalg.inv(matrix[np.ix_(others, others)])))
    assert errors == pytest.approx([0.10254534, 0.06058873, 0.07082997], abs=5e-8)


def test_baseball_of_1987() -> None:
    games = rows("baseball1987.csv")
    won = [(game["home_team"], game["away_team"], float(game["home_wins"])) for game in games]
    lost = [(game["away_team"], game["home_team"], float(game["away_wins"])) for game in games]
    names, table = wins(won + lost)
    theta = fit(table, NO_GHOST)
    published = {
        "Boston": 1.1077,
        "Cleveland": 0.6839,
        "Detroit": 1.4364,
        "Milwaukee": 1.5814,
        "New York": 1.2476,
        "Toronto": 1.2945,
        "Baltimore": 0.0,
    }
    base = theta[names.index("Baltimore")]
    assert {name: theta[names.index(name)] - base for name in names} == pytest.approx(published, abs=1e-4)


def test_home_advantage_in_baseball() -> None:
    """The side shown first is the home team. A ghost of a millionth only keeps the equations regular."""
    games = rows("baseball1987.csv")
    names = sorted({game["home_team"] for game in games})
    points, played = np.zeros((2, len(names), len(names)))
    for game in games:
        home, away = names.index(game["home_team"]), names.index(game["away_team"])
        points[home, away] = float(game["home_wins"])
        played[home, away] = float(game["home_wins"]) + float(game["away_wins"])
    assert order_effect(points, played, ghost=1e-6) == pytest.approx((0.3023, 0.1309), abs=5e-5)


def test_puddings_with_davidsons_ties() -> None:
    """Davidson's nu is twice the parameter that evalica's Newman reports; ties are half a win each in our own fit."""
    xs, ys, winners, weights = [], [], [], []
    for row in rows("davidson1970_pudding.csv"):
        for winner, column in ((evalica.Winner.X, "w_ij"), (evalica.Winner.Y, "w_ji"), (evalica.Winner.Draw, "t_ij")):
            xs.append(row["i"])
            ys.append(row["j"])
            winners.append(winner)
            weights.append(float(row[column]))
    result = evalica.newman(xs, ys, winners, weights=weights, tolerance=1e-10, limit=10_000)
    worths = result.scores.sort_index().to_numpy()
    published = [0.1388005, 0.1729985, 0.1617420, 0.1653930, 0.1586805, 0.2023855]
    # The maximum has .1653730 where he has .1653930, with all other worths within 6e-6.
    assert worths / worths.sum() == pytest.approx(published, abs=2.01e-5)
    assert 2 * result.v == pytest.approx(0.7468147, abs=2e-5)


def test_the_example_of_wikipedia() -> None:
    names, table = wins((row["winner"], row["loser"], float(row["n"])) for row in rows("wikipedia_bt.csv"))
    assert names == ["A", "B", "C", "D"]
    assert np.exp(fit(table, NO_GHOST)) == pytest.approx([0.640, 1.043, 0.660, 2.270], abs=4e-4)


def test_islands_are_refused_and_named() -> None:
    found = []
    for row in rows("toy_disconnected_bts.csv"):
        first, second = {"W1": (1.0, 0.0), "W2": (0.0, 1.0), "D": (0.5, 0.5)}[row["outcome"]]
        found += [(row["player1"], row["player2"], first), (row["player2"], row["player1"], second)]
    names, table = wins(found)
    labels = components(table)
    islands = {frozenset(name for name, label in zip(names, labels, strict=True) if label == one) for one in labels}
    assert islands == {frozenset({"Amy", "Ben", "Cyd", "Dan"}), frozenset({"Fin", "Gal", "Han"}), frozenset({"Eve"})}
    with pytest.raises(Refusal, match=r"\{Amy, Ben, Cyd, Dan\}; \{Eve\}; \{Fin, Gal, Han\}") as refusal:
        standing(table, names)
    assert refusal.value.code == "islands"


@pytest.mark.parametrize("name", ["simple", "food", "llmfao"])
def test_the_golden_scores_of_evalica(name: str) -> None:
    names, table = battles(human.FILES["llmfao.csv"] if name == "llmfao" else REFERENCE / f"evalica_{name}.csv")
    golden = {
        row["item"]: float(row["score"])
        for row in rows(f"evalica_{name}-golden.csv")
        if row["algorithm"] == "bradley_terry"
    }
    worths = np.exp(fit(table, NO_GHOST))
    assert dict(zip(names, worths / worths.sum(), strict=True)) == pytest.approx(golden, abs=1e-9)


@pytest.mark.parametrize(
    ("distance", "published"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)]
)
def test_the_alpha_of_krippendorffs_example(
    distance: Literal["nominal", "ordinal", "interval", "ratio"], published: float
) -> None:
    assert evalica.alpha(codings(), distance=distance).alpha == pytest.approx(published, abs=5e-4)


def test_our_alpha_on_counts_is_the_nominal_one() -> None:
    table = codings()
    ballots = np.array([[(table[unit] == value).sum() for unit in table] for value in range(1, 6)], dtype=np.float64)
    assert alpha(*disagreement(ballots)) == pytest.approx(evalica.alpha(table, distance="nominal").alpha, abs=1e-12)


def codings() -> pd.DataFrame:
    """Raters by units."""
    return pd.read_csv(REFERENCE / "evalica_codings.csv", header=None)
