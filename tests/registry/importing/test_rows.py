"""The validator by itself: lookup tables made by hand, no database."""

from datetime import date
from typing import Any

import pytest

from registry.importing.layouts import OwnLayout
from registry.importing.results.lookups import Contract, Known, Said
from registry.importing.results.rows import ResultRow, Validator
from registry.importing.subjects import Subject
from registry.importing.tables import Record

FRACTION = Contract(1, "b.pass", "l-main", "p.main", "fraction", "higher", "harnessed-model", 0.0, 1.0, 10)
COST = Contract(2, "b.cost", "l-main", "p.main", "USD", "lower", "model", None, None, 1)
PLAIN = Subject(1, "maker/m", "harnessed-model", ("maker", "m", "unknown", "unknown"))
HIGH = Subject(2, "maker/m/high", "harnessed-model", ("maker", "m", "unknown", "high"))
MODEL = Subject(3, "maker/m/model", "model", ("maker", "m", "unknown", "high"))
TUNED = Subject(4, "maker/n/a", "model", ("maker", "n", "unknown", "unknown"))
OTHERWISE = Subject(5, "maker/n/b", "model", ("maker", "n", "unknown", "unknown"))
SUBJECTS = [PLAIN, HIGH, MODEL, TUNED, OTHERWISE]
KNOWN = Known(
    contracts={contract.key: contract for contract in (FRACTION, COST)},
    subjects={subject.key: subject for subject in SUBJECTS} | {"The M": PLAIN, "M\u00fcller": HIGH},
    by_parts={
        parts: [subject for subject in SUBJECTS if subject.parts == parts]
        for parts in {item.parts for item in SUBJECTS}
    },
    unreviewed=("Perhaps M",),
)
ROW = {"contract": "b.pass", "configuration": "maker/m", "value": "0.5", "source_url": "https://example.org/"}


def check(file_url: str = "", file_ref: str = "", /, **cells: str) -> ResultRow:
    row = ROW | cells
    validator = Validator(list(row), OwnLayout(), KNOWN, source_url=file_url, source_ref=file_ref)
    return validator.check(Record(2, list(row.values())))


def told(row: ResultRow) -> list[tuple[str, str]]:
    return [(problem.column, problem.reason) for problem in row.problems]


def test_a_good_row_is_read_in_full() -> None:
    row = check(
        stderr="0.01",
        sd="0.02",
        n="200",
        runs="5",
        observed_on="2025-03-01",
        source_ref="abc",
        external_id="1",
        notes=" x\n",
    )
    assert row.problems == []
    assert row.identity == (1, 1, "https://example.org/", "abc", "1")
    assert row.said == Said(0.5, "", 0.01, 0.02, 200, 5, date(2025, 3, 1), " x\n")
    assert row.texts()["value"] == "0.5"


def test_values_are_kept_as_cells_of_results_csv() -> None:
    row = check(configuration="The M", value="5.0e-1", n="0200")
    assert (row.texts()["configuration"], row.texts()["value"], row.texts()["n"]) == ("maker/m", "0.5", "200")


@pytest.mark.parametrize(
    ("cells", "problems"),
    [
        ({"contract": ""}, [("contract", "missing")]),
        ({"contract": "b.fail"}, [("contract", "unknown-contract")]),
        ({"contract": "B.pass"}, [("contract", "unknown-contract")]),
        ({"configuration": ""}, [("configuration", "missing")]),
        ({"configuration": "maker/x"}, [("configuration", "unknown-configuration")]),
        ({"configuration": "Perhaps M"}, [("configuration", "unreviewed-alias")]),
        ({"value": ""}, [("value", "missing")]),
        ({"value": "", "absence": "gone"}, [("absence", "unknown-word")]),
        ({"absence": "failed"}, [("absence", "value-and-absence")]),
        ({"value": "1.01"}, [("value", "out-of-contract")]),
        ({"value": "-0.01"}, [("value", "out-of-contract")]),
        ({"n": "9"}, [("n", "out-of-contract")]),
        ({"source_url": ""}, [("source_url", "missing")]),
        ({"source_url": "https://example.org/" + "x" * 500}, [("source_url", "too-long")]),
        ({"external_id": "x" * 201}, [("external_id", "too-long")]),
        ({"source_ref": " x"}, [("source_ref", "outer-space")]),
        ({"lineage": "l-other"}, [("lineage", "contract-mismatch")]),
        ({"protocol": "p.other"}, [("protocol", "contract-mismatch")]),
        ({"unit": "percent"}, [("unit", "contract-mismatch")]),
        ({"direction": "lower"}, [("direction", "contract-mismatch")]),
        ({"subject_kind": "model"}, [("subject_kind", "contract-mismatch")]),
        ({"stderr": "1.5"}, [("stderr", "out-of-contract")]),
        ({"stderr": "1", "sd": "85"}, [("sd", "out-of-contract")]),
        (
            {"value": "abc", "n": "-5", "stderr": "-1"},
            [("value", "not-a-number"), ("n", "not-a-count"), ("stderr", "negative")],
        ),
    ],
)
def test_every_problem_is_told_with_its_column(cells: dict[str, str], problems: list[tuple[str, str]]) -> None:
    row = check(**cells)
    assert told(row) == problems
    assert row.said is None


