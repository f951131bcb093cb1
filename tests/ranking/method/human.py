"""Real human evidence as inputs: LLMFAO's verdicts, AlpacaEval 2's win rates, the Arena text ratings."""

import csv
from decimal import Decimal
from functools import cache
from pathlib import Path

import yaml

from ranking.method.inputs import HEADLINE, REFERENCE, Configuration, ExternalValue, Facet, Inputs, Judge, Verdicts

ROOT = Path(__file__).parents[3]
DATA = ROOT / "examples" / "data"
FILES = {
    "llmfao.csv": DATA / "pairwise" / "llmfao.csv",
    "alpaca_eval_2.csv": DATA / "alpaca_eval" / "alpaca_eval_2_weighted_leaderboard_raw.csv",
    "lmarena_text.csv": DATA / "lmarena" / "lmarena_text.csv",
    # Which rows of the three are taken for one model; snapshot dates differ a little.
    "aliases.csv": ROOT / "tests" / "data" / "human" / "aliases.csv",
}
OUTCOMES = {"left": "a", "right": "b", "tie": "tie"}
FACET = "helpfulness"
KIND = "model"
HALF_WIDTH = 1.96


def policy(**changes: object) -> dict[str, object]:
    """The policy of edition v3 as it is shipped, with changes."""
    text = (ROOT / "examples" / "registry" / "gate_policies.yaml").read_text(encoding="utf-8")
    shipped = next(entry for entry in yaml.safe_load(text) if entry["edition"] == "v3")
    return {name: threshold["value"] for name, threshold in shipped["thresholds"].items()} | changes


DEMONSTRATION = {
    "facet_tasks": 13,
    "effective_tasks": 2.5,
    "crowd_order": {"accept": "recorded", "left_share_limit": 0.15},
}


def table(name: str) -> list[dict[str, str]]:
    with FILES[name].open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


@cache
def inputs() -> Inputs:
    verdicts = table("llmfao.csv")
    aliases = table("aliases.csv")
    ranked = {alias["llmfao"]: alias for alias in aliases}
    everyone = sorted({row[side] for row in verdicts for side in ("left", "right")})
    return Inputs(
        subject_kind=KIND,
        facets=(Facet(FACET, Decimal(100), "hybrid"),),
        configurations=tuple(
            Configuration(
                key=name,
                model_release=name,
                maker=ranked[name]["maker"] if name in ranked else "",
                subject_kind=KIND,
                role=HEADLINE if name in ranked else REFERENCE,
            )
            for name in everyone
        ),
        values=(*_alpaca(aliases), *_arena(aliases)),
        verdicts=(_verdicts(verdicts),),
    )


def _verdicts(rows: list[dict[str, str]]) -> Verdicts:
    workers = sorted({row["worker"] for row in rows})
    return Verdicts.of(
        FACET,
        ((row["prompt"], row["left"], row["right"], OUTCOMES[row["winner"]], row["worker"], "ab", 1) for row in rows),
        (Judge(worker) for worker in workers),
    )


def _alpaca(aliases: list[dict[str, str]]) -> list[ExternalValue]:
    """The raw rate: the file has no standard error of the length-controlled one for most of these rows."""
    board = {row[""]: row for row in table("alpaca_eval_2.csv")}
    return [
        ExternalValue(
            facet=FACET,
            lineage="alpaca-eval-2",
            group="alpaca-eval",
            contract="alpaca-eval-2.win-rate",
            protocol="alpaca-eval-2",
            source="alpaca_eval_2.csv",
            configuration=alias["llmfao"],
            subject_kind=KIND,
            kind="rate",
            direction="higher",
            unit="percent",
            value=float(row["win_rate"]),
            lower=0.0,
            upper=100.0,
            n=int(row["n_total"]),
            stderr=float(row["standard_error"]),
        )
        for alias in aliases
        for row in (board[alias["alpaca_eval_2"]],)
    ]


def _arena(aliases: list[dict[str, str]]) -> list[ExternalValue]:
    board = {row["model"]: row for row in table("lmarena_text.csv")}
    return [
        ExternalValue(
            facet=FACET,
            lineage="arena-text",
            group="arena",
            contract="arena-text.rating",
            protocol="arena-text",
            source="lmarena_text.csv",
            configuration=alias["llmfao"],
            subject_kind=KIND,
            kind="rating",
            direction="higher",
            unit="elo",
            value=float(row["arena_score"]),
            stderr=max(abs(float(end)) for end in row["95_pct_ci"].split("/")) / HALF_WIDTH,
            over_rows=True,
        )
        for alias in aliases
        for row in (board[alias["lmarena_text"]],)
    ]
