"""What becomes of each row of results, beside the other rows of its file and beside what is stored.

A row keeps the first that holds: refused; same; conflict; changed; new. A conflict is judged on what would stand after
the import: a source that gives two values for one subject of one contract is contradictory, whichever of them came
first.
"""

from collections import defaultdict
from collections.abc import Iterable

from registry.importing import judging
from registry.importing.judging import RowJudge
from registry.importing.lookups import Group, Identity, Said, Stored
from registry.importing.problems import Problem
from registry.importing.rows import ResultRow
from registry.vocabulary import Verdict

Value = tuple[float | None, str]
"""A value, or the reason why there is none."""

Judged = judging.Judged[ResultRow]


class Claims(judging.Claims[Identity, Said]):
    def __init__(self) -> None:
        super().__init__()
        self.values: dict[Identity, Value] = {}
        """Of the rows that are good by themselves."""

    def claim(self, identity: Identity, row: ResultRow) -> None:
        if row.said is not None:
            self.values[identity] = _value(row.said)

    def stands(self, identity: Identity) -> bool:
        """May the file say what this result is? Not where its row is refused."""
        return identity in self.values and identity not in self.repeated

    def contracts(self) -> set[int]:
        return {identity[0] for identity in self.lines}

    def addresses(self) -> set[str]:
        return {identity[2] for identity in self.lines}


class Judge(RowJudge[Identity, Said]):
    identified_by = "external_id"
    called = "result"

    def __init__(self, claims: Claims, stored: Iterable[Stored]) -> None:
        super().__init__(claims)
        self._claims = claims
        self._stored = {result.identity: result for result in stored}
        self._standing = self._after_import()

    def _after_import(self) -> dict[Group, dict[Value, str]]:
        """The values each source would give for each subject, and where one of each stands."""
        standing: dict[Group, dict[Value, str]] = defaultdict(dict)
        for identity, value in self._claims.values.items():
            if self._claims.stands(identity):
                standing[identity[:4]].setdefault(value, f"on line {self._claims.lines[identity]}")
        for identity, result in self._stored.items():
            if not self._claims.stands(identity) and identity[:4] in standing:
                standing[identity[:4]].setdefault(_value(result.said), f"stored as result {result.pk}")
        return standing

    def weigh(self, row: ResultRow, identity: Identity, said: Said) -> Judged:
        stored = self._stored.get(identity)
        if stored is not None and stored.said == said:
            return Judged(row, Verdict.SAME, row.remarks)
        if others := self._rivals(identity, said):
            return Judged(row, Verdict.CONFLICT, [*row.remarks, _conflict(row, others)])
        if stored is not None:
            return Judged(row, Verdict.CHANGED, [*row.remarks, *_corrections(row, stored, said)], stored)
        return Judged(row, Verdict.NEW, row.remarks)

    def _rivals(self, identity: Identity, said: Said) -> list[str]:
        standing = self._standing[identity[:4]]
        return [place for value, place in standing.items() if value != _value(said)]


def _conflict(row: ResultRow, others: list[str]) -> Problem:
    message = f"The same source gives another value for this contract and configuration {' and '.join(others)}."
    return row.problem("value", "conflict", message)


def _value(said: Said) -> Value:
    return said.value, said.absence


def _corrections(row: ResultRow, stored: Stored, said: Said) -> list[Problem]:
    return [
        row.problem(name, "changed", f"{name} was {_told(before)} and becomes {_told(after)}.")
        for name, before, after in zip(Said._fields, stored.said, said, strict=True)
        if before != after
    ]


def _told(value: object) -> str:
    return "blank" if value in (None, "") else str(value)
