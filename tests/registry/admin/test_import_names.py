"""Names that a file does not resolve: from the batch page to a proposal, a review and a second judgement."""

import html
import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.actions import curate, names
from registry.models import (
    AuditEvent,
    Collection,
    Configuration,
    ConfigurationAlias,
    ImportBatch,
    ModelRelease,
    Organization,
    Result,
)
from tests.desk import address, confirmed, form_on, text_of
from tests.registry.admin.conftest import Visitor
from tests.registry.admin.test_import_pages import HEADER, newest, row, upload  # noqa: F401  a fixture

KEY = "maker/hidden-9@high"
NAME = "Maker Hidden 9 high"


@pytest.fixture
def batch(as_: Visitor, row: str) -> ImportBatch:  # noqa: F811
    """One good row, two of a name that nobody knows, one of another."""
    rows = [row, *(row.replace(KEY, name).replace("/new", f"/{at}") for at, name in enumerate((NAME, NAME, "Nobody")))]
    upload(as_, HEADER + "".join(rows))
    return newest()


def proposed(as_: Visitor, batch: ImportBatch, who: str = "editor", **given: str) -> Any:
    return as_(who).post(address(batch, "alias"), {"name": NAME, "configuration": KEY} | given, follow=True)


def test_the_page_counts_names_and_says_what_each_may_mean(as_: Visitor, batch: ImportBatch) -> None:
    page = as_("editor").get(address(batch))
    assert [(found.name, found.rows) for found, _ in page.context["names"]] == [(NAME, 2), ("Nobody", 1)]
    said = text_of(page)
    assert "3 rows with 2 names" in said
    assert f"Alias of {KEY}" in said
    assert "the same letters and digits; capitals, spaces or punctuation differ" in said
    assert "No name that is known resembles it." in said


def test_from_an_unknown_name_to_stored_results_without_a_second_upload(as_: Visitor, batch: ImportBatch) -> None:
    editor = as_("editor")
    page = proposed(as_, batch)
    assert "It resolves once somebody reviews it." in text_of(page)
    assert "Proposed as an alias of maker/hidden-9@high. By editor," in text_of(page)
    alias = ConfigurationAlias.objects.get()
    assert (alias.name, alias.configuration.key, alias.reviewed_by) == (NAME, KEY, "")
    assert alias.reason == f"The name of 2 rows of batch {batch.pk}, table.csv."

    plan = editor.get("/admin/confirm/review-aliases/", {"aliases": alias.pk})
    assert "2 rows of waiting files give this name." in text_of(plan)
    assert f"batch {batch.pk}: table.csv" in text_of(plan)
    done = editor.get(confirmed(editor, plan)["Location"])
    assert f"{NAME} means {KEY} from now on." in text_of(done)
    assert f'href="{address(batch)}#again"' in done.content.decode()

    page = editor.get(address(batch))
    assert "2 of these rows find their configuration by now." in text_of(page)
    again = editor.post(address(batch, "again"), form_on(page, "again-form") | {"leave": ["1"]}, follow=True)
    batch.refresh_from_db()
    assert (batch.mode, batch.counts["new"], batch.counts["refused"]) == ("quarantine", 3, 1)
    confirmed(editor, editor.get(again.context["apply_url"]))
    assert Result.objects.filter(batch=batch, configuration__key=KEY).count() == 3
    assert ImportBatch.objects.filter(source=batch.source).count() == 1


def test_a_repeated_proposal_is_one(as_: Visitor, batch: ImportBatch) -> None:
    proposed(as_, batch)
    proposed(as_, batch)
    assert ConfigurationAlias.objects.count() == 1
    assert AuditEvent.objects.filter(object_type="registry.configurationalias").count() == 1


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"configuration": "nothing"}, "There is no configuration nothing."),
        ({"configuration": ""}, "There is no configuration ."),
        ({"name": "Somebody"}, "gives the name Somebody."),
        ({"name": ""}, "No refused row of batch"),
    ],
)
def test_what_cannot_be_proposed_is_told(
    as_: Visitor, batch: ImportBatch, given: dict[str, str], sentence: str
) -> None:
    assert sentence in text_of(proposed(as_, batch, **given))
    assert not ConfigurationAlias.objects.exists()


