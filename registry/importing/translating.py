"""A foreign layout read through a profile. What a spec may hold, `profiles` says; here it is taken to be valid."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from registry.importing.formats import FORMATS, SHEETS
from registry.importing.headers import Header
from registry.importing.layouts import Cell, Reading, Row
from registry.importing.problems import Bad
from registry.importing.rules import AbsenceWords, Blanks, Match, OneHot, Refusal, Skip, Spec, Template, Vocabulary


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
        self._blanks = [Blanks.of(rule) for rule in spec.get("blanks", [])]
        self._matches = [Match.of(rule) for rule in spec.get("patterns", [])]
        self._one_hots = {name: OneHot(words) for name, words in spec.get("one_hot", {}).items()}
        self._vocabularies = {name: Vocabulary.of(rule) for name, rule in spec.get("vocabularies", {}).items()}
        self._templates = {target: Template(text) for target, text in spec["columns"].items()}
        self.new_people = spec.get("judge_kind") == "person"
        self.reads = frozenset(self._needs())
        knows = self.reads.union(spec.get("ignored", []))
        self._unnamed = spec.get("unnamed", "")
        self.formats = frozenset({spec["format"]}) if "format" in spec else SHEETS
        # The columns of a format that makes them are known; those of a sheet may be news.
        made_by_format = any(FORMATS[key].columns for key in self.formats)
        takes_unknown = made_by_format or spec.get("unknown_columns") == "ignore"
        self.header = Header(self.reads, knows, takes_unknown=takes_unknown, unnamed=self._unnamed)

    def _needs(self) -> Iterator[str]:
        """Columns of the file, as opposed to names that the profile makes."""
        for skip in self._skips:
            yield from skip.columns
        for absence in self._absences:
            yield from (absence.column, *absence.columns)
        yield from (blanks.column for blanks in self._blanks)
        made: set[str] = set()
        for match in self._matches:
            yield from {match.column} - made
            made |= match.into.keys()
        yield from {column for one_hot in self._one_hots.values() for column in one_hot.words}
        made |= self._one_hots.keys()
        yield from {vocabulary.column for vocabulary in self._vocabularies.values()} - made
        made |= self._vocabularies.keys()
        yield from {name for template in self._templates.values() for name in template.names} - made

    def written_as(self, form: str) -> "ProfileLayout":
        return self

    def meaning(self, text: str) -> str:
        """A foreign file has not been through a spreadsheet's escaping."""
        return text

    def read(self, line: int, row: Row) -> Reading:
        reading = Reading(line)
        row = {name or self._unnamed: text for name, text in row.items()} if self._unnamed else row
        if self._skipped(row, reading):
            return reading
        names = _Names(reading, {column: Cell(text, column, text) for column, text in row.items()})
        absence = self._absence(row, names)
        self._blank(names)
        self._match(names)
        self._choose(names)
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

    def _blank(self, names: _Names) -> None:
        for blanks in self._blanks:
            cell = names.cells[blanks.column]
            if cell.text in blanks.words:
                names.cells[blanks.column] = cell.made("", "blanks")

    def _match(self, names: _Names) -> None:
        """Patterns are a list: each reads what those before it made."""
        for match in self._matches:
            if match.column in names.lost:
                names.lost.update(match.into)
                continue
            cell = names.cells[match.column]
            try:
                parts = match.pattern.read(cell.text) if cell.text else {}
            except Bad as bad:
                names.lose(match.into, cell, bad)
            else:
                names.cells |= {name: cell.made(parts.get(part, ""), match.name) for name, part in match.into.items()}

    def _choose(self, names: _Names) -> None:
        for name, one_hot in self._one_hots.items():
            try:
                names.cells[name] = one_hot.read(names.cells)
            except Refusal as refusal:
                names.lose((name,), refusal.cell, refusal.bad)

    def _translate(self, names: _Names) -> None:
        """Each vocabulary reads what stood before any of them: JSON keeps no order on every database."""
        before, lost = dict(names.cells), set(names.lost)
        for name, vocabulary in self._vocabularies.items():
            if vocabulary.column in lost:
                names.lost.add(name)
                continue
            cell = before[vocabulary.column]
            try:
                names.cells[name] = vocabulary.read(cell, name)
            except Bad as bad:
                names.lose((name,), cell, bad)

    def _fill(self, names: _Names) -> None:
        for target, template in self._templates.items():
            if not template.names.isdisjoint(names.lost):
                names.reading.spoiled.add(target)
            elif target == "source_url" and any(not names.cells[name].text for name in template.names):
                names.reading.cells[target] = template.fill(names.cells)._replace(text="")
            else:
                names.reading.cells[target] = template.fill(names.cells)
