"""Loading and exporting by command, and the first policy of an edition."""

import json
from copy import deepcopy
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.contrib.auth.models import Group, User
from django.core.exceptions import PermissionDenied
from django.core.management import CommandError, call_command

from ranking import registry_files
from ranking.actions.policies import load_policy
from ranking.models import GatePolicy
from registry.actions.base import Refused
from registry.exchange import LoadRefused
from registry.models import AuditEvent, Collection, Edition, Job
from registry.people import acting_user

pytestmark = pytest.mark.django_db

EDITIONS = "- {key: v1, title: First}\n"
COLLECTIONS = "- {slug: support, edition: v1, title: S, question: Which?, summary: Solved., subject_kind: model}\n"
POLICY: dict[str, Any] = {
    "edition": "v1",
    "version": 1,
    "title": "Gate",
    "reason": "The first.",
    "thresholds": {
        "required_rights": {"value": ["rank", "show"], "reason": "A page shows what it ranks."},
        "headline_rows": {"value": 8, "reason": "Convention."},
    },
}


@pytest.fixture
def editor() -> User:
    return acting_user(None)


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    path = tmp_path / "files"
    path.mkdir()
    (path / "editions.yaml").write_text(EDITIONS)
    (path / "collections.yaml").write_text(COLLECTIONS)
    return with_policies(path, POLICY)


def with_policies(directory: Path, *policies: Any) -> Path:
    (directory / registry_files.POLICIES).write_text(yaml.safe_dump(list(policies)))
    return directory


def changed(**fields: Any) -> dict[str, Any]:
    return deepcopy(POLICY) | fields


def run(name: str, *arguments: str) -> tuple[int, str, str]:
    """What a command leaves behind: exit code, output, errors; as `manage.py` would."""
    output, errors = StringIO(), StringIO()
    try:
        call_command(name, *arguments, stdout=output, stderr=errors)
    except CommandError as error:
        return error.returncode, output.getvalue(), f"{errors.getvalue()}{error}"
    return 0, output.getvalue(), errors.getvalue()


# --- Commands ---------------------------------------------------------------------------------------------------------


def test_a_directory_is_loaded_and_a_second_time_left_alone(directory: Path) -> None:
    assert run("load_registry", str(directory), "--reason", "set up") == (
        0, "editions: 1 written\ncollections: 1 written\ngate_policies: 1 written\n", "",
    )  # fmt: skip
    events = AuditEvent.objects.count()
    code, output, _ = run("load_registry", str(directory), "--json")
    assert (code, json.loads(output)) == (
        0, {"written": {"editions": 0, "collections": 0, "gate_policies": 0}, "problems": []},
    )  # fmt: skip
    assert AuditEvent.objects.count() == events
    assert set(AuditEvent.objects.values_list("by", flat=True)) == {"command-line"}
    assert AuditEvent.objects.filter(object_type="registry.edition").get().reason == "set up"


def test_what_is_loaded_exports_to_the_same_and_loads_again(directory: Path, tmp_path: Path) -> None:
    run("load_registry", str(directory))
    assert run("export_registry", str(tmp_path / "one/deep"))[:2] == (
        0, "editions: 1\ncollections: 1\ngate_policies: 1\n",
    )  # fmt: skip
    assert yaml.safe_load((tmp_path / "one/deep/gate_policies.yaml").read_text()) == [POLICY]
    assert json.loads(run("load_registry", str(tmp_path / "one/deep"), "--json")[1])["written"] == {
        "editions": 0, "collections": 0, "gate_policies": 0,
    }  # fmt: skip


def test_faults_end_with_1_named_one_a_line_or_as_json(directory: Path) -> None:
    (directory / "editions.yaml").write_text("- {key: V1, title: First}\n- {key: v1, titel: First}\n")
    code, output, errors = run("load_registry", str(directory))
    assert (code, output) == (1, "")
    assert errors.splitlines()[0].startswith("editions.yaml, record 1, field key: A key is lower-case ASCII")
    assert errors.splitlines()[-1].endswith("problem(s); nothing was stored.")
    code, output, _ = run("load_registry", str(directory), "--json")
    answer = json.loads(output)
    assert (code, answer["written"]) == (1, {})
    assert answer["problems"][1] == {
        "file": "editions.yaml", "record": 2, "field": "titel", "value": "First", "reason": "unknown-field",
        "message": "There is no such field. Did you mean title?",
    }  # fmt: skip
    assert not AuditEvent.objects.exists()


