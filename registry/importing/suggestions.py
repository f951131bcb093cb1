"""What somebody may have meant: shown beside a refusal, never used to resolve a name."""

import difflib
from collections.abc import Callable, Hashable, Iterable
from itertools import islice

from registry.spelling import character_name

_LONGEST = 120
_MOST_NAMED = 3
# Comparing with every name is slow where there are many; a hint is worth no more than this.
_MOST_COMPARED = 5_000


class Hints:
    """The first `most` hints that are asked for, each made once: to compare with every name takes long."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._made: dict[Hashable, str] = {}

    def of(self, what: Hashable, make: Callable[[], str]) -> str:
        """Empty beyond the first."""
        if what not in self._made:
            if len(self._made) >= self._most:
                return ""
            self._made[what] = make()
        return self._made[what]


def hint(text: str, known: Iterable[str]) -> str:
    """Similar names, and characters that look like others."""
    return did_you_mean(text, known) + look_alikes(text)


def look_alikes(text: str) -> str:
    foreign = dict.fromkeys(character for character in text[:_LONGEST] if not character.isascii())
    return f" It holds {', '.join(map(character_name, foreign))}." if foreign else ""


def did_you_mean(text: str, known: Iterable[str]) -> str:
    """A sentence with up to three similar names; empty where none is similar."""
    names = list(islice(known, _MOST_COMPARED))
    folded = {name.casefold(): name for name in names}
    close = difflib.get_close_matches(text[:_LONGEST].strip().casefold(), folded, n=_MOST_NAMED, cutoff=0.7)
    return asked([folded[name] for name in close])


def asked(names: Iterable[str]) -> str:
    """The question about the first few of them."""
    few = list(islice(names, _MOST_NAMED))
    return f" Did you mean {', '.join(few)}?" if few else ""
