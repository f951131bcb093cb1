"""The measurements of `make bench` still measure: each on a few rows, for what it says and not for how fast."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

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


@pytest.mark.skipif(
    "postgresql" in settings.DATABASES["default"]["ENGINE"], reason="They bring databases of their own."
)
@pytest.mark.parametrize("script", [RESULTS, COUNTING, KILLED], ids=["results", "counting", "killed"])
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
