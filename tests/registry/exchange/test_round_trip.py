"""The registry as files: a round trip loses nothing, and a load writes only what differs."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.db import transaction
from hypothesis import given
from hypothesis import strategies as st

from registry import exchange
from registry.models import (
    AuditEvent,
    Collection,
    Configuration,
    Edition,
    EvidenceMapping,
    Exclusion,
    Job,
    Source,
)
from tests.registry.exchange.sample import FILES, SHA256, content, refusal, write


def test_every_model_has_a_file_of_its_own_plural() -> None:
    assert {exchange.file_name(model) for model in exchange.MODELS} == {f"{stem}.yaml" for stem in FILES}


def test_dump_and_load_into_an_empty_database_give_equal_bytes(editor: User, directory: Path, tmp_path: Path) -> None:
    with transaction.atomic():
        exchange.load(directory, by=editor)
        first = exchange.dump(tmp_path / "first")
        transaction.set_rollback(True)
    assert not Edition.objects.exists()
    assert exchange.load(tmp_path / "first", by=editor) == first
    assert exchange.dump(tmp_path / "second") == first
    assert content(tmp_path / "second") == content(tmp_path / "first")
    assert first["exclusions"] == 3
    assert set(first) == set(FILES)


def test_a_dump_leaves_defaults_out_and_names_targets_by_their_keys(
    editor: User, directory: Path, tmp_path: Path
) -> None:
    exchange.load(directory, by=editor)
    exchange.dump(tmp_path / "out")
    assert (tmp_path / "out/task_alignments.yaml").read_text() == (
        "- mapping: [support, b1]\n  task: [support, same, t1]\n  directness: 62.5\n  reason: Half.\n"
    )
    assert (tmp_path / "out/lineages.yaml").read_text().splitlines()[:5] == [
        "- key: l1", "  suite: s1", "  title: Old", "  upstream_version: '1.0'", "  track: main",
    ]  # fmt: skip
    assert (tmp_path / "out/evidence_mappings.yaml").read_text().endswith("  atoms: [a1, a2]\n")


def test_a_second_load_writes_nothing_and_queues_nothing(editor: User, directory: Path) -> None:
    assert all(count > 0 for count in exchange.load(directory, by=editor).values())
    Job.objects.all().delete()
    before = AuditEvent.objects.count()
    assert set(exchange.load(directory, by=editor).values()) == {0}
    assert AuditEvent.objects.count() == before
    assert not Job.objects.exists()


def test_a_load_is_one_action_in_the_history_with_its_reason(editor: User, directory: Path) -> None:
    exchange.load(directory, by=editor, reason="set up")
    events = AuditEvent.objects.all()
    assert events.values("action_id").distinct().count() == 1
    assert {(event.by, event.reason, event.verb) for event in events} == {("ada", "set up", "add")}
    assert set(Job.objects.values_list("key", flat=True)) == {"support", "other"}


def test_what_differs_is_changed_and_what_is_left_out_gets_its_default(editor: User, directory: Path) -> None:
    exchange.load(directory, by=editor)
    write(directory, {
        "capability_atoms": "[{key: a1, title: One}]",
        "collections": FILES["collections"].replace(", planning: false", "").replace("Solved.", "Solved!", 1),
        "evidence_mappings": FILES["evidence_mappings"].replace("[a2, a1]", "[a1]"),
    })  # fmt: skip
    written = exchange.load(directory, by=editor)
    assert {stem: count for stem, count in written.items() if count} == {"collections": 1, "evidence_mappings": 1}
    collection = Collection.objects.get(slug="support")
    assert (collection.planning, collection.summary, collection.version) == (True, "Solved!", 2)
    event = AuditEvent.objects.filter(object_key="support").latest("id")
    assert event.before == {"planning": False, "summary": "Solved."}
    assert event.after == {"planning": True, "summary": "Solved!"}
    mapping = EvidenceMapping.objects.get(collection=collection)
    assert [atom.key for atom in mapping.atoms.all()] == ["a1"]


def test_another_target_of_the_same_last_name_is_a_change(editor: User, directory: Path) -> None:
    exchange.load(directory, by=editor)
    write(directory, {
        "organizations": "[{key: o1, name: Maker}, {key: o2, name: Another}]",
        "model_releases": "[{organization: o1, key: m1, name: Model}, {organization: o2, key: m1, name: Model}]",
        "configurations": FILES["configurations"].replace("[o1, m1]", "[o2, m1]"),
    })  # fmt: skip
    assert exchange.load(directory, by=editor)["configurations"] == 1
    assert Configuration.objects.get().model.organization.key == "o2"
    event = AuditEvent.objects.filter(object_type="registry.configuration").latest("id")
    assert (event.before, event.after) == ({"model": "o1/m1"}, {"model": "o2/m1"})
    assert exchange.load(directory, by=editor)["configurations"] == 0


def test_a_dump_removes_the_file_of_a_model_without_records(db: None, tmp_path: Path) -> None:
    write(tmp_path, {"judges": "[{key: j1}]"})
    (tmp_path / "notes.txt").write_text("mine")
    assert exchange.dump(tmp_path) == {}
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


json_text = st.text(max_size=30)
plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | json_text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(json_text, inner, max_size=3),
    max_leaves=8,
)


@given(st.lists(st.dictionaries(json_text, plain, min_size=1, max_size=4), min_size=1, max_size=3))
def test_any_plain_record_comes_back_from_its_file(
    tmp_path_factory: pytest.TempPathFactory, records: list[dict[str, Any]]
) -> None:
    path = tmp_path_factory.mktemp("records") / "any.yaml"
    exchange.write_file(path, records)
    assert exchange.records(path) == (records, [])


# --- Exclusions -------------------------------------------------------------------------------------------------------

NEW = {"exclusions": "- {scope: lineage, target: l2, type: track, reason: Other., lift_condition: Never.}"}


def test_an_exclusion_without_who_and_when_is_the_loaders_and_now(editor: User, directory: Path) -> None:
    exchange.load(write(directory, NEW), by=editor)
    excluded = Exclusion.objects.get()
    assert excluded.excluded_by == "ada"
    assert (datetime.now(UTC) - excluded.excluded_at).total_seconds() < 60
    other = User.objects.create_user("bea")
    other.groups.add(Group.objects.get(name="editor"))
    assert exchange.load(directory, by=other)["exclusions"] == 0
    assert Exclusion.objects.get().excluded_by == "ada"


def test_a_lifted_exclusion_does_not_come_back_by_a_load(editor: User, directory: Path) -> None:
    exchange.load(directory, by=editor)
    Exclusion.objects.filter(scope="contract").update(
        lifted_by="bea", lifted_at=datetime(2026, 3, 1, tzinfo=UTC), lift_reason="Cleared."
    )
    (problem,) = refusal(directory, editor).problems
    assert (problem.file, problem.record, problem.reason) == ("exclusions.yaml", 3, "lifted")
    exchange.load(write(directory, NEW), by=editor)
    assert Exclusion.objects.filter(lifted_at=None, target="l2").exists()


def test_bytes_can_be_refused_before_anybody_uploads_them(editor: User, directory: Path) -> None:
    files = {"exclusions": NEW["exclusions"].replace("lineage, target: l2", f"source, target: {SHA256}")}
    assert exchange.load(write(directory, files), by=editor)["exclusions"] == 1


def test_numbers_of_this_installation_stay_out_of_the_files(editor: User, directory: Path, tmp_path: Path) -> None:
    exchange.load(directory, by=editor)
    now = datetime(2026, 3, 1, tzinfo=UTC)
    Exclusion.objects.create(
        scope="result", target="17", type="placeholder", reason="A test.", lift_condition="Never.",
        excluded_by="ada", excluded_at=now,
    )  # fmt: skip
    assert exchange.dump(tmp_path / "out")["exclusions"] == 3


def test_a_decision_for_one_source_names_its_bytes(editor: User, directory: Path, tmp_path: Path) -> None:
    Source.objects.create(sha256=SHA256, filename="a.csv", size=0, uploaded_by="ada", uploaded_at=datetime.now(UTC))
    terms = "use: show, verdict: refused, clause: Asked., reviewed_by: ada, reviewed_on: 2026-02-01"
    write(directory, {"rights_decisions": f"- {{source: {SHA256}, {terms}}}"})
    assert exchange.load(directory, by=editor)["rights_decisions"] == 1
    exchange.dump(tmp_path / "out")
    assert f"source: {SHA256}" in (tmp_path / "out/rights_decisions.yaml").read_text()
    assert set(exchange.load(tmp_path / "out", by=editor).values()) == {0}


def test_all_that_is_wrong_with_an_exclusion_is_told_at_once(editor: User, directory: Path) -> None:
    exchange.load(directory, by=editor)
    bad = "- {scope: lineage, target: l3, mapping: [support, b9], type: trak, reason: ' ', lift_condition: Never.}"
    told = {
        (problem.field, problem.reason): problem
        for problem in refusal(write(directory, {"exclusions": bad}), editor).problems
    }
    assert set(told) == {
        ("mapping", "unknown-reference"), ("type", "invalid_choice"), ("reason", "no-reason"), ("", "unknown-target"),
    }  # fmt: skip
    assert "Did you mean track" in told["type", "invalid_choice"].message


def test_a_file_refuses_nothing_twice(editor: User, directory: Path) -> None:
    exchange.load(directory, by=editor)
    what = "scope: lineage, target: l1, type: version, reason: Old., lift_condition: None."
    again = f"- {{{what}, excluded_at: 2026-03-01T09:00:00Z}}"
    (problem,) = refusal(write(directory, {"exclusions": again}), editor).problems
    assert (problem.record, problem.reason) == (1, "already-excluded")
