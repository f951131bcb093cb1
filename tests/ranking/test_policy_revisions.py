"""A revision of a policy: drafted by one person with a reason, put in force by another; what was judged stays."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied

from ranking.actions import policies, recompute
from ranking.models import GateEvaluation, GatePolicy
from ranking.policies import in_force
from ranking.policy_decisions import ApprovePolicy
from registry import confirm, jobs
from registry.actions.base import Refused
from registry.models import AuditEvent, Collection
from tests.ranking.public import world


@pytest.fixture
def collection(db: None) -> Collection:
    world.build()
    return Collection.objects.get(slug=world.SLUG)


def thresholds(**changes: Any) -> dict[str, Any]:
    return {name: {"value": value, "reason": "Why."} for name, value in (world.THRESHOLDS | changes).items()}


def draft(collection: Collection, by: User, **changes: Any) -> GatePolicy:
    return policies.draft_policy(
        edition=collection.edition, title="Revised", thresholds=thresholds(**changes), reason="A finding.", by=by
    )


def test_a_draft_judges_nothing_and_an_approved_one_everything_after(
    collection: Collection, editor: User, publisher: User
) -> None:
    first = recompute.recompute(collection=collection)
    made = draft(collection, editor, external_results=2)
    assert in_force(collection).version == 1
    assert ApprovePolicy(made.pk).level == 3
    confirm.carry_out(ApprovePolicy(made.pk), by=publisher, typed="v3.2", reason="Agreed.")
    jobs.run_waiting()
    second = GateEvaluation.objects.filter(collection=collection).first()
    assert second
    assert (second.policy.version, second.snapshot) == (2, first.snapshot)
    assert GateEvaluation.objects.get(pk=first.pk).policy.version == 1
    states = dict(GatePolicy.objects.values_list("version", "state"))
    assert states == {1: "retired", 2: "active"}
    observed = {row["code"]: row["verdict"] for row in second.criteria}
    assert observed["external-evidence"] == "failed"
    assert AuditEvent.objects.filter(object_type="ranking.gatepolicy").count() == 3


def test_the_confirm_page_tells_thresholds_and_gates(collection: Collection, editor: User, publisher: User) -> None:
    plan = confirm.plan(ApprovePolicy(draft(collection, editor, external_results=2).pk), publisher)
    assert plan.total == "1 threshold would differ, for 2 gates."
    assert plan.consequences[0].rows == [("External results, at least", "1", "2")]
    assert [found.heading for found in plan.consequences[1:]] == ["Gate of customer-service", "Gate of self-service"]
    assert in_force(collection).version == 1


def test_nobody_approves_a_draft_of_their_own(collection: Collection, admin: User) -> None:
    made = draft(collection, admin)
    with pytest.raises(Refused) as refused:
        policies.approve_policy(policy=made, by=admin, reason="Mine.")
    assert refused.value.code == "own-draft"


def test_who_may(collection: Collection, editor: User, publisher: User, viewer: User) -> None:
    for by in (publisher, viewer):
        with pytest.raises(PermissionDenied):
            draft(collection, by)
    made = draft(collection, editor)
    for by in (editor, viewer):
        with pytest.raises(PermissionDenied):
            policies.approve_policy(policy=made, by=by, reason="Now.")


def test_one_draft_at_a_time_and_once_in_force(collection: Collection, editor: User, publisher: User) -> None:
    made = draft(collection, editor)
    with pytest.raises(Refused) as waiting:
        draft(collection, editor)
    policies.approve_policy(policy=made, by=publisher, reason="Agreed.")
    with pytest.raises(Refused) as twice:
        policies.approve_policy(policy=made, by=publisher, reason="Again.")
    assert (waiting.value.code, twice.value.code) == ("draft-waiting", "not-a-draft")


def test_a_discarded_draft_makes_room_for_another(collection: Collection, editor: User) -> None:
    made = draft(collection, editor)
    with pytest.raises(Refused) as silent:
        policies.discard_policy(policy=made, by=editor, reason=" ")
    policies.discard_policy(policy=made, by=editor, reason="Wrong.")
    with pytest.raises(Refused) as twice:
        policies.discard_policy(policy=made, by=editor, reason="Wrong.")
    assert (silent.value.code, twice.value.code) == ("no-reason", "not-a-draft")
    assert draft(collection, editor).version == 3
    event = AuditEvent.objects.filter(object_type="ranking.gatepolicy", reason="Wrong.").get()
    assert (event.before, event.after) == ({"state": "draft"}, {"state": "discarded"})


@pytest.mark.parametrize(
    "value", [-1, True, None, "many", float("nan"), {}, {"a": [1]}, [1], 10**400, ["\ud800"], [" "]]
)
def test_a_threshold_must_be_something_a_gate_can_read(collection: Collection, editor: User, value: Any) -> None:
    with pytest.raises(Refused) as refused:
        draft(collection, editor, headline_rows=value)
    assert refused.value.code == "bad-threshold"


def test_a_threshold_may_be_named_terms(collection: Collection, editor: User) -> None:
    terms = {"accept": "recorded", "left_share_limit": 0.15}
    assert draft(collection, editor, crowd_order=terms).value("crowd_order") == terms


def test_a_revision_needs_a_reason_and_something_to_revise(collection: Collection, editor: User) -> None:
    with pytest.raises(Refused) as silent:
        policies.draft_policy(edition=collection.edition, title="-", thresholds=thresholds(), reason=" ", by=editor)
    GatePolicy.objects.all()._raw_delete("default")
    with pytest.raises(Refused) as nothing:
        draft(collection, editor)
    assert (silent.value.code, nothing.value.code) == ("no-reason", "no-policy")
