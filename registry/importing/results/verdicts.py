"""What becomes of each row of results, beside the other rows of its file and beside what is stored.

A row keeps the first that holds: refused; same; conflict; changed; new. A conflict is judged on what would stand after
the import: a source that gives two values for one subject of one contract is contradictory, whichever of them came
first.
"""

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from registry.importing.judging import OF_BATCH, Judging, Remark
from registry.importing.results.lookups import Said
from registry.models import ImportBatch, StagedResult

_PLACE = "contract_id, configuration_id, source_url, source_ref"
_SAID = "value, absence, stderr, sd, n, runs, observed_on, notes"


def _on(left: str, right: str, columns: str) -> str:
    return " AND ".join(f"{left}.{name} = {right}.{name}" for name in columns.split(", "))


def _of(table: str, columns: str) -> str:
    return ", ".join(f"{table}.{name}" for name in columns.split(", "))


_EQUAL = " AND ".join(f"held.{name} {{same}} mine.{name}" for name in _SAID.split(", "))

# Every value that a source would give after the import: what the file says, and what is stored and not said again.
_STANDING = f"""
    mine AS (
        SELECT line, {_PLACE}, external_id, {_SAID} FROM {{staged}}
        WHERE {OF_BATCH} AND verdict NOT IN ('refused', 'skipped')
    ),
    standing AS (
        SELECT {_PLACE}, value, absence, line, NULL AS stored FROM mine
        UNION ALL
        SELECT {_of("held", _PLACE)}, held.value, held.absence, NULL, held.id
        FROM (SELECT DISTINCT {_PLACE} FROM mine) AS place
        JOIN registry_result AS held ON {_on("held", "place", _PLACE)} AND held.state = 'active'
        LEFT JOIN mine ON {_on("mine", "held", _PLACE + ", external_id")}
        WHERE mine.line IS NULL
    ),
    contradictory AS (
        SELECT {_PLACE} FROM standing GROUP BY {_PLACE}
        HAVING COUNT(DISTINCT value) > 1 OR MIN(absence) <> MAX(absence)
    )"""

_VERDICTS = f"""
    WITH {_STANDING}
    SELECT mine.line, held.id AS stored,
        CASE WHEN held.id IS NOT NULL AND {_EQUAL} THEN 'same'
        WHEN ({_of("mine", _PLACE)}) IN (SELECT {_PLACE} FROM contradictory) THEN 'conflict'
        WHEN held.id IS NOT NULL THEN 'changed' ELSE 'new' END AS verdict
    FROM mine LEFT JOIN registry_result AS held
    ON {_on("held", "mine", _PLACE + ", external_id")} AND held.state = 'active'"""

_CONTRADICTIONS = f"""
    WITH {_STANDING}
    SELECT {_of("standing", _PLACE)}, standing.value, standing.absence, standing.line, standing.stored, kept.verdict
    FROM contradictory JOIN standing ON {_on("standing", "contradictory", _PLACE)}
    LEFT JOIN {{staged}} AS kept ON kept.batch_id = %(batch)s AND kept.line = standing.line
    ORDER BY {_of("standing", _PLACE)},
        CASE WHEN standing.line IS NULL THEN 1 ELSE 0 END, standing.line, standing.stored"""

_CORRECTIONS = f"""
    SELECT kept.line, {_of("held", _SAID)}, {_of("kept", _SAID)}
    FROM {{staged}} AS kept JOIN registry_result AS held ON held.id = kept.stored_id
    WHERE kept.batch_id = %(batch)s AND kept.verdict = 'changed' ORDER BY kept.line"""


class ResultJudging(Judging):
    model = StagedResult
    query = _VERDICTS
    identity = ("contract_id", "configuration_id", "source_url", "source_ref", "external_id")
    identified = "contract_id IS NOT NULL"
    identified_by = ("external_id", "configuration", "model")
    identity_told = "contract, configuration, source and external_id"
    valued = "value"
    called = "result"

    def explain(self, batch: ImportBatch) -> Iterator[Remark]:
        yield from self._conflicts(batch)
        for line, *said in self.fetch(_CORRECTIONS, batch):
            yield from _corrections(line, said[: len(Said._fields)], said[len(Said._fields) :])

    def _conflicts(self, batch: ImportBatch) -> Iterator[Remark]:
        """Each with the first place that gives another value."""
        for _, rows in groupby(self.fetch(_CONTRADICTIONS, batch), key=lambda row: row[:4]):
            standing = [(row[4:6], row[6], row[7], row[8]) for row in rows]
            first = standing[0]
            second = next(row for row in standing if row[0] != first[0])
            for value, line, _, verdict in standing:
                if verdict == "conflict":
                    _, other, stored, _ = second if value == first[0] else first
                    yield _conflict(line, f"on line {other}" if other else f"stored as result {stored}")


def _conflict(line: int, place: str) -> Remark:
    message = f"The same source gives another value for this contract and configuration {place}."
    return Remark(line, "value", "conflict", message)


def _corrections(line: int, before: list[Any], after: list[Any]) -> Iterator[Remark]:
    for name, was, becomes in zip(Said._fields, before, after, strict=True):
        if was != becomes:
            yield Remark(line, name, "changed", f"{name} was {_told(was)} and becomes {_told(becomes)}.")


def _told(value: object) -> str:
    return "blank" if value in (None, "") else str(value)
