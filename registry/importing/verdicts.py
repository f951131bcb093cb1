"""What becomes of each row, beside the other rows of its file and beside what is stored.

A row keeps the first that holds: refused; same; conflict; changed; new. Two rows of one identity are both refused,
because nobody can say which is meant. A conflict is judged on what would stand after the import: a source that gives
two values for one subject of one contract is contradictory, whichever of them came first.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from registry.importing.lookups import Group, Identity, Said, Stored
from registry.importing.problems import Problem
from registry.importing.rows import Checked
from registry.vocabulary import Verdict

Value = tuple[float | None, str]
"""A value, or the reason why there is none."""


@dataclass(slots=True)
class Claims:
    """What all rows of a file say, gathered before any is judged."""

    values: dict[Identity, tuple[int, Value | None]] = field(default_factory=dict)
    repeated: dict[Identity, list[int]] = field(default_factory=dict)

    def add(self, row: Checked) -> None:
        if row.identity is None:
            return
        if row.identity in self.values:
            first, _ = self.values[row.identity]
            self.repeated.setdefault(row.identity, [first]).append(row.line)
        else:
            self.values[row.identity] = (row.line, _value(row.said) if row.said else None)

    def stands(self, identity: Identity) -> bool:
        """May the file say what this result is? Not where its row is refused."""
        _, value = self.values.get(identity, (0, None))
        return value is not None and identity not in self.repeated

    def contracts(self) -> set[int]:
        return {identity[0] for identity in self.values}

    def addresses(self) -> set[str]:
        return {identity[2] for identity in self.values}


@dataclass(slots=True)
class Judged:
    """A row with its verdict. `replaces` is the stored result that a correction replaces."""

    row: Checked
    verdict: Verdict
    problems: list[Problem]
    replaces: Stored | None = None


class Judge:
    """Gives verdicts once all claims are in."""

    def __init__(self, claims: Claims, stored: Iterable[Stored]) -> None:
        self._claims = claims
        self._stored = {result.identity: result for result in stored}
        self._standing = self._after_import()

    def _after_import(self) -> dict[Group, dict[Value, str]]:
        """The values each source would give for each subject, and where one of each stands."""
        standing: dict[Group, dict[Value, str]] = defaultdict(dict)
        for identity, (line, value) in self._claims.values.items():
            if value is not None and self._claims.stands(identity):
                standing[identity[:4]].setdefault(value, f"on line {line}")
        for identity, result in self._stored.items():
            if not self._claims.stands(identity) and identity[:4] in standing:
                standing[identity[:4]].setdefault(_value(result.said), f"stored as result {result.pk}")
        return standing

    def judge(self, row: Checked) -> Judged:
        if row.skipped:
            return Judged(row, Verdict.SKIPPED, row.remarks)
        if problems := [*row.problems, *self._repeats(row)]:
            return Judged(row, Verdict.REFUSED, problems)
        assert row.identity is not None
        assert row.said is not None
        stored = self._stored.get(row.identity)
        if stored is not None and stored.said == row.said:
            return Judged(row, Verdict.SAME, row.remarks)
        if others := self._rivals(row.identity, row.said):
            return Judged(row, Verdict.CONFLICT, [*row.remarks, self._conflict(row, others)])
        if stored is not None:
            return Judged(row, Verdict.CHANGED, [*row.remarks, *_corrections(row, stored)], stored)
        return Judged(row, Verdict.NEW, row.remarks)

    def _repeats(self, row: Checked) -> list[Problem]:
        lines = self._claims.repeated.get(row.identity, []) if row.identity else []
        others = [str(line) for line in lines if line != row.line]
        if not others:
            return []
        message = f"The same result stands on line {', '.join(others)} too. One row is meant: remove the others."
        return [row.problem("external_id", "repeated-in-file", message)]

    def _rivals(self, identity: Identity, said: Said) -> list[str]:
        standing = self._standing[identity[:4]]
        return [place for value, place in standing.items() if value != _value(said)]

    def _conflict(self, row: Checked, others: list[str]) -> Problem:
        message = f"The same source gives another value for this contract and configuration {' and '.join(others)}."
        return row.problem("value", "conflict", message)


def _value(said: Said) -> Value:
    return said.value, said.absence


def _corrections(row: Checked, stored: Stored) -> list[Problem]:
    assert row.said is not None
    return [
        row.problem(name, "changed", f"{name} was {_told(before)} and becomes {_told(after)}.")
        for name, before, after in zip(Said._fields, stored.said, row.said, strict=True)
        if before != after
    ]


def _told(value: object) -> str:
    return "blank" if value in (None, "") else str(value)
