"""Every curated table as CSV, XLSX and JSON: an export comes back to nothing changed, another cell is one edit."""

import csv
import io
import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from openpyxl import Workbook, load_workbook

from ranking import registry_files
from registry import exchange
from registry.actions import changes
from registry.actions.changes import Operation
from registry.exchange import edits, loading
from registry.exchange.edits import Edits, edits_of
from registry.exchange.tables import columns, table_of
from registry.exchange.writing import FORMATS
from registry.importing.problems import Problem, Unreadable
from registry.models import (
    AuditEvent,
    Benchmark,
    CapabilityAtom,
    Configuration,
    Curated,
    EvidenceMapping,
    Exclusion,
    Facet,
    Job,
    Lineage,
    MappingProfile,
    Measurement,
    RightsDecision,
    SampleOutput,
    Task,
)

Rows = list[dict[str, Any]]
EVERY_FORMAT = pytest.mark.parametrize("extension", FORMATS)


@pytest.fixture
def stored(editor: User, directory: Path) -> None:
    exchange.load(directory, by=editor)
    Job.objects.all().delete()


def exported(model: type[Curated], extension: str = "csv") -> bytes:
    return b"".join(FORMATS[extension].write(table_of(model)))


def rows_of(content: bytes) -> Rows:
    return list(csv.DictReader(io.StringIO(content.decode(), newline="")))


def as_csv(rows: Rows) -> bytes:
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, rows[0])
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()


def as_xlsx(rows: Rows) -> bytes:
    book, out = Workbook(), io.BytesIO()
    book.active.append(list(rows[0]))
    for row in rows:
        book.active.append(list(row.values()))
    book.save(out)
    return out.getvalue()


def with_cells(model: type[Curated], place: int = 0, **cells: Any) -> bytes:
    """The CSV export with other cells in one row."""
    rows = rows_of(exported(model))
    rows[place] |= cells
    return as_csv(rows)


def refused(model: type[Curated], content: bytes, by: User) -> list[Problem]:
    with pytest.raises(Unreadable) as caught:
        edits_of(model, content, by=by)
    return caught.value.problems


def told(problems: list[Problem]) -> list[tuple[int, str, str]]:
    return [(problem.line, problem.column, problem.reason) for problem in problems]


# --- Out and back ---------------------------------------------------------------------------------------------------


def nothing_to_change(by: User, extension: str) -> dict[str, int]:
    events, jobs = AuditEvent.objects.count(), Job.objects.count()
    found = {model.__name__: edits_of(model, exported(model, extension), by=by) for model in exchange.MODELS}
    assert {name: edit.operations for name, edit in found.items() if edit.operations} == {}
    assert (AuditEvent.objects.count(), Job.objects.count()) == (events, jobs)
    counts = {model.__name__: model._base_manager.count() for model in exchange.MODELS}
    assert {name: edit.same for name, edit in found.items()} == counts
    return counts


@EVERY_FORMAT
def test_every_table_comes_back_to_nothing_changed(stored: None, editor: User, extension: str) -> None:
    assert min(nothing_to_change(editor, extension).values()) > 0


@EVERY_FORMAT
def test_the_example_registry_comes_back_to_nothing_changed(editor: User, extension: str) -> None:
    registry_files.load(Path(settings.BASE_DIR) / "examples" / "registry", by=editor)
    assert nothing_to_change(editor, extension)["MetricContract"] > 20


@EVERY_FORMAT
def test_an_empty_table_comes_back_too(editor: User, extension: str) -> None:
    assert edits_of(Task, exported(Task, extension), by=editor) == Edits()


@EVERY_FORMAT
def test_what_another_installation_knows_not_is_added_as_it_was(
    stored: None, editor: User, extension: str, tmp_path: Path
) -> None:
    """All of it through the tables, in the order in which records refer to each other; exclusions by the files."""
    wanted = [(model, exported(model, extension)) for model in exchange.MODELS if model is not Exclusion]
    exchange.dump(tmp_path / "before")
    EvidenceMapping.atoms.through._base_manager.all().delete()
    for model in reversed(exchange.MODELS):
        queryset = model._base_manager.all()
        queryset._raw_delete(queryset.db)
    for model, content in wanted:
        changes.carry_out(operations=edits_of(model, content, by=editor).operations, by=editor)
    exchange.load(tmp_path / "before", by=editor)
    exchange.dump(tmp_path / "after")
    for path in (tmp_path / "before").iterdir():
        assert path.read_text() == (tmp_path / "after" / path.name).read_text(), path.name


