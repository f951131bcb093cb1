"""What becomes of each row, beside the other rows of its file and beside what is stored: what all files share.

A row keeps the first that holds: refused; then whatever its kind of file says. Two rows of one identity are both
refused, because nobody can say which is meant.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from registry.importing.checking import Checked, Identity, Said
from registry.importing.problems import Problem
from registry.vocabulary import Verdict

Row = TypeVar("Row", bound=Checked[Any, Any])


@dataclass(slots=True)
class Judged(Generic[Row]):
    """A row with its verdict. `replaces` is the stored record that a correction replaces."""

    row: Row
    verdict: Verdict
    problems: list[Problem]
    replaces: Any = None


class Claims(Generic[Identity, Said]):
    """What all rows of a file say, gathered before any is judged."""

    def __init__(self) -> None:
        self.lines: dict[Identity, int] = {}
        """Where each identity stands first."""
        self.repeated: dict[Identity, list[int]] = {}

    def add(self, row: Checked[Identity, Said]) -> None:
        if row.identity is None:
            return
        if row.identity in self.lines:
            self.repeated.setdefault(row.identity, [self.lines[row.identity]]).append(row.line)
        else:
            self.lines[row.identity] = row.line
            self.claim(row.identity, row)

    def claim(self, identity: Identity, row: Checked[Identity, Said]) -> None:
        """Gather what the first row of an identity says."""


class RowJudge(ABC, Generic[Identity, Said]):
    """Gives verdicts once all claims are in."""

    identified_by: str
    """The column by which people know an identity."""
    called: str
    """What a row is about, in a sentence."""

    def __init__(self, claims: Claims[Identity, Said]) -> None:
        self._repeated = claims.repeated

    @abstractmethod
    def weigh(self, row: Checked[Identity, Said], identity: Identity, said: Said) -> Judged[Any]:
        """A row that is good by itself, beside all others."""

    def judge(self, row: Checked[Identity, Said]) -> Judged[Any]:
        if row.skipped:
            return Judged(row, Verdict.SKIPPED, row.remarks)
        if problems := [*row.problems, *self._repeats(row)]:
            return Judged(row, Verdict.REFUSED, problems)
        assert row.identity is not None
        assert row.said is not None
        return self.weigh(row, row.identity, row.said)

    def _repeats(self, row: Checked[Identity, Said]) -> list[Problem]:
        lines = self._repeated.get(row.identity, []) if row.identity is not None else []
        others = [str(line) for line in lines if line != row.line]
        if not others:
            return []
        message = f"The same {self.called} stands on line {', '.join(others)} too. One row is meant: remove the others."
        return [row.problem(self.identified_by, "repeated-in-file", message)]