def test_statements_that_agree_are_taken() -> None:
    stated = {"lineage": "l-main", "protocol": "p.main", "unit": "fraction", "direction": "higher"}
    assert told(check(**stated, subject_kind="harnessed-model")) == []


def test_a_contract_without_bounds_takes_any_finite_value() -> None:
    assert told(check(contract="b.cost", value="-1e6", stderr="1e6", sd="1e7")) == []


def test_a_spread_as_wide_as_the_bounds_is_the_widest() -> None:
    (problem,) = check(stderr="1.5").problems
    assert "1.5 is above 1.0, the whole range of values of the contract b.pass (fraction)" in problem.message
    assert told(check(stderr="1", sd="1")) == []


def test_an_absence_stands_for_the_value() -> None:
    row = check(value="", absence="failed")
    assert row.said is not None
    assert (row.said.value, row.said.absence) == (None, "failed")


def test_unknown_names_come_with_a_suggestion_and_are_never_taken_for_it() -> None:
    row = check(contract="b.pas", configuration="the m")
    assert [problem.message for problem in row.problems] == [
        "There is no metric contract b.pas. Did you mean b.pass?",
        "There is no configuration or reviewed alias the m. Did you mean The M?",
    ]


def test_another_version_is_never_suggested() -> None:
    assert check(configuration="maker/m/hihg").problems[0].message.endswith("Did you mean maker/m/high, maker/m?")
    assert check(configuration="maker/m-2/high").problems[0].message.endswith("alias maker/m-2/high.")
    row = check(configuration="", organization="maker", model="m2", effort="high")
    assert row.problems[0].message.endswith("There is no configuration maker / m2 / unknown / high.")


def test_a_look_alike_is_refused_and_named() -> None:
    row = check(configuration="maker\u2215m")
    assert told(row) == [("configuration", "unknown-configuration")]
    assert "U+2215 DIVISION SLASH" in row.problems[0].message


def test_names_match_in_composed_form() -> None:
    assert check(configuration="Mu\u0308ller").values["configuration"] == "maker/m/high"


@pytest.mark.parametrize(
    ("parts", "contract", "key"),
    [
        ({}, "b.pass", "maker/m"),
        ({"harness": "", "effort": ""}, "b.pass", "maker/m"),
        ({"effort": "high"}, "b.pass", "maker/m/high"),
        ({"effort": "high"}, "b.cost", "maker/m/model"),
    ],
)
def test_four_parts_look_a_configuration_up(parts: dict[str, str], contract: str, key: str) -> None:
    row = check(configuration="", organization="maker", model="m", contract=contract, **parts)
    assert (row.problems, row.values["configuration"]) == ([], key)


def test_parts_never_make_a_configuration() -> None:
    row = check(configuration="", organization="maker", model="m", effort="hihg")
    assert told(row) == [("model", "unknown-configuration")]
    assert "Did you mean maker / m / unknown / high," in row.problems[0].message


def test_parts_of_several_configurations_are_refused_with_their_keys() -> None:
    row = check(configuration="", organization="maker", model="n")
    assert told(row) == [("model", "ambiguous-configuration")]
    assert "maker/n/a, maker/n/b" in row.problems[0].message


def test_parts_beside_a_configuration_must_agree_with_it() -> None:
    assert told(check(organization="maker", model="m", harness="", effort="")) == []
    assert told(check(effort="high")) == [("effort", "configuration-mismatch")]


def test_the_row_wins_over_what_is_given_for_the_file() -> None:
    assert check("https://example.org/file", "ref").identity == (1, 1, "https://example.org/", "ref", "")
    assert check("https://example.org/file", source_url="").identity == (1, 1, "https://example.org/file", "", "")
    assert told(check("https://example.org/file", source_url="x")) == [("source_url", "bad-address")]


def misshapen(cells: list[str]) -> list[tuple[str, str]]:
    return told(Validator(list(ROW), OwnLayout(), KNOWN).check(Record(7, cells)))


def test_rows_that_do_not_fit_the_header() -> None:
    assert misshapen(["b.pass", "maker/m"]) == [("value", "row-length")]
    assert misshapen([*ROW.values(), "extra"]) == [("", "row-length")]
    assert misshapen(list(ROW)) == [("contract", "header-repeated")]
    assert misshapen(["", "", "", ""]) == [("", "blank-row")]
    assert misshapen(["b.pass", "maker/m", "0.5", "x" * 20_001]) == [("source_url", "cell-too-long")]
    assert misshapen(["b.pass", "maker/m", "0.5", "'=" + "x" * 20_000]) == [("source_url", "cell-too-long")]
    assert ("source_url", "cell-too-long") not in misshapen(["b.pass", "maker/m", "0.5", "'=" + "x" * 19_999])


def test_what_a_long_row_had_too_much_is_kept() -> None:
    row: Any = Validator(list(ROW), OwnLayout(), KNOWN).check(Record(7, [*ROW.values(), "extra", "more"]))
    assert row.raw[-2:] == ["extra", "more"]


def test_suggestions_end_where_a_file_is_full_of_wrong_names() -> None:
    validator = Validator(list(ROW), OwnLayout(), KNOWN)
    rows = [
        validator.check(Record(line, ["b.pass", f"maker/m{'-' * line}", "0.5", ROW["source_url"]]))
        for line in range(1, 301)
    ]
    assert ["Did you mean" in row.problems[0].message for row in rows] == [True] * 200 + [False] * 100
