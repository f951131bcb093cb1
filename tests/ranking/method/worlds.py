"""Simulated evidence whose truth is known, for tests and benchmarks of the method."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal

import numpy as np

from ranking.method.arrays import Floats, Integers
from ranking.method.inputs import ORDERS, OUTCOMES, Configuration, ExternalValue, Facet, Inputs, Judge, Verdicts

KIND = "model"
JUDGES = (Judge("north-1", "north", "north"), Judge("south-1", "south", "south"))
DECIDED = 0.85
"""Share of verdicts that are no ties."""
ITEMS = 500
"""Tasks behind an external rate."""


@dataclass(frozen=True)
class World:
    """Configurations meet in random matchings, a few on every task; two model judges see both orders."""

    size: int = 12
    facets: int = 1
    tasks: int = 60
    rounds: int = 1
    """Matchings a task: units of each configuration on it."""
    spread: float = 1.0
    """Standard deviation of ability, in log-odds."""
    task_spread: float = 0.5
    """Of what a task adds to each configuration."""
    judge_spread: float = 0.3
    """Of what a judge adds to each unit."""
    groups: int = 2
    """External groups, one lineage each, in every facet."""
    correlation: float = 0.85
    """Of external ability with ability."""
    first_party_correlation: float = 1.0
    """Of first-party ability with ability: 0 for unrelated, -1 for opposite evidence."""
    first_party_scale: float = 1.0
    """On first-party ability: 0 for winners drawn at random."""
    hopeless: int = 0
    """Configurations that everybody beats."""
    names: Sequence[str] = field(default=())


def configurations(world: World) -> tuple[Configuration, ...]:
    names = world.names or [f"c{number:03d}" for number in range(world.size)]
    return tuple(Configuration(name, name, f"maker of {name}", KIND) for name in names)


def inputs(world: World, seed: int) -> Inputs:
    random = np.random.default_rng(seed)
    everybody = configurations(world)
    ability = world.spread * random.standard_normal(world.size)
    ability[: world.hopeless] = -5 * max(world.spread, 1.0)
    facets = tuple(
        Facet(f"f{number:02d}", Decimal(100) / world.facets, "hybrid" if world.groups else "pairwise")
        for number in range(world.facets)
    )
    values = [
        value
        for facet in facets
        for group in range(world.groups)
        for value in external(
            facet.key, f"g{group}", everybody, _related(ability, world.correlation, world, random), random
        )
    ]
    verdicts = [
        comparisons(
            world,
            facet.key,
            world.first_party_scale * _related(ability, world.first_party_correlation, world, random),
            random,
        )
        for facet in facets
    ]
    return Inputs(KIND, facets, everybody, tuple(values), tuple(verdicts))


def _related(ability: Floats, correlation: float, world: World, random: np.random.Generator) -> Floats:
    """Another ability, correlated with the first; who is hopeless is so everywhere."""
    noise = world.spread * random.standard_normal(world.size)
    other: Floats = correlation * ability + np.sqrt(max(0.0, 1 - correlation**2)) * noise
    other[: world.hopeless] = ability[: world.hopeless]
    return other


def external(
    facet: str, group: str, everybody: Sequence[Configuration], ability: Floats, random: np.random.Generator
) -> list[ExternalValue]:
    """Rates over ITEMS tasks, drawn."""
    passed = random.binomial(ITEMS, 1 / (1 + np.exp(-ability)))
    return [
        ExternalValue(
            facet=facet,
            lineage=f"lineage-{group}",
            group=group,
            contract=f"{group}-{facet}",
            protocol=f"protocol-{group}",
            source=f"source-{group}",
            configuration=one.key,
            subject_kind=KIND,
            kind="rate",
            direction="higher",
            unit="fraction",
            value=count / ITEMS,
            lower=0.0,
            upper=1.0,
            n=ITEMS,
        )
        for one, count in zip(everybody, passed.tolist(), strict=True)
    ]


def comparisons(world: World, facet: str, ability: Floats, random: np.random.Generator) -> Verdicts:
    """Every configuration meets `rounds` others on every task."""
    task, a, b = schedule(world, random)
    task_effect = world.task_spread * random.standard_normal((world.tasks, world.size))
    difference = ability[a] - ability[b] + task_effect[task, a] - task_effect[task, b]
    units = len(a)
    seen = [difference + world.judge_spread * random.standard_normal(units) for _ in JUDGES]
    sittings = [(judge, order) for judge in range(len(JUDGES)) for order in range(2)]
    repeats = len(sittings)
    return Verdicts(
        facet=facet,
        tasks=tuple(f"{facet}-t{number:03d}" for number in range(world.tasks)),
        configurations=tuple(one.key for one in configurations(world)),
        judges=JUDGES,
        task=np.tile(task, repeats).astype(np.int16),
        a=np.tile(a, repeats).astype(np.int16),
        b=np.tile(b, repeats).astype(np.int16),
        judge=np.repeat([judge for judge, _ in sittings], units).astype(np.int16),
        outcome=np.concatenate([outcomes(seen[judge], random) for judge, _ in sittings]).astype(np.int16),
        order=np.repeat([order for _, order in sittings], units).astype(np.int16),
        count=np.ones(repeats * units, dtype=np.int16),
    )


def schedule(world: World, random: np.random.Generator) -> tuple[Integers, Integers, Integers]:
    """Task and both sides of each unit: the first rounds of a round robin among shuffled configurations."""
    size = world.size + world.size % 2
    seats = np.arange(size)
    tables = []
    for _ in range(world.rounds):
        tables.append((seats[: size // 2], seats[: size // 2 - 1 : -1]))
        seats = np.concatenate([seats[:1], np.roll(seats[1:], 1)])
    a, b = (np.concatenate(side) for side in zip(*tables, strict=True))
    order = random.permuted(np.tile(np.arange(size), (world.tasks, 1)), axis=1)
    task = np.repeat(np.arange(world.tasks), len(a))
    a, b = order[:, a].ravel(), order[:, b].ravel()
    # Of an odd number one meets nobody.
    met = (a < world.size) & (b < world.size)
    return task[met], a[met], b[met]


def outcomes(difference: Floats, random: np.random.Generator) -> Integers:
    """Indexes of OUTCOMES."""
    chance = 1 / (1 + np.exp(-difference))
    drawn = random.random(len(difference))
    return np.where(drawn < DECIDED * chance, 0, np.where(drawn < DECIDED, 1, 2))


Word = tuple[str, str, str, str, str, str, int]
"""(task, a, b, outcome, judge, order, count)"""


def rows_of(inputs: Inputs, facet: int = 0) -> list[Word]:
    """The verdicts of a facet in words."""
    table = list(inputs.verdicts)[facet]
    return [
        (
            table.tasks[task],
            table.configurations[a],
            table.configurations[b],
            OUTCOMES[outcome],
            table.judges[judge].key,
            ORDERS[order],
            count,
        )
        for task, a, b, outcome, judge, order, count in zip(
            *(getattr(table, name).tolist() for name in ("task", "a", "b", "outcome", "judge", "order", "count")),
            strict=True,
        )
    ]


def with_rows(inputs: Inputs, rows: Iterable[Word], facet: int = 0) -> Inputs:
    """With other verdicts in one facet."""
    tables = list(inputs.verdicts)
    tables[facet] = Verdicts.of(tables[facet].facet, rows, tables[facet].judges)
    return replace(inputs, verdicts=tuple(tables))
