"""JSON read strictly."""

import pytest

from registry.importing.formats.flat import MOST_RECORDS
from registry.importing.formats.json_text import DEEPEST, MOST_VALUES, read_json, text_of
from registry.importing.problems import Unreadable
from tests.registry.importing.formats.conftest import faults, rows


@pytest.mark.parametrize(
    "digits", ["0.10", "1e-3", "-0", "12345678901234567890.12345", "1E+400", "0.1000000000000000055"]
)
def test_a_number_keeps_its_digits(digits: str) -> None:
    assert text_of(read_json(digits.encode())) == digits


@pytest.mark.parametrize(
    ("json", "text"),
    [
        ("null", ""),
        ("true", "true"),
        ("false", "false"),
        ('"a\\u00e9"', "aé"),
        ("[1.50, null, {}]", "[1.50,null,{}]"),
        ('{"b": {"a": "\\""}}', '{"b":{"a":"\\""}}'),
        ("NaN", "NaN"),
        ("-Infinity", "-Infinity"),
    ],
)
def test_a_value_as_a_cell(json: str, text: str) -> None:
    assert text_of(read_json(json.encode())) == text


@pytest.mark.parametrize(
    ("content", "line", "reason", "said"),
    [
        (b'{"a": 1,\n"a": 2}', 1, "repeated-key", "The key a stands twice"),
        (b'{"a": 1,\n "b" 2}', 2, "not-json", "from character 6 of the line on"),
        (b'{"a": "\x01"}', 1, "not-json", "Invalid control character"),
        (b'{"a":\n"\xff"}', 2, "encoding", "0xFF"),
        (b"[" * (DEEPEST + 2) + b"]" * (DEEPEST + 2), 1, "too-deep", "100 levels"),
        (b"[" * 200_000, 1, "too-deep", "100 levels"),
        (b"[" + b"0," * (MOST_VALUES + 1) + b"0]", 1, "too-many-values", "2,000,000"),
        (b'{"a": 1} {"b": 2}', 1, "not-json", "Extra data"),
        (b"", 1, "not-json", "Expecting value"),
    ],
)
def test_a_fault_has_its_line_and_sentence(content: bytes, line: int, reason: str, said: str) -> None:
    with pytest.raises(Unreadable) as caught:
        read_json(content)
    (problem,) = caught.value.problems
    assert (problem.line, problem.reason) == (line, reason)
    assert said in problem.message


def test_rows_take_their_columns_in_the_order_of_their_first_use() -> None:
    assert rows(b'[{"b": 0.10, "a": null}, {"a": true, "c": [1]}]') == [
        {"b": "0.10", "a": "", "c": ""},
        {"b": "", "a": "true", "c": "[1]"},
    ]


def test_json_lines_keep_their_lines() -> None:
    from registry.importing.formats import recognised

    content = b'{"a": 1}\n\n{"a": 2}\r\n'
    assert [record.line for record in recognised("b.jsonl", content).read(content, "")] == [1, 3]


@pytest.mark.parametrize(
    ("content", "line", "reason"),
    [
        (b'{"a": 1}\n{"a": }\n', 2, "not-json"),
        (b'{"a": 1}\n{"a"\n: 1}\n', 2, "not-json"),
        (b"[1, 2]", 1, "no-object"),
        (b'[{"a": "\\u0000"}]', 1, "nul-byte"),
        (b'[{"a": "b"}, {"a": "\\ud800"}]', 2, "encoding"),
    ],
)
def test_what_is_wrong_with_a_row_has_its_line(content: bytes, line: int, reason: str) -> None:
    assert [(problem.line, problem.reason) for problem in faults(content, "json-rows")] == [(line, reason)]


def test_lines_without_end_are_counted_before_they_are_read() -> None:
    assert [problem.reason for problem in faults(b"{}\n" * (MOST_RECORDS + 1))] == ["too-many-rows"]


def test_keys_without_end_are_no_columns() -> None:
    wide = b"[{" + b",".join(b'"k%d": 1' % key for key in range(1_001)) + b"}]"
    assert [problem.reason for problem in faults(wide)] == ["too-many-columns"]
