from typing import Any

import pytest
from django.core.exceptions import ValidationError
from hypothesis import given
from hypothesis import strategies as st

from registry.importing.formats import FORMATS
from registry.importing.layouts import Cell, Reading
from registry.importing.patterns import PATTERNS
from registry.importing.problems import Bad
from registry.importing.profiles import layout_of, validate_spec
from registry.importing.translating import ProfileLayout
from registry.models import MappingProfile

COLUMNS = {"contract": "{task}.pass", "configuration": "{model}", "value": "{score}"}
ROW = {"task": "t", "model": "m", "score": "0.5"}


def read(row: dict[str, str], **parts: Any) -> Reading:
    spec = {"columns": COLUMNS} | parts
    validate_spec(spec)
    return ProfileLayout(spec).read(2, ROW | row)


def texts(reading: Reading) -> dict[str, str]:
    return {name: cell.text for name, cell in reading.cells.items()}


def told(reading: Reading) -> list[tuple[str, str, str]]:
    return [(problem.column, problem.value, problem.reason) for problem in reading.problems]


def test_columns_are_renamed_and_built_from_several() -> None:
    columns = COLUMNS | {
        "source_url": "https://example.org/{commit}/{task}",
        "notes": "made by {model}",
        "unit": "fraction",
    }
    found = read({"commit": "abc"}, columns=columns)
    assert texts(found) == {
        "contract": "t.pass",
        "configuration": "m",
        "value": "0.5",
        "source_url": "https://example.org/abc/t",
        "notes": "made by m",
        "unit": "fraction",
    }
    assert found.cells["value"].column == "score"
    assert found.cells["source_url"].column == "commit+task"


def test_a_template_of_blanks_is_blank_and_one_of_some_is_not() -> None:
    columns = COLUMNS | {"configuration": "x:{model}|{effort}", "notes": "{effort}"}
    assert texts(read({"effort": ""}, columns=columns))["configuration"] == "x:m|"
    assert texts(read({"effort": ""}, columns=columns))["notes"] == ""
    assert texts(read({"effort": "", "model": ""}, columns=columns))["configuration"] == ""


def test_an_address_is_never_built_from_a_blank() -> None:
    columns = COLUMNS | {"source_url": "https://example.org/{commit}/{task}"}
    assert texts(read({"commit": ""}, columns=columns))["source_url"] == ""


def test_a_vocabulary_translates_and_refuses_what_it_does_not_know() -> None:
    vocabularies = {"task": {"column": "task", "words": {"t": "translated"}}, "m2": {"column": "model", "words": ["m"]}}
    columns = COLUMNS | {"notes": "{m2}"}
    assert texts(read({}, columns=columns, vocabularies=vocabularies))["contract"] == "translated.pass"
    found = read({"task": "T"}, columns=columns, vocabularies=vocabularies)
    assert told(found) == [("task", "T", "unknown-word")]
    assert "Did you mean t?" in found.problems[0].message
    assert found.spoiled == {"contract"}


def test_a_vocabulary_reads_the_cell_and_not_another_vocabulary() -> None:
    vocabularies = {"task": {"column": "task", "words": {"t": "u"}}, "again": {"column": "task", "words": {"t": "v"}}}
    assert texts(read({}, vocabularies=vocabularies, columns=COLUMNS | {"notes": "{again}"}))["notes"] == "v"


def test_a_blank_is_a_word_only_where_the_vocabulary_has_it() -> None:
    assert told(read({"task": ""}, vocabularies={"task": {"column": "task", "words": ["t"]}})) == [
        ("task", "", "unknown-word")
    ]
    assert not told(read({"task": ""}, vocabularies={"task": {"column": "task", "words": {"": "none"}}}))


@pytest.mark.parametrize(("word", "reason"), [(" t", "outer-space"), ("t\u200b", "invisible-character")])
def test_what_cannot_be_seen_in_a_word_is_named(word: str, reason: str) -> None:
    assert told(read({"task": word}, vocabularies={"task": {"column": "task", "words": ["t"]}})) == [
        ("task", word, reason)
    ]


