"""The rules that a profile is made of, each as read from its spec. `profiles` says what a spec may hold."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from registry.importing import cells
from registry.importing.layouts import Cell, Row
from registry.importing.patterns import PATTERNS, Pattern
from registry.importing.problems import Bad
from registry.importing.suggestions import Hints, hint

Spec = Mapping[str, Any]
Condition = Callable[[Row], bool]

YES = frozenset({"1", "1.0", "true", "True"})
NO = frozenset({"0", "0.0", "false", "False"})

# A hint compares with every word; a column of unknown ones gets this many.
MOST_HINTS = 200

_PLACE = re.compile(r"\{([^{}]+)\}")


class Template:
    """Text with `{names}` in it."""

    def __init__(self, text: str) -> None:
        # Literals stand at even places, names at odd ones.
        self._parts = _PLACE.split(text)
        self.names = frozenset(self._parts[1::2])
        # A name and nothing around it: the cell itself.
        self._stands_alone = len(self._parts) == 3 and not (self._parts[0] or self._parts[2])

    def fill(self, names: Mapping[str, Cell]) -> Cell:
        """Blank where every name is blank; found again by the cells that it was built from."""
        used = {names[name].column: names[name] for name in self._parts[1::2]}
        blank = used and not any(names[name].text for name in self.names)
        text = "" if blank else "".join(names[part].text if at % 2 else part for at, part in enumerate(self._parts))
        if self._stands_alone:
            (cell,) = used.values()
            return cell
        if len(used) == 1:
            (cell,) = used.values()
            return cell.made(text, "template")
        by = [cell.by for cell in used.values() if cell.by]
        return Cell(text, "+".join(used), text, ", ".join([*by, "template"]) if used else "")


def condition(when: Spec) -> Condition:
    """All of `when` must hold: a column is one of the listed texts, is none of them, or begins with the one given."""
    return lambda row: all(_holds(row[column], test) for column, test in when.items())


def _holds(text: str, test: Any) -> bool:
    if not isinstance(test, dict):
        return text in test
    return text.startswith(test["begins"]) if "begins" in test else text not in test["not"]


@dataclass(frozen=True, slots=True)
class Skip:
    holds: Condition
    columns: tuple[str, ...]
    reason: str

    @classmethod
    def of(cls, rule: Spec) -> "Skip":
        return cls(condition(rule["when"]), tuple(rule["when"]), rule["reason"])


@dataclass(frozen=True, slots=True)
class AbsenceWords:
    holds: Condition
    columns: tuple[str, ...]
    column: str
    words: Mapping[str, str]
    reason: str

    @classmethod
    def of(cls, rule: Spec) -> "AbsenceWords":
        when = rule.get("when", {})
        return cls(condition(when), tuple(when), rule["column"], rule["words"], rule["reason"])


@dataclass(frozen=True, slots=True)
class Blanks:
    column: str
    words: frozenset[str]

    @classmethod
    def of(cls, rule: Spec) -> "Blanks":
        return cls(rule["column"], frozenset(rule["words"]))


@dataclass(frozen=True, slots=True)
class OneHot:
    """Columns of which exactly one says yes, each with the word that it stands for."""

    words: Mapping[str, str]

    def read(self, row: Mapping[str, Cell]) -> Cell:
        """Raises `Bad` for any other pattern of yes and no."""
        texts = [row[column].text for column in self.words]
        cell = Cell("", "+".join(self.words), ", ".join(texts))
        said = [column for column, text in zip(self.words, texts, strict=True) if text in YES]
        if len(said) == 1 and YES.union(NO).issuperset(texts):
            return cell.made(self.words[said[0]], "one_hot")
        told = ", ".join(self.words)
        raise Refusal(cell, Bad("one-hot", f"Exactly one of {told} must be 1 and the others 0."))


class Refusal(Exception):  # noqa: N818
    """What was refused, where it is made of several cells."""

    def __init__(self, cell: Cell, bad: Bad) -> None:
        super().__init__(bad.message)
        self.cell = cell
        self.bad = bad


@dataclass(frozen=True, slots=True)
class Match:
    column: str
    name: str
    pattern: Pattern
    into: Mapping[str, str]

    @classmethod
    def of(cls, rule: Spec) -> "Match":
        return cls(rule["column"], rule["pattern"], PATTERNS[rule["pattern"]], rule["into"])


@dataclass(frozen=True, slots=True)
class Vocabulary:
    column: str
    words: Mapping[str, str]
    hints: Hints = field(default_factory=lambda: Hints(MOST_HINTS), compare=False)

    @classmethod
    def of(cls, rule: Spec) -> "Vocabulary":
        words = rule["words"]
        return cls(rule["column"], words if isinstance(words, dict) else {word: word for word in words})

    def read(self, cell: Cell, name: str) -> Cell:
        """Raises `Bad` for a word that is not listed."""
        if cell.text not in self.words:
            raise self._unknown(cell.text)
        return cell.made(self.words[cell.text], f"vocabulary {name}")

    def _unknown(self, text: str) -> Bad:
        if not text:
            return Bad("unknown-word", f"A blank {self.column} has no meaning in this profile.")
        try:
            cells.visible(text)
        except Bad as bad:
            return bad
        return Bad("unknown-word", f"The profile knows no {self.column} {text}.{self._hint(text)}")

    def _hint(self, text: str) -> str:
        return self.hints.of(text, lambda: hint(text, self.words))
