"""What a row of comparisons means beside the others and beside what is stored."""

from collections import Counter
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from registry.actions import imports
from registry.models import Comparison
from registry.models import Judge as StoredJudge
from registry.vocabulary import BatchMode, ImportKind, Verdict
from tests.registry.importing.comparisons.conftest import comparisons_csv, told
from tests.registry.importing.conftest import Stage

pytestmark = pytest.mark.django_db


def counts(stage: Stage, *rows: dict[str, Any], **options: Any) -> dict[str, int]:
    return {verdict: count for verdict, count in stage(*rows, **options).counts.items() if count}


def test_one_id_twice_refuses_both_lines_and_names_each_other(stage: Stage) -> None:
    batch = stage({}, {"comparison_id": "v-2"}, {"outcome": "b"})
    assert told(batch) == [(2, "comparison_id", "repeated-in-file"), (4, "comparison_id", "repeated-in-file")]
    first, second = (row.problems[0]["message"] for row in batch.staged.filter(verdict=Verdict.REFUSED))
    assert "line 4" in first
    assert "line 2" in second


def test_a_judge_who_contradicts_himself_is_a_conflict(stage: Stage) -> None:
    batch = stage({"order": "ab"}, {"comparison_id": "v-2", "order": "ab", "outcome": "b"})
    assert told(batch) == [(2, "outcome", "contradiction"), (3, "outcome", "contradiction")]
    assert "on line 3" in batch.staged.get(line=2).problems[0]["message"]


MIRRORED = {"a": "vendor1-model-001", "b": "vendor0-model-000"}


@pytest.mark.parametrize(
    ("other", "verdicts"),
    [
        # The same said from the other side.
        (MIRRORED | {"order": "ba", "outcome": "b"}, {"new": 2}),
        (MIRRORED | {"order": "ba", "outcome": "a"}, {"conflict": 2}),
        (MIRRORED | {"order": "ba", "outcome": "tie"}, {"conflict": 2}),
        # Shown the other way round: judges do favour a side.
        ({"order": "ba", "outcome": "b"}, {"new": 2}),
        ({"order": "ab", "outcome": "a"}, {"new": 2}),
        ({"order": "ab", "outcome": "both-bad"}, {"conflict": 2}),
        # Another judge, task or opponent.
        ({"order": "ab", "outcome": "b", "judge": "j2"}, {"new": 2}),
        ({"order": "ab", "outcome": "b", "task": "q2"}, {"new": 2}),
        ({"order": "ab", "outcome": "b", "b": "vendor2-model-002"}, {"new": 2}),
        # Nobody recorded the order, so that both can be true.
        ({"order": "", "outcome": "b"}, {"new": 2}),
    ],
)
def test_what_contradicts(stage: Stage, other: dict[str, str], verdicts: dict[str, int]) -> None:
    StoredJudge.objects.create(key="j2", family="others")
    assert counts(stage, {"order": "ab"}, {"comparison_id": "v-2"} | other) == verdicts


def test_two_verdicts_without_an_order_may_differ(stage: Stage) -> None:
    assert counts(stage, {}, {"comparison_id": "v-2", "outcome": "b"}) == {"new": 2}


def test_a_refused_row_contradicts_nobody(stage: Stage) -> None:
    rows = [{"order": "ab"}, {"comparison_id": "v-2", "order": "ab", "outcome": "b", "judge": "nobody"}]
    assert counts(stage, *rows) == {"new": 1, "refused": 1}
    repeated = [*({"comparison_id": "v-2", "order": "ab", "outcome": "b"},) * 2, {"order": "ab"}]
    assert counts(stage, *repeated) == {"refused": 2, "new": 1}


def test_the_same_bytes_again_are_the_same(store: Stage, stage: Stage) -> None:
    rows = [{}, {"comparison_id": "v-2", "task": "q2", "order": "ba", "judged_at": "2025-01-01T00:00:00Z"}]
    store(*rows)
    assert counts(stage, *rows) == {"same": 2}


def test_a_file_that_has_grown_brings_only_its_new_rows(store: Stage, stage: Stage) -> None:
    store({})
    assert counts(stage, {}, {"comparison_id": "v-2", "outcome": "tie"}) == {"same": 1, "new": 1}


def test_an_id_of_another_source_is_another_comparison(store: Stage, stage: Stage) -> None:
    store({})
    assert counts(stage, {"task": "q2"}, {"comparison_id": "v-2"}) == {"new": 2}


def test_a_stored_comparison_is_not_rewritten(store: Stage, stage: Stage) -> None:
    number = store({}).pk
    batch = stage({"outcome": "b"})
    assert told(batch) == [(2, "comparison_id", "differs-from-stored")]
    assert f"batch {number}" in batch.staged.get().problems[0]["message"]


def test_a_contradiction_with_what_is_stored_names_the_batch(store: Stage, stage: Stage) -> None:
    number = store({"order": "ab"}).pk
    batch = stage({"comparison_id": "v-2", "order": "ab", "outcome": "b"})
    assert told(batch) == [(2, "outcome", "contradiction")]
    assert f"stored as v-1 with batch {number}" in batch.staged.get().problems[0]["message"]


