"""What becomes of each staged row, beside the other rows of its file and beside what is stored: what all files share.

A row keeps the first that holds: refused; then whatever its kind of file says. Two rows of one identity are both
refused, because nobody can say which is meant. The verdicts of a kind are one query over rows that are good by
themselves: asked once to keep them, and again when the batch is applied.
"""

import json
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any, ClassVar, NamedTuple

from django.db import connection
from django.db.models import Count

from registry import bulk
from registry.importing.chunks import chunks
from registry.importing.layouts import Layout
from registry.importing.problems import Problem
from registry.models import ImportBatch, StagedRow
from registry.vocabulary import Verdict
from registry.wording import listed

MOST_LINES_TOLD = 10
# As a range, because SQLite takes an equality for ten rows, and then joins a hundred thousand by looking at all pairs.
OF_BATCH = "batch_id BETWEEN %(batch)s AND %(batch)s"


class Remark(NamedTuple):
    """Something to be said about a row: about which column of the own layout, and what.

    `instead`: the columns by which people know it where the file has nothing in that one, the first that is there.
    """

    line: int
    column: str
    reason: str
    message: str
    instead: tuple[str, ...] = ()


class Differs(NamedTuple):
    """A row that would now fare otherwise than it was shown."""

    line: int
    was: str
    now: str