def test_usage_ends_with_2(directory: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    User.objects.create_user("vic").groups.add(Group.objects.get(name="viewer"))
    for arguments, message in {
        (str(tmp_path / "nowhere"),): "There is no directory",
        (str(tmp_path / "empty"),): "holds no YAML file",
        (str(directory), "--by", "nobody"): "There is no active user 'nobody'.",
        (str(directory), "--by", "vic"): "vic may not do this: it takes the permission registry.add_edition.",
    }.items():
        code, output, errors = run("load_registry", *arguments)
        assert (code, output) == (2, "")
        assert message in errors
    (tmp_path / "file").write_text("")
    code, _, errors = run("export_registry", str(tmp_path / "file"))
    assert code == 2
    assert "file: File exists" in errors


@pytest.mark.parametrize("name", ["benchmark.yaml", "editions.yml", "results.yaml"])
def test_a_file_that_nothing_reads_is_refused(name: str, directory: Path, editor: User) -> None:
    (directory / name).write_text("[]")
    with pytest.raises(LoadRefused) as caught:
        registry_files.load(directory, by=editor)
    (problem,) = caught.value.problems
    assert (problem.file, problem.reason) == (name, "unknown-file")


# --- The first policy of an edition -----------------------------------------------------------------------------------


def test_the_first_policy_is_in_force(directory: Path, editor: User) -> None:
    registry_files.load(directory, by=editor)
    policy = GatePolicy.objects.get()
    assert (policy.name, policy.state, policy.drafted_by, policy.approved_by) == ("v1", "active", "command-line", "")
    assert policy.value("headline_rows") == 8
    assert AuditEvent.objects.filter(object_type="ranking.gatepolicy", verb="add").count() == 1


def test_a_new_policy_asks_every_gate_of_its_edition_and_no_other(editor: User) -> None:
    for key in ("v1", "v2"):
        edition = Edition.objects.create(key=key, title=key)
        Collection.objects.create(slug=f"support-{key}", edition=edition, title=key, subject_kind="model")
    load_policy(**changed(edition=Edition.objects.get(key="v1")), by=editor)
    assert [job.key for job in Job.objects.all()] == ["support-v1"]


WRONG: dict[str, tuple[dict[str, Any], str, str]] = {
    "another title": (changed(title="Other"), "", "policy-differs"),
    "other thresholds": (changed(thresholds={"headline_rows": {"value": 3, "reason": "Less."}}), "", "policy-differs"),
    "another reason": (changed(reason="Other"), "", "policy-differs"),
    "another version": (changed(version=2), "", "policy-exists"),
    "no threshold": (changed(version=2, thresholds={}), "", "bad-threshold"),
    "a bare number": (changed(version=2, thresholds={"rows": 8}), "", "bad-threshold"),
    "no reason": (changed(version=2, thresholds={"rows": {"value": 8}}), "", "bad-threshold"),
    "an empty reason": (changed(version=2, thresholds={"rows": {"value": 8, "reason": " "}}), "", "bad-threshold"),
    "a negative": (changed(version=2, thresholds={"rows": {"value": -1, "reason": "Why."}}), "", "bad-threshold"),
    "a truth": (changed(version=2, thresholds={"rows": {"value": True, "reason": "Why."}}), "", "bad-threshold"),
    "a list of numbers": (changed(version=2, thresholds={"x": {"value": [1], "reason": "Why."}}), "", "bad-threshold"),
    "infinity": (changed(thresholds={"x": {"value": float("inf"), "reason": "Why."}}), "thresholds", "not-a-number"),
    "a version in words": (changed(version="one"), "version", "not-an-integer"),
    "a title that is none": (changed(title=0.8), "title", "not-text"),
    "another edition": (changed(edition="v9"), "edition", "unknown-reference"),
    "an edition that is no text": (changed(edition=1), "edition", "not-text"),
    "another field": (changed(state="active"), "state", "unknown-field"),
    "a field too few": ({name: value for name, value in POLICY.items() if name != "reason"}, "reason", "missing"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_policy_that_cannot_be_taken_is_told_and_nothing_of_the_directory_is_stored(
    name: str, directory: Path, editor: User
) -> None:
    registry_files.load(directory, by=editor)
    events = AuditEvent.objects.count()
    (directory / "editions.yaml").write_text("- {key: v1, title: Renamed}\n")
    policy, field, reason = WRONG[name]
    with pytest.raises(LoadRefused) as caught:
        registry_files.load(with_policies(directory, policy), by=editor)
    (problem,) = caught.value.problems
    assert (problem.file, problem.record, problem.field, problem.reason) == ("gate_policies.yaml", 1, field, reason)
    assert Edition.objects.get().title == "First"
    assert AuditEvent.objects.count() == events
    assert GatePolicy.objects.get().thresholds == POLICY["thresholds"]


def test_a_title_too_long_is_told_by_its_field(directory: Path, editor: User) -> None:
    with pytest.raises(LoadRefused) as caught:
        registry_files.load(with_policies(directory, changed(title="x" * 201)), by=editor)
    assert [(problem.field, problem.reason) for problem in caught.value.problems] == [("title", "invalid")]
    assert not Edition.objects.exists()


@pytest.mark.parametrize("role", ["viewer", "publisher"])
def test_only_an_editor_brings_a_policy(role: str) -> None:
    user = User.objects.create_user("vic")
    user.groups.add(Group.objects.get(name=role))
    edition = Edition.objects.create(key="v1", title="First")
    with pytest.raises(PermissionDenied):
        load_policy(**changed(edition=edition), by=user)
    assert not GatePolicy.objects.exists()


def test_a_revision_is_refused_here(editor: User) -> None:
    edition = Edition.objects.create(key="v1", title="First")
    load_policy(**changed(edition=edition), by=editor)
    with pytest.raises(Refused, match="only its first one"):
        load_policy(**changed(edition=edition, version=2), by=editor)