def test_a_look_alike_is_told_and_offers_no_alias(as_: Visitor, row: str) -> None:  # noqa: F811
    name = KEY.replace("e", "\u0435")
    upload(as_, HEADER + row.replace(KEY, name))
    page = as_("editor").get(address(newest()))
    assert "U+0435 CYRILLIC SMALL LETTER IE. It can be no alias" in text_of(page)
    assert "Another configuration" not in text_of(page)
    assert "U+0435" in text_of(proposed(as_, newest(), name=name))
    assert not ConfigurationAlias.objects.exists()


@pytest.mark.parametrize("who", ["viewer", "publisher"])
def test_who_only_looks_sees_names_and_no_button(as_: Visitor, batch: ImportBatch, who: str) -> None:
    page = as_(who).get(address(batch))
    assert [found.name for found, _ in page.context["names"]] == [NAME, "Nobody"]
    content = page.content.decode()
    for page_of in ("alias", "again", "discard", "configuration"):
        assert address(batch, page_of) not in content
    assert proposed(as_, batch, who).status_code == 403
    assert as_(who).post(address(batch, "again"), {"mode": "quarantine"}).status_code == 403
    assert as_(who).get(address(batch, "configuration"), {"name": NAME}).status_code == 403


def test_an_applied_batch_asks_about_no_names(as_: Visitor, batch: ImportBatch, editor: User) -> None:
    ImportBatch.objects.filter(pk=batch.pk).update(status="discarded")
    page = as_("editor").get(address(batch))
    assert ("names" in page.context, page.context["again"]) == (False, None)
    again = as_("editor").post(address(batch, "again"), {"mode": "quarantine"}, follow=True)
    assert "is discarded and cannot be judged again" in text_of(again)


def test_a_choice_that_is_none_is_told(as_: Visitor, batch: ImportBatch) -> None:
    again = as_("editor").post(address(batch, "again"), {"mode": "", "profile": "77", "form": "x"}, follow=True)
    assert "When a row is bad: This field is required." in text_of(again)
    batch.refresh_from_db()
    assert batch.mode == "all-or-nothing"


def test_a_refused_file_leads_on(as_: Visitor, row: str) -> None:  # noqa: F811
    upload(as_, "contract,who,value\n" + row, source_url="https://example.org/table")
    page = as_("editor").get(address(newest()))
    assert page.context["again"] is not None
    upload_page = as_("editor").get(page.context["mended_url"])
    assert form_on(upload_page, "upload-form")["source_url"] == ["https://example.org/table"]


NEW = {
    "organization_key": "acme",
    "organization_name": "Acme",
    "model_key": "nobody",
    "model_name": "Nobody",
    "subject_kind": "model",
    "harness": "unknown",
    "effort": "high",
    "settings": "unknown",
    "key": "acme/nobody@high",
    "availability": "unknown",
}


def test_a_new_configuration_brings_maker_model_and_alias(as_: Visitor, batch: ImportBatch) -> None:
    editor = as_("editor")
    where = f"{address(batch, 'configuration')}?name=Nobody"
    page = editor.get(where)
    start = form_on(page, "configuration-form")
    contract = Result.objects.all()[0].contract if Result.objects.exists() else None
    assert contract is None or start["subject_kind"] == [contract.subject_kind]
    done = editor.post(where, NEW, follow=True)
    assert "acme/nobody@high is recorded, and Nobody is proposed as its alias." in text_of(done)
    made = Configuration.objects.get(key="acme/nobody@high")
    assert (made.model.key, made.model.organization.name, made.effort) == ("nobody", "Acme", "high")
    assert [(alias.name, alias.reviewed_by) for alias in made.aliases.all()] == [("Nobody", "")]
    again = editor.post(where, NEW, follow=True)
    assert "is taken care of already" in text_of(again)
    assert (Organization.objects.filter(key="acme").count(), made.aliases.count()) == (1, 1)


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"key": "Acme"}, "key"),
        ({"key": KEY}, "key"),
        ({"organization_key": "acm\u0435"}, "organization_key"),
        ({"model_name": "No\u200bbody"}, "model_name"),
        ({"model_key": ""}, "model_key"),
        ({"organization_name": ""}, "organization_name"),
        ({"harness": ""}, "harness"),
        ({"subject_kind": "nothing"}, "subject_kind"),
    ],
)
def test_what_is_wrong_with_it_is_told_at_its_field(
    as_: Visitor, batch: ImportBatch, given: dict[str, str], field: str
) -> None:
    before = (Organization.objects.count(), ModelRelease.objects.count(), Configuration.objects.count())
    answer = as_("editor").post(f"{address(batch, 'configuration')}?name=Nobody", NEW | given)
    assert (answer.status_code, list(answer.context["form"].errors)) == (200, [field])
    assert (Organization.objects.count(), ModelRelease.objects.count(), Configuration.objects.count()) == before
    assert not ConfigurationAlias.objects.exists()


