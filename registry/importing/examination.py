"""A whole file against the registry: header, rows, verdicts. Reads the database, writes nothing.

Rows are read twice: first to gather what all of them claim, then each for its verdict. That costs time and saves the
memory of holding a million rows.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from registry.importing.checking import Validator
from registry.importing.judging import Judged, RowJudge
from registry.importing.kinds import KINDS, File
from registry.importing.layouts import Layout
from registry.importing.problems import NotATable, Problem, Unreadable
from registry.importing.readers import MOST_ROWS, read
from registry.importing.tables import Table
from registry.vocabulary import ImportKind


@dataclass(slots=True)
class Examination:
    """What was found. With `problems` the file is refused as a whole and no row is judged."""

    encoding: str = ""
    rows: int = 0
    problems: list[Problem] = field(default_factory=list)
    table: Table | None = None
    validator: Validator[Any, Any] | None = None
    judge: RowJudge[Any, Any] | None = None

    def judged(self) -> Iterator[Judged[Any]]:
        if self.table and self.validator and self.judge:
            for record in self.table:
                yield self.judge.judge(self.validator.check(record))


def examine(
    content: bytes,
    layout: Layout,
    kind: str = ImportKind.RESULTS,
    *,
    source_url: str = "",
    source_ref: str = "",
) -> Examination:
    """Raises `NotATable` where the bytes are no table at all."""
    try:
        table = read(content)
    except Unreadable as error:
        return Examination(problems=error.problems)
    found = Examination(table.encoding, problems=layout.header.problems(table.header))
    if found.problems:
        found.rows = sum(1 for _ in table)
        return found
    file = File(table.header, layout, hashlib.sha256(content).hexdigest(), source_url, source_ref)
    weighing = KINDS[kind].weighing(file)
    for record in table:
        found.rows += 1
        weighing.claims.add(weighing.validator.check(record))
    if not found.rows:
        raise NotATable("it has a header and no rows.")
    if found.rows > MOST_ROWS:
        found.problems = [Problem(1, "", str(found.rows), "too-many-rows", f"A file may hold {MOST_ROWS:,} rows.")]
        return found
    found.table, found.validator, found.judge = table, weighing.validator, weighing.judge()
    return found
