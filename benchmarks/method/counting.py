"""10 million comparisons counted in the database, on SQLite and on PostgreSQL.

200 configurations, one unit each on every one of 100 tasks, two judges who see both orders again and again. Rows are
made inside the database; what is measured is `ranking.counting`, with what the database itself uses for it. COMPARISONS
in the environment takes another number of rows.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.report import Figures
from tests import services
from tests.ranking.method import worlds

COMPARISONS = int(os.environ.get("COMPARISONS", "10000000"))
SIZES = (COMPARISONS // 10, COMPARISONS)
WORLD = worlds.World(size=200, tasks=100)
SITTINGS = 4 * WORLD.tasks * WORLD.size // 2


def measure() -> Figures:
    return {
        f"{name}, {comparisons:,} comparisons": counted(database, comparisons)
        for name, database in (("SQLite", sqlite), ("PostgreSQL", services.postgresql))
        for comparisons in SIZES
    }


@contextmanager
def sqlite() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        yield f"sqlite:///{folder}/assay.sqlite3"


def counted(database: Any, comparisons: int) -> dict[str, float | int]:
    """Filled in one process and counted in the next, so that the peak is the counting's."""
    with database() as address, tempfile.TemporaryDirectory() as data:
        environment = os.environ | {"DATABASE_URL": address, "DATA_DIR": data}
        for step in (f"fill({comparisons})", "count()"):
            script = f"from benchmarks.method import counting; counting.{step}"
            done = subprocess.run(
                [sys.executable, "-c", script], env=environment, check=True, stdout=subprocess.PIPE, text=True
            )
        found: dict[str, float | int] = json.loads(done.stdout)
    return found


def fill(comparisons: int) -> None:
    _django()
    from django.core.management import call_command
    from django.db import connection

    call_command("migrate", verbosity=0)
    columns, sittings = _sittings()
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE sitting (task_id int, a_id int, b_id int, judge_id int, shown varchar(2))")
        cursor.executemany("INSERT INTO sitting VALUES (%s, %s, %s, %s, %s)", sittings)
        cursor.execute(_INSERT, [comparisons // SITTINGS, columns["source"], columns["batch"]])
        cursor.execute("ANALYZE")


# Outcomes follow a fixed pattern: all three occur for every sitting.
_INSERT = """
WITH RECURSIVE repeat(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM repeat WHERE number < %s)
INSERT INTO registry_comparison
  (comparison_id, task_id, a_id, b_id, outcome, raw_outcome, judge_id, "order", source_id, batch_id, line, state)
SELECT task_id || '-' || a_id || '-' || b_id || '-' || judge_id || shown || number, task_id, a_id, b_id,
       CASE WHEN (number + a_id) %% 7 < 4 THEN 'a' WHEN (number + a_id) %% 7 < 6 THEN 'b' ELSE 'tie' END,
       '', judge_id, shown, %s, %s, number, 'active'
FROM sitting, repeat
"""


def _sittings() -> tuple[dict[str, int], list[tuple[int, int, int, int, str]]]:
    """The registry around the comparisons, and every (task, a, b, judge, order)."""
    from django.utils import timezone

    from registry import models

    edition = models.Edition.objects.create(key="bench", title="Benchmark")
    collection = models.Collection.objects.create(
        edition=edition, slug="bench", title="Benchmark", question="?", summary="-", subject_kind=worlds.KIND
    )
    facet = models.Facet.objects.create(
        collection=collection, slug="f00", title="Facet", description="-", weight=100, mode="pairwise"
    )
    tasks = [models.Task.objects.create(facet=facet, key=f"t{n:03d}", title=f"t{n}").pk for n in range(WORLD.tasks)]
    maker = models.Organization.objects.create(key="maker", name="Maker")
    subjects = [_subject(maker, one.key) for one in worlds.configurations(WORLD)]
    judges = [models.Judge.objects.create(key=one.key, family=one.family).pk for one in worlds.JUDGES]
    now = timezone.now()
    source = models.Source.objects.create(
        sha256="b" * 64, filename="bench.csv", size=1, uploaded_by="bench", uploaded_at=now
    )
    batch = models.ImportBatch.objects.create(
        source=source, status="applied", created_by="bench", created_at=now, applied_by="bench", applied_at=now
    )
    met = zip(*(column.tolist() for column in worlds.schedule(WORLD, np.random.default_rng(1))), strict=True)
    sittings = [
        (tasks[task], subjects[a], subjects[b], judge, order)
        for task, a, b in met
        for judge in judges
        for order in ("ab", "ba")
    ]
    return {"source": source.pk, "batch": batch.pk}, sittings


def _subject(maker: Any, name: str) -> int:
    from registry import models

    release = models.ModelRelease.objects.create(organization=maker, key=name, name=name)
    return models.Configuration.objects.create(key=f"maker/{name}", model=release, subject_kind=worlds.KIND).pk


def count() -> None:
    _django()
    from django.db import connection

    from ranking import counting
    from registry.models import Collection

    collection = Collection.objects.get()
    server = _server(connection)
    wall, cpu = time.monotonic(), time.process_time() + _server_cpu(server)
    counts, _ = counting.comparisons(collection)
    figures = {
        "counts": len(counts),
        "wall s": time.monotonic() - wall,
        "CPU s, with the server's": time.process_time() + _server_cpu(server) - cpu,
        "peak MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }
    assert sum(row.count for row in counts) >= COMPARISONS // 10
    print(json.dumps(figures))


def _server(connection: Any) -> int | None:
    """The one process of PostgreSQL that works for this connection; SQLite works in ours."""
    if connection.vendor != "postgresql":
        return None
    with connection.cursor() as cursor:
        cursor.execute("SET max_parallel_workers_per_gather = 0")
        cursor.execute("SELECT pg_backend_pid()")
        return int(cursor.fetchone()[0])


def _server_cpu(server: int | None) -> float:
    if server is None:
        return 0.0
    # The program's name, in brackets, may hold spaces; the 12th and 13th fields after it are user and system ticks.
    fields = Path(f"/proc/{server}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _django() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
