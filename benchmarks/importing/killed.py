"""kill -9 at random moments of applying 100,000 results, on both databases: what is left each time.

A child does the job as a worker does and is killed; then either all rows count or none, the batch says which, SQLite
finds its file whole, and the job, once its lease has ended, is done after all. KILLS and KILLED_ROWS in the environment
take other numbers.
"""

import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from datetime import timedelta
from pathlib import Path

from benchmarks.importing import world
from benchmarks.report import Figures

KILLS = int(os.environ.get("KILLS", "200"))
ROWS = int(os.environ.get("KILLED_ROWS", "100000"))
# So often the interrupted job is also brought to its end.
RESUMED_EVERY = 20
WAIT_SECONDS, MOST_WAITS = 0.05, 1_200


def measure() -> Figures:
    return {database: killed(database, kills=KILLS, rows=ROWS) for database in world.DATABASES}


def killed(database: str, *, kills: int, rows: int) -> dict[str, int]:
    with tempfile.TemporaryDirectory() as folder, world.scratch(database) as environment:
        path = str(Path(folder) / "results.csv")
        world.write_results(path, rows)
        return {name: int(value) for name, value in world.step(environment, "killed.kill", path, kills).items()}


def kill(path: str, kills: int) -> world.Cost:
    """In a process with the scratch database; how often what was found."""
    from benchmarks.importing import steps
    from registry.people import acting_user

    batch = steps.staged(path, "results", acting_user(None)).pk
    whole = _seconds(batch)
    chance, seen = random.Random(1), Counter({"kills": 0, "partial": 0, "damaged": 0, "not resumed": 0})
    for number in range(1, kills + 1):
        job = _asked_for(batch)
        _killed_after(job, chance.uniform(0, whole))
        seen["kills"] += 1
        seen[_left(batch)] += 1
        seen["damaged"] += not _whole_file()
        if number % RESUMED_EVERY == 0 or number == kills:
            seen["not resumed"] += not _resumed(job, batch)
        _undone(batch)
    return {name: float(count) for name, count in sorted(seen.items())}


def _seconds(batch: int) -> float:
    """How long it takes undisturbed."""
    job = _asked_for(batch)
    started = time.monotonic()
    os.waitpid(_child(job), 0)
    seconds = time.monotonic() - started
    assert _left(batch) == "applied"
    _undone(batch)
    return seconds


def _child(job: int) -> int:
    from django.db import connections

    from registry import jobs

    connections.close_all()
    if pid := os.fork():
        return pid
    try:
        jobs.run(job)
    finally:
        os._exit(0)


def _killed_after(job: int, seconds: float) -> None:
    pid = _child(job)
    time.sleep(seconds)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    _alone()


def _alone() -> None:
    """Wait until PostgreSQL has seen that the child is gone: a commit that was sent is still done."""
    from django.db import connection

    if connection.vendor != "postgresql":
        return
    others = """SELECT COUNT(*) FROM pg_stat_activity
        WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()"""
    with connection.cursor() as cursor:
        for _ in range(MOST_WAITS):
            cursor.execute(others)
            if cursor.fetchone() == (0,):
                return
            time.sleep(WAIT_SECONDS)
    raise TimeoutError("The connection of a killed process is still there.")


def _asked_for(batch: int) -> int:
    from registry.actions import imports, reading
    from registry.models import ImportBatch, Job
    from registry.people import acting_user

    imports.request_apply(batch=ImportBatch.objects.get(pk=batch), by=acting_user(None))
    return Job.objects.filter(kind=reading.APPLY_IMPORT).latest("pk").pk


def _left(batch: int) -> str:
    """`applied` with every row, `untouched` with none, else `partial`."""
    from registry.models import ImportBatch, Result

    found, stored = ImportBatch.objects.get(pk=batch), Result.objects.count()
    whole = {"applied": found.counts["new"], "applying": 0}.get(found.status)
    return "partial" if stored != whole else "applied" if stored else "untouched"


def _whole_file() -> bool:
    from django.db import connection

    if connection.vendor != "sqlite":
        return True
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA quick_check")
        return bool(cursor.fetchone() == ("ok",))


def _resumed(job: int, batch: int) -> bool:
    """The sweeper takes the job back from the dead worker, and the next one does it."""
    from django.utils import timezone

    from registry import jobs
    from registry.models import Job

    Job.objects.filter(pk=job, status="running").update(lease_until=timezone.now() - timedelta(seconds=1))
    jobs.sweep()
    Job.objects.filter(pk=job).update(not_before=timezone.now())
    jobs.run(job)
    return _left(batch) == "applied"


def _undone(batch: int) -> None:
    """As before the request."""
    from registry.models import ImportBatch, Job, Result

    world.empty(Result)
    ImportBatch.objects.filter(pk=batch).update(status="staged", applied_by="", applied_at=None)
    Job.objects.all().delete()


if __name__ == "__main__":
    print(killed(sys.argv[1], kills=KILLS, rows=ROWS))