def test_a_look_alike_is_named() -> None:
    found = read({"task": "a\u2010b"}, vocabularies={"task": {"column": "task", "words": ["a-b"]}})
    assert "U+2010 HYPHEN" in found.problems[0].message


def test_a_pattern_gives_new_names_and_a_vocabulary_may_translate_them() -> None:
    patterns = [{"column": "score", "pattern": "plus-minus", "into": {"value": "value", "spread": "spread"}}]
    columns = COLUMNS | {"value": "{value}", "stderr": "{spread}", "notes": "{word}"}
    vocabularies = {"word": {"column": "spread", "words": {"0.02": "narrow"}}}
    found = read({"score": "0.85±0.02"}, patterns=patterns, columns=columns, vocabularies=vocabularies)
    assert texts(found) == {
        "contract": "t.pass",
        "configuration": "m",
        "value": "0.85",
        "stderr": "0.02",
        "notes": "narrow",
    }
    found = read({"score": "0.85"}, patterns=patterns, columns=columns, vocabularies=vocabularies)
    assert told(found) == [("score", "0.85", "pattern")]
    assert found.spoiled == {"value", "stderr", "notes"}


@pytest.mark.parametrize("cell", ["83.1% ± 1.9%", "83.1 ± 1.9%", "83.1%±1.9 %", "83.1% +/- 1.9%"])
def test_a_percentage_with_its_error_is_one_pattern(cell: str) -> None:
    parts = PATTERNS["percent-plus-minus"].read(cell)
    assert parts == {"value": "83.1", "spread": "1.9", "unit": "percent"}


def test_an_error_without_its_sign_is_not_taken_for_percent() -> None:
    with pytest.raises(Bad, match=r"83\.1% ± 1\.9%"):
        PATTERNS["percent-plus-minus"].read("83.1% ± 1.9")


def test_an_absence_word_leaves_no_value_and_says_why() -> None:
    absences = [{"column": "score", "words": {"n/a": "withheld"}, "when": {"task": ["t"]}, "reason": "They keep it."}]
    patterns = [{"column": "score", "pattern": "percent", "into": {"value": "value"}}]
    found = read({"score": "n/a"}, absences=absences, patterns=patterns, columns=COLUMNS | {"value": "{value}"})
    assert (texts(found)["value"], texts(found)["absence"]) == ("", "withheld")
    assert [(remark.reason, remark.message) for remark in found.remarks] == [("declared-absence", "They keep it.")]
    assert "absence" not in texts(read({"score": "n/a", "task": "u"}, absences=absences))
    assert "absence" not in texts(read({"score": "N/A"}, absences=absences))


def test_a_rule_leaves_a_row_out_where_all_of_its_conditions_hold() -> None:
    skip = [{"when": {"task": ["overall", "all"], "model": {"begins": "m"}}, "reason": "A mean of the others."}]
    found = read({"task": "all", "model": "m9"}, skip=skip)
    assert found.skipped
    assert [(remark.column, remark.message) for remark in found.remarks] == [("task+model", "A mean of the others.")]
    assert not read({"task": "all", "model": "x"}, skip=skip).skipped


def test_the_header_must_hold_what_the_profile_reads() -> None:
    layout = ProfileLayout(
        {
            "columns": COLUMNS | {"sd": "{spread}"},
            "patterns": [{"column": "ci", "pattern": "sd-across-runs", "into": {"spread": "sd"}}],
            "skip": [{"when": {"domain": ["overall"]}, "reason": "x"}],
            "ignored": ["rank"],
        }
    )
    assert layout.header.needs == {"task", "model", "score", "ci", "domain"}
    names = ["task", "model", "ci", "domain", "rank", "Score", ""]
    assert [(problem.column, problem.reason) for problem in layout.header.problems([*names, "ci"])] == [
        ("", "empty-column"),
        ("ci", "repeated-column"),
        ("score", "missing-column"),
        ("Score", "unknown-column"),
    ]