TEXTS = [
    "=1+1", "-0.35", "'+x", "@a", "\ttab", "\rreturn", "'=quoted", "''=twice", "'tis", "a\r\nb", "\n", " outer ",
    "001", "#N/A", "TRUE", "2026-01-31", "1e5", "ümlaut 🙂 漢字", '"quotes", commas', "_x000D_", "_x005F_x000D_",
    "\ufffe", "[1]", "null", "=HYPERLINK(\"http://a\",\"b\")",
]  # fmt: skip


@EVERY_FORMAT
@pytest.mark.parametrize("text", TEXTS)
def test_any_text_comes_back_equal(stored: None, editor: User, extension: str, text: str) -> None:
    atom = CapabilityAtom.objects.get(key="a1")
    CapabilityAtom.objects.filter(pk=atom.pk).update(description=text)
    content = exported(CapabilityAtom, extension)
    assert edits_of(CapabilityAtom, content, by=editor).operations == []
    CapabilityAtom.objects.filter(pk=atom.pk).update(description="other")
    (edit,) = edits_of(CapabilityAtom, content, by=editor).operations
    assert edit.values == {"description": text}
    changes.carry_out(operations=[edit], by=editor)
    atom.refresh_from_db()
    assert atom.description == text


def test_numbers_stay_numbers_and_nothing_runs(stored: None) -> None:
    Facet.objects.filter(collection__slug="support").update(description="=1+1", title="-0.35")
    SampleOutput.objects.update(retired_grade=-0.35)
    (facet,) = (row for row in rows_of(exported(Facet)) if row["collection"] == "support")
    assert (facet["description"], facet["title"], facet["weight"]) == ("'=1+1", "'-0.35", "33.33")
    assert rows_of(exported(SampleOutput))[0]["retired_grade"] == "-0.35"
    assert {row["retired_grade"] for row in json.loads(exported(SampleOutput, "json"))} == {-0.35}
    assert [row["description"] for row in json.loads(exported(Facet, "json"))] == ["Another.", "=1+1"]


def test_a_workbook_holds_text_as_text(stored: None, editor: User) -> None:
    Lineage.objects.filter(key="l1").update(upstream_version="001", note="=1+1")
    header, first, _ = load_workbook(io.BytesIO(exported(Lineage, "xlsx"))).active.iter_rows()
    cells = {str(name.value): cell for name, cell in zip(header, first, strict=True)}
    assert (cells["upstream_version"].value, cells["upstream_version"].data_type) == ("001", "s")
    assert (cells["note"].value, cells["note"].data_type) == ("'=1+1", "s")
    position = load_workbook(io.BytesIO(exported(Facet, "xlsx"))).active["G2"]
    assert position.data_type == "n"


def test_columns_are_those_of_the_files_and_nested_cells_are_json(stored: None) -> None:
    (mapping, _) = sorted(rows_of(exported(EvidenceMapping)), key=lambda row: row["collection"], reverse=True)
    assert list(mapping) == columns(EvidenceMapping)
    assert (mapping["atoms"], mapping["metric_partitions"]) == ('["a1", "a2"]', '["model"]')
    assert rows_of(exported(Task))[0]["facet"] == '["support", "same"]'
    assert json.loads(exported(Task, "json"))[0]["facet"] == ["support", "same"]
    assert json.loads(rows_of(exported(MappingProfile))[0]["spec"])["unknown_columns"] == "ignore"


def test_two_samples_of_one_task_come_back_and_a_third_does_not(stored: None, editor: User) -> None:
    """Nothing keeps an editor from storing two, though files know them by task and configuration alone."""
    sample = SampleOutput.objects.get()
    SampleOutput.objects.create(task=sample.task, configuration=sample.configuration, text="Another.")
    rows = rows_of(exported(SampleOutput))
    assert edits_of(SampleOutput, as_csv(rows), by=editor).same == 2
    assert [reason for _, _, reason in told(refused(SampleOutput, as_csv([*rows, rows[0]]), editor))] == [
        "duplicate"
    ] * 2


def test_exclusions_by_the_number_of_this_installation_come_back_here(stored: None, editor: User) -> None:
    Exclusion.objects.create(
        scope="result", target="17", type="placeholder", reason="A test.", lift_condition="Never.",
        excluded_by="ada", excluded_at=datetime(2026, 3, 1, 1, 2, 3, 456789, tzinfo=UTC),
    )  # fmt: skip
    content = exported(Exclusion)
    assert edits_of(Exclusion, content, by=editor) == Edits(same=4)
    Exclusion.objects.filter(scope="result").update(target="18")
    assert [reason for _, _, reason in told(refused(Exclusion, content, editor))] == ["decided-elsewhere"]


