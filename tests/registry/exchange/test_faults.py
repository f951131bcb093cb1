"""A fault is told with file, record and field; nothing of the directory is stored, and no input is a crash."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.core.exceptions import PermissionDenied

from registry import exchange
from registry.models import AuditEvent
from tests.registry.exchange.sample import FILES, SHA256, refusal, write

# --- Faults of a file as a whole --------------------------------------------------------------------------------------

BOMB = "\n".join(["- &a0 [lol, lol]"] + [f"- &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 40)])

WHOLE_FILES: dict[str, tuple[bytes, str]] = {
    "a mapping": (b"key: v3\ntitle: Third\n", "not-a-list"),
    "a text": (b"just words", "not-a-list"),
    "unclosed": (b"- {key: v3, title: [", "bad-yaml"),
    "a tab": (b"- key: v3\n\ttitle: x\n", "bad-yaml"),
    "an object of Python": (b"- !!python/object/apply:os.system ['true']\n", "bad-yaml"),
    "a name given twice": (b"- {key: v3, title: One, title: Two}", "bad-yaml"),
    "an impossible date": (b"- {key: v3, title: 2026-13-45}", "bad-yaml"),
    "a number of many digits": (b"- {key: v3, title: " + b"9" * 5000 + b"}", "bad-yaml"),
    "an alias": (b"- &a {key: v3, title: One}\n- *a\n", "alias"),
    "a bomb of aliases": (BOMB.encode(), "alias"),
    "a deep nest": (b"- " + b"[" * 30 + b"]" * 30, "too-deep"),
    "another encoding": ("- {key: v3, title: Prüfung}".encode("latin-1"), "not-utf-8"),
    "a nest without end": (b"[" * 1_000_000, "bad-yaml"),
    "half of a surrogate pair": (b'- {key: v3, title: "\\uD800"}', "bad-yaml"),
    "a control character": (b"- {key: v3, title: a\x07b}", "bad-yaml"),
    "more than can be a registry": (b"# " + b"x" * 8 * 1024 * 1024 + b"\n", "too-large"),
}


@pytest.mark.parametrize("name", WHOLE_FILES)
def test_a_file_that_cannot_be_read_is_named(name: str, editor: User, tmp_path: Path) -> None:
    (tmp_path / "editions.yaml").write_bytes(WHOLE_FILES[name][0])
    (problem,) = refusal(tmp_path, editor).problems
    assert (problem.file, problem.record, problem.reason) == ("editions.yaml", 0, WHOLE_FILES[name][1])


def test_what_is_wrong_with_yaml_is_told_with_its_line(editor: User, tmp_path: Path) -> None:
    write(tmp_path, {"editions": "- key: v3\n  title: One\n  title: Two\n", "publishers": "- {key: [\n"})
    twice, unclosed = refusal(tmp_path, editor).problems
    assert str(twice).endswith("line 3, column 3: the name 'title' is given twice.")
    assert (unclosed.file, unclosed.reason) == ("publishers.yaml", "bad-yaml")


def test_an_item_that_is_no_record_is_counted(editor: User, tmp_path: Path) -> None:
    write(tmp_path, {"editions": "- {key: v3, title: Third}\n- v4\n- {1: one}\n"})
    assert [(problem.record, problem.reason) for problem in refusal(tmp_path, editor).problems] == [
        (2, "not-a-record"),
        (3, "not-a-record"),
    ]


def test_a_byte_order_mark_and_an_empty_file_are_no_fault(editor: User, tmp_path: Path) -> None:
    (tmp_path / "editions.yaml").write_bytes("\ufeff- {key: v3, title: Third}".encode())
    write(tmp_path, {"judges": "", "publishers": "[]"})
    assert exchange.load(tmp_path, by=editor) == {"editions": 1}


@pytest.mark.parametrize("value", ["\ud800", "a\0b", 8, None])
def test_what_no_database_can_hold_is_no_text(value: Any) -> None:
    with pytest.raises(exchange.Bad):
        exchange.text(value)


# --- Faults of one value ----------------------------------------------------------------------------------------------

Fault = tuple[str, str, str, str, str]
FAULTS: list[Fault] = [
    # file, what to replace, by what, the field and the code of the complaint
    ("editions", "title: First", "titel: First", "titel", "unknown-field"),
    ("editions", "title: First", "title: First, version: 7", "version", "unknown-field"),
    ("editions", ", title: First", "", "title", "blank"),
    ("editions", "title: First", "title: null", "title", "null"),
    ("editions", "title: First", "title: 0.8", "title", "not-text"),
    ("editions", "title: First", "title: off", "title", "not-text"),
    ("editions", "title: First", "title: [First]", "title", "not-text"),
    ("editions", "title: First", 'title: "a\\0b"', "title", "not-text"),
    ("editions", "title: First", f"title: {'x' * 201}", "title", "max_length"),
    ("editions", "key: e1", "key: E1", "key", "bad-key"),
    ("collections", "edition: e1, title: Support", "edition: e2, title: Support", "edition", "unknown-reference"),
    ("collections", "edition: e1, title: Support", "edition: [e1], title: Support", "edition", "not-text"),
    ("collections", "edition: e1, title: Support", 'edition: "e\\0", title: Support', "edition", "not-text"),
    ("collections", "edition: e1, title: Support, ", "title: Support, ", "edition", "null"),
    (
        "collections",
        "subject_kind: model, planning",
        "subject_kind: modell, planning",
        "subject_kind",
        "invalid_choice",
    ),
    ("collections", "planning: false", "planning: 0", "planning", "not-a-boolean"),
    ("facets", "weight: 33.33", "weight: heavy", "weight", "not-a-number"),
    ("facets", "weight: 33.33", "weight: .nan", "weight", "not-a-number"),
    ("facets", "weight: 33.33", "weight: 33.333", "weight", "max_decimal_places"),
    ("facets", "weight: 33.33", "weight: 120", "", "invalid"),
    ("facets", "position: 1", "position: 1.5", "position", "not-an-integer"),
    ("facets", "position: 1", "position: -1", "position", "min_value"),
    ("tasks", "facet: [support, same]", "facet: same", "facet", "bad-reference"),
    ("tasks", "facet: [support, same]", "facet: [support, same, t1]", "facet", "bad-reference"),
    ("tasks", "facet: [support, same]", "facet: [support, 1]", "facet", "not-text"),
    ("tasks", "facet: [support, same]", "facet: [support, nowhere]", "facet", "unknown-reference"),
    ("suites", "https://suite.example/", "javascript:alert(1)", "url", "invalid"),
    ("protocols", "runs: 5", "runs: true", "runs", "not-an-integer"),
    ("metric_contracts", "upper: 99.5", "upper: .inf", "upper", "not-a-number"),
    ("metric_contracts", "upper: 99.5", "upper: -1", "", "invalid"),
    ("metric_contracts", "[model, effort]", "[2026-01-01]", "required_identity", "not-json"),
    ("metric_contracts", "[model, effort]", "[model, efort]", "required_identity", "invalid"),
    ("metric_contracts", "[model, effort]", "[model, model]", "required_identity", "invalid"),
    ("metric_contracts", "[model, effort]", "{model: effort}", "required_identity", "invalid"),
    ("evidence_mappings", "[model, product]", "[model, 7]", "metric_partitions", "invalid"),
    ("metric_contracts", ", assumed_n_reason: Told.", "", "", "invalid"),
    ("model_releases", "2026-01-31", "2026-02-01T09:00:00Z", "released_on", "not-a-date"),
    ("model_releases", "2026-01-31", "'2026-02-30'", "released_on", "not-a-date"),
    ("configuration_aliases", "+01:00", "", "reviewed_at", "not-a-time"),
    ("configuration_aliases", "2026-02-01T09:00:00+01:00", "'soon'", "reviewed_at", "not-a-time"),
    ("configuration_aliases", "reviewed_by: ada, ", "", "", "invalid"),
    ("evidence_mappings", "[a2, a1]", "a1", "atoms", "not-a-list"),
    ("evidence_mappings", "[a2, a1]", "[a1, a3]", "atoms", "unknown-reference"),
    ("measurements", "facet: [support, same]", "facet: [support, same], lineage: l2", "lineage", "unknown-field"),
    ("mapping_profiles", "value: '{v}'", "1: '{v}'", "spec", "not-text"),
    ("mapping_profiles", "value: '{v}'", "value: .inf", "spec", "not-a-number"),
    ("mapping_profiles", "value: '{v}', ", "", "spec", "invalid"),
    ("rights_decisions", "suite: s1, use", "suite: s1, publisher: p1, use", "", "invalid"),
    ("rights_decisions", "suite: s1, use: rank", f"source: {SHA256}, use: rank", "source", "unknown-reference"),
    ("rights_decisions", "reviewed_by: ada, ", "", "", "invalid"),
    ("exclusions", "scope: contract, target: c1", "scope: batch, target: '1'", "", "local-target"),
    ("exclusions", "scope: contract, target: c1", "scope: contract, target: c9", "", "unknown-target"),
    ("exclusions", "lifted_by: bea, ", "", "", "invalid"),
    ("exclusions", "reason: Not ours.", "reason: ' '", "reason", "no-reason"),
    ("exclusions", "lift_condition: Leave.", 'lift_condition: "\\u200b"', "lift_condition", "no-reason"),
]


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_bad_value_is_told_with_file_record_and_field(fault: Fault, editor: User, directory: Path) -> None:
    stem, old, new, field, reason = fault
    assert FILES[stem].count(old) == 1
    write(directory, {stem: FILES[stem].replace(old, new)})
    number = len(re.findall("^- ", FILES[stem].partition(old)[0], re.MULTILINE))
    problem = refusal(directory, editor).problems[0]
    assert (problem.file, problem.record, problem.field, problem.reason) == (f"{stem}.yaml", number, field, reason)
    assert problem.message[-1] in ".?"


def test_a_complaint_reads_as_one_line(editor: User, directory: Path) -> None:
    write(directory, {"facets": FILES["facets"].replace("position: 1", "possition: 1")})
    assert str(refusal(directory, editor)).splitlines()[0] == (
        "facets.yaml, record 1, field possition: There is no such field. Did you mean position? (value: 1)"
    )


def test_all_faults_are_told_at_once(editor: User, directory: Path) -> None:
    write(directory, {
        "editions": "[{key: e1, title: First}, {key: e2}]",
        "facets": FILES["facets"].replace("mode: external", "mode: guess").replace("33.33", "no"),
        "judges": "[{key: J}, {key: j2, person: 1, family: 2}]",
    })  # fmt: skip
    told = {(problem.file, problem.record, problem.field) for problem in refusal(directory, editor).problems}
    assert told >= {
        ("editions.yaml", 2, "title"),
        ("facets.yaml", 1, "weight"),
        ("facets.yaml", 2, "mode"),
        ("judges.yaml", 1, "key"),
        ("judges.yaml", 2, "person"),
        ("judges.yaml", 2, "family"),
    }


def test_the_same_record_twice_is_refused_with_both_places(editor: User, tmp_path: Path) -> None:
    write(tmp_path, {"editions": "- {key: e1, title: One}\n- {key: e2, title: Two}\n- {key: e1, title: Three}"})
    (problem,) = refusal(tmp_path, editor).problems
    assert (problem.record, problem.reason) == (3, "duplicate")
    assert "Record 1" in problem.message


def test_a_missing_target_says_when_its_file_was_refused(editor: User, directory: Path) -> None:
    write(directory, {"editions": "- {key: e1}"})
    first, second, *_ = refusal(directory, editor).problems
    assert (first.file, second.file) == ("editions.yaml", "collections.yaml")
    assert "records of editions.yaml were refused" in second.message


# --- Who may ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("role", ["viewer", "publisher", None])
def test_a_load_takes_the_permissions_of_an_editor(role: str | None, directory: Path, db: None) -> None:
    user = User.objects.create_user("bob")
    user.groups.set(Group.objects.filter(name=role))
    with pytest.raises(PermissionDenied):
        exchange.load(directory, by=user)
    assert not AuditEvent.objects.exists()
