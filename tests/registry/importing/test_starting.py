"""What a file is to look like, and what a profile starts from."""

import pytest

from registry.importing import starting
from registry.importing.kinds import KINDS
from registry.importing.layouts import RESULTS
from registry.importing.profiles import validate_spec
from registry.importing.readers import read
from registry.importing.translating import ProfileLayout
from registry.vocabulary import ImportKind


@pytest.mark.parametrize("kind", KINDS)
def test_a_template_is_a_header_that_is_taken(kind: str) -> None:
    table = read(starting.template(kind).encode())
    assert (KINDS[kind].own.header.problems(table.header), list(table)) == ([], [])


def test_required_columns_are_told_to_be() -> None:
    told = {column.name: column.required for column in starting.columns(ImportKind.RESULTS)}
    assert {name: word for name, word in told.items() if word} == {
        "contract": "required",
        "configuration": "required, or organization and model",
        "value": "required",
    }


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("header", [[], ["model", "score"], ["value", "", "a{b}"], ["judge", "rank", "rank"]])
@pytest.mark.parametrize("form", ["", "csv", "lm-eval"])
def test_a_skeleton_is_valid_and_reads_its_header(kind: str, header: list[str], form: str) -> None:
    spec = starting.skeleton(kind, header, form)
    columns = list(dict.fromkeys(header))
    if form == "lm-eval":
        assert spec["format"] == form
        return
    validate_spec(spec, kind)
    assert [found for found in ProfileLayout(spec).header.problems(columns) if found.reason != "no-header"] == []


def test_a_skeleton_takes_what_has_its_name_and_leaves_the_rest_to_people() -> None:
    assert starting.skeleton(ImportKind.RESULTS, ["contract", "model", "score"]) == {
        "columns": {"contract": "{contract}", "configuration": "", "model": "{model}", "value": ""},
        "ignored": ["score"],
    }


def test_what_resembles_nothing_is_told_once_what_is_known() -> None:
    unknown = [
        each for each in RESULTS.problems(["contract", "modell", "xyz", "zyx"]) if each.reason == "unknown-column"
    ]
    assert [each.message.partition(" Known")[0] for each in unknown] == [
        "The column modell is not known here. Did you mean model?",
        "The column xyz is not known here.",
        "The column zyx is not known here.",
    ]
    assert "Known are: absence, configuration, direction" in unknown[1].message
    assert "contract" not in unknown[1].message
