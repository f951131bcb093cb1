"""What a live page rests on is changed behind the confirm page (DOMAIN 6, level 1)."""

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError

from registry import confirm
from registry.actions import changes, curate
from registry.actions.changes import AsksFirst, Operation
from registry.changes_decision import ChangeRecords
from registry.models import (
    AuditEvent,
    Collection,
    Facet,
    Measurement,
    MetricContract,
    Publisher,
    RightsDecision,
    TaskAlignment,
)
from tests.desk import address, confirmed, form_on, opened, text_of
from tests.registry.admin.conftest import Visitor


def weights(collection: Collection) -> list[int]:
    return [int(weight) for weight in collection.facets.values_list("weight", flat=True)]


def test_a_weight_asks_first_and_is_then_saved(as_: Visitor, live: Collection) -> None:
    editor = as_("editor")
    typed = opened(editor, live) | {"facets-0-weight": ["20"], "facets-0-title": ["Diagnosis"]}
    page = editor.post(address(live), typed)
    said = text_of(page)
    assert (page.status_code, weights(live)) == (200, [25, 25, 25, 25])
    assert "customer-service 100.00 % 95.00 %" in said or "customer-service 100 % 95 %" in said
    assert "diagnosis-and-resolution: weight 25.00 20" in said
    assert "Facets not met: 0 of 4 not met" in said
    done = confirmed(editor, page, reason="Diagnosis is the smaller part.")
    assert (done.status_code, weights(live)) == (302, [20, 25, 25, 25])
    event = AuditEvent.objects.get(object_type="registry.facet")
    assert (event.by, event.reason) == ("editor", "Diagnosis is the smaller part.")
    assert "is saved" in text_of(editor.get(done["Location"]))


def test_going_back_loses_nothing(as_: Visitor, live: Collection) -> None:
    editor = as_("editor")
    page = editor.post(address(live), opened(editor, live) | {"facets-0-weight": ["20"], "summary": ["Typed by me."]})
    again = editor.post(address(live), form_on(page, address(live)))
    kept = form_on(again, "collection_form")
    assert (kept["facets-0-weight"], kept["summary"]) == (["20"], ["Typed by me."])
    assert "Nothing is saved yet" in text_of(again)
    assert weights(live) == [25, 25, 25, 25]
    assert not AuditEvent.objects.filter(by="editor").exists()


def test_without_a_live_page_nothing_is_asked(as_: Visitor, collection: Collection) -> None:
    editor = as_("editor")
    answer = editor.post(address(collection), opened(editor, collection) | {"facets-0-weight": ["20"]})
    assert (answer.status_code, weights(collection)) == (302, [20, 25, 25, 25])


def test_words_are_saved_at_once_though_the_page_is_live(as_: Visitor, live: Collection) -> None:
    editor = as_("editor")
    answer = editor.post(address(live), opened(editor, live) | {"facets-0-description": ["Other words."]})
    assert answer.status_code == 302
    assert Facet.objects.filter(description="Other words.").exists()


def test_a_colleague_in_between_makes_it_stale(as_: Visitor, live: Collection, admin: User) -> None:
    editor = as_("editor")
    page = editor.post(address(live), opened(editor, live) | {"facets-0-weight": ["20"]})
    facet = live.facets.all()[0]
    facet.title = "Renamed meanwhile"
    curate.save(obj=facet, by=admin)
    answer = confirmed(editor, page)
    assert (answer.status_code, "changed by somebody else" in text_of(answer)) == (409, True)
    assert weights(live) == [25, 25, 25, 25]


def test_removing_a_measurement_asks_first(as_: Visitor, live: Collection) -> None:
    editor = as_("editor")
    measurement = Measurement.objects.get()
    typed = opened(editor, measurement.mapping) | {"measurements-0-DELETE": ["on"]}
    page = editor.post(address(measurement.mapping), typed)
    assert (page.status_code, Measurement.objects.count()) == (200, 1)
    assert "removed" in text_of(page)
    assert confirmed(editor, page).status_code == 302
    assert not Measurement.objects.exists()