def test_unknown_columns_may_be_ignored() -> None:
    layout = ProfileLayout({"columns": COLUMNS, "unknown_columns": "ignore"})
    assert layout.header.problems([*ROW, "more"]) == []


@pytest.mark.parametrize(
    ("spec", "fault"),
    [
        ([], "made of named parts"),
        ({}, "columns: this part is required"),
        ({"columns": COLUMNS, "colums": {}}, "colums: there is no such part. Did you mean columns?"),
        ({"columns": {"contract": "a", "configuration": "b"}}, "columns.value: this column is required"),
        ({"columns": {"contract": "a", "value": "b", "model": "c"}}, "columns.configuration: this column is required"),
        ({"columns": COLUMNS | {"std": "{x}"}}, "columns.std: results.csv has no such column"),
        ({"columns": COLUMNS | {"sd": 1}}, "columns: must be columns of results.csv"),
        (
            {"columns": COLUMNS, "vocabularies": {"a": {"column": "b", "words": {}}}},
            "vocabularies.a.words: must be words",
        ),
        (
            {"columns": COLUMNS, "vocabularies": {"a": {"words": ["x"]}}},
            "vocabularies.a.column: this field is required",
        ),
        (
            {"columns": COLUMNS, "patterns": [{"column": "a", "pattern": "x", "into": {"a": "b"}}]},
            "patterns[1].pattern",
        ),
        (
            {"columns": COLUMNS, "patterns": [{"column": "a", "pattern": "percent", "into": {"a": "spread"}}]},
            "patterns[1].into.a: the pattern gives value, unit, not spread",
        ),
        (
            {"columns": COLUMNS, "absences": [{"column": "a", "words": {"": "gone"}, "reason": "r"}]},
            "absences[1].words: must be words, each with one of not-reported, failed, withheld",
        ),
        ({"columns": COLUMNS, "absences": [{"column": "a", "words": {"": "failed"}}]}, "absences[1].reason"),
        ({"columns": COLUMNS, "skip": [{"when": {}, "reason": "r"}]}, "skip[1].when"),
        ({"columns": COLUMNS, "skip": [{"when": {"a": "b"}, "reason": "r"}]}, "skip[1].when.a"),
        ({"columns": COLUMNS, "skip": [{"when": {"a": ["b"]}, "reason": ""}]}, "skip[1].reason: must be text"),
        ({"columns": COLUMNS, "skip": [{"when": {"a": ["b"]}, "reason": "r", "code": "x"}]}, "skip[1].code"),
        ({"columns": COLUMNS, "format": "word"}, "format: must be one of csv, xlsx, every-eval-ever"),
        ({"columns": COLUMNS | {"n": "{nn}"}, "format": "inspect"}, "format: inspect has no column nn"),
        ({"columns": COLUMNS, "one_hot": {"a": {"b": "c"}}}, "one_hot: must be new names, each with two columns"),
        ({"columns": COLUMNS, "one_hot": ["a"]}, "one_hot: must be new names"),
        ({"columns": COLUMNS, "blanks": [{"column": "a", "words": []}]}, "blanks[1].words: must be a list of words"),
        ({"columns": COLUMNS, "blanks": [{"words": ["a"]}]}, "blanks[1].column: this field is required"),
        ({"columns": COLUMNS, "ignored": "a"}, "ignored: must be a list"),
        ({"columns": COLUMNS, "unknown_columns": "maybe"}, "unknown_columns: must be refuse or ignore"),
    ],
)
def test_a_faulty_part_is_named(spec: Any, fault: str) -> None:
    with pytest.raises(ValidationError) as caught:
        validate_spec(spec)
    assert any(message.startswith(fault) or fault in message for message in caught.value.message_dict["spec"])


