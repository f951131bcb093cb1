"""A foreign layout read through a profile. What a spec may hold, `profiles` says; here it is taken to be valid."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from registry.importing import cells
from registry.importing.headers import Header
from registry.importing.layouts import Cell, Reading, Row
from registry.importing.patterns import PATTERNS, Pattern
from registry.importing.problems import Bad
from registry.importing.suggestions import hint

Spec = Mapping[str, Any]
Condition = Callable[[Row], bool]

_PLACE = re.compile(r"\{([^{}]+)\}")


class Template:
    """Text with `{names}` in it."""

    def __init__(self, text: str) -> None:
        # Literals stand at even places, names at odd ones.
        self._parts = _PLACE.split(text)
        self.names = frozenset(self._parts[1::2])

    def fill(self, names: Mapping[str, Cell]) -> Cell:
        """Blank where every name is blank; found again by the cells that it was built from."""
        used = {names[name].column: names[name] for name in self._parts[1::2]}
        blank = used and not any(names[name].text for name in self.names)
        text = "" if blank else "".join(names[part].text if at % 2 else part for at, part in enumerate(self._parts))
        if len(used) == 1:
            (cell,) = used.values()
            return Cell(text, cell.column, cell.shown)
        return Cell(text, "+".join(used), text)


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
class Vocabulary:
    column: str
    words: Mapping[str, str]

    @classmethod
    def of(cls, rule: Spec) -> "Vocabulary":
        words = rule["words"]
        return cls(rule["column"], words if isinstance(words, dict) else {word: word for word in words})


@dataclass(frozen=True, slots=True)
class Match:
    column: str
    pattern: Pattern
    into: Mapping[str, str]

    @classmethod
    def of(cls, rule: Spec) -> "Match":
        return cls(rule["column"], PATTERNS[rule["pattern"]], rule["into"])


@dataclass(slots=True)
class _Names:
    """What is known by name while one row is read. A name is lost when its cell was refused."""

    reading: Reading
    cells: dict[str, Cell]
    lost: set[str] = field(default_factory=set)

    def lose(self, names: Iterable[str], cell: Cell, bad: Bad) -> None:
        self.lost.update(names)
        self.reading.refuse(cell, bad)


class ProfileLayout:
    """Reads rows as a valid spec says."""

    def __init__(self, spec: Spec) -> None:
        self._skips = [Skip.of(rule) for rule in spec.get("skip", [])]
        self._absences = [AbsenceWords.of(rule) for rule in spec.get("absences", [])]
        self._matches = [Match.of(rule) for rule in spec.get("patterns", [])]
        self._vocabularies = {name: Vocabulary.of(rule) for name, rule in spec.get("vocabularies", {}).items()}
        self._templates = {target: Template(text) for target, text in spec["columns"].items()}
        self.new_people = spec.get("judge_kind") == "person"
        needs = frozenset(self._needs())
        knows = needs.union(spec.get("ignored", []))
        self._unnamed = spec.get("unnamed", "")
        takes_unknown = spec.get("unknown_columns") == "ignore"
        self.header = Header(needs, knows, takes_unknown=takes_unknown, unnamed=self._unnamed)

    def _needs(self) -> Iterator[str]:
        """Columns of the file, as opposed to names that the profile makes."""
        for skip in self._skips:
            yield from skip.columns
        for absence in self._absences:
            yield from (absence.column, *absence.columns)
        yield from (match.column for match in self._matches)
        made = {name for match in self._matches for name in match.into}
        yield from {vocabulary.column for vocabulary in self._vocabularies.values()} - made
        made |= self._vocabularies.keys()
        yield from {name for template in self._templates.values() for name in template.names} - made

    def read(self, line: int, row: Row) -> Reading:
        reading = Reading(line)
        row = {name or self._unnamed: text for name, text in row.items()} if self._unnamed else row
        if self._skipped(row, reading):
            return reading
        names = _Names(reading, {column: Cell(text, column, text) for column, text in row.items()})
        absence = self._absence(row, names)
        self._match(names)
        self._translate(names)
        self._fill(names)
        if absence is not None:
            reading.cells["absence"] = absence
        return reading

    def _skipped(self, row: Row, reading: Reading) -> bool:
        for skip in self._skips:
            if skip.holds(row):
                cell = Cell("", "+".join(skip.columns), ", ".join(row[column] for column in skip.columns))
                reading.remark(cell, "skipped", skip.reason)
                reading.skipped = True
                return True
        return False

    def _absence(self, row: Row, names: _Names) -> Cell | None:
        for rule in self._absences:
            cell = names.cells[rule.column]
            if cell.text in rule.words and rule.holds(row):
                names.cells[rule.column] = cell._replace(text="")
                names.reading.remark(cell, "declared-absence", rule.reason)
                return cell._replace(text=rule.words[cell.text])
        return None

    def _match(self, names: _Names) -> None:
        for match in self._matches:
            cell = names.cells[match.column]
            try:
                parts = match.pattern.read(cell.text) if cell.text else {}
            except Bad as bad:
                names.lose(match.into, cell, bad)
            else:
                names.cells |= {name: cell._replace(text=parts.get(part, "")) for name, part in match.into.items()}

    def _translate(self, names: _Names) -> None:
        """Each vocabulary reads what stood before any of them: JSON keeps no order on every database."""
        before, lost = dict(names.cells), set(names.lost)
        for name, vocabulary in self._vocabularies.items():
            if vocabulary.column in lost:
                names.lost.add(name)
                continue
            cell = before[vocabulary.column]
            if cell.text in vocabulary.words:
                names.cells[name] = cell._replace(text=vocabulary.words[cell.text])
            else:
                names.lose((name,), cell, _unknown_word(cell.text, vocabulary))

    def _fill(self, names: _Names) -> None:
        for target, template in self._templates.items():
            if not template.names.isdisjoint(names.lost):
                names.reading.spoiled.add(target)
            elif target == "source_url" and any(not names.cells[name].text for name in template.names):
                names.reading.cells[target] = template.fill(names.cells)._replace(text="")
            else:
                names.reading.cells[target] = template.fill(names.cells)


def _unknown_word(text: str, vocabulary: Vocabulary) -> Bad:
    if not text:
        return Bad("unknown-word", f"A blank {vocabulary.column} has no meaning in this profile.")
    try:
        cells.visible(text)
    except Bad as bad:
        return bad
    told = f"The profile knows no {vocabulary.column} {text}."
    return Bad("unknown-word", told + hint(text, vocabulary.words))
