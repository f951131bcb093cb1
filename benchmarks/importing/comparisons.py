"""A million comparisons staged, judged and applied beside the bare load of the same rows, and memory that stays flat.

COMPARISON_ROWS in the environment takes another number of rows.
"""

import os
import tempfile
from pathlib import Path

from benchmarks.importing import world
from benchmarks.report import Figures

ROWS = int(os.environ.get("COMPARISON_ROWS", "1000000"))


def measure() -> Figures:
    with tempfile.TemporaryDirectory() as folder:
        paths = {rows: str(Path(folder) / f"{rows}.csv") for rows in (ROWS // 10, ROWS)}
        for rows, path in paths.items():
            world.write_comparisons(path, rows)
        return {
            f"{database}: {name}": line
            for database in world.DATABASES
            for rows, path in paths.items()
            for name, line in _on(database, path, rows).items()
        }


def _on(database: str, path: str, rows: int) -> Figures:
    ours, both, bare = [], [], []
    for _ in range(world.REPEATS):
        with world.scratch(database) as environment:
            ours.append(world.step(environment, "steps.whole_import", path, "comparisons"))
            both.append(world.step(environment, "steps.both_tables", "comparisons"))
            bare.append(world.step(environment, "steps.one_table", "comparisons"))
    told = world.medians(ours)
    return {
        f"staged, judged and applied, {rows:,} rows": {
            **told,
            "of bare CPU": told["CPU s"] / world.medians(both)["CPU s"],
            "of bare CPU, one table": told["CPU s"] / world.medians(bare)["CPU s"],
            "of bare wall": told["wall s"] / world.medians(both)["wall s"],
        },
        f"bare load into both tables, {rows:,} rows": world.medians(both),
        f"bare load into comparisons, {rows:,} rows": world.medians(bare),
    }