SCALARS = st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.sampled_from(["percent", "begins"])
KEYS = st.text(max_size=3) | st.sampled_from(["column", "words", "when", "into", "pattern"])
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)
PARTS = [
    "format",
    "columns",
    "one_hot",
    "blanks",
    "vocabularies",
    "patterns",
    "absences",
    "skip",
    "ignored",
    "unknown_columns",
]


@given(JSON | st.dictionaries(st.sampled_from(PARTS), JSON), st.lists(st.text(max_size=3), min_size=3, max_size=3))
def test_any_json_is_a_spec_or_is_refused_and_a_spec_can_read(spec: Any, cells: list[str]) -> None:
    try:
        validate_spec(spec)
    except ValidationError:
        return
    layout = ProfileLayout(spec)
    row = dict(zip(sorted(layout.header.needs), cells * 10, strict=False))
    assert layout.read(2, row).line == 2


def test_a_faulty_profile_cannot_be_saved() -> None:
    profile = MappingProfile(key="p", title="P", spec={"columns": {}})
    with pytest.raises(ValidationError) as caught:
        profile.full_clean(validate_unique=False, validate_constraints=False)
    assert "spec" in caught.value.message_dict


def test_a_profile_for_comparisons_reads_no_results() -> None:
    with pytest.raises(ValidationError, match="comparisons"):
        layout_of(MappingProfile(key="p", kind="comparisons", spec={"columns": COLUMNS}))


# What only some files need --------------------------------------------------------------------------------------------


def test_a_column_without_a_name_is_called_by_the_one_given() -> None:
    columns = COLUMNS | {"configuration": "{name}"}
    found = read({"": "GPT"}, columns=columns, unnamed="name")
    assert texts(found)["configuration"] == "GPT"
    assert found.cells["configuration"].column == "name"


def test_a_column_without_a_name_is_refused_unless_the_profile_names_it() -> None:
    header = ["", "task", "score"]
    spec = {"columns": COLUMNS | {"configuration": "{name}"}}
    assert {problem.reason for problem in ProfileLayout(spec).header.problems(header)} == {
        "empty-column", "missing-column",
    }  # fmt: skip
    assert ProfileLayout(spec | {"unnamed": "name"}).header.problems(header) == []
    twice = ProfileLayout(spec | {"unnamed": "name"}).header.problems(["", "name", "task", "score"])
    assert [(problem.column, problem.reason) for problem in twice] == [("name", "repeated-column")]


def test_rows_are_skipped_that_are_none_of_a_list() -> None:
    rule = {"when": {"model": {"not": ["m", "n"]}}, "reason": "Nobody compares it."}
    assert not read({"model": "n"}, skip=[rule]).skipped
    skipped = read({"model": "o"}, skip=[rule])
    assert skipped.skipped
    assert [(remark.value, remark.message) for remark in skipped.remarks] == [("o", "Nobody compares it.")]


@pytest.mark.parametrize("test", [{"not": []}, {"not": "m"}, {"not": ["m"], "begins": "x"}, {"is": ["m"]}, {}])
def test_a_condition_is_one_of_three(test: object) -> None:
    with pytest.raises(ValidationError, match="must be a list of texts"):
        validate_spec({"columns": COLUMNS, "skip": [{"when": {"model": test}, "reason": "R."}]})


def test_a_profile_reads_sheets_unless_it_names_another_format() -> None:
    assert ProfileLayout({"columns": COLUMNS}).formats == {"csv", "xlsx", "json-rows"}
    assert ProfileLayout({"columns": COLUMNS, "format": "csv"}).formats == {"csv"}


def test_a_format_without_the_columns_of_a_profile_is_named_when_it_is_saved() -> None:
    columns = {"contract": "{task}.{metrics}", "configuration": "{model}", "value": "{value}"}
    with pytest.raises(ValidationError, match=r"format: inspect has no column metrics\. Did you mean metric"):
        validate_spec({"format": "inspect", "columns": columns})
    spec = {"format": "inspect", "columns": columns | {"contract": "{task}.{metric}"}}
    validate_spec(spec)
    # Its other columns are known, and need no mention.
    assert ProfileLayout(spec).header.problems(list(FORMATS["inspect"].columns)) == []


