"""Revising a policy at the desk: a form from the newest version, then another person's confirmation."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from ranking.actions import policies
from ranking.models import GatePolicy
from registry.models import Collection
from tests.desk import Typed, address, confirmed, form_on, text_of
from tests.ranking.public import world
from tests.registry.admin.conftest import Visitor


@pytest.fixture
def policy(collection: Collection) -> GatePolicy:
    return GatePolicy.objects.get(edition=collection.edition, state="active")


def draft_page(policy: GatePolicy) -> str:
    return reverse("admin:ranking_gatepolicy_draft", args=(policy.pk,))


def typed(as_: Visitor, policy: GatePolicy, **changes: Any) -> Typed:
    form = form_on(as_("editor").get(draft_page(policy)), "draft-form")
    return form | {"reason": ["A finding."]} | {name.replace("_", "-", 1): [value] for name, value in changes.items()}


RAISED = {"value_external_results": "2", "why_external_results": "One source was not enough."}


def test_the_form_holds_every_threshold_of_the_newest_version(as_: Visitor, policy: GatePolicy) -> None:
    form = typed(as_, policy)
    assert form["value-external_results"] == ["1"]
    assert {name.removeprefix("value-") for name in form if name.startswith("value-")} == set(policy.thresholds)
    said = text_of(as_("editor").get(draft_page(policy)))
    assert "A draft judges nothing: another person puts it in force" in said


def test_drafted_by_an_editor_and_put_in_force_by_a_publisher(as_: Visitor, policy: GatePolicy) -> None:
    page = as_("editor").post(draft_page(policy), typed(as_, policy, **RAISED))
    made = GatePolicy.objects.get(version=2)
    assert (page.status_code, page["Location"]) == (302, address(made))
    assert (made.state, made.drafted_by, made.reason) == ("draft", "editor", "A finding.")
    assert made.thresholds["external_results"] == {"value": 2, "reason": "One source was not enough."}
    assert {name: one for name, one in made.thresholds.items() if name != "external_results"} == {
        name: one for name, one in policy.thresholds.items() if name != "external_results"
    }
    assert "Put in force…" not in text_of(as_("editor").get(address(made)))
    assert "Gate policies waiting for a second person 1" in text_of(as_("publisher").get("/admin/"))
    publisher = as_("publisher")
    assert "Put in force…" in text_of(publisher.get(address(made)))
    question = publisher.get(f"/admin/confirm/approve-policy/?policy={made.pk}")
    assert "drafted by editor" in text_of(question)
    confirmed(publisher, question, typed=made.name, reason="Agreed.")
    assert dict(GatePolicy.objects.values_list("version", "state")) == {1: "retired", 2: "active"}


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({}, "No threshold differs"),
        ({"value_external_results": "2"}, "The number changes: say why"),
        ({"value_external_results": "many", "why_external_results": "So."}, "is no number"),
        ({"value_external_results": "[" * 9999, "why_external_results": "So."}, "is no number"),
        (RAISED | {"value_external_results": "-1"}, "must be a number of at least 0"),
        (RAISED | {"why_external_results": " "}, "This field is required"),
        (RAISED | {"reason": ""}, "This field is required"),
    ],
)
def test_what_is_not_a_revision_is_said_and_nothing_is_lost(
    as_: Visitor, policy: GatePolicy, changes: dict[str, str], told: str
) -> None:
    sent = typed(as_, policy, **changes)
    page = as_("editor").post(draft_page(policy), sent)
    assert page.status_code == 422
    assert told in text_of(page)
    assert form_on(page, "draft-form")["value-external_results"] == sent["value-external_results"]
    assert not GatePolicy.objects.filter(version=2).exists()


@pytest.mark.parametrize(("name", "status"), [("publisher", 403), ("viewer", 403), ("anonymous", 302)])
def test_who_may_not_draft(as_: Visitor, policy: GatePolicy, name: str, status: int) -> None:
    visitor = as_(name)
    for method in (visitor.get, visitor.post):
        assert method(draft_page(policy)).status_code == status
    if name != "anonymous":
        assert "Draft the next version…" not in text_of(visitor.get(address(policy)))


def test_one_draft_at_a_time(as_: Visitor, policy: GatePolicy, editor: User) -> None:
    sent = typed(as_, policy, **RAISED)
    policies.draft_policy(
        edition=policy.edition, title="Other", thresholds=policy.thresholds, reason="Another finding.", by=editor
    )
    page = as_("editor").post(draft_page(policy), sent)
    assert page.status_code == 422
    assert "v3.2 waits: a publisher puts it in force, or an editor discards it" in text_of(page)
    assert "Draft the next version…" not in text_of(as_("editor").get(address(policy)))


def test_who_drafted_cannot_put_it_in_force(as_: Visitor, policy: GatePolicy) -> None:
    as_("admin").post(draft_page(policy), typed(as_, policy, **RAISED))
    made = GatePolicy.objects.get(version=2)
    refused = as_("admin").get(f"/admin/confirm/approve-policy/?policy={made.pk}")
    assert refused.status_code == 409
    assert "You drafted this policy; another person must approve it." in text_of(refused)
    assert world.THRESHOLDS["external_results"] == 1


def test_a_wrong_draft_is_discarded_and_the_next_one_starts_from_it(as_: Visitor, policy: GatePolicy) -> None:
    editor = as_("editor")
    editor.post(draft_page(policy), typed(as_, policy, **RAISED))
    wrong = GatePolicy.objects.get(version=2)
    assert "Draft the next version…" not in text_of(editor.get(address(wrong)))
    question = editor.get(editor.get(address(wrong)).context["discard_url"])
    assert "No gate would answer otherwise" in text_of(question)
    assert confirmed(editor, question, reason=" ").status_code == 400
    done = editor.get(confirmed(editor, question, reason="Too much at once.")["Location"])
    assert f'href="{address(wrong)}"' in done.content.decode()
    wrong.refresh_from_db()
    assert (wrong.state, wrong.approved_by) == ("discarded", "")
    page = editor.get(address(wrong))
    assert "Discard…" not in text_of(page)
    form = form_on(editor.get(page.context["draft_url"]), "draft-form")
    assert form["why-external_results"] == ["One source was not enough."]
    editor.post(draft_page(wrong), form)
    again = GatePolicy.objects.get(version=3)
    assert (again.state, again.thresholds) == ("draft", wrong.thresholds)


def test_who_may_not_discard(as_: Visitor, policy: GatePolicy) -> None:
    as_("editor").post(draft_page(policy), typed(as_, policy, **RAISED))
    made = GatePolicy.objects.get(version=2)
    for name in ("publisher", "viewer"):
        assert "Discard…" not in text_of(as_(name).get(address(made)))
        assert as_(name).get(f"/admin/confirm/discard-policy/?policy={made.pk}").status_code == 403


def test_what_is_in_force_is_not_discarded(as_: Visitor, policy: GatePolicy) -> None:
    answer = as_("editor").get(f"/admin/confirm/discard-policy/?policy={policy.pk}")
    assert (answer.status_code, "Policy v3 is in force" in text_of(answer)) == (409, True)
