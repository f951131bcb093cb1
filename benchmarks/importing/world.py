"""A scratch database with a registry to import into, files of any size, and what a step costs.

Every step runs in a process of its own: `cost` is its CPU time (with PostgreSQL, that of the server's process too), its
wall time and its peak memory.
"""

import csv
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from tests import services

REPEATS = int(os.environ.get("REPEATS", "5"))
CONTRACTS, CONFIGURATIONS, TASKS, JUDGES = 20, 500, 100, 40
RESULT_COLUMNS = ("contract", "configuration", "value", "stderr", "n", "observed_on", "source_url", "source_ref",
                  "external_id", "notes")  # fmt: skip
COMPARISON_COLUMNS = ("comparison_id", "facet", "task", "a", "b", "outcome", "judge", "order", "judged_at")

Cost = dict[str, float]


@contextmanager
def sqlite() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        yield f"sqlite:///{folder}/assay.sqlite3"


DATABASES: dict[str, Any] = {"SQLite": sqlite, "PostgreSQL": services.postgresql}


@contextmanager
def scratch(database: str, filled: str = "fill") -> Iterator[dict[str, str]]:
    """The environment of a process with a database that holds the registry of `fill`, or of `demo`."""
    with DATABASES[database]() as address, tempfile.TemporaryDirectory() as data:
        environment = os.environ | {"DATABASE_URL": address, "DATA_DIR": data}
        _in(environment, f"from benchmarks.importing import world; world.{filled}()")
        yield environment


def step(environment: dict[str, str], function: str, *arguments: Any) -> Cost:
    """Run `benchmarks.importing.<function>` in a process of its own; what it returned, which is a `Cost`."""
    module, name = function.rsplit(".", 1)
    script = (
        "import json; from benchmarks.importing import world; world.set_up(); "
        f"from benchmarks.importing import {module}; print(json.dumps({module}.{name}(*{arguments!r})))"
    )
    found: Cost = json.loads(_in(environment, script).splitlines()[-1])
    return found


def _in(environment: dict[str, str], script: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, check=True, stdout=subprocess.PIPE, text=True
    )
    return done.stdout


def medians(costs: list[Cost]) -> Cost:
    return {name: median(cost[name] for cost in costs) for name in costs[0]}


def set_up() -> None:
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    import logging

    logging.disable(logging.INFO)


def cost(act: Callable[[], object]) -> Cost:
    """Seconds of CPU and of the clock that `act` takes, and the most MB that this process has held since it began."""
    server, cpu, wall = _server_seconds(), time.process_time(), time.perf_counter()
    act()
    return {
        "CPU s": time.process_time() - cpu + _server_seconds() - server,
        "wall s": time.perf_counter() - wall,
        "peak MB": int(Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0]) / 1024,
    }


def _server_seconds() -> float:
    """CPU time of the process that serves this connection."""
    from django.db import connection

    if connection.vendor != "postgresql":
        return 0.0
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (pid,) = cursor.fetchone()
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def empty(model: Any) -> None:
    """Delete every row; nothing asks which other rows point to each, which no index would answer."""
    from django.db import connection

    sqlite = connection.vendor == "sqlite"
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA foreign_keys = OFF" if sqlite else "SET session_replication_role = replica")
        cursor.execute(f"DELETE FROM {model._meta.db_table}")
        cursor.execute("PRAGMA foreign_keys = ON" if sqlite else "SET session_replication_role = DEFAULT")


def fill() -> None:
    set_up()
    from django.core.management import call_command

    from registry import models

    call_command("migrate", verbosity=0)
    publisher = models.Publisher.objects.create(key="bench", name="Bench")
    suite = models.Suite.objects.create(key="bench", title="Bench", publisher=publisher)
    benchmark = models.Benchmark.objects.create(key="bench", title="Bench", suite=suite, eligibility="runnable-now")
    lineage = models.Lineage.objects.create(key="bench-v1-main", suite=suite, version="1", track="main")
    shared = {
        "benchmark": benchmark,
        "lineage": lineage,
        "protocol": models.Protocol.objects.create(key="bench-v1", title="Bench"),
        "title": "Metric",
        "unit": "fraction",
        "kind": "rate",
        "direction": "higher",
        "subject_kind": "model",
        "lower": 0.0,
        "upper": 1.0,
    }
    models.MetricContract.objects.bulk_create(
        models.MetricContract(key=f"bench.metric-{number}", **shared) for number in range(CONTRACTS)
    )
    maker = models.Organization.objects.create(key="maker", name="Maker")
    releases = models.ModelRelease.objects.bulk_create(
        models.ModelRelease(key=f"model-{number}", name=f"Model {number}", organization=maker)
        for number in range(CONFIGURATIONS)
    )
    models.Configuration.objects.bulk_create(
        models.Configuration(key=f"maker/model-{number}", model=release, subject_kind="model")
        for number, release in enumerate(releases)
    )
    collection = models.Collection.objects.create(
        edition=models.Edition.objects.create(key="b1", title="Bench"),
        slug="bench",
        title="Bench",
        question="Which?",
        summary="S.",
        subject_kind="model",
    )
    facet = models.Facet.objects.create(collection=collection, slug="facet", title="Facet", weight=100, mode="pairwise")
    models.Task.objects.bulk_create(models.Task(facet=facet, key=f"t{number}", title="Task") for number in range(TASKS))
    models.Judge.objects.bulk_create(models.Judge(key=f"judge-{number}", person=True) for number in range(JUDGES))


def demo() -> None:
    """What `make demo` serves."""
    set_up()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    call_command("demo")


def write_results(path: str, rows: int) -> None:
    """Every configuration in every contract, then again under another reference."""
    with Path(path).open("w", encoding="utf-8", newline="") as file:
        write = csv.writer(file).writerow
        write(RESULT_COLUMNS)
        for number in range(rows):
            place, configuration = divmod(number, CONFIGURATIONS)
            again, contract = divmod(place, CONTRACTS)
            value, stderr = f"0.{number * 7919 % 9973:04}", f"0.0{number % 89 + 10}"
            day, url = f"2026-0{number % 9 + 1}-11", f"https://example.org/runs/{again % 50}"
            who = (f"bench.metric-{contract}", f"maker/model-{configuration}")
            write((*who, value, stderr, number % 400 + 100, day, url, f"r{again}", number, ""))


def write_comparisons(path: str, rows: int) -> None:
    """Pairs, tasks and judges in turn."""
    with Path(path).open("w", encoding="utf-8", newline="") as file:
        write = csv.writer(file).writerow
        write(COMPARISON_COLUMNS)
        for number in range(rows):
            again, a = divmod(number, CONFIGURATIONS)
            b = (a + 1 + again % (CONFIGURATIONS - 1)) % CONFIGURATIONS
            sides = (f"maker/model-{a}", f"maker/model-{b}", ("a", "b", "tie")[number % 3])
            moment = f"2026-05-{number % 28 + 1:02}T10:00:00Z"
            judge, task = f"judge-{number // 11 % JUDGES}", f"t{number // 7 % TASKS}"
            write((f"c{number}", "bench/facet", task, *sides, judge, "", moment))
