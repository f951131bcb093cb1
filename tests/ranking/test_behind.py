"""What a page would say otherwise is told by name, in words that a person can read."""

from ranking.behind import Difference, differences

ALIGNMENTS = [
    {"facet": "f1", "task": "t1", "directness": "85", "reason": "Same."},
    {"facet": "f1", "task": "t2", "directness": "60", "reason": "Near."},
]


def test_an_added_alignment_is_named() -> None:
    added = {"facet": "f1", "task": "t3", "directness": "40", "reason": "Far."}
    found = differences({"alignments": ALIGNMENTS}, {"alignments": [added, *ALIGNMENTS]})
    assert found == [Difference("alignments / f1 t3", "nothing", "f1 t3")]


def test_a_changed_leaf_says_before_and_after_and_order_says_nothing() -> None:
    changed = [ALIGNMENTS[1], ALIGNMENTS[0] | {"directness": "80"}]
    found = differences({"alignments": ALIGNMENTS}, {"alignments": changed})
    assert found == [Difference("alignments / f1 t1 / directness", "85", "80")]


def test_digests_come_last_and_short() -> None:
    found = differences({"gate": {"snapshot": "a" * 64}, "note": "x"}, {"gate": {"snapshot": "b" * 64}, "note": "y"})
    assert found == [Difference("note", "x", "y"), Difference("gate / snapshot", "a" * 12, "b" * 12)]


def test_equal_content_differs_nowhere() -> None:
    assert differences({"alignments": ALIGNMENTS}, {"alignments": ALIGNMENTS}) == []


def test_a_right_and_an_exclusion_are_named_by_what_they_are_about() -> None:
    rights = [{"use": "rank", "verdict": "allowed"}, {"use": "show", "verdict": "allowed"}]
    refused = [rights[0], rights[1] | {"verdict": "refused"}]
    assert [row.where for row in differences({"rights": rights}, {"rights": refused})] == ["rights / show / verdict"]
    exclusion = {"scope": "lineage", "target": "old", "mapping": None, "type": "version", "reason": "Other tasks."}
    found = differences({"exclusions": []}, {"exclusions": [exclusion]})
    assert [row.where for row in found] == ["exclusions / lineage old version"]
