"""What an unknown name of a configuration may mean, with the reasons: shown to a person, never used to resolve it."""

import difflib
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import islice

_LONGEST = 120
_MOST_COMPARED = 5_000
_ALIKE = 0.7
_MOST_LOOKED_AT = 10
_NUMBER = re.compile(r"\d+")
_WORDS = re.compile(r"[^\W_]+")


class Likeness:
    """Compares with every name that resolves; the names are prepared once."""

    def __init__(self, names: Iterable[str]) -> None:
        self._plain: dict[str, list[str]] = defaultdict(list)
        self._words: dict[tuple[str, ...], list[str]] = defaultdict(list)
        self._folded: dict[str, str] = {}
        for name in islice(names, _MOST_COMPARED):
            words = _words(name)
            self._plain["".join(words)].append(name)
            self._words[tuple(sorted(words))].append(name)
            self._folded[name.casefold()] = name

    def of(self, text: str) -> dict[str, str]:
        """Each name that may be meant with the reason why, the likeliest first."""
        found: dict[str, str] = {}
        for name, why in self._alike(text[:_LONGEST].strip()):
            found.setdefault(name, why)
        return found

    def _alike(self, text: str) -> Iterator[tuple[str, str]]:
        words = _words(text)
        for name in self._plain.get("".join(words), ()) if words else ():
            yield name, "the same letters and digits; capitals, spaces or punctuation differ"
        for name in self._words.get(tuple(sorted(words)), ()) if words else ():
            yield name, "the same words in another order"
        wider = [known for known in self._words if len(words) > 1 and set(words).issubset(known)]
        for known in sorted(wider, key=len):
            if _numbers(known) == _numbers(words):
                yield from ((name, "every word of it stands in that name") for name in self._words[known])
        folded = text.casefold()
        for close in difflib.get_close_matches(folded, self._folded, n=_MOST_LOOKED_AT, cutoff=_ALIKE):
            if _numbers(_words(close)) == _numbers(words):
                alike = difflib.SequenceMatcher(None, close, folded).ratio()
                yield self._folded[close], f"{alike:.0%} alike".replace("%", " %")


def _numbers(words: Iterable[str]) -> list[str]:
    """What tells one version from the next: names that differ in one are never alike."""
    return sorted(number for word in words for number in _NUMBER.findall(word))


def _words(text: str) -> list[str]:
    return _WORDS.findall(unicodedata.normalize("NFKC", text).casefold())
