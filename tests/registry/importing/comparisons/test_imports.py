"""Comparisons through stage, apply and revert."""

import csv
import io
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from import_export.formats.base_formats import CSV

from registry import confirm
from registry.actions import curate, imports
from registry.actions.base import Refused
from registry.decisions import ApplyImport, RevertBatch
from registry.importing import mending
from registry.importing.comparisons.resource import COLUMNS, ComparisonResource
from registry.models import AuditEvent, Collection, Comparison, Facet, ImportBatch, Job, Judge, MappingProfile, Task
from registry.vocabulary import BatchMode, BatchStatus, ResultState
from tests.registry.importing.comparisons.conftest import comparisons_csv
from tests.registry.importing.conftest import Stage

pytestmark = pytest.mark.django_db

HEADER = "battle_id,question_id,model_a,model_b,winner,judge,tstamp\n"


def crowd(*judges: str) -> bytes:
    """A file of the profile's layout, each row by another judge."""
    lines = [
        f"b{number},q1,vendor0-model-000,vendor1-model-001,model_a,{judge},2025-01-01T00:00:00Z"
        for number, judge in enumerate(judges)
    ]
    return (HEADER + "\n".join(lines)).encode()


@pytest.fixture
def people(registry: None, editor: User) -> MappingProfile:
    """A profile whose unknown judges are people."""
    profile = MappingProfile.objects.get(key="cases-comparisons")
    profile.spec |= {"judge_kind": "person"}
    return curate.save(obj=profile, by=editor)


def test_staging_stores_no_comparison(stage: Stage) -> None:
    batch = stage({})
    assert (batch.kind, batch.status, Comparison.objects.count()) == ("comparisons", BatchStatus.STAGED, 0)
    row = batch.staged.get()
    assert (row.cells["outcome"], row.outcome, row.verdict) == ("a", "a", "new")
    assert row.task.facet.collection.slug == "case-files"


def test_applying_stores_what_the_rows_say(store: Stage) -> None:
    batch = store(
        {"outcome": "both-bad", "order": "ba", "judged_at": "2025-01-01T01:00:00+01:00", "lineage": "lineage-000-main"}
    )
    found = Comparison.objects.select_related("task", "a", "b", "judge", "lineage").get()
    assert (found.comparison_id, found.task.key, found.a.key, found.b.key) == (
        "v-1", "q1", "vendor0-model-000", "vendor1-model-001",
    )  # fmt: skip
    assert (found.outcome, found.raw_outcome, found.order, found.judge.key) == ("both-bad", "both-bad", "ba", "j1")
    assert (found.judged_at and found.judged_at.isoformat()) == "2025-01-01T00:00:00+00:00"
    assert found.lineage is not None
    assert (found.lineage.key, found.batch, found.source, found.line) == ("lineage-000-main", batch, batch.source, 2)


def test_one_event_tells_of_the_whole_batch(store: Stage) -> None:
    batch = store({}, {"comparison_id": "v-2", "task": "q2"})
    events = AuditEvent.objects.filter(object_type="registry.importbatch", object_id=str(batch.pk)).order_by("pk")
    assert list(events.values_list("verb", flat=True)) == ["stage", "apply"]
    assert not AuditEvent.objects.filter(object_type="registry.comparison").exists()


def test_the_gates_of_the_collections_are_asked_again(store: Stage, editor: User) -> None:
    edition = Collection.objects.get(slug="case-files").edition
    texts = {"title": "C", "question": "Which?", "summary": "S.", "subject_kind": "harnessed-model"}
    like, _ = [curate.save(obj=Collection(edition=edition, slug=slug, **texts), by=editor) for slug in ("like", "not")]
    facet = Facet(collection=like, slug="f", title="F", description="F.", weight=100, mode="pairwise")
    repeated = Task(facet=curate.save(obj=facet, by=editor), key="q1", title="Q1", same_as=Task.objects.get(key="q1"))
    curate.save(obj=repeated, by=editor)
    Job.objects.all().delete()
    batch = store({})
    assert set(Job.objects.values_list("key", flat=True)) == {"case-files", "like"}
    Job.objects.all().delete()
    imports.revert(batch=batch, by=editor, reason="Wrong.")
    assert set(Job.objects.values_list("key", flat=True)) == {"case-files", "like"}


