"""Who changed what, when, why, before and after: on every object, searchable, and as CSV."""

import csv
import io
import json

import pytest
from django.contrib.auth.models import User

from registry.actions import curate, exclusions
from registry.admin import history
from registry.models import AuditEvent, Collection, EvidenceMapping, Facet, Lineage, Organization
from tests.desk import address, text_of
from tests.registry.admin.conftest import Visitor

LIST = "/admin/registry/auditevent/"


@pytest.fixture
def renamed(collection: Collection, editor: User) -> Facet:
    facet = Facet.objects.get(collection=collection, slug="de-escalation")
    facet.title = "Calming down"
    return curate.save(obj=facet, by=editor, reason="Plainer.")


def test_an_object_tells_its_history(as_: Visitor, renamed: Facet) -> None:
    said = text_of(as_("viewer").get(address(renamed, "history")))
    assert "editor · change · facet customer-service/de-escalation" in said
    assert "Reason: Plainer." in said
    assert "title De-escalation Calming down" in said


def test_a_record_tells_the_history_of_its_rows(as_: Visitor, renamed: Facet) -> None:
    assert "Calming down" in text_of(as_("viewer").get(address(renamed.collection, "history")))


def test_a_record_tells_the_exclusions_that_name_it(as_: Visitor, mapping: EvidenceMapping, editor: User) -> None:
    said = {"type": "version", "lift_condition": "A bridge study.", "by": editor}
    exclusions.exclude(scope="lineage", target="statebench-v0-8-main", reason="Other prompts.", **said)
    exclusions.exclude(scope="benchmark", target=mapping.benchmark.key, reason="Only here.", mapping=mapping, **said)
    lineage = Lineage.objects.get(key="statebench-v0-8-main")
    assert "Reason: Other prompts." in text_of(as_("viewer").get(address(lineage, "history")))
    here = text_of(as_("viewer").get(address(mapping, "history")))
    assert "Reason: Only here." in here
    assert "Other prompts." not in here


def test_of_a_value_with_parts_only_the_lines_that_differ_are_told() -> None:
    """Among thousands that are alike, too."""
    rules = [{"column": "a", "is": "b"}] * 4_000
    before, after = {"ignored": rules, "format": "csv"}, {"ignored": rules, "format": "xlsx"}
    (told,) = history.told([AuditEvent(verb="change", before={"spec": before}, after={"spec": after})])
    assert told.changes == [("spec", "format: csv", "format: xlsx")]


def test_without_events_the_page_says_so(as_: Visitor, collection: Collection) -> None:
    assert "Nothing is recorded about it." in text_of(as_("viewer").get(address(collection, "history")))


def test_a_history_of_nothing_leads_back(as_: Visitor, collection: Collection) -> None:
    answer = as_("viewer").get("/admin/registry/facet/999999/history/", follow=True)
    assert (answer.status_code, "doesn’t exist" in text_of(answer)) == (200, True)


@pytest.mark.parametrize(
    ("query", "found"),
    [("", 2), ("?q=plainer", 1), ("?q=nobody", 1), ("?verb=add", 1), ("?object_type=registry.facet", 1)],
)
def test_the_trail_is_searched_and_filtered_and_exported_alike(
    as_: Visitor, renamed: Facet, editor: User, query: str, found: int
) -> None:
    curate.save(obj=Organization(key="nobody", name="=1+1"), by=editor)
    editors = as_("editor")
    assert editors.get(LIST + query).context["cl"].result_count == found
    answer = editors.get(f"{LIST}export.csv{query}")
    rows = list(csv.DictReader(io.StringIO(b"".join(answer).decode())))
    assert (answer["Content-Type"], len(rows)) == ("text/csv; charset=utf-8", found)


def test_an_export_tells_all_and_runs_nothing(as_: Visitor, editor: User) -> None:
    curate.save(obj=Organization(key="nobody", name="Nobody"), by=editor, reason="=HYPERLINK(1)")
    answer = as_("editor").get(f"{LIST}export.csv")
    (row,) = csv.DictReader(io.StringIO(b"".join(answer).decode()))
    assert (row["by"], row["verb"], row["object_key"], row["reason"]) == ("editor", "add", "nobody", "'=HYPERLINK(1)")
    assert json.loads(row["after"])["name"] == "Nobody"
    assert row["action_id"] == str(AuditEvent.objects.get().action_id)


def test_no_list_offers_to_delete_what_is_selected(as_: Visitor, collection: Collection) -> None:
    admin = as_("admin")
    page = admin.get("/admin/registry/facet/")
    assert "action-select" not in page.content.decode()
    chosen = [str(pk) for pk in Facet.objects.values_list("pk", flat=True)]
    admin.post("/admin/registry/facet/", {"action": "delete_selected", "_selected_action": chosen, "post": "yes"})
    assert Facet.objects.count() == len(chosen)


def test_events_name_their_object_in_words(db: None) -> None:
    for model, words in (("registry.mappingfacet", "mapping facet"), ("registry.gone", "gone")):
        assert AuditEvent(object_type=model).kind == words
