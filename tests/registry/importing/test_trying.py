"""A profile tried on a file: raw cell, rule and value of each column, and nothing is kept."""

from typing import Any

import pytest
from django.core.exceptions import ValidationError

from registry.importing.contents import Held
from registry.importing.problems import NotATable
from registry.importing.trying import ROWS, tried
from registry.models import ImportBatch, Source
from tests.registry.importing.conftest import CONTRACT, SUBJECT

SPEC: dict[str, Any] = {
    "skip": [{"when": {"split": ["all"]}, "reason": "The mean of the others."}],
    "patterns": [{"column": "score", "pattern": "percent-to-fraction", "into": {"rate": "value"}}],
    "vocabularies": {"who": {"column": "model", "words": {"Zero": SUBJECT}}},
    "columns": {"contract": CONTRACT, "configuration": "{who}", "value": "{rate}", "external_id": "{id}"},
}
HEADER = "id,model,split,score\n"


def trial(rows: str, spec: Any = SPEC, **options: Any) -> Any:
    return tried(
        Held((HEADER + rows).encode()), "table.csv", spec, "results", source_url="https://example.org", **options
    )


def test_each_column_is_told_with_its_cell_its_rule_and_its_value(registry: None) -> None:
    (row,) = trial("7,Zero,test,50\n").rows
    assert (row.line, row.verdict, row.problems) == (2, "new", [])
    assert {cell.name: tuple(cell[1:]) for cell in row.cells} == {
        "contract": ("", "", "", CONTRACT),
        "configuration": ("model", "Zero", "vocabulary who", SUBJECT),
        "value": ("score", "50", "percent-to-fraction", "0.5"),
        "external_id": ("id", "7", "", "7"),
    }
    assert (ImportBatch.objects.count(), Source.objects.count()) == (0, 0)


def test_a_value_outside_its_contract_is_refused_and_never_scaled(registry: None) -> None:
    (row,) = trial("7,Zero,test,5000\n").rows
    assert [(problem.reason, problem.value) for problem in row.problems] == [("out-of-contract", "5000")]
    assert {cell.name: cell.value for cell in row.cells}["value"] == "50.0"


def test_refusals_and_rows_left_out_are_told(registry: None) -> None:
    rows = trial("1,Nine,test,50\n2,Zero,all,50\n3,Zero,test,half\n4,Zero\n").rows
    assert [(row.verdict, [problem.reason for problem in row.problems]) for row in rows] == [
        ("refused", ["unknown-word"]),
        ("skipped", ["skipped"]),
        ("refused", ["pattern"]),
        ("refused", ["row-length"]),
    ]


def test_only_the_first_rows_are_read(registry: None) -> None:
    rows = "".join(f"{at},Zero,test,50\n" for at in range(3 * ROWS))
    assert [row.line for row in trial(rows).rows] == list(range(2, ROWS + 2))


def test_a_file_that_does_not_fit_says_why(registry: None) -> None:
    found = tried(Held(b"id,model\n1,Zero\n"), "table.csv", SPEC, "results")
    assert ({problem.reason for problem in found.problems}, found.rows) == ({"missing-column"}, [])
    with pytest.raises(NotATable):
        tried(Held(b"\x89PNG\r\n"), "table.png", SPEC, "results")
    with pytest.raises(ValidationError) as faulty:
        trial("", spec={"columns": {"valeu": "{score}"}})
    assert any("results.csv has no such column. Did you mean value?" in told for told in faulty.value.messages)
