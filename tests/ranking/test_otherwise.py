"""What a page would say otherwise, before anybody seals it: in the words of the public pages, by part, all of it."""

import copy
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from ranking.otherwise import Difference, differences
from tests.ranking.public import ranked, world

Content = dict[str, Any]
Change = Callable[[Content], None]


@pytest.fixture
def status(db: None) -> Content:
    world.build()
    return said(world.publish())


@pytest.fixture
def ranking(db: None) -> Content:
    world.build()
    world.publish()
    return said(ranked.publish())


def said(publication: Any) -> Content:
    found: Content = json.loads(publication.release.content)
    return found


def changed(content: Content, change: Change) -> list[Difference]:
    present = copy.deepcopy(content)
    change(present)
    return differences(content, present)


def rows(content: Content, change: Change) -> list[tuple[str, str, str]]:
    return [(found.what, found.published, found.present) for found in changed(content, change)]


def test_a_facet_goes_by_its_title(status: Content) -> None:
    def rename(content: Content) -> None:
        content["facets"][0] |= {"title": "Finding out", "weight": "30"}

    assert rows(status, rename) == [
        ("Finding out: weight", "25%", "30%"),
        ("Finding out: title", "Diagnosis and resolution", "Finding out"),
    ]


def test_a_criterion_goes_by_its_name_and_once(status: Content) -> None:
    def answer(content: Content) -> None:
        row = content["gate"]["criteria"][0]
        assert row["code"] == "external-evidence"
        row |= {"observed": 24, "beside": {"results recorded": 30}}
        content["gate"]["facets"][0]["criteria"][1]["observed"] = 24

    assert rows(status, answer) == [("External evidence", "met: 1, at least 1 asked", "met: 24, at least 1 asked")]


def test_figures_beside_an_answer_are_one_row_without_a_number(status: Content) -> None:
    def look(content: Content) -> None:
        content["gate"]["criteria"][0]["beside"] = {"results recorded": 30}

    answer = "met: 1, at least 1 asked"
    assert rows(status, look) == [("External evidence", answer, f"{answer}, with other figures beside it")]


def test_evidence_is_counted(status: Content) -> None:
    def add(content: Content) -> None:
        content["evidence"] |= {"results": 20, "eligible": 20, "reasons": []}

    found = rows(status, add)
    assert found[:2] == [("Results on record", "3", "20"), ("Results that count", "1", "20")]
    assert ("Results that do not count: Its contract is catalogued, not usable.", "1", "nothing") in found


def test_a_mapping_and_its_contracts_go_by_title(status: Content) -> None:
    def block(content: Content) -> None:
        mapping = content["mappings"][0]
        mapping["role"] = "supporting"
        mapping["contracts"][0]["use"] = "blocked"
        mapping["alignments"] = []

    title = world_title(status)
    contract = status["mappings"][0]["contracts"][0]
    assert rows(status, block) == [
        (f"{title}: contract {contract['title']}: use", contract["use"], "blocked"),
        (f"{title}: alignment to Diagnosis and resolution, task 1", "there", "not there"),
        (title, "primary evidence", "supporting evidence"),
    ]


def world_title(content: Content) -> str:
    return str(content["mappings"][0]["benchmark"]["title"])


def test_what_comes_or_goes_as_a_whole_is_one_row(status: Content) -> None:
    def drop(content: Content) -> None:
        del content["mappings"][0], content["facets"][1]

    assert rows(status, drop) == [
        ("Policy boundaries", "there", "not there"),
        (world_title(status), "primary evidence", "not there"),
    ]


def test_an_exclusion_goes_by_what_it_is_about_and_a_configuration_by_no_name(status: Content) -> None:
    def refuse(content: Content) -> None:
        lifted = content["exclusions"].pop()
        content["lifted_exclusions"] = [lifted | {"lift_reason": "A bridge study."}]
        content["exclusions"] = [lifted | {"scope": "configuration", "target": "maker/hidden-9@high"}]

    assert rows(status, refuse) == [
        ("One configuration", "not there", "refused, version: Other tasks, other prompts."),
        ("Lineage statebench-v0-7-main", "refused, version: Other tasks, other prompts.", "lifted: A bridge study."),
    ]


def test_the_order_of_a_list_says_nothing(status: Content) -> None:
    assert rows(status, lambda content: content["mappings"][0]["contracts"].reverse()) == []


def test_evidence_read_anew_is_no_difference_to_a_reader(status: Content) -> None:
    assert rows(status, lambda content: content["gate"].update(snapshot="f" * 64)) == []


def test_behind_a_table_it_is_one_for_its_values_are_seen_there(ranking: Content) -> None:
    found = rows(ranking, lambda content: content["gate"].update(snapshot="f" * 64))
    assert found == [("What the table is computed from", "as it was read", "read anew")]


def test_the_table_itself_is_never_told(ranking: Content) -> None:
    assert rows(ranking, lambda content: content.update(ranking={"rows": [{"score": 1}]})) == []


# Nothing that a reader sees is passed over ----------------------------------------------------------------------------

TOLD_ELSEWHERE = re.compile(
    r"\.ranking\b|\.gate\.(snapshot|policy|verdict|facets)|\.format|\.(key|slug|collection|suite|about|lift_condition)$"
    r"|\.policy\.(edition|version)|\.facets\.\d+\.(status\.message|mappings|atoms)"
    r"|\.mappings\.\d+\.(collection_|maximum_directness|exclusions|benchmark\.suite\.key)"
    r"|\.mappings\.\d+\.facets\.\d+\.(title|description|weight|mode)$|\.measures$|\.reasons\.\d+\.code$"
)
"""What follows from something that is told: no second row tells of it."""


def leaves(value: Any, where: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Path, container and index of every value that holds no other."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for index, inner in pairs:
        path = f"{where}.{index}"
        if isinstance(inner, dict | list):
            yield from leaves(inner, path)
        elif not TOLD_ELSEWHERE.search(path):
            yield path, value, index


def other(value: Any) -> Any:
    match value:
        case bool():
            return not value
        case int() | float() | None:
            return (value or 0) + 1
        case str() if value in ("passed", "failed", "not-testable"):
            return "failed" if value == "passed" else "passed"
        case _:
            return "otherwise"


def test_every_word_and_number_of_a_page_is_compared_and_no_path_is_shown(status: Content) -> None:
    present = copy.deepcopy(status)
    for path, container, index in leaves(present):
        kept = container[index]
        container[index] = other(kept)
        found = differences(status, present)
        assert found, path
        for row in found:
            assert row.published != row.present, path
            assert not re.search(r" / |[0-9a-f]{64}|\bdiagnosis-and-resolution\b", f"{row.what} {row.present}"), row
        container[index] = kept
