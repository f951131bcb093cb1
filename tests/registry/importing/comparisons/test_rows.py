"""The validator of comparisons by itself: lookup tables made by hand, no database."""

from datetime import UTC, datetime
from typing import Any

import pytest

from registry.importing.comparisons.lookups import Known, Plan, Said
from registry.importing.comparisons.resource import LAYOUT
from registry.importing.comparisons.rows import ComparisonRow, Validator
from registry.importing.subjects import Subject
from registry.importing.tables import Record

HELP = Plan(1, "help/answers", "model")
FIRST = Plan(2, "first/twice", "model")
SECOND = Plan(3, "second/twice", "model")
PARTS = ("maker", "m", "unknown", "unknown")
KNOWN = Known(
    facets={"answers": HELP, HELP.key: HELP, FIRST.key: FIRST, SECOND.key: SECOND},
    ambiguous=("twice",),
    tasks={(1, "joke"): 11, (2, "joke"): 12},
    subjects={
        "maker/x": Subject(21, "maker/x", "model", PARTS),
        "X (v1)": Subject(21, "maker/x", "model", PARTS),
        "maker/y": Subject(22, "maker/y", "model", PARTS),
        "maker/agent": Subject(23, "maker/agent", "product", PARTS),
    },
    unreviewed=("Perhaps X",),
    judges={"jury/model": False, "jury/person": True},
    lineages={"stream": 31},
)
ROW = {
    "comparison_id": "v1",
    "facet": "answers",
    "task": "joke",
    "a": "maker/x",
    "b": "maker/y",
    "outcome": "a",
    "judge": "jury/model",
}


def check(*, new_people: bool = False, **cells: str) -> ComparisonRow:
    row = ROW | cells
    validator = Validator(list(row), LAYOUT, KNOWN, new_people=new_people)
    return validator.check(Record(2, list(row.values())))


def reasons(row: ComparisonRow) -> list[tuple[str, str]]:
    return [(problem.column, problem.reason) for problem in row.problems]


def test_a_good_row_is_read_in_full() -> None:
    row = check(a="X (v1)", order="ba", judged_at="2025-01-01T02:30:00+02:00", lineage="stream")
    assert row.problems == []
    assert row.identity == "v1"
    moment = datetime(2025, 1, 1, 0, 30, tzinfo=UTC)
    assert row.said == Said(11, 21, 22, "a", "jury/model", "ba", moment, 31)


def test_what_was_read_is_kept_in_names_of_the_registry() -> None:
    values = check(a="X (v1)", judged_at="2025-01-01T02:30:00+02:00").texts()
    assert (values["facet"], values["a"], values["raw_outcome"]) == ("help/answers", "maker/x", "a")
    assert values["judged_at"] == "2025-01-01T00:30:00+00:00"


def test_a_facet_is_named_in_full_where_its_slug_is_not_enough() -> None:
    row = check(facet="first/twice")
    assert row.said is not None
    assert row.said.task == 12


@pytest.mark.parametrize("outcome", ["a", "b", "tie", "both-bad"])
def test_every_outcome_is_known(outcome: str) -> None:
    said: Any = check(outcome=outcome).said
    assert said.outcome == outcome


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        ({"comparison_id": ""}, [("comparison_id", "missing")]),
        ({"comparison_id": "x" * 201}, [("comparison_id", "too-long")]),
        ({"comparison_id": "a\u200bb"}, [("comparison_id", "invisible-character")]),
        ({"facet": ""}, [("facet", "missing")]),
        ({"facet": "answer"}, [("facet", "unknown-facet")]),
        ({"facet": "Answers"}, [("facet", "unknown-facet")]),
        ({"facet": "twice"}, [("facet", "ambiguous-facet")]),
        ({"facet": "second/twice"}, [("task", "unknown-task")]),
        ({"task": ""}, [("task", "missing")]),
        ({"task": "jokes"}, [("task", "unknown-task")]),
        ({"a": ""}, [("a", "missing")]),
        ({"a": "maker/z"}, [("a", "unknown-configuration")]),
        ({"b": "Perhaps X"}, [("b", "unreviewed-alias")]),
        ({"b": "maker/agent"}, [("b", "subject-kind")]),
        ({"b": "maker/x"}, [("b", "self-comparison")]),
        ({"b": "X (v1)"}, [("b", "self-comparison")]),
        ({"outcome": ""}, [("outcome", "missing")]),
        ({"outcome": "A"}, [("outcome", "unknown-word")]),
        ({"outcome": "tie (bothbad)"}, [("outcome", "unknown-word")]),
        ({"judge": ""}, [("judge", "missing")]),
        ({"judge": "jury/models"}, [("judge", "unknown-judge")]),
        ({"order": "left"}, [("order", "unknown-word")]),
        ({"judged_at": "2025-01-01"}, [("judged_at", "not-a-time")]),
        ({"judged_at": "2025-01-01T00:00:00"}, [("judged_at", "not-a-time")]),
        ({"judged_at": "2025-13-01T00:00:00Z"}, [("judged_at", "not-a-time")]),
        ({"judged_at": "9999-01-01T00:00:00Z"}, [("judged_at", "date-in-future")]),
        ({"judged_at": "2014-12-31T23:59:59Z"}, [("judged_at", "date-too-early")]),
        ({"lineage": "streams"}, [("lineage", "unknown-lineage")]),
        ({"a": "maker/z", "b": "", "outcome": "?"}, [
            ("outcome", "unknown-word"), ("a", "unknown-configuration"), ("b", "missing"),
        ]),
    ],
)  # fmt: skip
def test_every_problem_is_named(cells: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    row = check(**cells)
    assert reasons(row) == expected
    assert row.said is None


def test_a_sentence_helps() -> None:
    assert "Did you mean jury/model" in check(judge="jury/models").problems[0].message
    assert "collection/twice" in check(facet="twice").problems[0].message
    assert "Did you mean joke?" in check(task="jokes").problems[0].message


def test_unknown_judges_are_people_only_where_the_profile_says_so() -> None:
    assert reasons(check(judge="crowd/7")) == [("judge", "unknown-judge")]
    row = check(new_people=True, judge="crowd/7")
    assert row.said is not None
    assert row.said.judge == "crowd/7"
    assert reasons(check(new_people=True, judge="Crowd 7")) == [("judge", "bad-key")]


def test_a_model_judge_is_not_taken_for_a_person() -> None:
    assert reasons(check(new_people=True)) == [("judge", "judge-mismatch")]
    assert reasons(check(new_people=True, judge="jury/person")) == []
