"""100,000 results staged, judged and applied, beside django-import-export and the bare load of the same rows.

Each step is run REPEATS (5) times, and the medians are told. django-import-export is run on fewer rows (a fiftieth; in
bulk a twentieth), in which it is linear at best, and its seconds are told for all. It does less: no row is staged,
weighed against the others or kept with its raw text. ROWS in the environment takes another number of rows.
"""

import os
import tempfile
from pathlib import Path

from benchmarks.importing import world
from benchmarks.report import Figures

ROWS = int(os.environ.get("ROWS", "100000"))
FEWER, FEW = ROWS // 50, ROWS // 20


def measure() -> Figures:
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "results.csv")
        world.write_results(path, ROWS)
        return {
            f"{database}: {name}": line for database in world.DATABASES for name, line in _on(database, path).items()
        }


def _on(database: str, path: str) -> dict[str, dict[str, float | int | str]]:
    ours, again, bare, both, default, tuned, told = [], [], [], [], [], [], []
    for _ in range(world.REPEATS):
        with world.scratch(database) as environment:
            ours.append(world.step(environment, "steps.whole_import", path, "results"))
            again.append(world.step(environment, "steps.whole_import", path, "results"))
            both.append(world.step(environment, "steps.both_tables", "results"))
            bare.append(world.step(environment, "steps.one_table", "results"))
        with world.scratch(database) as environment:
            default.append(world.step(environment, "steps.default_import_export", path, FEWER))
        with world.scratch(database) as environment:
            tuned.append(world.step(environment, "steps.tuned_import_export", path, FEW))
        with world.scratch(database) as environment:
            told.append(world.step(environment, "steps.told_import_export", path, FEW))
    lines = {
        f"staged, judged and applied, {ROWS:,} rows": world.medians(ours),
        "the same file again": world.medians(again),
        "bare load into staging and results": world.medians(both),
        "bare load into results": world.medians(bare),
        "django-import-export, default": _for_all(world.medians(default), ROWS / FEWER),
        "django-import-export, tuned": _for_all(world.medians(tuned), ROWS / FEW),
        "the same, told that all rows are new": _for_all(world.medians(told), ROWS / FEW),
    }
    ours_cpu = lines[f"staged, judged and applied, {ROWS:,} rows"]["CPU s"]
    return {name: {**line, "CPU of ours": line["CPU s"] / ours_cpu} for name, line in lines.items()}


def _for_all(cost: world.Cost, times: float) -> world.Cost:
    return {name: value * times if name.endswith(" s") else value for name, value in cost.items()}
