"""The whole answer against arena-rank's sandwich, for 200 configurations, 20 facets, 100 tasks and 1 M rows a facet.

arena-rank (fit, covariance, intervals; no tasks, ranks or checks) reads the rows; the method reads what SQL makes of
them, counts. arena-rank lives in an environment of its own, made here and thrown away: it brings JAX, which nothing
else needs. ROWS in the environment takes other than 1,000,000 rows a facet.
"""

import json
import os
import pickle
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.method import cost
from benchmarks.report import Figures
from tests.ranking.method import worlds
from tests.ranking.method.worlds import World

ROWS = int(os.environ.get("ROWS", "1000000"))
ARENA = "arena-rank==0.1.1"
SCRIPT = Path(__file__).parents[1] / "arena_sandwich.py"
SITTINGS = 4
"""Of each unit of a world: two judges, both orders."""
TASKS, SIZE, FACETS = 100, 200, 20
ONE_UNIT = World(size=SIZE, facets=FACETS, tasks=TASKS)
UNITS = TASKS * SIZE // 2
"""Of a matching on every task."""
WORLDS = {
    "10,000 units a facet, each judged over and over": ONE_UNIT,
    "each unit judged four times": replace(ONE_UNIT, rounds=max(1, ROWS // (SITTINGS * UNITS))),
}
# One thread, so that seconds of CPU are the work and not the waiting of a pool.
ONE_THREAD = {"XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1", "JAX_PLATFORMS": "cpu"}


def measure() -> Figures:
    with arena_python() as python:
        if python is None:
            return {"not measured": {"why": f"{ARENA} could not be installed"}}
        return {name: compared(name, python) for name in WORLDS}


@contextmanager
def arena_python() -> Iterator[Path | None]:
    """The Python of an environment with arena-rank; None where it cannot be had."""
    with tempfile.TemporaryDirectory(prefix="arena-rank-") as folder:
        venv.create(folder, with_pip=True)
        python = Path(folder) / "bin" / "python"
        install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", ARENA]
        done = subprocess.run(install, check=False, capture_output=True)
        yield python if done.returncode == 0 else None


def compared(name: str, python: Path) -> dict[str, float | int]:
    with tempfile.TemporaryDirectory() as folder:
        for step in ("make", "take"):
            script = f"from benchmarks.method import arena; arena.{step}({name!r}, {folder!r})"
            subprocess.run([sys.executable, "-c", script], check=True)
        ours = pickle.loads((Path(folder) / "figures").read_bytes())
        told = subprocess.run(
            [python, SCRIPT, folder], env=os.environ | ONE_THREAD, check=True, capture_output=True, text=True
        )
    theirs = json.loads(told.stdout)
    return {
        "rows a facet": ours["verdicts"] // FACETS,
        "everything, CPU s": ours["whole, CPU s"],
        "arena-rank, CPU s": theirs["whole"],
        "without reading rows": theirs["fits"],
        "ratio": theirs["whole"] / ours["whole, CPU s"],
        "peak MB": ours["peak MB"],
        "arena-rank peak MB": theirs["peak"],
    }


def make(name: str, folder: str) -> None:
    """The same verdicts twice: as rows, and counted."""
    inputs = worlds.inputs(WORLDS[name], seed=1)
    repeats = max(1, ROWS // len(inputs.verdicts[0].task))  # type: ignore[index]
    cost.store(
        replace(inputs, verdicts=tuple(replace(table, count=table.count * repeats) for table in inputs.verdicts)),
        folder,
    )
    for table in inputs.verdicts:
        a, b, outcome = (np.repeat(column, repeats) for column in (table.a, table.b, table.outcome))
        np.savez(Path(folder) / f"{table.facet}.npz", a=a, b=b, outcome=outcome)


def take(name: str, folder: str) -> None:
    cost.take(WORLDS[name], folder)
