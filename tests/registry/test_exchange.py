"""The registry as files: a round trip loses nothing, a load is all or nothing, and a fault is told where it stands."""

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.core.exceptions import PermissionDenied
from django.db import transaction
from hypothesis import given
from hypothesis import strategies as st

from registry import exchange
from registry.exchange import LoadRefused
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

# One registry in which every file and every kind of field occurs.
FILES = {
    "editions": "- {key: e1, title: First}",
    "collections": """
- {slug: support, edition: e1, title: Support, question: Which?, summary: Solved., subject_kind: model, planning: false}
- {slug: other, edition: e1, title: Other, question: Which?, summary: Solved., subject_kind: model}
""",
    "facets": """
- {collection: support, slug: same, title: Same, description: One., weight: 33.33, mode: hybrid, position: 1}
- {collection: other, slug: same, title: Same, description: Another., weight: 100, mode: external}
""",
    "tasks": "- {facet: [support, same], key: t1, title: Do it, required: false}",
    "capability_atoms": "[{key: a1, title: One}, {key: a2, title: Two}]",
    "publishers": "- {key: p1, name: Publisher}",
    "suites": "- {key: s1, publisher: p1, title: Suite, url: 'https://suite.example/'}",
    "benchmarks": "- {key: b1, suite: s1, title: Benchmark, eligibility: results-only}",
    "lineages": """
- {key: l1, suite: s1, title: Old, upstream_version: '1.0', track: main}
- {key: l2, suite: s1, title: New, upstream_version: '2.0', track: main, use: usable}
""",
    "lineage_links": "- {a: l1, b: l2, kind: tasks, certainty: unknown, reason: Nobody knows.}",
    "protocols": "- {key: pr1, title: Protocol, runs: 5}",
    "metric_contracts": """
- {key: c1, title: Rate, benchmark: b1, lineage: l2, protocol: pr1, subject_kind: model, unit: percent, kind: rate,
   direction: higher, lower: 0, upper: 99.5, required_identity: [model, effort], assumed_n: 10, assumed_n_reason: Told.}
""",
    "organizations": "- {key: o1, name: Maker}",
    "model_releases": "- {organization: o1, key: m1, name: Model, released_on: 2026-01-31}",
    "configurations": "- {key: o1/m1, model: [o1, m1], subject_kind: model, effort: default, reference: true}",
    "configuration_aliases": """
- {name: 'O|M|', configuration: o1/m1, reviewed_by: ada, reviewed_at: 2026-02-01T09:00:00+01:00}
- {name: 'O|M|not reviewed', configuration: o1/m1}
""",
    "evidence_mappings": """
- {collection: support, benchmark: b1, role: primary, upstream_access: manual, declared_subject: model,
   metric_partitions: [model], projection: allowed, projection_reason: Tested., atoms: [a2, a1]}
- {collection: other, benchmark: b1, role: context, upstream_access: gated, declared_subject: model,
   metric_partitions: [model, product]}
""",
    "mapping_facets": "- {mapping: [support, b1], facet: [support, same], coverage_note: Measured.}",
    "mapping_lineages": "- {mapping: [support, b1], lineage: l2, subject_kind: model}",
    "measurements": "- {mapping: [support, b1], contract: c1, facet: [support, same], reason: It does.}",
    "task_alignments": "- {mapping: [support, b1], task: [support, same, t1], directness: 62.5, reason: Half.}",
    "mapping_profiles": """
- {key: prof, title: Profile, spec: {skip: [{when: {domain: [overall]}, reason: A mean.}], unknown_columns: ignore,
   columns: {value: '{v}', contract: '{c}', configuration: '{m}'}}}
""",
    "rights_decisions": """
- {publisher: p1, use: store, clause: None found.}
- {suite: s1, use: rank, verdict: allowed, clause: MIT, reviewed_by: ada, reviewed_on: 2026-02-01}
""",
    "exclusions": """
- {scope: lineage, target: l1, type: version, reason: Old., lift_condition: None., excluded_by: ada,
   excluded_at: 2026-02-01T09:00:00Z, lifted_by: bea, lifted_at: 2026-02-02T09:00:00Z, lift_reason: Needed.}
- {scope: lineage, target: l1, type: version, reason: Old again., lift_condition: None., excluded_by: ada,
   excluded_at: 2026-02-03T09:00:00.123456Z}
- {scope: contract, target: c1, mapping: [support, b1], type: rights, reason: Not ours., lift_condition: Leave.,
   excluded_by: ada, excluded_at: 2026-02-01T09:00:00Z}
""",
    "judges": "[{key: j1, person: true}, {key: j2, family: f1, organization_key: o1}]",
    "sample_outputs": """
- {task: [support, same, t1], configuration: o1/m1, retired_grade: 4.5, text: "Two\\nlines: 'quoted' – ümlaut 🙂"}
""",
}


SHA256 = "ab" * 32


@pytest.fixture
def editor(db: None) -> User:
    user = User.objects.create_user("ada")
    user.groups.add(Group.objects.get(name="editor"))
    return user


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return write(tmp_path / "files", FILES)


def write(directory: Path, files: dict[str, str]) -> Path:
    directory.mkdir(exist_ok=True)
    for stem, content in files.items():
        (directory / f"{stem}.yaml").write_text(content, encoding="utf-8")
    return directory


def content(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in directory.iterdir()}


def refusal(directory: Path, by: User) -> LoadRefused:
    """Load what cannot be loaded; nothing of it may be stored."""
    before = AuditEvent.objects.count()
    with pytest.raises(LoadRefused) as caught:
        exchange.load(directory, by=by)
    assert AuditEvent.objects.count() == before
    return caught.value


# --- The way back -----------------------------------------------------------------------------------------------------


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


@pytest.mark.parametrize("value", ["\ud800", "a\0b", 8, None])
def test_what_no_database_can_hold_is_no_text(value: Any) -> None:
    with pytest.raises(exchange.Bad):
        exchange.text(value)


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
    Source.objects.create(
        sha256=SHA256, filename="a.csv", size=0, content=b"", uploaded_by="ada", uploaded_at=datetime.now(UTC)
    )
    terms = "use: show, verdict: refused, clause: Asked., reviewed_by: ada, reviewed_on: 2026-02-01"
    write(directory, {"rights_decisions": f"- {{source: {SHA256}, {terms}}}"})
    assert exchange.load(directory, by=editor)["rights_decisions"] == 1
    exchange.dump(tmp_path / "out")
    assert f"source: {SHA256}" in (tmp_path / "out/rights_decisions.yaml").read_text()
    assert set(exchange.load(tmp_path / "out", by=editor).values()) == {0}