@pytest.mark.parametrize(
    ("place", "cells", "named"),
    [
        (0, {"target": "b1", "scope": "benchmark", "excluded_by": "somebody"}, "benchmark b1"),
        (0, {"type": "track"}, "contract c1"),
        (0, {"reason": " "}, "contract c1"),
        (0, {"lifted_by": "ada", "lifted_at": "2026-05-01T09:00:00Z"}, "contract c1"),
        (0, {"excluded_at": "2026-05-01T09:00:00Z"}, "contract c1"),
        (1, {"lifted_by": "", "lifted_at": "", "lift_reason": ""}, "lineage l1"),
    ],
)
def test_no_exclusion_is_added_changed_or_lifted_by_a_table(
    stored: None, editor: User, place: int, cells: dict[str, str], named: str
) -> None:
    """The gates are asked first, whoever excludes; a table would go around it."""
    before = list(Exclusion.objects.order_by("pk").values())
    (problem,) = refused(Exclusion, with_cells(Exclusion, place, **cells), editor)
    assert (problem.line, problem.column, problem.value, problem.reason) == (
        2 + place, "target", named, "decided-elsewhere",
    )  # fmt: skip
    assert "Exclude on the page Exclude evidence" in problem.message
    assert list(Exclusion.objects.order_by("pk").values()) == before


def test_no_edit_writes_an_exclusion(stored: None, editor: User) -> None:
    """Nor one that was signed for a confirm page before."""
    exclusion = Exclusion.objects.filter(lifted_at=None).first()
    assert exclusion
    edit = Operation("change", "registry.exclusion", exclusion.pk, exclusion.version, {"reason": "Other."})
    with pytest.raises(changes.Failed, match="not edited here"):
        changes.carry_out(operations=[edit], by=editor)


# --- What differs ---------------------------------------------------------------------------------------------------

Cells = dict[str, Any]


@pytest.mark.parametrize(
    ("model", "cells", "values"),
    [
        (Facet, {"weight": "40.5"}, {"weight": "40.5"}),
        (Facet, {"position": "7"}, {"position": 7}),
        (Task, {"required": "TRUE"}, {"required": True}),
        (Lineage, {"note": "'=1+1"}, {"note": "=1+1"}),
        (EvidenceMapping, {"atoms": "[]"}, {"atoms": []}),
        (EvidenceMapping, {"metric_partitions": '["product"]'}, {"metric_partitions": ["product"]}),
        (RightsDecision, {"reviewed_on": "2026-02-02"}, {"reviewed_on": "2026-02-02"}),
    ],
)
def test_one_cell_is_exactly_one_change(
    stored: None, editor: User, model: type[Curated], cells: Cells, values: Cells
) -> None:
    last = model._base_manager.count() - 1
    found = edits_of(model, with_cells(model, last, **cells), by=editor)
    (edit,) = found.operations
    assert (edit.op, edit.values, found.same) == ("change", values, last)
    before = AuditEvent.objects.count()
    changes.carry_out(operations=[edit], by=editor)
    assert AuditEvent.objects.count() == before + 1
    assert edits_of(model, with_cells(model, last, **cells), by=editor).operations == []


def test_a_new_record_may_repeat_another_new_one(stored: None, editor: User) -> None:
    (task,) = rows_of(exported(Task))
    first = task | {"key": "first", "title": "First"}
    second = first | {"facet": '["other", "same"]', "key": "second", "same_as": '["support", "same", "first"]'}
    found = edits_of(Task, as_csv([first, second]), by=editor)
    assert [edit.op for edit in found.operations] == ["add", "add"]
    assert found.operations[1].values["same_as"] == {"added": 0}
    changes.carry_out(operations=found.operations, by=editor)
    assert Task.objects.get(key="second").same_as == Task.objects.get(key="first")
    assert edits_of(Task, exported(Task), by=editor).same == 3


def test_a_sheet_that_people_typed_is_read_by_its_columns(stored: None, editor: User) -> None:
    """Numbers for keys and versions, dates as dates, as spreadsheets store them."""
    rows = rows_of(exported(RightsDecision))
    reviewed = next(place for place, row in enumerate(rows) if row["reviewed_on"])
    rows[reviewed] |= {"reviewed_on": datetime(2026, 2, 2), "clause": 2}  # noqa: DTZ001  as openpyxl wants it
    (edit,) = edits_of(RightsDecision, as_xlsx(rows), by=editor).operations
    assert edit.values == {"reviewed_on": "2026-02-02", "clause": "2"}