class Judging(ABC):
    """Verdicts on the staged rows of one kind of file."""

    model: ClassVar[type[StagedRow]]
    query: ClassVar[str]
    """Of %(batch)s, whose bytes are %(source)s: `line`, `verdict` and `stored`, the record that the row is or meets.

    `{staged}` is the table of rows, `{same}` compares so that null equals null.
    """
    identity: ClassVar[tuple[str, ...]]
    identified: ClassVar[str]
    """The condition under which a row's identity can be told, be the row good or not."""
    identified_by: ClassVar[tuple[str, ...]]
    """The columns by which people know an identity, the best first."""
    identity_told: ClassVar[str]
    """What makes the identity, in a sentence."""
    valued: ClassVar[str]
    """The column that holds what a row says."""
    called: ClassVar[str]
    """What a row is about, in a sentence."""

    @abstractmethod
    def explain(self, batch: ImportBatch) -> Iterator[Remark]:
        """What verdicts that are not plain by themselves rest on."""

    def judge(self, batch: ImportBatch, layout: Layout) -> None:
        """Keep the verdict of each row of `batch`, all of whose rows are loaded."""
        bulk.analyze(self.model)
        self._tell(batch, layout, self._repeated(batch), refusing=True)
        self._keep(batch)
        self._tell(batch, layout, self.explain(batch))

    def differs(self, batch: ImportBatch) -> Differs | None:
        """The first row that would get another verdict today, or be weighed against another record."""
        # Made whole before the first is taken: a database that looks for one row tries the pairs one by one.
        found = self.fetch(
            f"""WITH differing AS MATERIALIZED (
                SELECT kept.line, kept.verdict AS was, found.verdict AS now
                FROM {{staged}} AS kept JOIN ({self.query}) AS found ON found.line = kept.line
                WHERE kept.batch_id = %(batch)s
                AND (kept.verdict <> found.verdict OR NOT (kept.stored_id {{same}} found.stored))
            ) SELECT line, was, now FROM differing ORDER BY line LIMIT 1""",
            batch,
        )
        return next((Differs(*row) for row in found), None)

    def counts(self, batch: ImportBatch) -> Counter[str]:
        """How many rows would get which verdict today."""
        counted = self.fetch(f"SELECT verdict, COUNT(*) FROM ({self.query}) AS found GROUP BY verdict", batch)
        rest = self.fetch(
            """SELECT verdict, COUNT(*) FROM {staged} WHERE batch_id = %(batch)s AND verdict IN ('refused', 'skipped')
            GROUP BY verdict""",
            batch,
        )
        return Counter(dict((*counted, *rest)))

    def kept(self, batch: ImportBatch) -> Counter[str]:
        """How many rows have which verdict."""
        rows = self.model._default_manager.filter(batch=batch).order_by().values_list("verdict")
        return Counter(dict(rows.annotate(Count("line"))))

    def fetch(self, sql: str, batch: ImportBatch) -> Iterator[tuple[Any, ...]]:
        """Row by row: there may be more than memory should hold."""
        with connection.chunked_cursor() as cursor:
            cursor.execute(*self._statement(sql, batch))
            while some := cursor.fetchmany(1_000):
                yield from some

    def _keep(self, batch: ImportBatch) -> None:
        """Rows are loaded as new, so that only the others are written."""
        sql = f"""UPDATE {{staged}} SET verdict = found.verdict, stored_id = found.stored FROM ({self.query}) AS found
            WHERE {{staged}}.batch_id = %(batch)s AND {{staged}}.line = found.line AND found.verdict <> 'new'"""
        with connection.cursor() as cursor:
            cursor.execute(*self._statement(sql, batch))

    def _statement(self, sql: str, batch: ImportBatch) -> tuple[str, dict[str, int]]:
        same = "IS NOT DISTINCT FROM" if connection.vendor == "postgresql" else "IS"
        parameters = {"batch": batch.pk, "source": batch.source_id}
        return sql.format(staged=self.model._meta.db_table, same=same), parameters

    def _repeated(self, batch: ImportBatch) -> Iterator[Remark]:
        columns = ", ".join(self.identity)
        of_batch = f"FROM {{staged}} WHERE batch_id = %(batch)s AND {self.identified}"
        if not any(self.fetch(f"SELECT 1 {of_batch} GROUP BY {columns} HAVING COUNT(*) > 1 LIMIT 1", batch)):
            return
        found = self.fetch(
            f"""SELECT line, begins, otherwise FROM (
                SELECT line, MIN(line) OVER same AS begins, COUNT(*) OVER same AS times,
                    MIN({self.valued}) OVER same <> MAX({self.valued}) OVER same AS otherwise {of_batch}
                WINDOW same AS (PARTITION BY {columns})
            ) AS rows WHERE times > 1 ORDER BY begins, line""",
            batch,
        )
        for (_, otherwise), rows in groupby(found, key=lambda row: (row[1], bool(row[2]))):
            lines = [row[0] for row in rows]
            yield from (self._repeats(line, lines, otherwise=otherwise) for line in lines)

    def _repeats(self, line: int, lines: list[int], *, otherwise: bool) -> Remark:
        """`otherwise`: the rows of this identity say different things."""
        others = [str(other) for other in lines[: MOST_LINES_TOLD + 1] if other != line]
        more = [f"{len(lines) - 1 - len(others)} more"] if len(lines) - 1 > len(others) else []
        same = f"{self.called}, by {self.identity_told}, with another {self.valued}," if otherwise else self.called
        where = f"line{'s' if len(lines) > 2 else ''} {listed([*others, *more])}"
        told = f"The same {same} stands on {where} too. One row is meant: remove the others."
        column, *instead = self.identified_by
        return Remark(line, column, "repeated-in-file", told, tuple(instead))

    def _tell(self, batch: ImportBatch, layout: Layout, remarks: Iterable[Remark], *, refusing: bool = False) -> None:
        """Add to the problems of rows; the cell that each is about is found by reading the row again."""
        for some in chunks(remarks):
            rows = self.model._default_manager.filter(batch=batch, line__in={remark.line for remark in some})
            told = {row.line: _Told(row, batch, layout, refusing=refusing) for row in rows}
            for remark in some:
                told[remark.line].add(remark)
            self._write([row.values() for row in told.values()])

    def _write(self, rows: list[tuple[Any, ...]]) -> None:
        sql = f"UPDATE {self.model._meta.db_table} SET problems = %s, verdict = %s WHERE batch_id = %s AND line = %s"
        with connection.cursor() as cursor:
            cursor.executemany(sql, rows)


class _Told:
    """A staged row to which something is added."""

    def __init__(self, row: StagedRow, batch: ImportBatch, layout: Layout, *, refusing: bool) -> None:
        keeps = not refusing or row.verdict == Verdict.REFUSED
        self._row = row
        self._problems = [*(row.problems or [])] if keeps else []
        self._verdict = Verdict.REFUSED if refusing else Verdict(row.verdict)
        self._reading = layout.read(row.line, dict(zip(batch.header, row.record, strict=False)))

    def add(self, remark: Remark) -> None:
        cell = self._reading.cell(remark.column)
        if not cell.shown:
            there = (self._reading.cell(name) for name in remark.instead)
            cell = next((other for other in there if other.shown), cell)
        self._problems.append(Problem(remark.line, cell.column, cell.shown, remark.reason, remark.message).as_json())

    def values(self) -> tuple[Any, ...]:
        return json.dumps(self._problems), self._verdict.value, self._row.batch_id, self._row.line