def test_after_a_revert_the_way_is_free(store: Stage, stage: Stage, editor: User) -> None:
    imports.revert(batch=store({}), by=editor, reason="Wrong.")
    assert counts(stage, {"outcome": "b"}) == {"new": 1}
    assert counts(stage, {}) == {"new": 1}


def test_a_new_person_is_told_once(stage: Stage) -> None:
    from registry.models import MappingProfile

    profile = MappingProfile.objects.get(key="cases-comparisons")
    profile.spec["judge_kind"] = "person"
    profile.save()
    rows = "battle_id,question_id,model_a,model_b,winner,judge,tstamp\n" + "".join(
        f"b{number},q1,vendor0-model-000,vendor1-model-001,tie,crowd/7,2025-01-01T00:00:0{number}Z\n"
        for number in (1, 2)
    )
    batch = stage(content=rows.encode(), profile=profile)
    assert told(batch) == [(2, "judge", "new-judge")]
    assert batch.counts["new"] == 2
    assert not StoredJudge.objects.filter(key="crowd/7").exists()


CELLS = st.fixed_dictionaries(
    {
        "comparison_id": st.sampled_from(["1", "2", "3", ""]),
        "task": st.sampled_from(["q1", "q2", "?"]),
        "a": st.sampled_from(["vendor0-model-000", "vendor1-model-001"]),
        "b": st.sampled_from(["vendor1-model-001", "vendor0-model-000", "vendor2-model-002"]),
        "outcome": st.sampled_from(["a", "b", "tie"]),
        "order": st.sampled_from(["ab", "ba", ""]),
    }
)


Row = dict[str, str]


def one_by_one(rows: list[Row], stored: list[Row]) -> list[str]:
    """The rules of verdicts in plain words, for rows that name tasks and configurations that exist."""
    bad = [not row["comparison_id"] or row["task"] == "?" or row["a"] == row["b"] for row in rows]
    times = Counter(row["comparison_id"] for row in rows if row["comparison_id"])
    good = [row for row, is_bad in zip(rows, bad, strict=True) if not is_bad and times[row["comparison_id"]] == 1]
    outcomes: dict[Any, set[str]] = {}
    for row in [*good, *stored]:
        if row["order"]:
            outcomes.setdefault(sitting(row), set()).add(seen(row))
    return [_verdict(row, stored, outcomes) if row in good else "refused" for row in rows]


def _verdict(row: Row, stored: list[Row], outcomes: dict[Any, set[str]]) -> str:
    named = [other for other in stored if other["comparison_id"] == row["comparison_id"]]
    if any(other == row for other in named):
        return "same"
    if any(sitting(other)[:2] == sitting(row)[:2] for other in named):
        return "conflict"
    return "conflict" if row["order"] and len(outcomes[sitting(row)]) > 1 else "new"


def sitting(row: Row) -> tuple[str, tuple[str, ...], str]:
    turned = row["a"] > row["b"] and row["order"]
    return (
        row["task"],
        tuple(sorted((row["a"], row["b"]))),
        {"ab": "ba", "ba": "ab"}[turned] if turned else row["order"],
    )


def seen(row: Row) -> str:
    return {"a": "b", "b": "a"}.get(row["outcome"], row["outcome"]) if row["a"] > row["b"] else row["outcome"]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(CELLS, min_size=1, max_size=6), st.lists(CELLS, max_size=3), st.randoms(use_true_random=False))
def test_verdicts_are_those_of_the_rules_one_by_one(
    registry: None, editor: User, rows: list[Row], stored: list[Row], random: Any
) -> None:
    """Also in any other order of the rows."""
    with transaction.atomic():
        before = imports.stage(content=comparisons_csv(*stored, {}), filename="a", kind="comparisons", by=editor,
                               mode=BatchMode.QUARANTINE)  # fmt: skip
        kept = [row for row, verdict in zip(stored, one_by_one(stored, []), strict=True) if verdict == "new"]
        imports.apply(batch=before, by=editor)
        places = random.sample(range(len(rows)), len(rows))
        for some, expected in (
            (rows, one_by_one(rows, kept)),
            ([rows[place] for place in places], [one_by_one(rows, kept)[place] for place in places]),
        ):
            batch = imports.stage(content=comparisons_csv(*some), filename="b", kind="comparisons", by=editor)
            assert list(batch.staged.order_by("line").values_list("verdict", flat=True)) == expected
        transaction.set_rollback(True)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.dictionaries(
            st.sampled_from(["comparison_id", "facet", "task", "a", "b", "outcome", "judge", "order", "judged_at"]),
            st.sampled_from(
                ["", "a", "q1", "v-2", "vendor1-model-001", "tie", "ab", "é", "\u200b", "2025-01-01T00:00:00Z"]
            )
            | st.text(st.characters(exclude_categories=["Cs"], exclude_characters='\0,"\r\n'), max_size=8),
        ),
        min_size=1,
        max_size=4,
    )
)
def test_any_rows_get_a_verdict_each(registry: None, editor: User, rows: list[dict[str, str]]) -> None:
    batch = imports.stage(content=comparisons_csv(*rows), filename="a", kind=ImportKind.COMPARISONS, by=editor)
    assert batch.staged.count() == (0 if batch.problems else batch.rows)
    assert all(row.problems for row in batch.staged.filter(verdict__in=(Verdict.REFUSED, Verdict.CONFLICT)))
    assert Comparison.objects.count() == 0