def test_words_that_say_nothing_are_blanks() -> None:
    columns = COLUMNS | {"stderr": "{error}"}
    found = read({"error": "N/A"}, columns=columns, blanks=[{"column": "error", "words": ["N/A"]}])
    assert texts(found)["stderr"] == ""
    assert (
        texts(read({"error": "n/a"}, columns=columns, blanks=[{"column": "error", "words": ["N/A"]}]))["stderr"]
        == "n/a"
    )


def test_a_pattern_reads_what_one_before_it_made_and_is_lost_with_it() -> None:
    patterns = [
        {"column": "score", "pattern": "plus-minus", "into": {"rate": "value", "spread": "spread"}},
        {"column": "rate", "pattern": "fraction-to-percent", "into": {"percent": "value"}},
    ]
    columns = COLUMNS | {"value": "{percent}"}
    found = read({"score": "0.85±0.02"}, columns=columns, patterns=patterns)
    assert found.cells["value"] == Cell("85", "score", "0.85±0.02", "plus-minus, fraction-to-percent")
    assert ProfileLayout({"columns": columns, "patterns": patterns}).header.needs == {"task", "model", "score"}
    lost = read({"score": "0.85"}, columns=columns, patterns=patterns)
    assert (told(lost), lost.spoiled) == ([("score", "0.85", "pattern")], {"value"})


def test_one_of_several_columns_says_yes() -> None:
    one_hot = {"part": {"is_a": "first", "is_b": "second"}}
    found = read({"is_a": "0", "is_b": "1"}, columns=COLUMNS | {"notes": "{part}"}, one_hot=one_hot)
    assert texts(found)["notes"] == "second"
    found = read({"is_a": "1", "is_b": "1"}, columns=COLUMNS | {"notes": "{part}"}, one_hot=one_hot)
    assert told(found) == [("is_a+is_b", "1, 1", "one-hot")]
    assert found.spoiled == {"notes"}


COMPARED = {name: f"{{{name}}}" for name in ("comparison_id", "facet", "task", "a", "b", "outcome", "judge")}


def test_a_profile_of_comparisons_builds_the_columns_of_comparisons() -> None:
    validate_spec({"columns": COMPARED, "judge_kind": "person"}, "comparisons")
    layout = ProfileLayout({"columns": COMPARED | {"order": "ab"}, "judge_kind": "person"})
    assert layout.new_people
    assert texts(layout.read(2, dict.fromkeys(COMPARED, "x")))["order"] == "ab"


@pytest.mark.parametrize(
    ("spec", "kind", "fault"),
    [
        ({"columns": COMPARED}, "results", r"columns\.judge: results\.csv has no such column"),
        ({"columns": COLUMNS}, "comparisons", r"columns\.outcome: this column is required"),
        ({"columns": COLUMNS, "judge_kind": "person"}, "results", "judge_kind: there is no such part"),
        ({"columns": COMPARED, "judge_kind": "model"}, "comparisons", "judge_kind: must be person"),
        ({"columns": COMPARED, "absences": []}, "comparisons", "absences: there is no such part"),
        ({"columns": COMPARED, "unnamed": ""}, "comparisons", "unnamed: must be text"),
    ],
)
def test_each_kind_has_its_own_parts(spec: dict[str, Any], kind: str, fault: str) -> None:
    with pytest.raises(ValidationError, match=fault):
        validate_spec(spec, kind)


@pytest.mark.parametrize("part", [{"ignored": ["a\0b"]}, {"constants\0": {}}, {"columns": {"notes": "\ud800"}}])
def test_a_text_that_no_database_stores_is_no_part_of_a_profile(part: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match="Holds a character that is no text"):
        validate_spec({"columns": COLUMNS} | part)