def test_parts_that_nobody_has_prefill_the_form(as_: Visitor, collection: Collection, row: str) -> None:  # noqa: F811
    contract = row.split(",", maxsplit=1)[0]
    maker = Configuration.objects.get().model.organization
    header = "contract,organization,model,effort,value,source_url\n"
    upload(as_, f"{header}{contract},{maker.key},newest-1,low,50,https://example.org/new\n")
    page = as_("editor").get(address(newest()))
    ((found, _),) = page.context["names"]
    start = form_on(as_("editor").get(address(newest(), "configuration"), {"name": found.name}), "configuration-form")
    assert start["organization"] == [str(maker.pk)]
    assert (start["model_key"], start["effort"], start["key"]) == (["newest-1"], ["low"], [f"{maker.key}/newest-1@low"])


def test_a_withdrawn_review_says_what_came_in_under_the_name(as_: Visitor, batch: ImportBatch, editor: User) -> None:
    client = as_("editor")
    alias = names.propose_alias(name=NAME, configuration=Configuration.objects.get(key=KEY), by=editor)
    names.review_alias(alias=alias, by=editor)
    client.post(address(batch, "again"), {"mode": "quarantine"})
    plan = client.get("/admin/confirm/withdraw-alias-review/", {"alias": alias.pk})
    assert "2 rows came in, or wait, under this name." in text_of(plan)
    assert (confirmed(client, plan, reason="").status_code, ConfigurationAlias.objects.get().reviewed_by) == (
        400,
        "editor",
    )
    names.withdraw_review(alias=alias, by=editor, reason="Meanwhile.")
    stale = confirmed(client, plan, reason="Another harness.")
    assert (stale.status_code, "Something changed since you looked" in text_of(stale)) == (409, True)
    names.review_alias(alias=alias, by=editor)
    plan = client.get("/admin/confirm/withdraw-alias-review/", {"alias": alias.pk})
    assert confirmed(client, plan, reason="Another harness.").status_code == 302
    confirm = client.get("/admin/confirm/apply-import/", {"batch": batch.pk})
    assert "Judge the batch again." in text_of(confirm)
    assert not Result.objects.filter(batch=batch).exists()


@pytest.mark.parametrize("alias", ["77", "x", "9" * 30, "", "1,,2", "1," * 100 + "1"])
def test_an_alias_that_is_not_there_is_told(as_: Visitor, collection: Collection, alias: str) -> None:
    for decision, name in (("review-aliases", "aliases"), ("withdraw-alias-review", "alias")):
        assert as_("editor").get(f"/admin/confirm/{decision}/", {name: alias}).status_code in (400, 409)


@pytest.fixture
def two(batch: ImportBatch, editor: User) -> list[ConfigurationAlias]:
    """Both names of the batch, proposed."""
    meant = Configuration.objects.get(key=KEY)
    return [names.propose_alias(name=name, configuration=meant, by=editor) for name in ("Nobody", NAME)]