def test_one_bad_row_stops_the_file_and_quarantine_keeps_it_apart(stage: Stage, editor: User) -> None:
    rows: list[dict[str, Any]] = [{}, {"comparison_id": "v-2", "b": "vendor0-model-000"}]
    with pytest.raises(Refused, match="all or nothing"):
        imports.apply(batch=stage(*rows), by=editor)
    assert Comparison.objects.count() == 0
    batch = imports.apply(batch=stage(*rows, mode=BatchMode.QUARANTINE), by=editor)
    assert Comparison.objects.get().comparison_id == "v-1"
    (bad,) = csv.DictReader(io.StringIO("".join(mending.lines(batch))))
    assert (bad["comparison_id"], bad["refused_line"]) == ("v-2", "3")
    assert "Both sides are vendor0-model-000" in bad["refused_because"]


def test_what_changed_since_it_was_staged_is_stale(stage: Stage, editor: User) -> None:
    first, second = stage({"order": "ab"}), stage({"comparison_id": "v-2", "order": "ab", "outcome": "b"})
    imports.apply(batch=first, by=editor)
    with pytest.raises(Refused) as refused:
        imports.apply(batch=second, by=editor)
    assert refused.value.code == "stale"


def test_reverting_takes_all_back_and_the_rows_stay(store: Stage, editor: User) -> None:
    batch = store({}, {"comparison_id": "v-2", "task": "q2"})
    imports.revert(batch=batch, by=editor, reason="Wrong.")
    assert set(Comparison.objects.values_list("state", flat=True)) == {ResultState.REVERTED}
    assert store({}).comparisons.get().state == ResultState.ACTIVE


def test_the_numbers_of_queries_do_not_grow_with_the_rows(stage: Stage, editor: User) -> None:
    def queries(count: int) -> int:
        rows = [{"comparison_id": f"{count}-{number}", "task": f"q{number % 3}"} for number in range(count)]
        batch = stage(*rows)
        with CaptureQueriesContext(
            connection,
        ) as captured:
            imports.apply(batch=batch, by=editor)
            imports.revert(batch=batch, by=editor, reason="Again.")
        return len(captured)

    assert queries(50) == queries(2)


# Judges ---------------------------------------------------------------------------------------------------------------


def test_people_are_recorded_with_the_batch_that_names_them(people: MappingProfile, stage: Stage, editor: User) -> None:
    batch = stage(content=crowd("crowd/2", "crowd/1", "crowd/2", "j-person"), profile=people)
    assert not Judge.objects.filter(person=True).exists()
    imports.apply(batch=batch, by=editor)
    made = Judge.objects.filter(person=True).order_by("key")
    assert [(judge.key, judge.family) for judge in made] == [("crowd/1", ""), ("crowd/2", ""), ("j-person", "")]
    events = AuditEvent.objects.filter(object_type="registry.judge", verb="add", object_key__startswith="crowd/")
    assert events.count() == 2
    applied = AuditEvent.objects.get(verb="apply")
    assert set(events.values_list("action_id", flat=True)) == {applied.action_id}


def test_judges_that_exist_are_not_made_again(people: MappingProfile, stage: Stage, editor: User) -> None:
    for content in (crowd("crowd/1"), crowd("crowd/1", "crowd/2")):
        imports.apply(batch=stage(content=content, profile=people), by=editor)
    assert Judge.objects.filter(person=True).count() == 2


def test_who_may_not_add_judges_makes_none(people: MappingProfile, stage: Stage, editor: User) -> None:
    from django.contrib.auth.models import Group, Permission

    Group.objects.get(name="editor").permissions.remove(Permission.objects.get(codename="add_judge"))
    batch = stage(content=crowd("crowd/1"), profile=people)
    by = User.objects.get(pk=editor.pk)
    with pytest.raises(PermissionDenied, match=r"registry\.add_judge"):
        imports.apply(batch=batch, by=by)
    assert (Judge.objects.filter(person=True).count(), Comparison.objects.count()) == (0, 0)


def test_a_viewer_imports_nothing(registry: None, viewer: User) -> None:
    with pytest.raises(PermissionDenied):
        imports.stage(kind="comparisons", content=comparisons_csv({}), filename="c.csv", by=viewer)


