"""The measurements of `make bench` still measure: each on a few rows, for what it says and not for how fast."""

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from django.conf import settings

from benchmarks.__main__ import modules

FEW = {"REPEATS": "1", "ROWS": "200", "COMPARISONS": "40000"}
RESULTS = """
import tempfile
from benchmarks.importing import results, world
with tempfile.NamedTemporaryFile(suffix=".csv") as file:
    world.write_results(file.name, 200)
    found = results._on("SQLite", file.name)
assert len(found) == 7 and all(line["CPU s"] > 0 for line in found.values()), found
"""
COUNTING = """
from benchmarks.method import counting
found = counting.counted(counting.sqlite, 40_000)
assert found["counts"] > 0, found
"""
KILLED = """
from benchmarks.importing import killed
found = killed.killed("SQLite", kills=2, rows=200)
assert (found["kills"], found["partial"], found["damaged"], found["not resumed"]) == (2, 0, 0, 0), found
"""
COMPARISONS = """
import tempfile
from benchmarks.importing import comparisons, world
with tempfile.NamedTemporaryFile(suffix=".csv") as file:
    world.write_comparisons(file.name, 400)
    found = comparisons._on("SQLite", file.name, 400)
assert len(found) == 3 and all(line["CPU s"] > 0 for line in found.values()), found
"""
BOMB = """
import tempfile
from pathlib import Path
from benchmarks.importing import xlsx_bomb
name, content = next(xlsx_bomb._bombs())
with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "bomb.xlsx"
    path.write_bytes(content)
    found = xlsx_bomb._measured(xlsx_bomb._REFUSE, path)
assert (name, found["said"]) == ("XLSX, 300-fold", "unpacks-too-large"), found
"""
SCRIPTS = {"results": RESULTS, "comparisons": COMPARISONS, "bomb": BOMB, "counting": COUNTING, "killed": KILLED}


def test_all_that_measures_is_found_and_nothing_else() -> None:
    rooms = modules(["importing"]), modules(["method"])
    assert modules([]) == sorted([*rooms[0], *rooms[1]])
    assert "benchmarks.importing.results" in rooms[0]
    assert all(hasattr(import_module(name), "measure") for name in modules([]))
    assert modules(["importing.preview", "method.cost"]) == ["benchmarks.importing.preview", "benchmarks.method.cost"]


@pytest.mark.parametrize("names", [["import"], ["importing.world"], ["importing", "method.costs"]])
def test_what_is_no_measurement_is_told(names: list[str]) -> None:
    """In a process without settings, as `make bench` is one."""
    environment = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    command = [sys.executable, "-m", "benchmarks", *names]
    done = subprocess.run(
        command, cwd=Path(settings.BASE_DIR), env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (2, f"There is no measurement {names[-1]}.\n")


@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS)
def test_it_measures(script: str) -> None:
    environment = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "DATA_DIR")}
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=Path(settings.BASE_DIR),
        env=environment | FEW,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
