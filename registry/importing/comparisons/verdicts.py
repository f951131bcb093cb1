"""What becomes of each row of comparisons, beside the other rows of its file and beside what is stored.

A row keeps the first that holds: refused; same; conflict; new. The identity is comparison_id within the file's bytes.
The same verdict in other bytes, id and all, is the same: a file that has grown brings only its new rows. Comparisons
are not corrected: one that says otherwise than the stored one is a conflict, and so is a judge who gives one pair,
shown in one order on one task, two outcomes.
"""

from collections.abc import Iterator
from itertools import groupby

from registry.importing.judging import OF_BATCH, Judging, Remark
from registry.models import ImportBatch, StagedComparison

# A sitting is one judge before one pair on one task, shown in one order; it and its outcome are told from the side that
# comes first in the registry, whichever of the two was called A.
_SEEN = """
    CASE WHEN a_id < b_id THEN a_id ELSE b_id END AS low,
    CASE WHEN a_id < b_id THEN b_id ELSE a_id END AS high,
    CASE WHEN a_id < b_id THEN "order" WHEN "order" = 'ab' THEN 'ba' WHEN "order" = 'ba' THEN 'ab' ELSE "order" END
        AS shown,
    CASE WHEN a_id < b_id THEN outcome WHEN outcome = 'a' THEN 'b' WHEN outcome = 'b' THEN 'a' ELSE outcome END
        AS seen"""
_SITTING = ("task_id", "low", "high", "judge", "shown")
_NEAR = " AND ".join(f"held.{name} = mine.{name}" for name in ("task_id", "low", "high", "judge"))
_EQUAL = " AND ".join(
    f"held.{name} {{same}} mine.{name}"
    for name in ("task_id", "a_id", "b_id", "outcome", "judge", '"order"', "judged_at", "lineage_id")
)

_FOUND = f"""
    mine AS (
        SELECT line, comparison_id, task_id, a_id, b_id, outcome, judge, "order", judged_at, lineage_id, {_SEEN}
        FROM {{staged}} WHERE {OF_BATCH} AND verdict NOT IN ('refused', 'skipped')
    ),
    held AS (
        SELECT held.id, held.batch_id, held.source_id, comparison_id, task_id, a_id, b_id, outcome, judge.key AS judge,
            "order", judged_at, lineage_id, {_SEEN}
        FROM registry_comparison AS held JOIN registry_judge AS judge ON judge.id = held.judge_id
        WHERE held.state = 'active'
        AND (held.task_id IN (SELECT DISTINCT task_id FROM mine) OR held.source_id = %(source)s)
    ),
    sittings AS (
        SELECT {", ".join(_SITTING)} FROM (
            SELECT {", ".join(_SITTING)}, seen FROM mine WHERE shown <> ''
            UNION ALL SELECT {", ".join(_SITTING)}, seen FROM held WHERE shown <> ''
        ) AS every GROUP BY {", ".join(_SITTING)} HAVING MIN(seen) <> MAX(seen)
    )"""

# From these bytes, else from others that say the same, or nearly so: the same judge, task and pair under one id.
_VERDICTS = f"""
    WITH {_FOUND},
    named AS (
        SELECT mine.line, held.id, CASE WHEN {_EQUAL} THEN 1 ELSE 0 END AS equal,
            CASE WHEN held.source_id = %(source)s THEN 0 WHEN {_EQUAL} THEN 1 ELSE 2 END AS distance
        FROM mine JOIN held ON held.comparison_id = mine.comparison_id
        WHERE held.source_id = %(source)s OR ({_NEAR})
    ),
    nearest AS (
        SELECT line, id, equal FROM (
            SELECT line, id, equal, ROW_NUMBER() OVER (PARTITION BY line ORDER BY distance, id) AS place FROM named
        ) AS every WHERE place = 1
    )
    SELECT line, id AS stored, CASE WHEN equal = 1 THEN 'same' ELSE 'conflict' END AS verdict FROM nearest
    UNION ALL
    SELECT line, NULL, CASE WHEN ({", ".join(_SITTING)}) IN (SELECT {", ".join(_SITTING)} FROM sittings)
        THEN 'conflict' ELSE 'new' END
    FROM mine WHERE line NOT IN (SELECT line FROM nearest)"""

_OTHERWISE = """
    SELECT kept.line, held.batch_id FROM {staged} AS kept JOIN registry_comparison AS held ON held.id = kept.stored_id
    WHERE kept.batch_id = %(batch)s AND kept.verdict = 'conflict' ORDER BY kept.line"""

_CONTRADICTIONS = f"""
    WITH {_FOUND},
    every AS (
        SELECT {", ".join(_SITTING)}, seen, line, NULL AS batch_id, comparison_id FROM mine WHERE shown <> ''
        UNION ALL
        SELECT {", ".join(_SITTING)}, seen, NULL, batch_id, comparison_id FROM held WHERE shown <> ''
    )
    SELECT {", ".join(f"every.{name}" for name in _SITTING)}, every.seen, every.line, every.batch_id,
        every.comparison_id, kept.verdict, kept.stored_id
    FROM sittings JOIN every ON {" AND ".join(f"every.{name} = sittings.{name}" for name in _SITTING)}
    LEFT JOIN {{staged}} AS kept ON kept.batch_id = %(batch)s AND kept.line = every.line
    ORDER BY {", ".join(f"every.{name}" for name in _SITTING)},
        CASE WHEN every.line IS NULL THEN 1 ELSE 0 END, every.line, every.comparison_id"""

_NEW_JUDGES = """
    SELECT line, judge FROM (
        SELECT MIN(line) AS line, judge FROM {staged}
        WHERE batch_id = %(batch)s AND verdict = 'new' GROUP BY judge
    ) AS named WHERE NOT EXISTS (SELECT 1 FROM registry_judge AS known WHERE known.key = named.judge) ORDER BY line"""


class ComparisonJudging(Judging):
    model = StagedComparison
    query = _VERDICTS
    identity = ("comparison_id",)
    identified = "comparison_id <> ''"
    identified_by = ("comparison_id",)
    identity_told = "comparison_id"
    valued = "outcome"
    called = "comparison"

    def explain(self, batch: ImportBatch) -> Iterator[Remark]:
        for line, stored in self.fetch(_OTHERWISE, batch):
            told = f"It is stored with batch {stored} and says otherwise there. Revert that batch, then import this."
            yield Remark(line, "comparison_id", "differs-from-stored", told)
        yield from self._contradictions(batch)
        for line, judge in self.fetch(_NEW_JUDGES, batch):
            told = f"The judge {judge} is new: a person, recorded when the file is applied."
            yield Remark(line, "judge", "new-judge", told)

    def _contradictions(self, batch: ImportBatch) -> Iterator[Remark]:
        """Each with the first place that gives another outcome."""
        for _, rows in groupby(self.fetch(_CONTRADICTIONS, batch), key=lambda row: row[:5]):
            sitting = [row[5:] for row in rows]
            first = sitting[0]
            second = next(row for row in sitting if row[0] != first[0])
            for seen, line, _, _, verdict, stored in sitting:
                if verdict == "conflict" and stored is None:
                    yield _contradiction(line, *(second if seen == first[0] else first)[1:4])


def _contradiction(line: int, other: int | None, batch: int, comparison_id: str) -> Remark:
    place = f"on line {other}" if other else f"stored as {comparison_id} with batch {batch}"
    told = f"The same judge gives this pair, shown in this order on this task, another outcome {place}."
    return Remark(line, "outcome", "contradiction", told)
