"""What is saved at the desk goes through the actions: audited, refused when stale, with what was typed kept."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django import forms
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.urls import reverse

from registry.actions import curate
from registry.admin.base import CuratedAdmin
from registry.models import (
    AuditEvent,
    Collection,
    Configuration,
    ConfigurationAlias,
    Edition,
    EvidenceMapping,
    Facet,
    MetricContract,
    Organization,
    Publisher,
    RightsDecision,
    Task,
)
from tests.desk import address, confirmed, form_on, opened, text_of
from tests.registry.admin.conftest import Visitor

ADD_COLLECTION = "/admin/registry/collection/add/"


def test_a_change_is_audited_once_and_nowhere_else(as_: Visitor, collection: Collection) -> None:
    editor = as_("editor")
    typed = opened(editor, collection) | {"summary": ["Solved, calmly, within the rules."]}
    assert editor.post(address(collection), typed).status_code == 302
    collection.refresh_from_db()
    event = AuditEvent.objects.get(object_type="registry.collection", verb="change")
    assert (collection.summary, collection.version) == ("Solved, calmly, within the rules.", 2)
    assert (event.by, event.before, event.after) == (
        "editor",
        {"summary": "Accurate, policy-aware support."},
        {"summary": "Solved, calmly, within the rules."},
    )
    assert not LogEntry.objects.exists()


def test_nothing_changed_writes_nothing(as_: Visitor, collection: Collection) -> None:
    editor = as_("editor")
    assert editor.post(address(collection), opened(editor, collection)).status_code == 302
    collection.refresh_from_db()
    assert (collection.version, AuditEvent.objects.count()) == (1, 0)


def test_a_record_is_added_with_its_rows(as_: Visitor, collection: Collection) -> None:
    editor = as_("editor")
    typed = form_on(editor.get(ADD_COLLECTION), "collection_form")
    typed |= {name: ["A question?"] for name in ("title", "question", "summary")}
    typed |= {"slug": ["writing"], "edition": [str(collection.edition_id)], "subject_kind": ["model"]}
    typed |= {"facets-0-title": ["Clarity"], "facets-0-slug": ["clarity"], "facets-0-description": ["Is clear."]}
    typed |= {"facets-0-weight": ["40"], "facets-0-mode": ["pairwise"]}
    answer = editor.post(ADD_COLLECTION, typed)
    added = Collection.objects.get(slug="writing")
    assert (answer.status_code, [str(facet) for facet in added.facets.all()]) == (302, ["Clarity"])
    actions = AuditEvent.objects.filter(verb="add").values_list("action_id", flat=True)
    assert (len(actions), len(set(actions))) == (2, 1)


def test_rows_are_changed_added_and_removed_together(as_: Visitor, collection: Collection) -> None:
    editor = as_("editor")
    facet = Facet.objects.get(collection=collection, slug="de-escalation")
    kept, gone = Task.objects.filter(facet=facet)
    typed = opened(editor, facet)
    typed |= {"tasks-0-title": ["Another title"], "tasks-1-DELETE": ["on"]}
    typed |= {"tasks-2-key": ["third"], "tasks-2-title": ["Third"], "tasks-2-required": ["on"]}
    assert editor.post(address(facet), typed).status_code == 302
    assert list(Task.objects.filter(facet=facet).values_list("title", flat=True)) == ["Another title", "Third"]
    assert {event.verb: event.object_id for event in AuditEvent.objects.filter(object_type="registry.task")} == {
        "remove": str(gone.pk),
        "change": str(kept.pk),
        "add": str(Task.objects.get(key="third").pk),
    }


def test_members_of_a_list_are_part_of_the_change(as_: Visitor, mapping: EvidenceMapping) -> None:
    editor = as_("editor")
    atom = mapping.atoms.get(key="support_ux")
    assert editor.post(address(mapping), opened(editor, mapping) | {"atoms": [str(atom.pk)]}).status_code == 302
    event = AuditEvent.objects.get(object_type="registry.evidencemapping")
    assert (event.before, event.after) == ({"atoms": ["support_ux", "workflow_resolution"]}, {"atoms": ["support_ux"]})


def test_a_bad_value_is_told_at_its_field_and_the_rest_is_kept(as_: Visitor, collection: Collection) -> None:
    editor = as_("editor")
    typed = opened(editor, collection) | {"facets-1-weight": ["120"], "summary": ["What I typed."]}
    answer = editor.post(address(collection), typed)
    assert (answer.status_code, "What I typed." in answer.content.decode()) == (200, True)
    assert "A weight is a percentage from 0 to 100." in text_of(answer)
    assert Facet.objects.filter(weight=120).count() == 0
    collection.refresh_from_db()
    assert collection.summary == "Accurate, policy-aware support."


def test_a_rule_of_the_database_is_told_in_the_form(as_: Visitor, collection: Collection) -> None:
    """An assumed n without its reason: no form field knows this rule, the record does."""
    editor = as_("editor")
    contract = MetricContract.objects.exclude(assumed_n=None).get()
    answer = editor.post(address(contract), opened(editor, contract) | {"assumed_n_reason": [""]})
    assert (answer.status_code, "and the reason for it go together." in text_of(answer)) == (200, True)


def stale(editor: Client, record: Any, by: User) -> dict[str, list[str]]:
    """A form opened before a colleague saved another title."""
    typed = opened(editor, record)
    present = type(record).objects.get(pk=record.pk)
    present.title = "The colleague's title"
    curate.save(obj=present, by=by)
    return typed


def test_a_stale_form_is_refused_with_who_changed_what(as_: Visitor, collection: Collection, admin: User) -> None:
    editor = as_("editor")
    typed = stale(editor, collection, admin) | {"title": ["My title"]}
    answer = editor.post(address(collection), typed)
    said = text_of(answer)
    assert (answer.status_code, 'value="My title"' in answer.content.decode()) == (409, True)
    assert "Somebody else saved first" in said
    assert "admin · change" in said
    assert "The colleague's title" in said
    collection.refresh_from_db()
    assert collection.title == "The colleague's title"


def test_whoever_read_the_conflict_may_save_over_it(as_: Visitor, collection: Collection, admin: User) -> None:
    editor = as_("editor")
    answer = editor.post(address(collection), stale(editor, collection, admin) | {"title": ["My title"]})
    assert editor.post(address(collection), form_on(answer, "collection_form")).status_code == 302
    collection.refresh_from_db()
    assert collection.title == "My title"


def test_a_row_can_be_stale_too(as_: Visitor, collection: Collection, admin: User) -> None:
    editor = as_("editor")
    facet = collection.facets.all()[0]
    typed = stale(editor, facet, admin)
    page = opened(editor, collection) | {"facets-0-opened": typed["opened"], "facets-0-title": ["Mine"]}
    answer = editor.post(address(collection), page)
    assert (answer.status_code, "The colleague's title" in text_of(answer)) == (409, True)


def test_a_form_without_its_version_saves_nothing(as_: Visitor, collection: Collection) -> None:
    editor = as_("editor")
    typed = opened(editor, collection) | {"title": ["Blind"], "opened": [""]}
    assert editor.post(address(collection), typed).status_code == 409
    assert not Collection.objects.filter(title="Blind").exists()


@pytest.mark.django_db(transaction=True)
def test_of_two_sessions_exactly_one_saves(as_: Visitor, editor: User, admin: User) -> None:
    """From the same version, at the same time, again and again."""
    edition = Edition.objects.create(key="v9", title="Ninth")
    clients = [as_("editor"), as_("admin")]
    for client in clients:
        client.get(address(edition))  # a session's first request writes

    def save(number: int, client: Client, typed: dict[str, list[str]]) -> int:
        try:
            return client.post(address(edition), typed | {"title": [f"Pair {number}"]}).status_code
        finally:
            connection.close()

    for pair in range(12):
        typed = opened(clients[0], edition)
        with ThreadPoolExecutor(2) as pool:
            answers = list(pool.map(save, (2 * pair, 2 * pair + 1), clients, (typed, typed)))
        assert sorted(answers) == [302, 409], pair
    edition.refresh_from_db()
    assert (edition.version, AuditEvent.objects.count()) == (13, 12)


def test_a_record_in_use_is_not_deleted(as_: Visitor, collection: Collection) -> None:
    editor = as_("editor")
    edition = collection.edition
    page = editor.get(address(edition, "delete"))
    assert "would require deleting the following protected" in text_of(page)
    assert "Customer Support & Service Resolution" in text_of(page)
    assert editor.post(address(edition, "delete"), {"post": "yes"}).status_code == 200
    assert Edition.objects.filter(pk=edition.pk).exists()


def test_a_record_not_in_use_is_removed_with_what_it_said(as_: Visitor, editor: User) -> None:
    maker = curate.save(obj=Organization(key="nobody", name="Nobody"), by=editor)
    assert as_("editor").post(address(maker, "delete"), {"post": "yes"}).status_code == 302
    event = AuditEvent.objects.get(verb="remove")
    assert event.before is not None
    assert (event.object_key, event.before["name"]) == ("nobody", "Nobody")
    assert not Organization.objects.filter(key="nobody").exists()
    assert not LogEntry.objects.exists()


def test_an_alias_that_says_something_else_is_reviewed_again(as_: Visitor, collection: Collection) -> None:
    editor = as_("editor")
    configuration = str(Configuration.objects.get().pk)
    page = editor.get("/admin/registry/configurationalias/add/?name=GPT-9%20high")
    typed = form_on(page, "configurationalias_form")
    assert typed["name"] == ["GPT-9 high"]
    typed |= {"configuration": [configuration], "reviewed_by": ["editor"]}
    assert editor.post("/admin/registry/configurationalias/add/", typed).status_code == 302
    alias = ConfigurationAlias.objects.get()
    assert (alias.reviewed_by, alias.reviewed_at) == ("", None)
    review = editor.get(address(alias)).context["review_url"]
    assert confirmed(editor, editor.get(review)).status_code == 302
    assert editor.post(address(alias), opened(editor, alias) | {"reason": ["Its page says so."]}).status_code == 302
    alias.refresh_from_db()
    assert (alias.reviewed_by, alias.reviewed_at is not None) == ("editor", True)
    assert editor.post(address(alias), opened(editor, alias) | {"name": ["GPT-9 low"]}).status_code == 302
    alias.refresh_from_db()
    assert (alias.name, alias.reviewed_by, alias.reviewed_at) == ("GPT-9 low", "", None)


def test_whoever_decides_about_rights_is_the_reviewer(as_: Visitor, collection: Collection) -> None:
    editor = as_("editor")
    owner = Publisher.objects.get()
    typed = {"publisher": str(owner.pk), "use": "store", "verdict": "refused", "clause": "Terms, section 3"}
    assert editor.post("/admin/registry/rightsdecision/add/", typed).status_code == 302
    decision = RightsDecision.objects.get(publisher=owner)
    assert (decision.reviewed_by, decision.reviewed_on is not None) == ("editor", True)


def test_what_a_record_is_known_by_cannot_be_typed_over(as_: Visitor, collection: Collection) -> None:
    editor = as_("editor")
    typed = opened(editor, collection) | {"slug": ["elsewhere"], "facets-0-slug": ["other"], "summary": ["New."]}
    assert editor.post(address(collection), typed).status_code == 302
    collection.refresh_from_db()
    assert (collection.slug, collection.summary) == ("customer-service", "New.")
    assert not Facet.objects.filter(slug="other").exists()


def test_a_row_that_somebody_removed_is_told_as_that(as_: Visitor, collection: Collection, admin: User) -> None:
    editor = as_("editor")
    facet = Facet.objects.get(collection=collection, slug="de-escalation")
    typed = opened(editor, facet) | {"tasks-1-title": ["Typed meanwhile"]}
    curate.remove(obj=Task.objects.filter(facet=facet)[1], by=admin)
    answer = editor.post(address(facet), typed)
    assert (answer.status_code, "Somebody removed a row" in text_of(answer)) == (200, True)
    assert "Title: Typed meanwhile" in text_of(answer)
    assert not Task.objects.filter(title="Typed meanwhile").exists()


@pytest.mark.parametrize("model", CuratedAdmin.__subclasses__(), ids=lambda model: model.__name__)
def test_what_a_record_must_have_is_marked_as_required(as_: Visitor, collection: Collection, model: Any) -> None:
    """Whatever the form's fields are made of."""
    site = {type(found): found for found in admin.site._registry.values()}
    found = site.get(model)
    if found is None:
        pytest.skip("a base of others")
    page = as_("admin").get(reverse(f"admin:{found.opts.app_label}_{found.opts.model_name}_add"))
    for name, field in page.context["adminform"].form.fields.items():
        own = next((each for each in found.opts.get_fields() if each.name == name and each.concrete), None)
        if own is not None and not isinstance(field, forms.BooleanField):
            assert field.required == (not own.blank), name