def test_proposals_are_reviewed_side_by_side(as_: Visitor, batch: ImportBatch, two: list[ConfigurationAlias]) -> None:
    editor = as_("editor")
    page = editor.get(address(batch))
    assert "Review the 2 proposals below…" in text_of(page)
    plan = editor.get(page.context["review_url"])
    said = text_of(plan)
    assert "Review aliases: 2 names" in said
    assert "3 rows of waiting files give one of these names." in said
    assert f"{NAME} {KEY}: " in said
    assert f"batch {batch.pk}: table.csv" in said
    done = editor.get(confirmed(editor, plan)["Location"])
    assert "2 names resolve from now on." in text_of(done)
    assert f'href="{address(batch)}#again"' in done.content.decode()
    assert {alias.reviewed_by for alias in ConfigurationAlias.objects.all()} == {"editor"}
    assert AuditEvent.objects.filter(verb="change", object_type="registry.configurationalias").count() == 2
    assert editor.get(address(batch)).context["review_url"] == ""


def test_several_are_reviewed_or_none(as_: Visitor, two: list[ConfigurationAlias], editor: User) -> None:
    client = as_("editor")
    address_of_both = {"aliases": ",".join(str(alias.pk) for alias in two)}
    plan = client.get("/admin/confirm/review-aliases/", address_of_both)
    names.review_alias(alias=two[0], by=editor)
    refused = confirmed(client, plan)
    assert (refused.status_code, "Nobody was reviewed by editor already." in text_of(refused)) == (409, True)
    assert ConfigurationAlias.objects.get(name=NAME).reviewed_by == ""


def test_one_that_says_something_else_by_now_is_looked_at_again(
    as_: Visitor, two: list[ConfigurationAlias], editor: User
) -> None:
    client = as_("editor")
    plan = client.get("/admin/confirm/review-aliases/", {"aliases": ",".join(str(alias.pk) for alias in two)})
    two[1].name = "Somebody else"
    curate.save(obj=two[1], by=editor)
    stale = confirmed(client, plan)
    assert (stale.status_code, "Something changed since you looked" in text_of(stale)) == (409, True)
    assert not ConfigurationAlias.objects.exclude(reviewed_by="").exists()


def test_who_may_not_review_is_offered_none(as_: Visitor, batch: ImportBatch, two: list[ConfigurationAlias]) -> None:
    viewer = as_("viewer")
    assert "Review the 2" not in text_of(viewer.get(address(batch)))
    asked = viewer.get("/admin/confirm/review-aliases/", {"aliases": str(two[0].pk)})
    listed = viewer.get("/admin/registry/configurationalias/")
    assert (asked.status_code, "Review…" in text_of(listed)) == (403, False)


def test_those_ticked_in_the_list_are_reviewed_on_one_page(
    as_: Visitor, two: list[ConfigurationAlias], editor: User
) -> None:
    names.review_alias(alias=two[0], by=editor)
    client, where = as_("editor"), "/admin/registry/configurationalias/"
    ticked = {"action": "review", "_selected_action": [alias.pk for alias in two]}
    page = client.post(where, ticked, follow=True)
    assert f"Review alias: {NAME}" in text_of(page)
    names.review_alias(alias=two[1], by=editor)
    assert "All of these are reviewed: nothing was done." in text_of(client.post(where, ticked, follow=True))


def test_fifty_rows_ask_the_database_no_more_often_than_one(as_: Visitor, row: str) -> None:  # noqa: F811
    asked = []
    for number in (1, 60):
        rows = (row.replace(KEY, f"name {at} of {number}").replace("/new", f"/{at}") for at in range(number))
        upload(as_, HEADER + "".join(rows))
        client = as_("editor")
        with CaptureQueriesContext(connection) as queries:
            page = client.get(address(newest()))
        asked.append(len(queries))
        assert (len(page.context["rows"]), len(page.context["names"])) == (min(number, 50), min(number, 20))
    assert asked[0] == asked[1]


def test_another_configuration_is_proposed_and_leads_back_to_the_batch(as_: Visitor, batch: ImportBatch) -> None:
    editor = as_("editor")
    found = re.search(r'href="([^"]*configurationalias/add/\?[^"]*)"', editor.get(address(batch)).content.decode())
    assert found
    where = html.unescape(found[1])
    form = form_on(editor.get(where), "configurationalias_form")
    typed = form | {"configuration": [str(Configuration.objects.get(key=KEY).pk)], "reason": ["The same."]}
    answer = editor.post(where, typed)
    assert (answer.status_code, answer["Location"]) == (302, f"{address(batch)}#names")
    assert "is proposed as an alias of" in text_of(editor.get(address(batch)))
