"""Which rights decision holds for a number: its source's own, else its suite's, else its publisher's."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from registry.models import RightsDecision
from registry.vocabulary import RightsUse, RightsVerdict


@dataclass(frozen=True, slots=True)
class RightsTable:
    """Verdicts by (kind of holder, its id, use)."""

    verdicts: dict[tuple[str, int, str], str] = field(default_factory=dict)

    @classmethod
    def load(cls) -> "RightsTable":
        return cls.of(RightsDecision.objects.all())

    @classmethod
    def of(cls, decisions: Iterable[RightsDecision]) -> "RightsTable":
        verdicts = {}
        for decision in decisions:
            for holder in ("publisher", "suite", "source"):
                if (pk := getattr(decision, f"{holder}_id")) is not None:
                    verdicts[holder, pk, decision.use] = decision.verdict
        return cls(verdicts)

    def verdict(self, use: RightsUse, *, publisher: int, suite: int, source: int) -> str:
        """The nearest decision; unreviewed where nobody decided."""
        for holder, pk in (("source", source), ("suite", suite), ("publisher", publisher)):
            if (holder, pk, use) in self.verdicts:
                return self.verdicts[holder, pk, use]
        return RightsVerdict.UNREVIEWED.value
