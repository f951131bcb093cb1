"""Which columns a layout needs and knows, and what is wrong with a header."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from registry.importing.problems import Problem
from registry.importing.suggestions import did_you_mean

MOST_COLUMNS = 1_000


@dataclass(frozen=True, slots=True)
class Header:
    """`alternatives`: sets of columns of which one must be complete; the first is asked for where none is.

    `unnamed` is what a column without a name in the file is called; without it such a column is refused.
    """

    needs: frozenset[str]
    knows: frozenset[str]
    alternatives: tuple[frozenset[str], ...] = ()
    takes_unknown: bool = False
    unnamed: str = ""

    def problems(self, columns: list[str]) -> list[Problem]:
        """What keeps a file with these columns from being read; the header is always line 1."""
        if len(columns) > MOST_COLUMNS:
            told = f"This table has {len(columns):,} columns; a file may have {MOST_COLUMNS:,}."
            return [Problem(1, "", "", "too-many-columns", told)]
        names = [name or self.unnamed for name in columns]
        return [*self._no_header(names), *_repeated(names), *self._missing(names), *self._unknown(names)]

    def _no_header(self, names: list[str]) -> Iterator[Problem]:
        if self.knows.isdisjoint(names):
            message = f"The header was not found on line 1. It holds: {', '.join(sorted(self.needs))}."
            yield Problem(1, "", ",".join(names), "no-header", message)

    def _missing(self, names: list[str]) -> Iterator[Problem]:
        missing = self.needs.difference(names)
        if self.alternatives and not any(columns.issubset(names) for columns in self.alternatives):
            missing |= self.alternatives[0]
        for name in sorted(missing):
            yield Problem(1, name, "", "missing-column", f"The column {name} is missing.")

    def _unknown(self, names: list[str]) -> Iterator[Problem]:
        if self.takes_unknown:
            return
        others = sorted(self.knows.difference(names))
        known = f" Known are: {', '.join(others)}." if others else ""
        for name in dict.fromkeys(names):
            if name and name not in self.knows:
                hint = did_you_mean(name, others)
                yield Problem(1, name, name, "unknown-column", f"The column {name} is not known here.{hint or known}")
                known = known if hint else ""  # told once


def _repeated(names: list[str]) -> Iterator[Problem]:
    counts = Counter(names)
    if counts[""]:
        yield Problem(1, "", "", "empty-column", f"{counts['']} columns of the header have no name.")
    for name, times in counts.items():
        if name and times > 1:
            yield Problem(1, name, name, "repeated-column", f"The column {name} stands {times} times in the header.")
