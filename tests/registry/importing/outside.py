"""Stage every file of folders that other people test their readers with, and count what comes of each.

    python -m tests.registry.importing.outside FOLDER…

Each file that can be opened is staged through a profile that takes its first column for notes, in a scratch database. A
CSV that was read is compared with what Python's `csv` reads of it, cell by cell, and every staged note with its cell.
Prints a row of Markdown for each folder; whatever is no refusal, and every row that is lost, is named with its file.
"""

import codecs
import csv
import io
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FACTS = ("files", "read", "rows", "taken", "reported", "refused", "no table", "crashed", "lost")


def main(folders: list[str]) -> None:
    with tempfile.TemporaryDirectory() as data:
        os.environ |= {"DATABASE_URL": f"sqlite:///{data}/assay.sqlite3", "DATA_DIR": data}
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
        prepare()
        for folder in folders:
            counts, reasons = Counter[str](), Counter[str]()
            for path in sorted(Path(folder).rglob("*")):
                if path.is_file():
                    _count(path, counts, reasons)
            print("|", folder, "|", " | ".join(str(counts[fact]) for fact in FACTS), "|", flush=True)
            print("   ", dict(reasons.most_common()), flush=True)


def prepare() -> None:
    import django

    django.setup()
    from django.core.management import call_command

    from registry import exchange
    from registry.people import acting_user
    from tests.registry.importing.usual import TESTS

    call_command("migrate", verbosity=0)
    exchange.load(TESTS / "cases_registry", by=acting_user(None))


def _count(path: Path, counts: Counter[str], reasons: Counter[str]) -> None:
    from django.db import transaction

    counts["files"] += 1
    try:
        with transaction.atomic():
            counts.update(_outcome(path, reasons))
            transaction.set_rollback(True)
    except Exception as fault:  # noqa: BLE001  what this looks for
        counts["crashed"] += 1
        print("CRASHED", path, repr(fault)[:300], flush=True)


def _outcome(path: Path, reasons: Counter[str]) -> dict[str, int]:
    from registry.actions import imports
    from registry.actions.base import Refused
    from registry.actions.reading import read
    from registry.importing.contents import OnDisk
    from registry.importing.readers import CsvTable
    from registry.people import acting_user

    content, by = OnDisk(path), acting_user(None)
    try:
        table, profile = _opened(path)
        batch = imports.stage(content=content, filename=path.name, profile=profile, by=by, mode="quarantine")
        if batch.status == "reading":
            batch = read(batch, by=by)
    except Refused as refused:
        reasons[refused.sentence.split(": ")[-1][:70]] += 1
        return {"no table": 1}
    if batch.problems:
        reasons.update({problem["reason"] for problem in batch.problems})
        return {"refused": 1}
    lost = sum(batch.counts.values()) != batch.rows or batch.staged.count() != batch.rows
    if isinstance(table, CsvTable):
        lost |= [record.cells for record in table] != list(_by_python(path))[1:]
    cells = {record.line: record.cells[0] for record in table or ()}
    taken = batch.staged.filter(verdict="new")
    lost |= any(row.notes != cells[row.line] for row in taken)
    if lost:
        print("LOST", path, batch.counts, flush=True)
    new = batch.counts["new"]
    return {"read": 1, "rows": batch.rows, "taken": new, "reported": batch.rows - new, "lost": int(lost)}


def _opened(path: Path) -> tuple[Any, Any]:
    """The table, and a profile for its header; neither where there is none."""
    from registry.importing.contents import OnDisk
    from registry.importing.layouts import OwnLayout
    from registry.importing.opening import opened
    from registry.importing.problems import NotATable
    from registry.models import MappingProfile

    try:
        table = opened(OnDisk(path), path.name, OwnLayout()).table
    except NotATable:
        return None, None
    if table is None:
        return None, None
    return table, MappingProfile.objects.create(key="first-column", title="First column", spec=_spec(table.header[0]))


def _spec(first: str) -> dict[str, Any]:
    from tests.registry.importing.usual import CONTRACT, SUBJECT, URL

    name = first or "first"
    columns = {"contract": CONTRACT, "configuration": SUBJECT, "value": "0.5", "source_url": URL}
    spec = {"columns": columns | {"notes": "{" + name + "}"}, "unknown_columns": "ignore"}
    return spec if first else spec | {"unnamed": name}


def _by_python(path: Path) -> Iterator[list[str]]:
    text = path.read_bytes().removeprefix(codecs.BOM_UTF8).decode()
    return (cells for cells in csv.reader(io.StringIO(text, newline=""), strict=True) if cells)


if __name__ == "__main__":
    main(sys.argv[1:])
