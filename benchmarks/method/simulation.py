"""Does the method keep its promises where the truth is known? Intervals, separations, and what opens the gate.

Scores: configurations of known ability are judged on tasks that favour some of them; constants are sealed at their true
values, because an interval is conditional on them. Gate: evidence of known quality under the policy of edition v3.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property

import numpy as np
from scipy.stats import binomtest

from benchmarks.report import Figures
from ranking.method.arrays import Floats
from ranking.method.bradley_terry import Counts, newton
from ranking.method.evaluation import evaluate
from ranking.method.inputs import FIRST_PARTY, CellScale, Facet, Inputs, Panel, Verdicts
from ranking.method.method import rank
from ranking.method.results import PASSED, Ranking
from tests.ranking.method import human, worlds
from tests.ranking.method.worlds import World

RUNS = 300
GATE_RUNS = 1000
"""A share of 2 % is told from one of 3 % by no fewer."""
POLICY = human.policy()


def measure() -> Figures:
    designs = {f"{tasks} tasks": World(tasks=tasks, groups=0) for tasks in (30, 60, 100)}
    return {
        **{f"scores, {name}": scored(world) for name, world in designs.items()},
        "scores, 13 tasks of LLMFAO": human_false_alarms(),
        **{f"gate, {name}": opened(world) for name, world in GATES.items()},
    }


# Scores ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Truth:
    """Log-worths that the outcomes of a world tend to with ever more tasks."""

    ability: Floats
    world: World

    @cached_property
    def theta(self) -> Floats:
        """Centred. Tasks, judges and ties flatten the differences of ability."""
        nodes, weights = np.polynomial.hermite_e.hermegauss(41)
        noise = np.sqrt(2 * self.world.task_spread**2 + self.world.judge_spread**2) * nodes
        difference = self.ability[:, None] - self.ability
        win = (weights / weights.sum() / (1 + np.exp(-difference[..., None] - noise))).sum(axis=-1)
        outcome = worlds.DECIDED * win + (1 - worlds.DECIDED) / 2
        np.fill_diagonal(outcome, 0.0)
        many = 1e6
        units = many * (1 - np.eye(len(outcome)))
        theta = newton(Counts(units, many * outcome.sum(axis=1)), np.zeros(len(outcome)))
        centred: Floats = theta - theta.mean()
        return centred

    @property
    def sd(self) -> float:
        """Of the panel; 1 where all are equal, which leaves scores in tenths of a logit."""
        return float(self.theta.std(ddof=1)) if self.world.spread else 1.0

    @property
    def score(self) -> Floats:
        return 50 + 10 * self.theta / self.sd


def runs(world: World) -> Iterator[tuple[Truth, Ranking]]:
    """Rankings by comparisons alone, on sealed true constants."""
    for seed in range(RUNS):
        random = np.random.default_rng(seed)
        ability = world.spread * random.standard_normal(world.size)
        truth = Truth(ability, world)
        yield truth, sealed_rank(only_comparisons(worlds.comparisons(world, "f00", ability, random), world), truth.sd)


def only_comparisons(verdicts: Verdicts, world: World) -> Inputs:
    facet = Facet("f00", Decimal(100), "pairwise")
    return Inputs(worlds.KIND, (facet,), worlds.configurations(world), (), (verdicts,))


def sealed_rank(inputs: Inputs, sd: float) -> Ranking:
    names = tuple(one.key for one in inputs.configurations)
    scale = CellScale("f00", FIRST_PARTY, Decimal(0), Decimal(repr(sd)))
    return rank(inputs, POLICY, Panel(names, names), (scale,))


def covered(world: World) -> dict[str, float]:
    """Share of 95 % intervals that hold the true score, and of separated pairs that stand the wrong way round."""
    inside = intervals = separated = wrong = 0
    for truth, ranking in runs(world):
        score = dict(zip((one.key for one in worlds.configurations(world)), truth.score.tolist(), strict=True))
        for row in ranking.rows:
            if row.low is not None and row.high is not None:
                intervals += 1
                inside += row.low <= score[row.key] <= row.high
        for above, below in separations(ranking):
            separated += 1
            wrong += score[above] < score[below]
    return {"coverage": inside / intervals, "wrong direction": wrong / max(separated, 1)}


def separations(ranking: Ranking) -> Iterator[tuple[str, str]]:
    for place, row in enumerate(ranking.rows):
        for other in ranking.rows[place + 1 :]:
            if other.key not in row.indistinct:
                yield row.key, other.key


def scored(world: World) -> dict[str, float | str]:
    return {**covered(world), **false_alarms(replace(world, spread=0.0))}


def false_alarms(world: World) -> dict[str, float]:
    """Share of runs that separate any two of equals."""
    return {"familywise error": np.mean([any(separations(ranking)) for _, ranking in runs(world)]).item()}


def human_false_alarms() -> dict[str, float | str]:
    """Equals judged on the very units of LLMFAO, half of which are one prompt's for some of its models."""
    (verdicts,) = human.inputs().verdicts
    unit = (verdicts.task * 100 + np.minimum(verdicts.a, verdicts.b)) * 100 + np.maximum(verdicts.a, verdicts.b)
    _, first = np.unique(unit, return_index=True)
    task, a, b = verdicts.task[first], verdicts.a[first], verdicts.b[first]
    world = World(size=len(verdicts.configurations), tasks=len(verdicts.tasks))
    alarms = 0
    for seed in range(RUNS):
        random = np.random.default_rng(seed)
        effect = world.task_spread * random.standard_normal((world.tasks, world.size))
        outcome = worlds.outcomes(effect[task, a] - effect[task, b], random)
        ones = np.zeros_like(task)
        table = replace(verdicts, task=task, a=a, b=b, judge=ones, outcome=outcome, order=ones, count=ones + 1)
        facet = Facet("f00", Decimal(100), "pairwise")
        inputs = replace(human.inputs(), facets=(facet,), values=(), verdicts=(replace(table, facet="f00"),))
        names = tuple(one.key for one in inputs.configurations)
        panel = Panel(tuple(one.key for one in inputs.configurations if one.role == "headline"), names)
        scale = CellScale("f00", FIRST_PARTY, Decimal(0), Decimal(1))
        alarms += any(separations(rank(inputs, POLICY, panel, (scale,))))
    return {"familywise error": alarms / RUNS}


# Gate -----------------------------------------------------------------------------------------------------------------

TWO = World(facets=2)
GATES = {
    "good evidence": TWO,
    "20 configurations, 100 tasks": replace(TWO, size=20, tasks=100),
    "random winners": replace(TWO, first_party_scale=0.0),
    "unrelated first party": replace(TWO, first_party_correlation=0.0),
    "opposite first party": replace(TWO, first_party_correlation=-1.0),
    "noise and one hopeless": replace(TWO, spread=0.05, hopeless=1),
    "noise and three hopeless of eight": replace(TWO, size=8, spread=0.05, hopeless=3),
}


def opened(world: World) -> dict[str, float | str]:
    """Share of runs in which every check passes, and the statistic that fails most often."""
    passed, failing = 0, Counter[str]()
    for seed in range(GATE_RUNS):
        checks = evaluate(worlds.inputs(world, seed), POLICY).checks
        passed += all(check.verdict == PASSED for check in checks)
        failing.update(part.code for check in checks for part in check.parts or (check,) if part.verdict != PASSED)
    most = failing.most_common(1)
    share = binomtest(passed, GATE_RUNS).proportion_ci(0.95, "exact")
    return {
        "opens": passed / GATE_RUNS,
        "at least": share.low,
        "at most": share.high,
        "fails most": most[0][0] if most else "nothing",
    }
