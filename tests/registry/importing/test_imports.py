"""Staging, applying, correcting, reverting and discarding, with who may."""

import csv
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry import people
from registry.actions import curate, imports
from registry.actions.base import Refused
from registry.importing import mending
from registry.models import (
    AuditEvent,
    Collection,
    Configuration,
    ConfigurationAlias,
    ImportBatch,
    Job,
    MappingProfile,
    MetricContract,
    Result,
    Source,
)
from registry.vocabulary import BatchMode, BatchStatus, ResultState, Verdict
from tests.registry.importing.conftest import CONTRACT, SUBJECT, URL, Stage, csv_of

pytestmark = pytest.mark.django_db


def verdicts(batch: ImportBatch) -> list[str]:
    return list(batch.staged.order_by("line").values_list("verdict", flat=True))


def reasons(batch: ImportBatch, line: int) -> list[str]:
    return [problem["reason"] for problem in batch.staged.get(line=line).problems]


def active() -> list[tuple[str, float | None]]:
    results = Result.objects.filter(state=ResultState.ACTIVE).order_by("external_id")
    return list(results.values_list("external_id", "value"))


def refusal(code: str) -> Any:
    return pytest.raises(Refused, check=lambda refused: refused.code == code)


# --- Staging ----------------------------------------------------------------------------------------------------------


def test_staging_keeps_every_row_and_stores_no_result(stage: Stage) -> None:
    batch = stage({}, {"external_id": "c-2", "value": "2"}, {"external_id": "c-3", "value": "NaN"})
    assert (batch.status, batch.rows) == (BatchStatus.STAGED, 3)
    assert batch.counts == {"new": 1, "same": 0, "changed": 0, "conflict": 0, "skipped": 0, "refused": 2}
    assert Result.objects.count() == 0
    row = batch.staged.get(line=3)
    assert row.record == [CONTRACT, SUBJECT, "2", URL, "c-2"]
    assert row.values["value"] == "2.0"
    assert row.problems == [
        {
            "line": 3,
            "column": "value",
            "value": "2",
            "reason": "out-of-contract",
            "message": f"2.0 is above 1.0, the highest value of the contract {CONTRACT} (fraction).",
        }
    ]


def test_staging_keeps_the_bytes_and_the_citation_once(stage: Stage) -> None:
    first = stage({}, source_url="https://example.org/a", source_ref="abc")
    second = stage({}, source_url="https://example.org/b")
    assert first.source == second.source
    source = Source.objects.get()
    assert b"".join(source.chunks()) == csv_of({})
    assert (source.url, source.reference) == ("https://example.org/a", "abc")


def test_a_file_refused_as_a_whole_is_kept_as_a_refused_batch(stage: Stage) -> None:
    batch = stage(content=b"contract,valu\na,b\nc,d\n")
    assert (batch.status, batch.rows, batch.counts["refused"]) == (BatchStatus.REFUSED, 2, 2)
    assert {problem["reason"] for problem in batch.problems} == {"missing-column", "unknown-column"}
    with refusal("not-staged"):
        imports.apply(batch=batch, by=people.acting_user(None))


def test_no_table_at_all_is_kept_nowhere(stage: Stage) -> None:
    with refusal("not-a-results-csv"):
        stage(content=b"<html></html>")
    assert (ImportBatch.objects.count(), Source.objects.count()) == (0, 0)


@pytest.mark.parametrize(
    ("options", "code"),
    [({"source_url": "javascript:alert(1)"}, "bad-address"), ({"source_ref": " abc"}, "outer-space")],
)
def test_a_bad_citation_for_the_file_is_refused(stage: Stage, options: dict[str, str], code: str) -> None:
    with refusal(code):
        stage({}, **options)


def test_a_file_above_the_limit_is_refused(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imports, "LARGEST_FILE", 10)
    with refusal("too-large"):
        stage({})


