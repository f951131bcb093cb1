"""What a row of comparisons means beside the others and beside what is stored."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from registry.actions import imports
from registry.importing.comparisons.resource import LAYOUT
from registry.importing.comparisons.rows import Validator
from registry.importing.comparisons.verdicts import Claims, Judge
from registry.importing.examination import examine
from registry.importing.tables import Record
from registry.models import Comparison
from registry.models import Judge as StoredJudge
from registry.vocabulary import ImportKind, Verdict
from tests.registry.importing.comparisons.conftest import comparisons_csv, told
from tests.registry.importing.comparisons.test_rows import KNOWN, ROW
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
        "task": st.sampled_from(["joke", "?"]),
        "a": st.sampled_from(["maker/x", "maker/y"]),
        "b": st.sampled_from(["maker/y", "maker/x"]),
        "outcome": st.sampled_from(["a", "b", "tie"]),
        "order": st.sampled_from(["ab", "ba", ""]),
    }
)


def verdicts(rows: list[dict[str, str]]) -> list[str]:
    validator = Validator([*ROW, "order"], LAYOUT, KNOWN)
    checked = [validator.check(Record(line, list((ROW | row).values()))) for line, row in enumerate(rows, 2)]
    claims = Claims()
    for row in checked:
        claims.add(row)
    judge = Judge(claims, (), source="0" * 64, judges=KNOWN.judges)
    return [judge.judge(row).verdict.value for row in checked]


@given(st.lists(CELLS, min_size=2, max_size=6), st.randoms(use_true_random=False))
def test_verdicts_do_not_depend_on_the_order_of_rows(rows: list[dict[str, str]], random: Any) -> None:
    places = list(range(len(rows)))
    random.shuffle(places)
    plain = verdicts(rows)
    assert verdicts([rows[place] for place in places]) == [plain[place] for place in places]


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
def test_any_rows_get_a_verdict_each(registry: None, rows: list[dict[str, str]]) -> None:
    found = examine(comparisons_csv(*rows), LAYOUT, ImportKind.COMPARISONS)
    judged = list(found.judged())
    assert len(judged) == (0 if found.problems else found.rows)
    assert all(one.problems for one in judged if one.verdict in (Verdict.REFUSED, Verdict.CONFLICT))
    assert Comparison.objects.count() == 0
