"""Mapping profiles at the desk: edited as YAML, versioned, tried, and told what was read through them."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile

from registry.actions import curate, imports
from registry.actions.base import Refused
from registry.models import Collection, Configuration, ImportBatch, MappingProfile, MetricContract, Result
from tests.desk import address, form_on, opened, text_of
from tests.registry.admin.conftest import Visitor

ADD = "/admin/registry/mappingprofile/add/"
TABLE = b"model,score\nNine,61.5\n"


@pytest.fixture
def spec(collection: Collection) -> dict[str, Any]:
    contract = MetricContract.objects.filter(use="usable", kind="rate").get()
    return {
        "vocabularies": {"who": {"column": "model", "words": {"Nine": Configuration.objects.get().key, "no": "x"}}},
        "columns": {
            "contract": contract.key,
            "configuration": "{who}",
            "value": "{score}",
            "source_url": "https://example.org/nine",
        },
    }


@pytest.fixture
def profile(spec: dict[str, Any], editor: User) -> MappingProfile:
    return curate.save(obj=MappingProfile(key="nines", title="Nines", spec=spec), by=editor)


def staged(profile: MappingProfile, editor: User) -> ImportBatch:
    return imports.stage(content=TABLE, filename="nines.csv", profile=profile, by=editor)


def test_a_spec_is_shown_and_kept_as_text(as_: Visitor, profile: MappingProfile, spec: dict[str, Any]) -> None:
    editor = as_("editor")
    typed = opened(editor, profile)
    assert "vocabularies:\n  who:\n    column: model\n" in typed["spec"][0]
    assert editor.post(address(profile), typed).status_code == 302
    profile.refresh_from_db()
    assert (profile.spec, profile.version) == (spec, 1)


def test_every_save_is_a_version_and_the_history_shows_the_lines(as_: Visitor, profile: MappingProfile) -> None:
    editor = as_("editor")
    typed = opened(editor, profile)
    typed["spec"] = [typed["spec"][0].replace("https://example.org/nine", "https://example.org/ten")]
    assert editor.post(address(profile), typed).status_code == 302
    profile.refresh_from_db()
    assert (profile.version, profile.spec["columns"]["source_url"]) == (2, "https://example.org/ten")
    page = editor.get(address(profile, "history"))
    changed = page.context["told"][0].changes
    assert changed == [("spec", "source_url: https://example.org/nine", "source_url: https://example.org/ten")]
    assert "Version 2." in text_of(editor.get(address(profile)))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("columns: [", "This is not YAML: did not find expected"),
        ("columns: {a: &x b, c: *x}", "Line 1: YAML aliases"),
        ("columns: {value: a}\ncolumns: {}", "The key columns stands twice"),
        ("", "This field is required."),
        ("just words", "A profile is made of named parts"),
        ("colums: {}", "colums: there is no such part. Did you mean columns?"),
        ("columns: {contract: c, value: v}\npatterns: [{column: a, pattern: magic, into: {a: b}}]",
         "patterns[1].pattern: must be one of plus-minus"),
        ("columns: {contract: c, value: v}", "columns.configuration: this column is required"),
        ("columns: {contract: c, value: 7, configuration: }", "columns: must be columns of results.csv"),
        ("a" * 70_000 + ": [" * 200, ""),
    ],
)  # fmt: skip
def test_every_fault_is_told_at_the_field(as_: Visitor, profile: MappingProfile, text: str, told: str) -> None:
    editor = as_("editor")
    answer = editor.post(address(profile), opened(editor, profile) | {"spec": [text]})
    assert answer.status_code == 200
    assert told in " ".join(answer.context["adminform"].form.errors["spec"])
    assert form_on(answer, "mappingprofile_form")["spec"] == [text]
    profile.refresh_from_db()
    assert profile.version == 1


def test_a_new_profile_begins_with_the_grammar_beside_it(as_: Visitor, spec: dict[str, Any]) -> None:
    page = as_("editor").get(ADD)
    said = text_of(page)
    for word in ("one_hot", "unknown_columns", "fraction-to-percent", "never scaled"):
        assert word in said
    typed = form_on(page, "mappingprofile_form")
    typed |= {
        "key": ["new"],
        "title": ["New"],
        "spec": ['{"columns": {"contract": "c", "configuration": "{who}", "value": "{v}"}}'],
    }
    assert as_("editor").post(ADD, typed).status_code == 302
    assert MappingProfile.objects.get(key="new").spec["columns"]["value"] == "{v}"


def test_a_colleague_in_between_loses_nothing(as_: Visitor, profile: MappingProfile, admin: User) -> None:
    editor = as_("editor")
    typed = opened(editor, profile)
    profile.title = "Renamed"
    curate.save(obj=profile, by=admin)
    answer = editor.post(address(profile), typed | {"spec": [typed["spec"][0].replace("nine", "ten")]})
    assert answer.status_code == 409
    assert "ten" in form_on(answer, "mappingprofile_form")["spec"][0]


def test_the_page_tells_what_was_read_through_which_version(
    as_: Visitor, profile: MappingProfile, editor: User
) -> None:
    batch = staged(profile, editor)
    profile.spec = profile.spec | {"ignored": ["rank"]}
    curate.save(obj=profile, by=editor)
    staged(profile, editor)
    page = as_("viewer").get(address(profile))
    assert page.context["versions"] == [(2, 1), (1, 1)]
    assert page.context["outdated"] == 1
    assert f"batch {batch.pk}: nines.csv" in text_of(page)
    assert "touches no stored result" in text_of(page)
    assert "1 waiting batch was read through an older version" in text_of(page)


def test_a_new_version_leaves_results_and_refuses_batches_that_it_reads_otherwise(
    as_: Visitor, profile: MappingProfile, editor: User
) -> None:
    imports.apply(batch=staged(profile, editor), by=editor)
    before = list(Result.objects.order_by("pk").values())
    same, other = staged(profile, editor), imports.stage(
        content=TABLE.replace(b"61.5", b"62.5"), filename="b.csv", profile=profile, by=editor
    )  # fmt: skip
    profile.spec = profile.spec | {"columns": profile.spec["columns"] | {"external_id": "{model}"}}
    curate.save(obj=profile, by=editor)
    assert list(Result.objects.order_by("pk").values()) == before
    with pytest.raises(Refused, match="changed since the file was staged"):
        imports.apply(batch=other, by=editor, reason="Corrected.")
    said = text_of(as_("editor").get(address(same)))
    assert "version 1, which is another by now" in said
    assert "Its profile has been changed since it was read" in said
    assert "How it was read: cell of the file" in said, "by the version that read it"
    assert "external_id" not in said.partition("What the profile said then")[2].partition("Source")[0]
    again = as_("editor").post(address(other, "again"), form_on(as_("editor").get(address(other)), "again-form"))
    other.refresh_from_db()
    assert (again.status_code, other.profile_version, other.status) == (302, 2, "staged")


def test_a_row_shows_cell_rule_and_value_apart(as_: Visitor, profile: MappingProfile, editor: User) -> None:
    page = as_("viewer").get(address(staged(profile, editor)))
    (shown,) = page.context["rows"]
    assert [tuple(cell) for cell in shown.made if cell.name in ("configuration", "value")] == [
        ("configuration", "model", "Nine", "vocabulary who", Configuration.objects.get().key),
        ("value", "score", "61.5", "", "61.5"),
    ]
    assert "vocabulary who" in text_of(page)


def trying(profile: MappingProfile) -> str:
    return f"/admin/registry/mappingprofile/{profile.pk}/try/"


def test_it_is_tried_on_a_stored_source(as_: Visitor, profile: MappingProfile, editor: User) -> None:
    batch, client = staged(profile, editor), as_("editor")
    typed = form_on(client.get(trying(profile)), "try-form")
    page = client.post(trying(profile), typed | {"source": [str(batch.source.pk)]})
    (row,) = page.context["trial"].rows
    assert (row.verdict, page.context["format"]) == ("new", "CSV")
    assert "vocabulary who" in text_of(page)
    assert ImportBatch.objects.count() == 2


def test_what_is_typed_is_tried_and_taken_to_the_form(as_: Visitor, profile: MappingProfile) -> None:
    client = as_("editor")
    typed = form_on(client.get(trying(profile)), "try-form")
    typed["spec"] = [typed["spec"][0].replace("Nine:", "Ten:")]
    page = client.post(trying(profile), typed | {"file": SimpleUploadedFile("t.csv", TABLE)})
    assert [problem.reason for problem in page.context["trial"].rows[0].problems] == ["unknown-word"]
    form = client.post(address(profile), typed | {"_reopen": ["1"]})
    assert "Ten:" in form_on(form, "mappingprofile_form")["spec"][0]
    assert "Nothing is saved yet" in text_of(form)
    profile.refresh_from_db()
    assert profile.version == 1


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({}, "__all__"),
        ({"source": "77"}, "source"),
        ({"file": b"x" * (2 * 1024 * 1024 + 1)}, "file"),
        ({"file": b"\x89PNG\r\n\x00"}, "file"),
        ({"file": TABLE, "spec": "columns: {}"}, "spec"),
        ({"file": TABLE, "spec": "["}, "spec"),
        ({"file": TABLE, "kind": "comparisons"}, "spec"),
    ],
)
def test_what_cannot_be_tried_is_told(as_: Visitor, profile: MappingProfile, given: dict[str, Any], field: str) -> None:
    client = as_("editor")
    typed: dict[str, Any] = dict(form_on(client.get(trying(profile)), "try-form"))
    typed |= {name: SimpleUploadedFile("t.csv", value) if name == "file" else [value] for name, value in given.items()}
    page = client.post(trying(profile), typed)
    assert (page.status_code, list(page.context["form"].errors), page.context["trial"]) == (200, [field], None)


@pytest.mark.parametrize(("who", "status"), [("viewer", 403), ("publisher", 403), ("editor", 200), ("admin", 200)])
def test_trying_takes_the_permission_to_import(as_: Visitor, profile: MappingProfile, who: str, status: int) -> None:
    assert as_(who).get(trying(profile)).status_code == status
    assert as_(who).get("/admin/registry/mappingprofile/77/try/").status_code in (302, 403)


@pytest.mark.parametrize("batch", ["", "?batch=99", "?batch=x", "?batch=²"])
def test_a_new_one_starts_with_what_is_required(as_: Visitor, collection: Collection, batch: str) -> None:
    page = as_("editor").get(ADD + batch)
    assert (page.status_code, "contract: ''" in form_on(page, "mappingprofile_form")["spec"][0]) == (200, True)
    assert "An example" in text_of(page)