# Files and kinds ------------------------------------------------------------------------------------------------------


def test_a_profile_says_what_its_files_hold(registry: None, editor: User) -> None:
    profile = MappingProfile.objects.get(key="cases-comparisons")
    batch = imports.stage(content=crowd("j1"), filename="c.csv", profile=profile, by=editor)
    assert (batch.kind, batch.counts["new"]) == ("comparisons", 1)


@pytest.mark.parametrize(("kind", "key"), [("results", "cases-comparisons"), ("comparisons", "cases")])
def test_a_profile_reads_no_other_kind(registry: None, editor: User, kind: str, key: str) -> None:
    profile = MappingProfile.objects.get(key=key)
    with pytest.raises(Refused, match=f"not {kind}") as refused:
        imports.stage(kind=kind, content=crowd("j1"), filename="c.csv", profile=profile, by=editor)
    assert refused.value.code == "bad-profile"


@pytest.mark.parametrize("content", [b"", b"comparison_id,facet,task,a,b,outcome,judge\n", b"{}"])
def test_what_is_no_table_is_kept_nowhere(stage: Stage, content: bytes) -> None:
    with pytest.raises(Refused, match="This is not a table of comparisons") as refused:
        stage(content=content)
    assert refused.value.code == "not-a-comparisons-csv"
    assert ImportBatch.objects.count() == 0


def test_a_renamed_column_refuses_the_file(stage: Stage) -> None:
    batch = stage(content=b"comparison_id,facet,task,a,b,verdict,judge\n1,f,t,a,b,a,j\n")
    assert batch.status == BatchStatus.REFUSED
    assert {(problem["column"], problem["reason"]) for problem in batch.problems} == {
        ("outcome", "missing-column"), ("verdict", "unknown-column"),
    }  # fmt: skip


# Confirm pages --------------------------------------------------------------------------------------------------------


def test_the_confirm_pages_speak_of_comparisons(stage: Stage, editor: User) -> None:
    batch = stage({}, {"comparison_id": "v-2", "task": "q2"})
    assert confirm.plan(ApplyImport(batch.pk), editor).total == "2 of 2 rows would be written."
    confirm.carry_out(ApplyImport(batch.pk), by=editor)
    assert confirm.plan(RevertBatch(batch.pk), editor).total == "2 comparisons would be taken back."


# Export ---------------------------------------------------------------------------------------------------------------


def test_an_export_holds_the_declared_columns_and_imports_back_to_nothing_changed(store: Stage, stage: Stage) -> None:
    store(
        {"outcome": "tie", "raw_outcome": " tie (fair)\u00a0", "order": "ab", "judged_at": "2025-01-01T00:00:00.25Z"},
        {"comparison_id": "=1+1", "task": "q2", "outcome": "both-bad", "lineage": "lineage-000-main"},
    )
    exported = str(CSV().export_data(ComparisonResource().export(Comparison.objects.all())))
    rows = list(csv.DictReader(io.StringIO(exported, newline="")))
    assert list(rows[0]) == list(COLUMNS)
    assert (rows[0]["facet"], rows[0]["raw_outcome"], rows[1]["comparison_id"]) == (
        "case-files/case-questions", " tie (fair)\u00a0", "'=1+1",
    )  # fmt: skip
    assert stage(content=exported.encode()).counts["same"] == 2


def test_an_export_leaves_what_was_taken_back_behind(store: Stage, editor: User) -> None:
    imports.revert(batch=store({}), by=editor, reason="Wrong.")
    assert len(ComparisonResource().export(Comparison.objects.all())) == 0


# The database ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("change", [{"b_id": "a_id"}, {"outcome": "draw"}, {"order": "xy"}, {"state": "gone"}])
def test_the_database_refuses_what_no_comparison_may_say(store: Stage, change: dict[str, str]) -> None:
    store({})
    found = Comparison.objects.get()
    for name, value in change.items():
        setattr(found, name, getattr(found, value, value))
    with pytest.raises(IntegrityError), transaction.atomic():
        found.save()


def test_one_id_stands_once_in_a_source(store: Stage) -> None:
    store({})
    twin = Comparison.objects.get()
    twin.pk = None
    with pytest.raises(IntegrityError), transaction.atomic():
        twin.save()