def test_guarded_edits_name_the_collections_they_reach(stored: None, editor: User) -> None:
    assert edits_of(Facet, with_cells(Facet, 0, title="Renamed"), by=editor).reached == set()
    assert edits_of(Facet, with_cells(Facet, 0, weight="10"), by=editor).reached == {"other"}


# --- What cannot be taken ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "cells", "column", "reason"),
    [
        (Facet, {"weight": "ten"}, "weight", "not-a-number"),
        (Facet, {"weight": "1,5"}, "weight", "not-a-number"),
        (Facet, {"weight": "101"}, "", "invalid"),
        (Facet, {"weight": ""}, "weight", "blank"),
        (Facet, {"weight": "1e300"}, "weight", "max_digits"),
        (Facet, {"position": "1.5"}, "position", "not-an-integer"),
        (Facet, {"position": "9" * 30}, "position", "not-an-integer"),
        (Facet, {"mode": "pairwize"}, "mode", "invalid_choice"),
        (Facet, {"title": ""}, "title", "blank"),
        (Facet, {"collection": "nowhere"}, "collection", "unknown-reference"),
        (Task, {"required": "yes"}, "required", "not-a-boolean"),
        (Task, {"facet": "support"}, "facet", "not-json"),
        (Task, {"facet": '["support"]'}, "facet", "bad-reference"),
        (Task, {"facet": '["support", 1]'}, "facet", "not-text"),
        (EvidenceMapping, {"atoms": '["a9"]'}, "atoms", "unknown-reference"),
        (EvidenceMapping, {"metric_partitions": '{"a": 1, "a": 2}'}, "metric_partitions", "not-json"),
        (EvidenceMapping, {"metric_partitions": "[NaN]"}, "metric_partitions", "not-json"),
        (EvidenceMapping, {"metric_partitions": "[" * 900 + "]" * 900}, "metric_partitions", "too-deep"),
        (EvidenceMapping, {"metric_partitions": "[" * 9000}, "metric_partitions", "not-json"),
        (EvidenceMapping, {"metric_partitions": '["\\ud800"]'}, "metric_partitions", "not-text"),
        (Exclusion, {"excluded_at": "0001-01-01T00:00:00+23:00"}, "excluded_at", "not-a-time"),
        (Exclusion, {"excluded_at": "2026-02-01"}, "excluded_at", "not-a-time"),
        (RightsDecision, {"reviewed_on": "31.1.2026"}, "reviewed_on", "not-a-date"),
        (RightsDecision, {"clause_url": "https://a:b@example.org/"}, "clause_url", "address-with-account"),
    ],
)
def test_a_bad_cell_is_told_with_its_place(  # noqa: PLR0917  a table
    stored: None, editor: User, model: type[Curated], cells: Cells, column: str, reason: str
) -> None:
    before = AuditEvent.objects.count()
    problems = refused(model, with_cells(model, 0, **cells), editor)
    assert (2, column, reason) in told(problems)
    assert all(problem.message for problem in problems)
    assert AuditEvent.objects.count() == before


def test_every_fault_is_told_at_once_by_line(stored: None, editor: User) -> None:
    rows = rows_of(exported(Facet))
    rows[0] |= {"description": "two\nlines", "weight": "x", "position": "y"}
    rows[1] |= {"mode": "both"}
    assert told(refused(Facet, as_csv(rows), editor)) == [
        (2, "weight", "not-a-number"), (2, "position", "not-an-integer"), (4, "mode", "invalid_choice"),
    ]  # fmt: skip


def test_every_fault_of_one_row_is_told_at_once(stored: None, editor: User) -> None:
    """Cells that say nothing, references to nothing, words of no vocabulary, and what only the database refuses."""
    bad = {"suite": "s9", "title": "", "eligibility": "runable-now", "registry_status": "retierd", "key": "B 1"}
    assert sorted(told(refused(Benchmark, with_cells(Benchmark, 0, **bad), editor))) == [
        (2, "eligibility", "invalid_choice"), (2, "key", "bad-key"), (2, "registry_status", "invalid_choice"),
        (2, "suite", "unknown-reference"), (2, "title", "blank"),
    ]  # fmt: skip
    row = {"position": "first", "mode": "both", "weight": "101"}
    assert sorted(told(refused(Facet, with_cells(Facet, 0, **row), editor))) == [
        (2, "", "invalid"), (2, "mode", "invalid_choice"), (2, "position", "not-an-integer"),
    ]  # fmt: skip


