"""Problems and refusals go into pages, reports and databases, whatever the file held."""

import pytest

from registry.importing.layouts import RESULTS
from registry.importing.problems import NotATable, Problem, Unreadable, writable
from registry.importing.reading import in_one_order
from registry.importing.tables import Record


@pytest.mark.parametrize(
    ("text", "written"),
    [("plain", "plain"), ("a\0b", "a\\u0000b"), ("\ud800", "\\ud800"), ("é😀", "é😀"), ("\0\udfff", "\\u0000\\udfff")],
)
def test_what_cannot_be_stored_is_spelled_out(text: str, written: str) -> None:
    assert writable(text) == written
    problem = Problem(1, text, text, "encoding", text)
    told = problem.as_json()
    assert told == {"line": 1, "column": written, "value": written, "reason": "encoding", "message": written}
    assert str(Unreadable(problem)) == written
    assert NotATable(text).told("results") == f"This is not a table of results: {written}"


class Rows(list[Record]):
    header = ["value", "stderr", "n"]
    encoding = "UTF-8"


def test_a_second_header_in_another_order_ends_the_reading() -> None:
    rows = Rows([Record(2, ["0.5", "0.1", "9"]), Record(3, ["stderr", "value", "n"]), Record(4, ["0.1", "0.5", "9"])])
    with pytest.raises(Unreadable) as refused:
        list(in_one_order(rows))
    assert [(problem.line, problem.reason) for problem in refused.value.problems] == [(3, "header-repeated")]


@pytest.mark.parametrize(
    "cells", [["value", "stderr", "n"], ["value", "0.1", "9"], ["stderr", "value"], ["n", "n", "n"]]
)
def test_what_is_no_moved_header_is_left_to_the_rows(cells: list[str]) -> None:
    assert list(in_one_order(Rows([Record(2, cells)]))) == [Record(2, cells)]


def test_a_table_has_no_more_columns_than_anybody_needs() -> None:
    """Looking each of 200,000 up among the known ones took minutes."""
    [problem] = RESULTS.problems([f"c{number}" for number in range(200_000)])
    assert (problem.reason, problem.message) == (
        "too-many-columns",
        "This table has 200,000 columns; a file may have 1,000.",
    )