def test_rows_above_the_limit_are_refused(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("registry.importing.reading.MOST_ROWS", 1)
    batch = stage({}, {"external_id": "c-2"})
    assert (batch.status, batch.problems[0]["reason"]) == (BatchStatus.REFUSED, "too-many-rows")


def test_a_profile_that_went_bad_is_refused_by_name(stage: Stage) -> None:
    with refusal("bad-profile"):
        stage({}, profile=MappingProfile(key="old", spec={}))


def test_a_file_name_is_kept_without_what_a_database_cannot_hold(registry: None, editor: User) -> None:
    batch = imports.stage(content=csv_of({}), filename="C:\\a\\b/r\0\udce9.csv", by=editor)
    assert batch.source.filename == "r?.csv"


def test_bad_rows_can_be_taken_away_to_mend(stage: Stage) -> None:
    batch = stage({}, {"external_id": "=c-2", "value": "abc"}, {"external_id": "c-3", "value": "NaN"})
    assert list(csv.reader(StringIO("".join(mending.lines(batch)), newline=""))) == [
        ["refused_line", "refused_because", "contract", "configuration", "value", "source_url", "external_id"],
        ["3", "Must be a number such as 0.81.", CONTRACT, SUBJECT, "abc", URL, "'=c-2"],
        ["4", "Must be a finite number.", CONTRACT, SUBJECT, "NaN", URL, "c-3"],
    ]


# --- Verdicts ---------------------------------------------------------------------------------------------------------


def test_the_same_file_again_changes_nothing(store: Stage) -> None:
    rows = {"notes": "a"}, {"configuration": "vendor1-model-001", "value": "", "absence": "failed"}
    store(*rows)
    again = store(*rows)
    assert (again.counts["same"], again.status) == (2, BatchStatus.APPLIED)
    assert Result.objects.count() == 2


def test_a_failed_run_is_kept_as_evidence_without_a_value(store: Stage) -> None:
    store({"value": "", "absence": "failed", "notes": "Traceback: division by zero"})
    result = Result.objects.get()
    assert (result.value, result.absence, result.notes) == (None, "failed", "Traceback: division by zero")


def test_a_value_is_stored_unrounded(store: Stage) -> None:
    store({"value": "0.5672499999999999"})
    assert Result.objects.get().value == 0.5672499999999999


def test_two_rows_of_one_identity_are_both_refused(stage: Stage) -> None:
    batch = stage({"value": "0.8"}, {"external_id": "c-2"}, {"value": "0.6"}, {"value": "0.8"})
    assert verdicts(batch) == ["refused", "new", "refused", "refused"]
    (problem,) = batch.staged.get(line=2).problems
    assert (problem["column"], problem["reason"]) == ("external_id", "repeated-in-file")
    assert problem["message"] == (
        "The same result, by contract, configuration, source and external_id, with another value, stands on "
        "lines 4 and 5 too. One row is meant: remove the others."
    )


def test_a_repeated_row_is_told_by_a_column_that_the_file_has(stage: Stage) -> None:
    header, *rows = csv_of({}, {}).decode().replace(",c-1", "").replace(",external_id", "").splitlines()
    batch = stage(content="\n".join((header, *rows)).encode())
    (problem,) = batch.staged.get(line=2).problems
    assert (problem["column"], problem["value"]) == ("configuration", SUBJECT)
    assert problem["message"] == "The same result stands on line 3 too. One row is meant: remove the others."


def test_a_source_that_contradicts_itself_within_a_file_is_a_conflict(stage: Stage) -> None:
    batch = stage({"external_id": "a", "value": "0.8"}, {"external_id": "b", "value": "0.6"})
    assert verdicts(batch) == ["conflict", "conflict"]
    assert "on line 3" in batch.staged.get(line=2).problems[0]["message"]


def test_a_source_that_contradicts_what_is_stored_is_a_conflict(store: Stage, stage: Stage) -> None:
    store({"external_id": "a", "value": "0.8"})
    assert verdicts(stage({"external_id": "b", "value": "0.6"})) == ["conflict"]
    assert verdicts(stage({"external_id": "b", "value": "0.8"})) == ["new"]
    assert verdicts(stage({"external_id": "b", "value": "", "absence": "withheld"})) == ["conflict"]


@pytest.mark.parametrize(
    "other",
    [
        {"source_url": "https://example.org/r/2.json"},
        {"source_ref": "def"},
        {"configuration": "vendor1-model-001"},
        {"contract": "bench-001-v2.metric-000-pass-at-1"},
    ],
)
def test_another_source_subject_or_contract_is_no_conflict(store: Stage, stage: Stage, other: dict[str, str]) -> None:
    store({"external_id": "a", "value": "0.8"})
    assert verdicts(stage({"external_id": "b", "value": "0.6"} | other)) == ["new"]


def test_a_correction_of_all_that_a_source_says_is_no_conflict(store: Stage, stage: Stage) -> None:
    store({"external_id": "a", "value": "0.8"}, {"external_id": "b", "value": "0.8"})
    assert verdicts(stage({"external_id": "a", "value": "0.7"})) == ["conflict"]
    both = stage({"external_id": "a", "value": "0.7"}, {"external_id": "b", "value": "0.7"})
    assert verdicts(both) == ["changed", "changed"]


def test_a_refused_row_does_not_hide_what_is_stored(store: Stage, stage: Stage) -> None:
    store({"external_id": "a", "value": "0.8"})
    batch = stage({"external_id": "a", "value": "abc"}, {"external_id": "b", "value": "0.6"})
    assert verdicts(batch) == ["refused", "conflict"]


def test_what_a_file_gives_for_all_rows_is_part_of_their_identity(store: Stage, stage: Stage) -> None:
    row = {"source_url": "", "value": "0.8"}
    store(row, source_url="https://example.org/a", source_ref="abc")
    result = Result.objects.get()
    assert (result.source_url, result.source_ref) == ("https://example.org/a", "abc")
    assert stage(row, source_url="https://example.org/a", source_ref="abc").counts["same"] == 1
    assert verdicts(stage(row, source_url="https://example.org/a", source_ref="def")) == ["new"]


# --- Applying ---------------------------------------------------------------------------------------------------------


def test_all_or_nothing_stores_nothing_where_one_row_is_bad(stage: Stage, editor: User) -> None:
    batch = stage({}, {"external_id": "c-2", "value": "abc"})
    with refusal("rows-refused"):
        imports.apply(batch=batch, by=editor)
    assert Result.objects.count() == 0
    assert ImportBatch.objects.get().status == BatchStatus.STAGED


def test_quarantine_stores_the_good_rows_and_keeps_the_others(stage: Stage, editor: User) -> None:
    batch = stage({}, {"external_id": "c-2", "value": "abc"}, mode=BatchMode.QUARANTINE)
    imports.apply(batch=batch, by=editor)
    assert active() == [("c-1", 0.5)]
    assert batch.staged.filter(verdict=Verdict.REFUSED).count() == 1


def test_quarantine_of_bad_rows_alone_is_refused(stage: Stage, editor: User) -> None:
    batch = stage({"value": "abc"}, mode=BatchMode.QUARANTINE)
    with refusal("nothing-to-apply"):
        imports.apply(batch=batch, by=editor)


def test_a_result_knows_where_it_came_from(store: Stage) -> None:
    batch = store({}, {"external_id": "c-2"})
    result = Result.objects.get(external_id="c-2")
    assert (result.batch, result.source, result.line) == (batch, batch.source, 3)


def test_a_batch_is_applied_once(store: Stage, editor: User) -> None:
    batch = store({})
    with refusal("not-staged"):
        imports.apply(batch=batch, by=editor)
    assert Result.objects.count() == 1


def test_a_correction_needs_a_reason_and_keeps_what_it_replaces(store: Stage, stage: Stage, editor: User) -> None:
    store({"value": "0.5"}, {"external_id": "c-2"})
    correction = stage({"value": "0.6"}, {"external_id": "c-2"}, mode=BatchMode.QUARANTINE)
    assert verdicts(correction) == ["conflict", "same"]
    correction = stage({"value": "0.6"}, {"external_id": "c-2", "value": "0.6"})
    with refusal("reason-needed"):
        imports.apply(batch=correction, by=editor, reason=" \u200b")
    imports.apply(batch=correction, by=editor, reason="Upstream fixed its sum.")
    assert active() == [("c-1", 0.6), ("c-2", 0.6)]
    old = Result.objects.get(external_id="c-1", value=0.5)
    assert (old.state, old.replaced_by) == (ResultState.SUPERSEDED, Result.objects.get(external_id="c-1", value=0.6))


def test_what_a_correction_changes_is_shown_and_recorded(store: Stage, stage: Stage, editor: User) -> None:
    store({"value": "0.5", "observed_on": "2025-03-01"})
    correction = stage({"value": "0.6", "observed_on": "2025-03-02"})
    assert [problem["message"] for problem in correction.staged.get().problems] == [
        "value was 0.5 and becomes 0.6.",
        "observed_on was 2025-03-01 and becomes 2025-03-02.",
    ]
    imports.apply(batch=correction, by=editor, reason="Fixed.")
    event = AuditEvent.objects.get(verb="correct")
    assert event.before is not None
    assert event.after is not None
    assert (event.before["value"], event.after["value"], event.reason) == (0.5, 0.6, "Fixed.")
    assert (event.before["observed_on"], event.after["observed_on"]) == ("2025-03-01", "2025-03-02")


def test_a_correction_costs_no_queries_of_its_own(store: Stage, stage: Stage, editor: User) -> None:
    """Applied or taken back: a thousand are written by a few statements, not by one or two each."""

    def asked(number: int) -> tuple[int, int]:
        def rows(value: float) -> list[dict[str, Any]]:
            return [
                {"external_id": f"{number}-{row}", "source_ref": f"{number}-{row}", "value": value}
                for row in range(number)
            ]

        store(*rows(0.5))
        batch = stage(*rows(0.6))
        with CaptureQueriesContext(connection) as applying:
            imports.apply(batch=batch, by=editor, reason="Fixed.")
        with CaptureQueriesContext(connection) as reverting:
            imports.revert(batch=batch, by=editor, reason="It was right before.")
        for verb, value in (("correct", 0.6), ("restore", 0.5)):
            events = AuditEvent.objects.filter(verb=verb).order_by("-id")[:number]
            assert {event.after["value"] for event in events if event.after} == {value}
            assert len({event.object_id for event in events}) == number
            assert {event.object_key for event in events} == {
                f"result {event.object_id}: {CONTRACT}" for event in events
            }
            assert len({event.action_id for event in events}) == 1
        return len(applying), len(reverting)

    few, many = asked(10), asked(1_000)
    # SQLite takes some hundred values a statement, and a thousand corrections are written by twenty of them.
    assert max(many[0] - few[0], many[1] - few[1]) <= (20 if connection.vendor == "sqlite" else 0)


def test_every_step_is_recorded_once(stage: Stage, editor: User) -> None:
    batch = stage({})
    imports.apply(batch=batch, by=editor)
    imports.revert(batch=batch, by=editor, reason="Wrong file.")
    imports.discard(batch=stage({}), by=editor)
    events = AuditEvent.objects.filter(object_type="registry.importbatch").order_by("id")
    assert [(event.verb, event.by) for event in events] == [
        (verb, "editor") for verb in ("stage", "apply", "revert", "stage", "discard")
    ]
    told = [(event.before, event.after) for event in events]
    assert [after["counts"]["new"] for before, after in told if before is None and after] == [1, 1]
    assert [(before["status"], after["status"]) for before, after in told if before and after] == [
        ("staged", "applied"), ("applied", "reverted"), ("staged", "discarded")
    ]  # fmt: skip


def test_collections_of_the_benchmark_are_asked_again(collection: Collection, stage: Stage, editor: User) -> None:
    imports.apply(batch=stage({"contract": "bench-001-v2.metric-001-pass-at-1"}), by=editor)
    batch = stage({})
    assert not Job.objects.exists()
    imports.apply(batch=batch, by=editor)
    assert list(Job.objects.values_list("key", flat=True)) == [collection.slug]
    Job.objects.all().delete()
    imports.revert(batch=batch, by=editor, reason="Wrong.")
    assert list(Job.objects.values_list("key", flat=True)) == [collection.slug]


# --- Stale batches ----------------------------------------------------------------------------------------------------


def _edit(obj: Any, editor: User, **fields: Any) -> None:
    for name, value in fields.items():
        setattr(obj, name, value)
    curate.save(obj=obj, by=editor)


def test_a_row_that_was_stored_meanwhile_makes_a_batch_stale(store: Stage, stage: Stage, editor: User) -> None:
    batch = stage({}, {"external_id": "c-2"})
    store({"external_id": "c-2"})
    with refusal("stale") as caught:
        imports.apply(batch=batch, by=editor)
    assert "line 3" in str(caught.value)
    assert active() == [("c-2", 0.5)]


def test_a_contract_that_was_narrowed_meanwhile_makes_a_batch_stale(stage: Stage, editor: User) -> None:
    batch = stage({})
    _edit(MetricContract.objects.get(key=CONTRACT), editor, upper=0.4)
    with refusal("stale"):
        imports.apply(batch=batch, by=editor)


def test_an_alias_that_now_means_another_makes_a_batch_stale(registry: None, stage: Stage, editor: User) -> None:
    subject, other = Configuration.objects.order_by("key")[:2]
    alias = ConfigurationAlias(
        name="The Model", configuration=subject, reviewed_by="editor", reviewed_at="2026-01-01T00:00:00Z"
    )
    curate.save(obj=alias, by=editor)
    batch = stage({"configuration": "The Model"})
    _edit(ConfigurationAlias.objects.get(name="The Model"), editor, configuration=other)
    with refusal("stale"):
        imports.apply(batch=batch, by=editor)


def test_an_edit_that_changes_no_row_leaves_a_batch_as_good_as_it_was(
    registry: None, stage: Stage, editor: User
) -> None:
    """Read again, rows are as they were by themselves: also those that are refused for standing there twice."""
    rows = {"external_id": "a"}, {"external_id": "a"}, {"external_id": "b"}, {"external_id": "c", "value": "NaN"}
    batch = stage(*rows, mode=BatchMode.QUARANTINE)
    assert verdicts(batch) == ["refused", "refused", "new", "refused"]
    curate.save(
        obj=ConfigurationAlias(
            name="Unrelated", configuration=Configuration.objects.all()[0], reviewed_by="editor",
            reviewed_at="2026-01-01T00:00:00Z",
        ),
        by=editor,
    )  # fmt: skip
    imports.apply(batch=batch, by=editor)
    assert active() == [("b", 0.5)]


def test_a_row_that_is_good_by_now_makes_a_batch_stale(registry: None, stage: Stage, editor: User) -> None:
    batch = stage({}, {"external_id": "c-2", "configuration": "The Model"}, mode=BatchMode.QUARANTINE)
    assert verdicts(batch) == ["new", "refused"]
    subject = Configuration.objects.get(key=SUBJECT)
    alias = {"name": "The Model", "reviewed_by": "editor", "reviewed_at": "2026-01-01T00:00:00Z"}
    curate.save(obj=ConfigurationAlias(configuration=subject, **alias), by=editor)
    with refusal("stale") as caught:
        imports.apply(batch=batch, by=editor)
    assert "line 3 was refused and is now new" in str(caught.value)


def test_a_profile_that_was_changed_or_is_gone_makes_a_batch_stale(stage: Stage, editor: User) -> None:
    columns = {"contract": "{contract}", "configuration": "{configuration}", "value": "{value}"}
    spec = {"columns": columns | {"source_url": "{source_url}"}, "unknown_columns": "ignore"}
    profile = curate.save(obj=MappingProfile(key="p", title="P", spec=spec), by=editor)
    batch = stage({}, profile=profile)
    _edit(profile, editor, spec=spec | {"columns": spec["columns"] | {"notes": "{external_id}"}})  # type: ignore[operator]
    with refusal("stale"):
        imports.apply(batch=batch, by=editor)
    curate.remove(obj=profile, by=editor)
    with refusal("stale"):
        imports.apply(batch=batch, by=editor)


# --- Reverting and discarding -----------------------------------------------------------------------------------------


def test_reverting_takes_back_and_restores(store: Stage, editor: User) -> None:
    store({"value": "0.5"})
    second = store({"value": "0.6"}, {"configuration": "vendor1-model-001"}, reason="Fixed.")
    imports.revert(batch=second, by=editor, reason="It was right before.")
    assert active() == [("c-1", 0.5)]
    assert Result.objects.filter(batch=second, state=ResultState.REVERTED).count() == 2
    batch = ImportBatch.objects.get(pk=second.pk)
    assert (batch.status, batch.reverted_by, batch.reason) == (BatchStatus.REVERTED, "editor", "It was right before.")
    assert AuditEvent.objects.filter(verb="restore").count() == 1


def test_a_reverted_file_can_be_imported_again(store: Stage, editor: User) -> None:
    imports.revert(batch=store({}), by=editor, reason="Wrong day.")
    assert verdicts(store({})) == ["new"]


def test_a_batch_that_was_corrected_since_is_not_reverted(store: Stage, editor: User) -> None:
    first = store({"value": "0.5"})
    second = store({"value": "0.6"}, reason="Fixed.")
    with refusal("superseded-since") as caught:
        imports.revert(batch=first, by=editor, reason="Wrong.")
    assert f"Batch {second.pk}" in str(caught.value)
    imports.revert(batch=second, by=editor, reason="Wrong.")
    imports.revert(batch=first, by=editor, reason="Wrong.")
    assert active() == []


def test_reverting_never_leaves_a_source_that_contradicts_itself(store: Stage, editor: User) -> None:
    store({"external_id": "a", "value": "0.8"})
    second = store({"external_id": "a", "value": "0.7"}, reason="Fixed.")
    third = store({"external_id": "b", "value": "0.7"})
    with refusal("would-contradict") as caught:
        imports.revert(batch=second, by=editor, reason="Wrong.")
    assert f"batch {third.pk}" in str(caught.value)
    assert active() == [("a", 0.7), ("b", 0.7)]


def test_only_an_applied_batch_is_reverted_and_only_for_a_reason(stage: Stage, store: Stage, editor: User) -> None:
    with refusal("not-applied"):
        imports.revert(batch=stage({}), by=editor, reason="Wrong.")
    batch = store({})
    for nothing in (" ", "\u200b", "\u2060\t"):
        with refusal("reason-needed"):
            imports.revert(batch=batch, by=editor, reason=nothing)


def test_a_staged_or_refused_batch_can_be_let_go(stage: Stage, store: Stage, editor: User) -> None:
    for batch in (stage({}), stage(content=b"a,b\n1,2")):
        assert imports.discard(batch=batch, by=editor).status == BatchStatus.DISCARDED
        with refusal("not-staged"):
            imports.apply(batch=batch, by=editor)
    with refusal("not-staged"):
        imports.discard(batch=store({}), by=editor)


# --- Who may ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("role", ["viewer", "publisher"])
def test_only_editors_import(role: str, request: pytest.FixtureRequest, stage: Stage, store: Stage) -> None:
    user = request.getfixturevalue(role)
    batch, applied = stage({}), store({"external_id": "c-2"})
    calls: list[Any] = [
        lambda: imports.stage(content=csv_of({}), filename="a.csv", by=user),
        lambda: imports.apply(batch=batch, by=user),
        lambda: imports.revert(batch=applied, by=user, reason="Wrong."),
        lambda: imports.discard(batch=batch, by=user),
    ]
    for call in calls:
        with pytest.raises(PermissionDenied):
            call()
    assert (ImportBatch.objects.count(), active()) == (2, [("c-2", 0.5)])


def test_an_inactive_editor_imports_nothing(registry: None, editor: User) -> None:
    editor.is_active = False
    editor.save()
    with pytest.raises(PermissionDenied):
        imports.stage(content=csv_of({}), filename="a.csv", by=editor)


def test_the_usual_row_is_what_these_tests_say(store: Stage) -> None:
    store({})
    result = Result.objects.get()
    assert (result.contract.key, result.configuration.key, result.source_url) == (CONTRACT, SUBJECT, URL)