def test_a_stored_record_with_a_fault_is_not_taken_for_a_second_one(stored: None, editor: User) -> None:
    cells = {"suite": "s9", "title": "Renamed"}
    assert told(refused(Benchmark, with_cells(Benchmark, 0, **cells), editor)) == [(2, "suite", "unknown-reference")]
    assert told(refused(Measurement, with_cells(Measurement, 0, contract="c9"), editor)) == [
        (2, "contract", "unknown-reference")
    ]


def test_a_wrong_word_is_answered_by_the_right_ones(stored: None, editor: User) -> None:
    cells = {"mode": "pairwize", "collection": "suport"}
    sentences = {problem.column: problem.message for problem in refused(Facet, with_cells(Facet, 0, **cells), editor)}
    assert sentences["mode"] == "Must be one of: external, pairwise, hybrid. Did you mean pairwise?"
    assert sentences["collection"].endswith("nor in the registry. Did you mean support?")
    (problem,) = refused(Task, with_cells(Task, 0, facet='["support", "sane"]'), editor)
    assert "Did you mean [support, same]" in problem.message


def test_so_many_hints_and_no_more(stored: None, editor: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each compares with every name while the transaction holds everybody up."""
    monkeypatch.setattr(loading, "MOST_HINTS", 1)
    (row, other) = rows_of(exported(Facet))
    rows = [row | {"collection": name} for name in ("suport", "supportt", "suport")]
    problems = refused(Facet, as_csv([*rows, other]), editor)
    assert ["Did you mean" in problem.message for problem in problems] == [True, False, True]


def test_a_file_full_of_faults_is_not_tried_to_its_end(
    stored: None, editor: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[int] = []
    take = loading.Loading.take

    def counted(self: loading.Loading, model: Any, number: int, *rest: Any) -> bool:
        tried.append(number)
        return take(self, model, number, *rest)

    monkeypatch.setattr(loading.Loading, "take", counted)
    (row, *_) = rows_of(exported(Lineage))
    rows = [row | {"key": f"new-{number}", "suite": "nowhere"} for number in range(5 * edits.MOST_PROBLEMS)]
    assert len(refused(Lineage, as_csv(rows), editor)) == edits.MOST_PROBLEMS + 1
    assert tried == list(range(1, edits.MOST_PROBLEMS + 2))
    tried.clear()
    monkeypatch.setattr(edits, "MOST_PROBLEMS", 2)
    refused(Facet, as_csv([row | {"weight": "x"} for row in rows_of(exported(Facet)) * 2]), editor)
    assert tried == []


def test_the_same_key_twice_is_refused(stored: None, editor: User) -> None:
    rows = rows_of(exported(Facet))
    problems = refused(Facet, as_csv([*rows, rows[0] | {"title": "Again"}]), editor)
    assert (4, "", "duplicate") in told(problems)
    assert "collection, slug" in problems[-1].message


def test_a_name_never_changes(stored: None, editor: User) -> None:
    """Another key is another record: it is added, and the first stays."""
    (edit,) = edits_of(Configuration, with_cells(Configuration, 0, key="new", effort="low"), by=editor).operations
    assert edit.op == "add"


@pytest.mark.parametrize(
    ("alter", "reason"),
    [
        (lambda rows: [{name: row[name] for name in row if name != "weight"} for row in rows], "missing-column"),
        (lambda rows: [row | {"wieght": "1"} for row in rows], "unknown-column"),
        (lambda rows: [{name.upper(): row[name] for name in row} for row in rows], "no-header"),
    ],
)
def test_a_wrong_column_is_told(stored: None, editor: User, alter: Callable[[Rows], Rows], reason: str) -> None:
    rows = alter(rows_of(exported(Facet)))
    for content in (as_csv(rows), as_xlsx(rows), json.dumps(rows).encode()):
        assert reason in [problem.reason for problem in refused(Facet, content, editor)]


def test_too_much_at_once_is_refused(stored: None, editor: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edits, "MOST_EDITS", 1)
    rows = [row | {"title": "New"} for row in rows_of(exported(Facet))]
    assert [problem.reason for problem in refused(Facet, as_csv(rows), editor)] == ["too-many-changes"]
    monkeypatch.setattr(exchange.files, "LARGEST_FILE", 10)
    assert [problem.reason for problem in refused(Facet, as_csv(rows), editor)] == ["too-large"]


def test_whoever_may_not_edit_may_not_try(stored: None, editor: User) -> None:
    content = with_cells(Facet, 0, title="New")
    editor.groups.clear()
    with pytest.raises(PermissionDenied):
        edits_of(Facet, content, by=User.objects.get(pk=editor.pk))
