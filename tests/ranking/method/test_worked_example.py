"""The worked example of docs/method.md: every figure in it is computed again from its two lists."""

import csv
import re
from decimal import Decimal
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from ranking.method.inputs import FIRST_PARTY, Configuration, ExternalValue, Facet, Inputs, Judge, Verdicts
from ranking.method.layout import lay_out
from ranking.method.method import tell
from ranking.method.solution import Solution, solve
from tests.ranking.method import human

DOCUMENT = Path(__file__).parents[3] / "docs" / "method.md"
Row = dict[str, str]


@cache
def section() -> str:
    text = DOCUMENT.read_text(encoding="utf-8")
    return text.split("## A rank, step by step")[1].split("\n## ")[0]


@cache
def lists() -> list[list[Row]]:
    return [
        list(csv.DictReader(block.strip().splitlines()))
        for block in re.findall(r"```csv(.*?)```", section(), re.DOTALL)
    ]


def table(first: str) -> list[Row]:
    """The table whose first column is `first`; the second one of a name is asked by `first, second column`."""
    blocks = re.findall(r"(?:^\|.*\n)+", section(), re.MULTILINE)
    for block in blocks:
        lines = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in block.strip().splitlines()]
        if ", ".join(lines[0]).startswith(first):
            return [dict(zip(lines[0], line, strict=True)) for line in lines[2:]]
    raise AssertionError(f"The document has no table of {first}.")


def shown(number: float, text: str) -> None:
    """`text` is the number at the digits it is given with."""
    digits = len(text.partition(".")[2])
    assert float(text) == pytest.approx(number, abs=0.5000001 * 10**-digits), text


@cache
def solution() -> Solution:
    comparisons, published = lists()
    kinds = {
        "exam": {"kind": "rate", "unit": "percent", "lower": 0.0, "upper": 100.0, "n": 100},
        "arena": {"kind": "rating", "unit": "points", "stderr": 8.0},
    }
    values = tuple(
        ExternalValue(
            facet="f",
            lineage=lineage,
            group=lineage,
            contract=lineage,
            protocol=lineage,
            source=lineage,
            configuration=row["configuration"],
            subject_kind="model",
            direction="higher",
            value=float(row[lineage]),
            **terms,  # type: ignore[arg-type]
        )
        for row in published
        for lineage, terms in kinds.items()
    )
    rows = [(row["task"], row["a"], row["b"], row["outcome"], "judge", "", 1) for row in comparisons]
    inputs = Inputs(
        "model",
        (Facet("f", Decimal(100), "hybrid"),),
        tuple(Configuration(row["configuration"], row["configuration"], "", "model") for row in published),
        values,
        (Verdicts.of("f", rows, [Judge("judge", "family")]),),
    )
    return solve(lay_out(inputs, human.policy()))


def column(lineage: str) -> int:
    return next(place for place, cell in enumerate(solution().cells) if cell.lineage == lineage)


def place(name: str) -> int:
    return solution().names.index(name)


def test_points_and_log_worths() -> None:
    cell = solution().fits[column(FIRST_PARTY)]
    points = cell.contest.inside_points.sum(axis=0)
    for row in table("configuration, points"):
        number = place(row["configuration"])
        shown(points[number], row["points"])
        shown(cell.worths.core[number], row["log-worth"])
        shown(cell.theta[number], row["centred"])
        shown(solution().z[number, column(FIRST_PARTY)], row["z"])


def test_the_equation_of_c() -> None:
    theta = solution().fits[column(FIRST_PARTY)].worths.core
    terms = re.findall(r"(\.\d{4}) \((\w+)\)", section())
    assert [name for _, name in terms] == ["F", "D", "B", "G", "E", "A", "ghost"]
    total = 0.0
    for text, name in terms:
        other = 0.0 if name == "ghost" else theta[place(name)]
        shown(1 / (1 + np.exp(other - theta[place("C")])), text)
        total += 1 / (1 + np.exp(other - theta[place("C")]))
    assert total == pytest.approx(5.5, abs=1e-9)


def test_published_values() -> None:
    for row in table("configuration, exam, log-odds"):
        number = place(row["configuration"])
        for lineage in ("exam", "arena"):
            shown(solution().cells[column(lineage)].x[number], row[f"{lineage}, log-odds"])
            shown(solution().z[number, column(lineage)], row[f"{lineage}, z"])


def test_the_constants_that_the_text_names() -> None:
    scale = {one.lineage: one for one in solution().constants}
    named = [
        (scale[FIRST_PARTY].sd, "divided by their SD, ", "1.2251"),
        (scale["exam"].mean, "less the mean ", ".0390"),
        (scale["exam"].sd, "by the SD ", ".6840"),
        (scale["arena"].mean, "6.1249; less ", "5.7996"),
        (scale["arena"].sd, "5.7996, by ", ".7400"),
    ]
    for constant, before, text in named:
        assert f"{before}{text}" in " ".join(section().split())
        shown(float(constant), text)


def test_scores() -> None:
    names = {"comparisons": FIRST_PARTY, "exam": "exam", "arena": "arena"}
    for row in table("row, comparisons"):
        number = place(row["row"])
        for title, lineage in names.items():
            shown(solution().contributions[number, column(lineage)], row[title])
        shown(solution().estimate.score[number], row["score"])


def test_leaving_each_task_out() -> None:
    (block,) = solution().estimate.blocks
    for row, task, moves in zip(table("without"), block.tasks, block.moves, strict=True):
        assert row["without"] == task
        for name in ("C", "F", "G"):
            shown(moves[place(name)], row[name])
        for other in ("F", "G"):
            shown(moves[place("C")] - moves[place(other)], row[f"C − {other}"])


def test_the_two_differences() -> None:
    estimate = solution().estimate
    (block,) = estimate.blocks
    for row in table("difference"):
        c, other = place("C"), place(row["difference"][-1])
        moves = block.moves[:, c] - block.moves[:, other]
        squares, fourths = (moves**2).sum(), (moves**4).sum()
        effective = squares**2 / fourths
        error = np.sqrt(estimate.contrasts[0][c, other])
        freedom = estimate.contrasts[1][c, other]
        quantile = stats.t.ppf(1 - 0.05 / 56, freedom)
        shown(estimate.score[c] - estimate.score[other], row["points"])
        shown(5 / 6 * squares, row["V of tasks"])
        shown(effective, row["G"])
        shown(min(6, 3 * effective) - 1, row["degrees of tasks"])
        shown(estimate.external[c] + estimate.external[other], row["V of values"])
        shown(freedom, row["degrees"])
        shown(error, row["standard error"])
        shown(quantile, row["t"])
        shown(quantile * error, row["needed"])
        assert solution().separation.above[c, other] == (row["separated"] == "yes")


def test_the_ranking() -> None:
    for row, found in zip(table("rank"), tell(solution()).rows, strict=True):
        assert (row["rank"], row["row"]) == (str(found.rank), found.key)
        assert row["range"] == f"{found.rank_low}–{found.rank_high}"
        assert row["cannot be told apart from"] == ", ".join(found.indistinct)
        assert found.tier == 1
        assert found.low is not None
        assert found.high is not None
        for number, title in ((found.score, "score"), (found.low, "low"), (found.high, "high")):
            shown(number, row[title])
