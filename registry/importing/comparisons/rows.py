"""One validator for each row of comparisons, whoever brings it: no database, and every problem of a row by name."""

from django.core.exceptions import ValidationError

from registry.importing import checking
from registry.importing.checking import Checked
from registry.importing.comparisons.lookups import Known, Plan, Said
from registry.importing.comparisons.resource import COLUMNS
from registry.importing.layouts import Layout, Reading
from registry.importing.problems import Bad
from registry.importing.subjects import Subject
from registry.models.base import validate_key

Identity = str
"""comparison_id; the source is the file itself."""

ComparisonRow = Checked[Identity, Said]


class Validator(checking.Validator[Identity, Said]):
    """Checks the records of one file of comparisons. `new_people`: unknown judges are people, made on applying."""

    fields = COLUMNS

    def __init__(self, columns: list[str], layout: Layout, known: Known, *, new_people: bool = False) -> None:
        super().__init__(columns, layout, known)
        self.known = known
        self.new_people = new_people

    def read(self, reading: Reading, raw: list[str]) -> ComparisonRow:
        return _Row(self, reading).checked(raw)


class _Row(checking.Row):
    def __init__(self, validator: Validator, reading: Reading) -> None:
        super().__init__(validator, reading)
        self.known = validator.known
        self.new_people = validator.new_people
        self.lineage: int | None = None

    def checked(self, raw: list[str]) -> ComparisonRow:
        identity = self.require("comparison_id")
        facet = self._facet()
        task = self._task(facet)
        a, b = self._side("a", facet), self._side("b", facet)
        if a and b and a.pk == b.pk:
            self.refuse("b", Bad("self-comparison", f"Both sides are {a.key}; a comparison needs two."))
        self.require("outcome")
        self._judge()
        self._lineage()
        self._raw_outcome()
        said = None if self.reading.problems else self._said(task, a, b)
        return Checked(self.reading, raw, self.values, identity, said)

    def _facet(self) -> Plan | None:
        name = self.require("facet")
        if name is None:
            return None
        facet = self.known.facets.get(name)
        if facet is not None:
            self.values["facet"] = facet.key
        elif name in self.known.ambiguous:
            told = f"Several collections have a facet {name}. Name one as collection/{name}."
            self.refuse("facet", Bad("ambiguous-facet", told))
        else:
            told = f"There is no facet {name}.{self.hint('facet', name, self.known.facets)}"
            self.refuse("facet", Bad("unknown-facet", told))
        return facet

    def _task(self, facet: Plan | None) -> int | None:
        key = self.require("task")
        if key is None or facet is None:
            return None
        task = self.known.tasks.get((facet.pk, key))
        if task is None:
            planned = (known for pk, known in self.known.tasks if pk == facet.pk)
            told = f"The plan of {facet.key} has no task {key}.{self.hint(f'task of {facet.key}', key, planned)}"
            self.refuse("task", Bad("unknown-task", told))
        return task

    def _side(self, column: str, facet: Plan | None) -> Subject | None:
        if self.require(column) is None:
            return None
        subject = self.subject(column)
        if subject is None:
            return None
        self.values[column] = subject.key
        if facet is not None and subject.subject_kind != facet.subject_kind:
            told = f"{subject.key} is a {subject.subject_kind}; in {facet.key} each side is a {facet.subject_kind}."
            self.refuse(column, Bad("subject-kind", told))
        return subject

    def _judge(self) -> None:
        key = self.require("judge")
        if key is None:
            return
        person = self.known.judges.get(key)
        if self.new_people and person is False:
            self.refuse("judge", Bad("judge-mismatch", f"The profile calls its judges people, and {key} is none."))
        elif self.new_people and person is None:
            self._new_judge(key)
        elif person is None:
            told = f"There is no judge {key}.{self.hint('judge', key, self.known.judges)}"
            self.refuse("judge", Bad("unknown-judge", told))

    def _new_judge(self, key: str) -> None:
        try:
            validate_key(key)
        except ValidationError as error:
            self.refuse("judge", Bad("bad-key", " ".join(error.messages)))

    def _lineage(self) -> None:
        key = self.values.get("lineage")
        if key is None:
            return
        self.lineage = self.known.lineages.get(key)
        if self.lineage is None:
            told = f"There is no lineage {key}.{self.hint('lineage', key, self.known.lineages)}"
            self.refuse("lineage", Bad("unknown-lineage", told))

    def _raw_outcome(self) -> None:
        """The word of the file, whatever a profile made of it."""
        if "outcome" in self.values and "raw_outcome" not in self.values:
            self.values["raw_outcome"] = self.reading.cell("outcome").shown[: COLUMNS["raw_outcome"].limit]

    def _said(self, task: int | None, a: Subject | None, b: Subject | None) -> Said:
        # A row without problems names all three.
        assert task is not None
        assert a is not None
        assert b is not None
        return Said(
            task=task,
            a=a.pk,
            b=b.pk,
            outcome=self.values["outcome"],
            judge=self.values["judge"],
            order=self.values.get("order", ""),
            judged_at=self.values.get("judged_at"),
            lineage=self.lineage,
        )
