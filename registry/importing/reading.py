"""From a file to staged rows with their verdicts: opened, checked row by row, loaded, then judged all together.

Whoever calls says how the work is cut into transactions. Nothing here is held for the whole of a file.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from itertools import islice
from typing import Any

from registry import bulk
from registry.importing.checking import Checked
from registry.importing.kinds import KINDS, File
from registry.importing.layouts import Layout
from registry.importing.problems import NotATable, Problem, Unreadable
from registry.importing.readers import MOST_ROWS
from registry.importing.tables import Record, Table
from registry.models import ImportBatch
from registry.vocabulary import BatchStatus, Verdict

LOADED_AT_A_TIME = 5_000

Step = Callable[[], AbstractContextManager[Any]]
"""Surrounds each portion of rows that is loaded."""


class Reading:
    """One file on its way into the staging table of its kind."""

    def __init__(self, batch: ImportBatch, table: Table, layout: Layout, spec: object) -> None:
        """`spec`: what the profile says, if there is one. Its version would not do: it may be deleted and made anew."""
        self.batch = batch
        self.table = table
        self.layout = layout
        self.kind = KINDS[batch.kind]
        file = File(table.header, layout, batch.source_url, batch.source_ref)
        self.validator, known = self.kind.checks(file)
        told = (
            known,
            batch.format,
            batch.profile_key,
            json.dumps(spec, sort_keys=True),
            batch.source_url,
            batch.source_ref,
        )
        self.basis = hashlib.sha256(repr(told).encode()).hexdigest()

    def checked(self) -> Iterator[Checked[Any, Any]]:
        return map(self.validator.check, self.table)

    def load(self, step: Step) -> tuple[int, list[Problem]]:
        """Stage every row by itself; how many, and why the file is refused as a whole after all."""
        staging = self.kind.staging
        rows, records = 0, iter(in_one_order(self.table))
        try:
            while some := list(islice(records, LOADED_AT_A_TIME)):
                rows += len(some)
                if rows > MOST_ROWS:
                    return rows, [_too_many()]
                with step():
                    checked = map(self.validator.check, some)
                    bulk.load(staging.model, staging.columns, staging.rows(self.batch.pk, checked))
        except Unreadable as error:
            return 0, error.problems
        if not rows:
            raise NotATable("it has a header and no rows.")
        return rows, []

    def judge(self) -> dict[str, int]:
        """Rows by verdict."""
        self.kind.judging.judge(self.batch, self.layout)
        return counted(self.kind.judging.kept(self.batch))

    def twin(self) -> tuple[ImportBatch, Counter[str]] | None:
        """An applied batch of the same bytes, read the same way, every row of which is stored as it says."""
        applied = ImportBatch.objects.filter(source=self.batch.source_id, kind=self.batch.kind, basis=self.basis)
        batch = applied.filter(read_as=None, status=BatchStatus.APPLIED).order_by("-pk").first()
        counts = self.kind.judging.counts(batch) if batch else Counter()
        return (batch, counts) if batch and set(counts) <= {Verdict.SAME, Verdict.SKIPPED} else None


def in_one_order(table: Table) -> Iterator[Record]:
    """The records. A header with its columns moved would change what stands where in every row behind it."""
    header, names = table.header, frozenset(table.header)
    for record in table:
        cells = record.cells
        if cells and cells[0] in names and cells != header and len(cells) == len(header) and names == set(cells):
            message = "Here a header begins with the columns in another order: two files were put together."
            raise Unreadable(Problem(record.line, header[0], cells[0], "header-repeated", message))
        yield record


def counted(counts: Any) -> dict[str, int]:
    """Every verdict with its number."""
    return {verdict.value: counts.get(verdict.value, 0) for verdict in Verdict}


def _too_many() -> Problem:
    return Problem(1, "", "", "too-many-rows", f"A file may hold {MOST_ROWS:,} rows.")
