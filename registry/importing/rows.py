"""One validator for each row of results, whoever brings it.

It knows the layout of the file and the lookup tables, no database, and names every problem of a row, not only the
first. What a row means beside the others and beside what is stored, `verdicts` decides.
"""

from dataclasses import dataclass, field
from typing import Any

from registry.importing.layouts import Cell, Layout, Reading
from registry.importing.lookups import Contract, Identity, Known, Parts, Said, Subject
from registry.importing.problems import Bad, Problem
from registry.importing.readers import LONGEST_CELL, Record
from registry.importing.resources import COLUMNS, PARTS, STATEMENTS, Column
from registry.importing.suggestions import hint
from registry.vocabulary import UNKNOWN

# A hint compares with every name; a file of wrong names gets this many.
MOST_HINTS = 200


@dataclass(slots=True)
class Checked:
    """One row by itself. `identity` is there as soon as it can be told, `said` only where nothing is wrong."""

    line: int
    raw: dict[str, Any]
    cells: dict[str, Cell] = field(default_factory=dict)
    values: dict[str, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    remarks: list[Problem] = field(default_factory=list)
    skipped: bool = False
    identity: Identity | None = None
    said: Said | None = None

    def problem(self, name: str, reason: str, message: str) -> Problem:
        """About a column of results.csv, told by the file's own cell."""
        cell = self.cells.get(name) or Cell("", name, "")
        return Problem(self.line, cell.column, cell.shown, reason, message)


class Validator:
    """Checks the records of one file."""

    def __init__(
        self, columns: list[str], layout: Layout, known: Known, *, source_url: str = "", source_ref: str = ""
    ) -> None:
        self.columns = columns
        self.known = known
        self.defaults = {"source_url": source_url, "source_ref": source_ref}
        self._layout = layout
        self._hints: dict[str, str] = {}

    def check(self, record: Record) -> Checked:
        raw: dict[str, Any] = dict(zip(self.columns, record.cells, strict=False))
        if problems := self._misshapen(record):
            if extra := record.cells[len(self.columns) :]:
                raw[""] = extra
            return Checked(record.line, raw, problems=problems)
        reading = self._layout.read(record.line, raw)
        if reading.skipped:
            return Checked(record.line, raw, remarks=reading.remarks, skipped=True)
        return _Row(self, reading).checked(raw)

    def _misshapen(self, record: Record) -> list[Problem]:
        cells, columns = record.cells, self.columns
        if len(cells) != len(columns):
            message = f"This row has {len(cells)} cells where the header has {len(columns)}."
            column = columns[len(cells)] if len(cells) < len(columns) else ""
            return [Problem(record.line, column, ",".join(cells[len(columns) :]), "row-length", message)]
        if cells == columns:
            message = "The header is repeated here, as where two files were put together."
            return [Problem(record.line, columns[0], cells[0], "header-repeated", message)]
        if not any(cells):
            return [Problem(record.line, "", "", "blank-row", "Every cell of this row is blank.")]
        return [
            Problem(record.line, column, cell, "cell-too-long", f"A cell may hold {LONGEST_CELL:,} characters at most.")
            for column, cell in zip(columns, cells, strict=True)
            if len(cell) > LONGEST_CELL
        ]

    def hint(self, text: str, known: Any) -> str:
        if text not in self._hints:
            if len(self._hints) >= MOST_HINTS:
                return ""
            self._hints[text] = hint(text, known)
        return self._hints[text]


class _Row:
    """One row while it is checked. A column that was refused is spoiled, and no rule complains about it again."""

    def __init__(self, validator: Validator, reading: Reading) -> None:
        self.reading = reading
        self.hint = validator.hint
        self.known = validator.known
        self.values: dict[str, Any] = {}
        self._parse()
        for name, default in validator.defaults.items():
            if default and name not in reading.spoiled:
                self.values.setdefault(name, default)

    def checked(self, raw: dict[str, Any]) -> Checked:
        contract, subject = self._contract(), self._subject()
        self._require("source_url", "Give it here or for the file as a whole.")
        self._value_or_absence()
        if contract is not None:
            self._within(contract)
            self._agree(contract)
        values = {name: _as_text(value) for name, value in self.values.items()}
        if subject is not None:
            values["configuration"] = subject.key
        return Checked(
            line=self.reading.line,
            raw=raw,
            cells=self.reading.cells,
            values=values,
            problems=self.reading.problems,
            remarks=self.reading.remarks,
            identity=self._identity(contract, subject),
            said=None if self.reading.problems else self._said(),
        )

    def _parse(self) -> None:
        for name, column in COLUMNS.items():
            cell = self.reading.cells.get(name)
            if cell is None or not cell.text:
                continue
            try:
                self.values[name] = _parsed(column, cell.text)
            except Bad as bad:
                self.refuse(name, bad)

    def refuse(self, name: str, bad: Bad) -> None:
        self.reading.spoiled.add(name)
        self.reading.refuse(self.reading.cells.get(name) or Cell("", name, ""), bad)

    def _require(self, name: str, hint: str = "") -> Any:
        value = self.values.get(name)
        if value is None and name not in self.reading.spoiled:
            self.refuse(name, Bad("missing", f"{name} is required. {hint}".strip()))
        return value

    def _contract(self) -> Contract | None:
        key = self._require("contract")
        if key is None:
            return None
        contract = self.known.contracts.get(key)
        if contract is None:
            hint = self.hint(key, self.known.contracts)
            self.refuse("contract", Bad("unknown-contract", f"There is no metric contract {key}.{hint}"))
        return contract

    def _subject(self) -> Subject | None:
        if "configuration" in self.values:
            return self._named(self.values["configuration"])
        if "organization" in self.values and "model" in self.values:
            return self._composed()
        if self.reading.spoiled.isdisjoint(("configuration", *PARTS)):
            self._require("configuration", "Or give organization, model, harness and effort.")
        return None

    def _named(self, name: str) -> Subject | None:
        subject = self.known.subjects.get(name)
        if subject is None:
            self.refuse("configuration", self._unknown_configuration(name))
            return None
        for part, stored in zip(PARTS, subject.parts, strict=True):
            if self.values.get(part, stored) != stored:
                told = f"The configuration {subject.key} has {part} {stored}."
                self.refuse(part, Bad("configuration-mismatch", told))
        return subject

    def _unknown_configuration(self, name: str) -> Bad:
        if name in self.known.unreviewed:
            return Bad("unreviewed-alias", f"{name} is an alias that nobody has reviewed yet.")
        hint = self.hint(name, self.known.subjects)
        return Bad("unknown-configuration", f"There is no configuration or reviewed alias {name}.{hint}")

    def _composed(self) -> Subject | None:
        parts: Parts = (
            self.values["organization"],
            self.values["model"],
            self.values.get("harness", UNKNOWN),
            self.values.get("effort", UNKNOWN),
        )
        found = self.known.by_parts.get(parts, [])
        contract = self.known.contracts.get(self.values.get("contract", ""))
        fitting = [subject for subject in found if contract and subject.subject_kind == contract.subject_kind] or found
        if len(fitting) == 1:
            return fitting[0]
        self.refuse("model", self._not_one(parts, fitting))
        return None

    def _not_one(self, parts: Parts, found: list[Subject]) -> Bad:
        told = " / ".join(parts)
        if found:
            keys = ", ".join(subject.key for subject in found)
            return Bad("ambiguous-configuration", f"Several configurations are {told}: {keys}. Name one of them.")
        hint = self.hint(told, [" / ".join(known) for known in self.known.by_parts])
        return Bad("unknown-configuration", f"There is no configuration {told}.{hint}")

    def _value_or_absence(self) -> None:
        if not self.reading.spoiled.isdisjoint(("value", "absence")):
            return
        if "value" in self.values and "absence" in self.values:
            self.refuse("absence", Bad("value-and-absence", "A row has a value or an absence, never both."))
        elif "value" not in self.values and "absence" not in self.values:
            self.refuse("value", Bad("missing", "A blank value needs `absence` to say why."))

    def _within(self, contract: Contract) -> None:
        value, n = self.values.get("value"), self.values.get("n")
        if value is not None and contract.lower is not None and value < contract.lower:
            self._out_of_contract("value", f"{value!r} is below {contract.lower!r}, the lowest value", contract)
        if value is not None and contract.upper is not None and value > contract.upper:
            self._out_of_contract("value", f"{value!r} is above {contract.upper!r}, the highest value", contract)
        if n is not None and n < contract.minimum_n:
            self._out_of_contract("n", f"{n} is below {contract.minimum_n}, the smallest number of tasks", contract)

    def _out_of_contract(self, name: str, told: str, contract: Contract) -> None:
        unit = f" ({contract.unit})" if name == "value" else ""
        self.refuse(name, Bad("out-of-contract", f"{told} of the contract {contract.key}{unit}."))

    def _agree(self, contract: Contract) -> None:
        for name, attribute in STATEMENTS.items():
            stated, meant = self.values.get(name), getattr(contract, attribute)
            if stated is not None and stated != meant:
                told = f"The contract {contract.key} has {name.replace('_', ' ')} {meant}, not {stated}."
                self.refuse(name, Bad("contract-mismatch", told))

    def _identity(self, contract: Contract | None, subject: Subject | None) -> Identity | None:
        unsure = not self.reading.spoiled.isdisjoint(("source_url", "source_ref", "external_id"))
        if contract is None or subject is None or unsure:
            return None
        place = (self.values["source_url"], self.values.get("source_ref", ""), self.values.get("external_id", ""))
        return (contract.pk, subject.pk, *place)

    def _said(self) -> Said:
        told: dict[str, Any] = {name: self.values.get(name) for name in Said._fields}
        for name in ("absence", "notes"):
            told[name] = told[name] or ""
        return Said(**told)


def _parsed(column: Column, text: str) -> Any:
    if column.limit is not None and len(text) > column.limit:
        raise Bad("too-long", f"This has {len(text)} characters; {column.limit} are allowed.")
    return column.parse(text)


def _as_text(value: Any) -> str:
    """As a cell of results.csv; numbers in the shortest form that gives the same double."""
    return value if isinstance(value, str) else repr(value) if isinstance(value, float) else str(value)
