"""The whole answer for 200 configurations, 20 facets and 100 tasks, against evalica's bare fits of the same cells.

The whole answer is: verdicts to units, fits, jackknife, intervals, ranks, every check with 20 halvings, fragility. The
evidence is made in a process of its own and read facet by facet, so that the peak memory is the method's.
"""

import pickle
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import evalica
import numpy as np

from benchmarks.report import Figures
from ranking.method.arrays import Floats
from ranking.method.evaluation import evaluate
from ranking.method.inputs import Inputs, Verdicts
from ranking.method.layout import lay_out
from ranking.method.units import Units
from tests.ranking.method import human, worlds

WORLDS = {
    "10,000 units a facet": worlds.World(size=200, facets=20, tasks=100, rounds=1),
    "190,000 units a facet": worlds.World(size=200, facets=20, tasks=100, rounds=19),
}
REPEATS = 3


@dataclass(frozen=True)
class Stored:
    """Tables of verdicts on disk, one in memory at a time."""

    folder: Path

    def __iter__(self) -> Iterator[Verdicts]:
        for path in sorted(self.folder.glob("*.table")):
            yield pickle.loads(path.read_bytes())


def measure() -> Figures:
    return {name: _in_own_process(name) for name in WORLDS}


def _in_own_process(name: str) -> dict[str, float | int]:
    with tempfile.TemporaryDirectory() as folder:
        for step in ("make", "take"):
            script = f"from benchmarks.method import cost; cost.{step}(cost.WORLDS[{name!r}], {folder!r})"
            subprocess.run([sys.executable, "-c", script], check=True)
        found: dict[str, float | int] = pickle.loads((Path(folder) / "figures").read_bytes())
    return found


def make(world: worlds.World, folder: str) -> None:
    store(worlds.inputs(world, seed=1), folder)


def store(inputs: Inputs, folder: str) -> None:
    for table in inputs.verdicts:
        (Path(folder) / f"{table.facet}.table").write_bytes(pickle.dumps(table))
    (Path(folder) / "inputs").write_bytes(pickle.dumps(replace(inputs, verdicts=())))


def take(world: worlds.World, folder: str) -> None:
    """Measures what `store` left in the folder, and leaves the figures there."""
    inputs: Inputs = pickle.loads((Path(folder) / "inputs").read_bytes())
    inputs = replace(inputs, verdicts=Stored(Path(folder)))
    policy = human.policy()
    whole = min(_cpu(lambda: evaluate(inputs, policy)) for _ in range(REPEATS))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    judged = [one for one in lay_out(inputs, policy).judged if one is not None]
    wins = [_wins(one.units, world.size) for one in judged]
    bare = min(_cpu(lambda: list(map(_bare, wins))) for _ in range(REPEATS))
    verdicts = sum(one.record.verdicts for one in judged)
    figures = {
        "verdicts": verdicts,
        "whole, CPU s": whole,
        "bare fits, CPU s": bare,
        "ratio": whole / bare,
        "peak MB": peak,
    }
    (Path(folder) / "figures").write_bytes(pickle.dumps(figures))


def _cpu(work: Callable[[], object]) -> float:
    begin = time.process_time()
    work()
    return time.process_time() - begin


def _wins(units: Units, size: int) -> Floats:
    table = np.zeros((size, size))
    np.add.at(table, (units.lo, units.hi), units.y)
    np.add.at(table, (units.hi, units.lo), 1 - units.y)
    return table


def _bare(wins: Floats) -> object:
    """As evalica is called with a table of counts, at its own tolerance."""
    xs, ys = np.nonzero(wins)
    winners = [evalica.Winner.X] * len(xs)
    return evalica.bradley_terry(xs.tolist(), ys.tolist(), winners, weights=wins[xs, ys].tolist())
