"""One validator for each row of results, whoever brings it.

It knows the layout of the file and the lookup tables, no database, and names every problem of a row, not only the
first. What a row means beside the others and beside what is stored, `verdicts` decides.
"""

from functools import cached_property

from registry.importing import checking
from registry.importing.checking import Checked
from registry.importing.layouts import Layout, Reading
from registry.importing.likeness import Likeness
from registry.importing.problems import Bad
from registry.importing.results.lookups import Contract, Identity, Known, Said
from registry.importing.results.resource import COLUMNS, PARTS, STATEMENTS
from registry.importing.subjects import Parts, Subject
from registry.vocabulary import UNKNOWN

ResultRow = Checked[Identity, Said]

_PARTS = frozenset(PARTS)


class Validator(checking.Validator[Identity, Said]):
    """Checks the records of one file of results."""

    fields = COLUMNS

    def __init__(
        self, columns: list[str], layout: Layout, known: Known, *, source_url: str = "", source_ref: str = ""
    ) -> None:
        super().__init__(columns, layout, known)
        self.known = known
        self.defaults = {"source_url": source_url, "source_ref": source_ref}

    @cached_property
    def parts(self) -> Likeness:
        return Likeness(" / ".join(parts) for parts in self.known.by_parts)

    def read(self, reading: Reading, raw: list[str]) -> ResultRow:
        return _Row(self, reading).checked(raw)


class _Row(checking.Row):
    validator: Validator

    def __init__(self, validator: Validator, reading: Reading) -> None:
        super().__init__(validator, reading)
        self.known = validator.known
        for name, default in validator.defaults.items():
            if default and name not in reading.spoiled:
                self.values.setdefault(name, default)

    def checked(self, raw: list[str]) -> ResultRow:
        contract, subject = self._contract(), self._subject()
        self.require("source_url", "Give it here or for the file as a whole.")
        self._value_or_absence()
        if contract is not None:
            self._within(contract)
            self._agree(contract)
        if subject is not None:
            self.values["configuration"] = subject.key
        identity = self._identity(contract, subject)
        return Checked(self.reading, raw, self.values, identity, None if self.reading.problems else self._said())

    def _contract(self) -> Contract | None:
        key = self.require("contract")
        if key is None:
            return None
        contract = self.known.contracts.get(key)
        if contract is None:
            hint = self.hint("contract", key, self.known.contracts)
            self.refuse("contract", Bad("unknown-contract", f"There is no metric contract {key}.{hint}"))
        return contract

    def _subject(self) -> Subject | None:
        if "configuration" in self.values:
            return self._named()
        if "organization" in self.values and "model" in self.values:
            return self._composed()
        if self.reading.spoiled.isdisjoint(("configuration", *PARTS)):
            self.require("configuration", "Or give organization, model, harness and effort.")
        return None

    def _named(self) -> Subject | None:
        subject = self.subject("configuration")
        if subject is None:
            return None
        given = () if _PARTS.isdisjoint(self.values) else zip(PARTS, subject.parts, strict=True)
        for part, stored in given:
            if self.values.get(part, stored) != stored:
                told = f"The configuration {subject.key} has {part} {stored}."
                self.refuse(part, Bad("configuration-mismatch", told))
        return subject

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
        hint = self.validator.hint_like("model", told, self.validator.parts)
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
        if contract.lower is not None and contract.upper is not None:
            self._spread_within(contract.upper - contract.lower, contract)

    def _spread_within(self, widest: float, contract: Contract) -> None:
        """No values between two bounds spread further than the bounds are apart: such a number has another unit."""
        for name in ("stderr", "sd"):
            spread = self.values.get(name)
            if spread is not None and spread > widest:
                self._out_of_contract(name, f"{spread!r} is above {widest!r}, the whole range of values", contract)

    def _out_of_contract(self, name: str, told: str, contract: Contract) -> None:
        unit = "" if name == "n" else f" ({contract.unit})"
        self.refuse(name, Bad("out-of-contract", f"{told} of the contract {contract.key}{unit}."))

    def _agree(self, contract: Contract) -> None:
        for name, attribute in STATEMENTS.items():
            if name not in self.values:
                continue
            stated, meant = self.values[name], getattr(contract, attribute)
            if stated != meant:
                told = f"The contract {contract.key} has {name.replace('_', ' ')} {meant}, not {stated}."
                self.refuse(name, Bad("contract-mismatch", told))

    def _identity(self, contract: Contract | None, subject: Subject | None) -> Identity | None:
        unsure = not self.reading.spoiled.isdisjoint(("source_url", "source_ref", "external_id"))
        if contract is None or subject is None or unsure:
            return None
        place = (self.values["source_url"], self.values.get("source_ref", ""), self.values.get("external_id", ""))
        return (contract.pk, subject.pk, *place)

    def _said(self) -> Said:
        told = self.values.get
        return Said(
            told("value"),
            told("absence", ""),
            told("stderr"),
            told("sd"),
            told("n"),
            told("runs"),
            told("observed_on"),
            told("notes", ""),
        )