def test_deleting_rights_asks_first(as_: Visitor, live: Collection) -> None:
    editor = as_("editor")
    decision = RightsDecision.objects.get(use="rank")
    page = editor.post(address(decision, "delete"), {"post": "yes"})
    assert (page.status_code, RightsDecision.objects.filter(use="rank").count()) == (200, 1)
    assert confirmed(editor, page).status_code == 302
    assert not RightsDecision.objects.filter(use="rank").exists()


def test_every_guarded_record_asks_the_action_itself(live: Collection, editor: User) -> None:
    """Not only the form: there is no way past it."""
    contract = MetricContract.objects.filter(use="usable").first()
    alignment = TaskAlignment.objects.filter(mapping__collection=live).first()
    assert contract is not None
    assert alignment is not None
    lineage, mapping = contract.lineage, alignment.mapping
    guarded = [
        Operation("change", "registry.lineage", lineage.pk, 1, {"use": "blocked"}),
        Operation("change", "registry.benchmark", mapping.benchmark_id, 1, {"registry_status": "retired"}),
        Operation("change", "registry.evidencemapping", mapping.pk, 1, {"role": "context"}),
        Operation("remove", "registry.mappinglineage", mapping.lineages.get().pk, 1),
        Operation("remove", "registry.lineagelink", lineage.links_from.get().pk, 1),
        Operation("change", "registry.metriccontract", contract.pk, 1, {"upper": 50.0}),
        Operation("change", "registry.metriccontract", contract.pk, 1, {"direction": "lower"}),
        Operation("change", "registry.metriccontract", contract.pk, 1, {"use": "blocked"}),
        Operation("change", "registry.taskalignment", alignment.pk, 1, {"directness": "10"}),
        Operation("remove", "registry.taskalignment", alignment.pk, 1),
        Operation(
            "add",
            "registry.rightsdecision",
            values={"publisher": Publisher.objects.get().pk, "use": "store", "clause": "None"},
        ),
    ]
    for operation in guarded:
        with pytest.raises(AsksFirst, match="customer-service"):
            changes.carry_out(operations=[operation], by=editor)
    assert not AuditEvent.objects.filter(by="editor").exists()


def test_a_new_contract_asks_nothing(live: Collection, editor: User) -> None:
    model = MetricContract.objects.first()
    assert model is not None
    names = ("title", "benchmark_id", "lineage_id", "protocol_id", "subject_kind", "unit", "kind", "direction")
    values = {name.removesuffix("_id"): getattr(model, name) for name in names} | {"lower": 0, "upper": 100}
    new = Operation("add", "registry.metriccontract", values=values | {"key": "another.number", "use": "usable"})
    assert [str(record) for record in changes.carry_out(operations=[new], by=editor)] == ["another.number"]


def test_only_curated_records_are_edited(editor: User) -> None:
    with pytest.raises(changes.Failed, match="not edited here"):
        changes.carry_out(operations=[Operation("add", "registry.auditevent")], by=editor)


def test_a_value_that_looks_like_a_reference_is_a_value(editor: User) -> None:
    """`{"added": 0}` in a field of JSON names no other edit."""
    new = Operation("add", "registry.mappingprofile", values={"key": "p", "title": "P", "spec": {"added": 7}})
    with pytest.raises(changes.Failed) as failed:
        changes.carry_out(operations=[new], by=editor)
    assert isinstance(failed.value.error, ValidationError)


def test_two_records_of_one_number_are_two(editor: User, live: Collection) -> None:
    words = {"slug": "same", "title": "Same", "description": "Of the same number.", "weight": 0, "mode": "external"}
    facet, _ = Facet.objects.get_or_create(pk=live.pk, defaults={"collection": live, **words})
    edits = [
        Operation("change", "registry.collection", live.pk, live.version, {"title": "Renamed"}),
        Operation("change", "registry.facet", facet.pk, facet.version, {"weight": "20"}),
        Operation("change", "registry.facet", facet.pk, facet.version + 1, {"title": "Renamed"}),
    ]
    new = words | {"collection": live.pk}
    adds = [Operation("add", "registry.facet", values=new | {"slug": slug}) for slug in ("one", "two")]
    for operations, told in [(edits, "2 records"), (edits[1:], "1 record"), ([*edits, *adds], "4 records")]:
        asked = ChangeRecords([changes.as_json(edit) for edit in operations], "Support", "/", [])
        assert confirm.plan(asked, editor).total.startswith(f"{told} would change; ")
