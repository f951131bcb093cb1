"""What an import does with the rows of one kind of file, within the transaction that applies or reverts it."""

from collections.abc import Iterable
from typing import NamedTuple, Protocol

from django.contrib.auth.models import AbstractUser

from registry.actions.base import Refused
from registry.models import ImportBatch
from registry.vocabulary import Verdict

WRITTEN = (Verdict.NEW, Verdict.CHANGED)


class Reach(NamedTuple):
    """What a reversal would do."""

    taken_back: str
    """For example `12 results`."""
    restored: int
    """Corrected ones that count again."""
    hindrance: Refused | None = None
    """Why it cannot be."""
    leaning: tuple[int, ...] = ()
    """Batches that were applied later and say of rows that this one has stored them already."""


class Writing(Protocol):
    """`touched` are ids by which `collections` finds whose gates to ask again."""

    def touched(self, batch: ImportBatch) -> set[int]:
        """What applying it would touch; of an applied batch, what reverting it would."""

    def lock(self, batch: ImportBatch) -> None:
        """Two batches that could meet wait for each other, so that neither judges by half a batch."""

    def write(self, batch: ImportBatch, *, by: AbstractUser, reason: str) -> set[int]:
        """Store the new and corrected of its staged rows; what they touched."""

    def take_back(self, batch: ImportBatch, *, by: AbstractUser, reason: str) -> set[int]:
        """End all that the batch stored; what it touched. Raises Refused where a later batch stands on it."""

    def reach(self, batch: ImportBatch) -> Reach:
        """What `take_back` would do."""

    def collections(self, touched: Iterable[int]) -> Iterable[str]:
        """Slugs of the collections whose evidence may be other than before."""
