"""What becomes of each row of comparisons, beside the other rows of its file and beside what is stored.

A row keeps the first that holds: refused; same; conflict; new. The identity is comparison_id within the file's bytes.
The same verdict in other bytes, id and all, is the same: a file that has grown brings only its new rows. Comparisons
are not corrected: one that says otherwise than the stored one is a conflict, and so is a judge who gives one pair,
shown in one order on one task, two outcomes.
"""

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from registry.importing import judging
from registry.importing.comparisons.lookups import Said, Stored
from registry.importing.comparisons.rows import ComparisonRow, Identity
from registry.importing.judging import RowJudge
from registry.importing.problems import Problem
from registry.vocabulary import Outcome, ShownOrder, Verdict

Judged = judging.Judged[ComparisonRow]


class Sitting(NamedTuple):
    """One judge before one pair on one task, shown in one order; whichever of the two was called A."""

    task: int
    pair: tuple[int, int]
    judge: str
    order: str


_MIRRORED: dict[str, str] = {
    Outcome.A: Outcome.B,
    Outcome.B: Outcome.A,
    ShownOrder.AB: ShownOrder.BA,
    ShownOrder.BA: ShownOrder.AB,
}


def seen(said: Said) -> tuple[Sitting, str]:
    """The sitting and its outcome, told from the side that comes first in the registry."""
    low, high = sorted((said.a, said.b))
    order, outcome = said.order, said.outcome
    if said.a != low:
        order, outcome = _MIRRORED.get(order, order), _MIRRORED.get(outcome, outcome)
    return Sitting(said.task, (low, high), said.judge, str(order)), str(outcome)


class Claims(judging.Claims[Identity, Said]):
    def __init__(self) -> None:
        super().__init__()
        self.seen: dict[Identity, tuple[Sitting, str]] = {}
        """Sitting and outcome of the rows that are good by themselves."""
        self.judges: dict[str, int] = {}
        """Where each judge is named first."""

    def claim(self, identity: Identity, row: ComparisonRow) -> None:
        if row.said is not None:
            self.seen[identity] = seen(row.said)
            self.judges.setdefault(row.said.judge, row.line)

    def tasks(self) -> set[int]:
        return {sitting.task for sitting, _ in self.seen.values()}

    def outcomes(self) -> dict[Sitting, dict[str, str]]:
        """Of each sitting in a recorded order: every outcome, and where one of each stands.

        Where the order is not recorded a judge may have seen the pair both ways round, and differ.
        """
        found: dict[Sitting, dict[str, str]] = defaultdict(dict)
        for identity, (sitting, outcome) in self.seen.items():
            if sitting.order and identity not in self.repeated:
                found[sitting].setdefault(outcome, f"on line {self.lines[identity]}")
        return found


class Judge(RowJudge[Identity, Said]):
    identified_by = "comparison_id"
    called = "comparison"

    def __init__(self, claims: Claims, stored: Iterable[Stored], *, source: str, judges: Iterable[str]) -> None:
        """`source` is the SHA-256 of the file, `judges` are those that exist."""
        super().__init__(claims)
        self._claims = claims
        self._source = source
        self._new_judges = claims.judges.keys() - set(judges)
        self._outcomes = claims.outcomes()
        self._stored: dict[Identity, list[Stored]] = defaultdict(list)
        for comparison in stored:
            self._keep(comparison)

    def _keep(self, stored: Stored) -> None:
        """Only what a row of the file can meet; the others are forgotten at once."""
        if stored.comparison_id in self._claims.seen:
            self._stored[stored.comparison_id].append(stored)
        sitting, outcome = seen(stored.said)
        if sitting in self._outcomes:
            self._outcomes[sitting].setdefault(outcome, f"stored as {stored.comparison_id} with batch {stored.batch}")

    def weigh(self, row: ComparisonRow, identity: Identity, said: Said) -> Judged:
        if (stored := self._stored_as(identity, said)) is not None:
            if stored.said == said:
                return Judged(row, Verdict.SAME, row.remarks)
            return Judged(row, Verdict.CONFLICT, [*row.remarks, _otherwise(row, stored)])
        if others := self._rivals(said):
            return Judged(row, Verdict.CONFLICT, [*row.remarks, _contradiction(row, others)])
        return Judged(row, Verdict.NEW, [*row.remarks, *self._new_judge(row, said)])

    def _stored_as(self, identity: Identity, said: Said) -> Stored | None:
        """This very comparison as it is stored: from these bytes, else from others that say the same or nearly so."""
        named = self._stored.get(identity, [])
        own = [stored for stored in named if stored.source == self._source]
        equal = [stored for stored in named if stored.said == said]
        near = [stored for stored in named if _is_about_the_same(stored.said, said)]
        return next(iter([*own, *equal, *near]), None)

    def _rivals(self, said: Said) -> list[str]:
        sitting, outcome = seen(said)
        found = self._outcomes.get(sitting, {})
        return [place for other, place in found.items() if other != outcome]

    def _new_judge(self, row: ComparisonRow, said: Said) -> list[Problem]:
        if said.judge not in self._new_judges or self._claims.judges[said.judge] != row.line:
            return []
        message = f"The judge {said.judge} is new: a person, recorded when the file is applied."
        return [row.problem("judge", "new-judge", message)]


def _is_about_the_same(stored: Said, said: Said) -> bool:
    """Ids repeat from source to source; the same judge, task and pair under one id is the same judgment."""
    (before, _), (now, _) = seen(stored), seen(said)
    return before._replace(order="") == now._replace(order="")


def _otherwise(row: ComparisonRow, stored: Stored) -> Problem:
    message = f"It is stored with batch {stored.batch} and says otherwise there. Revert that batch, then import this."
    return row.problem("comparison_id", "differs-from-stored", message)


def _contradiction(row: ComparisonRow, others: list[str]) -> Problem:
    message = (
        f"The same judge gives this pair, shown in this order on this task, another outcome {' and '.join(others)}."
    )
    return row.problem("outcome", "contradiction", message)
