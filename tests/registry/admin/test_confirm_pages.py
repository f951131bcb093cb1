"""The page behind every decision: what it shows, what it asks, and what it refuses."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from registry import models
from registry.actions import exclusions
from registry.models import Collection, Confirmation, Exclusion, ImportBatch, Result
from tests.desk import address, confirmed, form_on, text_of
from tests.registry.admin.conftest import Visitor

REVERT = "/admin/confirm/revert-batch/"


@pytest.fixture
def revert(collection: Collection) -> str:
    return f"{REVERT}?batch={ImportBatch.objects.get().pk}"


def test_the_plan_is_shown_before_anything_is_done(as_: Visitor, revert: str) -> None:
    page = as_("editor").get(revert)
    said = text_of(page)
    assert page.status_code == 200
    assert "Revert import: table.csv, batch" in said
    assert "results would be taken back." in said
    flip = "External evidence met: 1, at least 1 asked not met: 0, at least 1 asked"
    assert f"Gate of customer-service What Now Would be {flip}" in said
    assert "What stays" in said
    assert "Undoing it" in said
    assert not Confirmation.objects.exists()


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"typed": "batch-nine", "reason": "Why."}, ("typed", "you typed 'batch-nine'")),
        ({"typed": "", "reason": "Why."}, ("typed", "to confirm")),
        ({"reason": " "}, ("reason", "Say why")),
    ],
)
def test_what_is_missing_is_told_at_its_field(
    as_: Visitor, revert: str, given: dict[str, str], told: tuple[str, str]
) -> None:
    editor = as_("editor")
    page = editor.get(revert)
    key = page.context["decision"].object_key
    answer = confirmed(editor, page, **{"typed": key} | given)
    field, sentence = told
    assert (answer.status_code, list(answer.context["errors"]), sentence in text_of(answer)) == (400, [field], True)
    kept = form_on(answer, "confirm-form")
    assert (kept["typed"], kept["reason"]) == ([given.get("typed", key)], [given["reason"]])
    assert ImportBatch.objects.get().status == "applied"
    done = confirmed(editor, answer, typed=key, reason="Why I do it.")
    assert (done.status_code, ImportBatch.objects.get().status) == (302, "reverted")


def test_a_second_post_shows_the_first_outcome_and_says_so(as_: Visitor, revert: str) -> None:
    editor = as_("editor")
    page = editor.get(revert)
    given = {"typed": page.context["decision"].object_key, "reason": "The table was wrong."}
    first = confirmed(editor, page, **given)
    second = confirmed(editor, page, **given)
    assert (first.status_code, second.status_code) == (302, 302)
    assert second["Location"] == first["Location"] + "?again=1"
    said = text_of(editor.get(second["Location"]))
    assert "nothing was done a second time" in said
    assert "The table was wrong." in said
    assert Confirmation.objects.count() == 1


@pytest.mark.parametrize("part", ["ticket", "back"])
def test_a_forged_page_is_refused(as_: Visitor, revert: str, part: str) -> None:
    editor = as_("editor")
    typed = form_on(editor.get(revert), "confirm-form")
    answer = editor.post(REVERT, {**typed, part: typed[part][0] + "x"})
    assert (answer.status_code, "altered" in text_of(answer)) == (400, True)


@pytest.mark.parametrize("elsewhere", ["/admin/confirm/apply-import/", f"{REVERT}?batch=999"])
def test_a_ticket_is_refused_at_the_address_of_another_decision(as_: Visitor, revert: str, elsewhere: str) -> None:
    editor = as_("editor")
    typed = form_on(editor.get(revert), "confirm-form") | {"typed": ["batch-1"], "reason": ["Wrong table."]}
    answer = editor.post(elsewhere, typed)
    assert (answer.status_code, "another decision" in text_of(answer)) == (400, True)
    assert ImportBatch.objects.get().status == "applied"
    key = f"batch-{ImportBatch.objects.get().pk}"
    assert editor.post(revert, typed | {"typed": [key]}).status_code == 302, "its own address names the same"


def test_no_column_stands_empty_on_a_page(as_: Visitor, revert: str, collection: Collection) -> None:
    given = {"scope": "lineage", "target": "statebench-v0-8-main", "type": "version", "reason": "Other prompts."}
    page = as_("editor").post("/admin/registry/exclusion/add/", given | {"lift_condition": "A bridge study."})
    assert "The rule What Says type version reason Other prompts." in text_of(page)
    for consequence in page.context["plan"].consequences:
        for place in range(len(consequence.shown[0])):
            assert any(row[place] for row in consequence.shown[1:]), consequence.heading


def test_another_persons_page_is_refused(as_: Visitor, revert: str) -> None:
    page = as_("editor").get(revert)
    answer = confirmed(as_("admin"), page, typed=page.context["decision"].object_key, reason="Mine now.")
    assert (answer.status_code, "opened by editor" in text_of(answer)) == (409, True)


def test_what_changed_since_is_told_and_can_be_looked_at_again(as_: Visitor, revert: str, admin: User) -> None:
    editor = as_("editor")
    page = editor.get(revert)
    exclusions.exclude(
        scope="lineage", target="statebench-v0-8-main", type="version", reason="No.", lift_condition="Yes.", by=admin
    )
    answer = confirmed(editor, page, typed=page.context["decision"].object_key, reason="Why.")
    said = text_of(answer)
    assert answer.status_code == 409
    assert "What changed since you looked" in said
    assert "gates.customer-service.External evidence met: 1, at least 1 asked not met: 0, at least 1 asked" in said
    assert ImportBatch.objects.get().status == "applied"
    again = editor.post(REVERT, form_on(answer, REVERT))
    assert (again.status_code, "Revert import" in text_of(again)) == (200, True)


def test_a_refusal_says_why(as_: Visitor, revert: str) -> None:
    editor = as_("editor")
    page = editor.get(revert)
    confirmed(editor, page, typed=page.context["decision"].object_key, reason="Why.")
    answer = editor.get(revert)
    assert (answer.status_code, "there is nothing to revert" in text_of(answer)) == (409, True)


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("no-such-thing/", 404),
        ("revert-batch/", 400),
        ("revert-batch/?batch=seven", 400),
        ("revert-batch/?batch=1&colour=red", 400),
        ("revert-batch/?batch=999999", 409),
        ("seal/?collection=nothing", 409),
        ("publish/?release=999999", 409),
        ("withdraw/?publication=999999", 409),
        ("lift-exclusion/?exclusion=999999", 409),
        ("change-records/?operations=1&title=2&url=3&collections=4", 400),
    ],
)
def test_bad_addresses_are_answered(as_: Visitor, admin: User, path: str, status: int) -> None:
    assert as_("admin").get(f"/admin/confirm/{path}").status_code == status


def test_go_back_leads_where_one_came_from(as_: Visitor, revert: str) -> None:
    editor = as_("editor")
    inside = editor.get(revert, headers={"referer": "http://testserver/admin/registry/importbatch/1/change/"})
    outside = editor.get(revert, headers={"referer": "https://elsewhere.example/"})
    assert inside.context["back"].url == "http://testserver/admin/registry/importbatch/1/change/"
    assert outside.context["back"].url == "/admin/"


def test_the_outcome_is_for_those_who_may_see_it(as_: Visitor, revert: str, viewer: User) -> None:
    editor = as_("editor")
    page = editor.get(revert)
    where = confirmed(editor, page, typed=page.context["decision"].object_key, reason="Why.")["Location"]
    assert as_("viewer").get(where).status_code == 200
    viewer.groups.clear()
    assert as_("viewer").get(where).status_code == 403
    assert as_("anonymous").get(where).status_code == 302


# --- Excluding and lifting --------------------------------------------------------------------------------------------

RULE = {
    "scope": "lineage",
    "target": "statebench-v0-8-main",
    "type": "contaminated",
    "reason": "Its items were public.",
    "lift_condition": "New items.",
}


def excluded(as_: Visitor, **rule: Any) -> Any:
    return as_("editor").post("/admin/registry/exclusion/add/", RULE | rule)


def test_an_exclusion_is_written_down_before_its_consequences_are_seen(as_: Visitor, collection: Collection) -> None:
    page = excluded(as_)
    said = text_of(page)
    assert "External evidence met: 1, at least 1 asked not met: 0, at least 1 asked" in said
    assert "Hidden Model 9" not in said
    assert not Exclusion.objects.filter(type="contaminated").exists()
    assert confirmed(as_("editor"), page).status_code == 302
    kept = Exclusion.objects.get(type="contaminated")
    assert (kept.excluded_by, kept.reason) == ("editor", "Its items were public.")


def test_an_unfinished_exclusion_keeps_what_was_typed(as_: Visitor, collection: Collection) -> None:
    answer = excluded(as_, reason="")
    kept = form_on(answer, "exclusion-form")
    assert (answer.status_code, kept["target"], kept["lift_condition"]) == (200, [RULE["target"]], ["New items."])


def test_excluding_nothing_is_refused_with_a_way_back(as_: Visitor, collection: Collection) -> None:
    answer = excluded(as_, target="no-such-lineage")
    assert (answer.status_code, "There is no lineage 'no-such-lineage'" in text_of(answer)) == (409, True)
    back = as_("editor").post("/admin/registry/exclusion/add/", form_on(answer, "/admin/registry/exclusion/add/"))
    assert (back.status_code, form_on(back, "exclusion-form")["target"]) == (200, ["no-such-lineage"])


def test_lifting_takes_a_reason_and_keeps_the_record(as_: Visitor, collection: Collection) -> None:
    editor = as_("editor")
    exclusion = Exclusion.objects.get()
    page = editor.get(f"/admin/confirm/lift-exclusion/?exclusion={exclusion.pk}")
    assert confirmed(editor, page, reason="").status_code == 400
    assert confirmed(editor, page, reason="The study is there.").status_code == 302
    exclusion.refresh_from_db()
    assert (exclusion.lifted_by, exclusion.lift_reason) == ("editor", "The study is there.")
    assert "Lift…" not in text_of(editor.get(f"/admin/registry/exclusion/{exclusion.pk}/change/"))


@pytest.mark.parametrize(
    ("model", "scope", "name"),
    [
        (models.Benchmark, "benchmark", "key"),
        (models.Lineage, "lineage", "key"),
        (models.MetricContract, "contract", "key"),
        (models.Configuration, "configuration", "key"),
        (models.Source, "source", "sha256"),
        (models.ImportBatch, "batch", "pk"),
        (models.Result, "result", "pk"),
    ],
)
def test_an_exclusion_begins_at_what_it_refuses(
    as_: Visitor, collection: Collection, model: Any, scope: str, name: str
) -> None:
    record = model.objects.all()[0]
    page = as_("editor").get(address(record))
    begun = form_on(as_("editor").get(page.context["exclude_url"]), "exclusion-form")
    assert page.context["exclude_url"].replace("&", "&amp;") in page.content.decode()
    assert (begun["scope"], begun["target"]) == ([scope], [str(getattr(record, name))])
    assert excluded(as_, scope=scope, target=str(getattr(record, name))).status_code == 200


def test_a_number_is_told_in_words_before_it_is_excluded(as_: Visitor, collection: Collection) -> None:
    result = Result.objects.select_related("contract", "configuration").earliest("pk")
    said = f"{result.contract.key}, {result.configuration.key}"
    begun = as_("editor").get("/admin/registry/exclusion/add/", {"scope": "result", "target": f"{result.pk}"})
    assert f"It is about the result {result.pk} : {said}." in text_of(begun)
    assert f"result {result.pk} ({said}), everywhere" in text_of(excluded(as_, scope="result", target=str(result.pk)))
