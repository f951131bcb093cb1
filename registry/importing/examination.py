"""A whole file against the registry: header, rows, verdicts. Reads the database, writes nothing.

Rows are read twice: first to gather what all of them claim, then each for its verdict. That costs time and saves the
memory of holding a million rows.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from registry.importing.layouts import Layout
from registry.importing.lookups import Known, stored_results
from registry.importing.problems import NotATable, Problem, Unreadable
from registry.importing.readers import MOST_ROWS, Table, read
from registry.importing.rows import Validator
from registry.importing.verdicts import Claims, Judge, Judged


@dataclass(slots=True)
class Examination:
    """What was found. With `problems` the file is refused as a whole and no row is judged."""

    encoding: str = ""
    rows: int = 0
    problems: list[Problem] = field(default_factory=list)
    table: Table | None = None
    validator: Validator | None = None
    judge: Judge | None = None

    def judged(self) -> Iterator[Judged]:
        if self.table and self.validator and self.judge:
            for record in self.table:
                yield self.judge.judge(self.validator.check(record))


def examine(content: bytes, layout: Layout, *, source_url: str = "", source_ref: str = "") -> Examination:
    """Raises `NotATable` where the bytes are no table of results at all."""
    try:
        table = read(content)
    except Unreadable as error:
        return Examination(problems=error.problems)
    found = Examination(table.encoding, problems=layout.header.problems(table.header))
    if found.problems:
        found.rows = sum(1 for _ in table)
        return found
    validator = Validator(table.header, layout, Known.load(), source_url=source_url, source_ref=source_ref)
    claims = Claims()
    for record in table:
        found.rows += 1
        claims.add(validator.check(record))
    if not found.rows:
        raise NotATable("This is not a results CSV: it has a header and no rows.")
    if found.rows > MOST_ROWS:
        found.problems = [Problem(1, "", str(found.rows), "too-many-rows", f"A file may hold {MOST_ROWS:,} rows.")]
        return found
    found.table, found.validator = table, validator
    found.judge = Judge(claims, stored_results(claims.contracts(), claims.addresses()))
    return found
