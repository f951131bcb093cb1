"""What an unknown name of a configuration may mean, with the reasons: shown to a person, never used to resolve it."""

import difflib
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from registry.importing.subjects import Subject

_LONGEST = 120
_MOST_COMPARED = 5_000
_ALIKE = 0.7
_MOST_LOOKED_AT = 10
_NUMBER = re.compile(r"\d+")
_WORDS = re.compile(r"[^\W_]+")


class _Described(NamedTuple):
    """A configuration by all the words that are said of it."""

    key: str
    model: str
    model_words: tuple[str, ...]
    words: frozenset[str]

    def named_by(self, words: list[str]) -> bool:
        """Its whole model, and nothing that is not said of it."""
        spelt = "".join(words) == "".join(self.model_words)
        return spelt or (self.words.issuperset(words) and set(words).issuperset(self.model_words))


class Likeness:
    """Compares with every name that resolves, and with what is said of the `subjects`; all are prepared once."""

    def __init__(self, names: Iterable[str], subjects: Iterable[Subject] = ()) -> None:
        self._plain: dict[str, list[str]] = defaultdict(list)
        self._words: dict[tuple[str, ...], list[str]] = defaultdict(list)
        self._folded: dict[str, str] = {}
        for name in islice(names, _MOST_COMPARED):
            words = _words(name)
            self._plain["".join(words)].append(name)
            self._words[tuple(sorted(words))].append(name)
            self._folded[name.casefold()] = name
        self._described: dict[tuple[str, ...], list[_Described]] = defaultdict(list)
        for subject in islice(subjects, _MOST_COMPARED):
            model = tuple(_words(subject.model_name))
            said = frozenset(_words(" ".join((subject.key, subject.model_name, *subject.parts))))
            self._described[_numbers(model)].append(_Described(subject.key, subject.model_name, model, said))

    def of(self, text: str) -> dict[str, str]:
        """Each name that may be meant with the reason why, the likeliest first."""
        found: dict[str, str] = {}
        for name, why in self._alike(text[:_LONGEST].strip()):
            found.setdefault(name, why)
        return found

    def _alike(self, text: str) -> Iterator[tuple[str, str]]:
        if words := _words(text):
            described = sorted(self._described.get(_numbers(words), ()), key=lambda each: (len(each.words), each.key))
            yield from self._spelt(words)
            yield from _of_the_model(words, described)
            if len(words) > 1:
                yield from self._wider(words)
                yield from _of_the_configuration(words, described)
        yield from self._close(text, words)

    def _spelt(self, words: list[str]) -> Iterator[tuple[str, str]]:
        for name in self._plain.get("".join(words), ()):
            yield name, "the same letters and digits; capitals, spaces or punctuation differ"
        for name in self._words.get(tuple(sorted(words)), ()):
            yield name, "the same words in another order"

    def _wider(self, words: list[str]) -> Iterator[tuple[str, str]]:
        for known in sorted((known for known in self._words if set(words).issubset(known)), key=len):
            if _numbers(known) == _numbers(words):
                yield from ((name, "every word of it stands in that name") for name in self._words[known])

    def _close(self, text: str, words: list[str]) -> Iterator[tuple[str, str]]:
        folded = text.casefold()
        for close in difflib.get_close_matches(folded, self._folded, n=_MOST_LOOKED_AT, cutoff=_ALIKE):
            if _numbers(_words(close)) == _numbers(words):
                alike = difflib.SequenceMatcher(None, close, folded).ratio()
                yield self._folded[close], f"{alike:.0%} alike".replace("%", " %")


def _of_the_model(words: list[str], described: list[_Described]) -> Iterator[tuple[str, str]]:
    for each in described:
        if each.model_words and each.named_by(words):
            yield each.key, f"names its model, {each.model}"


def _of_the_configuration(words: list[str], described: list[_Described]) -> Iterator[tuple[str, str]]:
    for each in described:
        if each.words.issuperset(words):
            yield each.key, f"every word of it is said of this configuration of {each.model}"


def _numbers(words: Iterable[str]) -> tuple[str, ...]:
    """What tells one version from the next: names that differ in one are never alike."""
    return tuple(sorted(number for word in words for number in _NUMBER.findall(word)))


def _words(text: str) -> list[str]:
    return _WORDS.findall(unicodedata.normalize("NFKC", text).casefold())
