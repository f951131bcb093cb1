"""Seal, publish, supersede: once, in order, by the right person, from the content that was sealed."""

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import connection

from ranking import behind, canonical
from ranking.actions import publish, recompute, seal
from ranking.decisions import Publish, Seal
from ranking.identity import identifier
from ranking.models import GateEvaluation, GatePolicy, PresentGate, Publication, PublishRequest, Release
from registry import confirm, jobs
from registry.actions import curate, exclusions
from registry.actions.base import Refused
from registry.confirm import Stale, Ticket
from registry.models import AuditEvent, Collection, Facet, Job
from tests.ranking.public import world


@pytest.fixture
def collection(db: None) -> Collection:
    world.build()
    return Collection.objects.get(slug=world.SLUG)


@pytest.fixture
def candidate(collection: Collection, editor: User) -> Release:
    return seal.seal(collection=collection, by=editor)


def go_live(release: Release, by: User) -> PublishRequest:
    return publish.answer(wish=publish.request(release=release, by=by, reason="Ready."))


def change_registry(by: User) -> None:
    facet = Facet.objects.get(collection__slug=world.SLUG, slug="de-escalation")
    facet.title = "Calming down"
    curate.save(obj=facet, by=by)


def test_a_status_page_is_sealed_and_published(candidate: Release, publisher: User) -> None:
    wish = go_live(candidate, publisher)
    live = Publication.objects.get(state="live")
    assert (wish.state, wish.publication, live.release, live.number) == ("published", live, candidate, 1)
    assert live.identifier == identifier(candidate.digest, 1, "")
    assert list(AuditEvent.objects.filter(object_type="ranking.release").values_list("verb", "by").order_by("id")) == [
        ("seal", "editor"),
        ("request-publish", "publisher"),
        ("publish", "publisher"),
    ]


def test_the_content_holds_no_who_when_or_number(candidate: Release) -> None:
    assert '"editor"' not in candidate.content
    assert candidate.sealed_at.isoformat()[:16] not in candidate.content
    assert candidate.digest == canonical.sha256(f"status\n{candidate.content}")


def test_the_content_holds_no_value_and_names_no_subject(candidate: Release) -> None:
    assert str(world.SECRET) not in candidate.content
    assert world.MODEL not in candidate.content
    assert "hidden-9" not in candidate.content


def test_the_same_content_is_the_same_candidate(candidate: Release, collection: Collection, admin: User) -> None:
    assert seal.seal(collection=collection, by=admin) == candidate


def test_editing_the_registry_changes_the_live_page_only_by_a_new_release(
    candidate: Release, collection: Collection, editor: User, publisher: User
) -> None:
    go_live(candidate, publisher)
    before = publish.live_of(collection)
    change_registry(editor)
    live = publish.live_of(collection)
    assert before
    assert live
    assert live.release.content == before.release.content
    told = {(row.what, row.published, row.present) for row in behind.behind(collection)}
    assert ("Calming down: title", "De-escalation", "Calming down") in told
    second = go_live(seal.seal(collection=collection, by=editor), publisher).publication
    assert second
    assert (second.number, second.predecessor, second.state) == (2, before, "live")
    assert list(Publication.objects.order_by("number").values_list("state", flat=True)) == ["superseded", "live"]
    assert behind.behind(collection) == []


@pytest.mark.parametrize("name", ["viewer", "editor"])
def test_only_a_publisher_publishes(candidate: Release, name: str, request: pytest.FixtureRequest) -> None:
    by = request.getfixturevalue(name)
    with pytest.raises(PermissionDenied):
        publish.request(release=candidate, by=by, reason="Ready.")


@pytest.mark.parametrize("name", ["viewer", "publisher"])
def test_only_an_editor_seals(collection: Collection, name: str, request: pytest.FixtureRequest) -> None:
    with pytest.raises(PermissionDenied):
        seal.seal(collection=collection, by=request.getfixturevalue(name))


@pytest.mark.parametrize("kind", ["ranking", "overall"])
def test_nobody_publishes_a_ranking_they_sealed_not_even_a_superuser(
    candidate: Release, admin: User, kind: str
) -> None:
    ranking = Release.objects.create(
        kind=kind,
        collection=candidate.collection,
        evaluation=candidate.evaluation,
        content=candidate.content,
        digest="0" * 64,
        sealed_by=admin.username,
        sealed_at=candidate.sealed_at,
    )
    with pytest.raises(Refused) as refused:
        publish.request(release=ranking, by=admin, reason="Mine.")
    assert refused.value.code == "own-seal"


def test_a_status_page_may_be_published_by_who_sealed_it(collection: Collection, admin: User) -> None:
    assert go_live(seal.seal(collection=collection, by=admin), admin).state == "published"


def test_a_published_or_outdated_candidate_is_refused(
    candidate: Release, collection: Collection, editor: User, publisher: User
) -> None:
    change_registry(editor)
    newer = seal.seal(collection=collection, by=editor)
    with pytest.raises(Refused) as outdated:
        publish.request(release=candidate, by=publisher, reason="Late.")
    go_live(newer, publisher)
    with pytest.raises(Refused) as twice:
        publish.request(release=newer, by=publisher, reason="Again.")
    assert (outdated.value.code, twice.value.code) == ("newer-candidate", "already-published")


def test_publishing_what_is_live_already_is_refused(
    candidate: Release, collection: Collection, editor: User, publisher: User
) -> None:
    go_live(candidate, publisher)
    with pytest.raises(Refused) as refused:
        publish.request(release=seal.seal(collection=collection, by=editor), by=publisher, reason="Again.")
    assert refused.value.code == "nothing-new"


def test_the_worker_checks_again_and_says_why_it_refused(
    candidate: Release, collection: Collection, editor: User, publisher: User
) -> None:
    wish = publish.request(release=candidate, by=publisher, reason="Ready.")
    change_registry(editor)
    seal.seal(collection=collection, by=editor)
    answered = publish.answer(wish=wish)
    assert (answered.state, answered.answer) == ("refused", "A newer candidate was sealed since; publish that one.")
    assert not Publication.objects.exists()


@pytest.mark.parametrize("fall", ["role", "account"])
def test_the_worker_refuses_for_a_publisher_who_is_one_no_more(candidate: Release, publisher: User, fall: str) -> None:
    wish = publish.request(release=candidate, by=publisher, reason="Ready.")
    if fall == "role":
        publisher.groups.clear()
    else:
        User.objects.filter(pk=publisher.pk).update(is_active=False)
    assert publish.answer(wish=wish).state == "refused"


def test_answering_twice_publishes_once(candidate: Release, publisher: User) -> None:
    wish = publish.request(release=candidate, by=publisher, reason="Ready.")
    assert publish.answer(wish=wish).publication == publish.answer(wish=wish).publication
    assert Publication.objects.count() == 1


def test_the_job_is_written_with_the_request(candidate: Release, publisher: User) -> None:
    wish = publish.request(release=candidate, by=publisher, reason="Ready.")
    job = Job.objects.get(kind=publish.PUBLISH)
    assert job.key == str(wish.pk)
    jobs.run(job.pk)
    job.refresh_from_db()
    assert job.outcome == {"state": "published", "number": 1, "message": ""}


def test_a_failure_while_publishing_leaves_everything_as_it_was(
    candidate: Release, publisher: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    wish = publish.request(release=candidate, by=publisher, reason="Ready.")

    def fail(*_: Any, **__: Any) -> None:
        raise OSError("disk full")

    monkeypatch.setattr("ranking.actions.publish.audit.record", fail)
    with pytest.raises(OSError, match="disk full"):
        publish.answer(wish=wish)
    wish.refresh_from_db()
    assert (wish.state, Publication.objects.count()) == ("waiting", 0)


@pytest.mark.parametrize(("weight", "code"), [("24.99", "weights-not-100")])
def test_weights_must_be_whole_before_sealing(collection: Collection, editor: User, weight: str, code: str) -> None:
    Facet.objects.filter(collection=collection, slug="de-escalation").update(weight=weight)
    with pytest.raises(Refused) as refused:
        seal.seal(collection=collection, by=editor)
    assert refused.value.code == code


def test_a_collection_without_facets_or_policy_says_so(collection: Collection, editor: User) -> None:
    bare = Collection.objects.create(
        edition=collection.edition, slug="bare", title="Bare", question="?", summary="-", subject_kind="model"
    )
    with pytest.raises(Refused, match="no facets"):
        seal.seal(collection=bare, by=editor)


# The gate ---------------------------------------------------------------------------------------------------------


def test_unchanged_evidence_gives_the_same_evaluation(collection: Collection) -> None:
    first = recompute.recompute(collection=collection)
    assert recompute.recompute(collection=collection) == first
    assert GateEvaluation.objects.count() == 1


def test_changed_evidence_gives_a_new_one(collection: Collection) -> None:
    first = recompute.recompute(collection=collection)
    world.exclude("lineage", world.LINEAGE, "conflict-of-interest", "The judge is of the subject's family.")
    second = recompute.recompute(collection=collection)
    assert second.snapshot.digest != first.snapshot.digest
    observed = {row["code"]: row["observed"] for row in second.criteria}
    assert observed["external-evidence"] == 0


def test_evidence_that_changes_back_is_told_by_its_earlier_evaluation(collection: Collection, editor: User) -> None:
    first = recompute.recompute(collection=collection)
    refused = world.exclude("lineage", world.LINEAGE, "conflict-of-interest", "The judge is of the subject's family.")
    second = recompute.recompute(collection=collection)
    exclusions.lift(exclusion=refused, by=editor, reason="Another judge confirmed it.")
    third = recompute.recompute(collection=collection)
    assert (first, second.pk > first.pk) == (third, True)
    present = PresentGate.objects.get(collection=collection)
    assert (present.evaluation, present.asked_at >= second.evaluated_at) == (first, True)


def test_a_change_queues_one_recompute_for_each_collection_it_reaches(collection: Collection, editor: User) -> None:
    change_registry(editor)
    change_registry(editor)
    assert list(Job.objects.values_list("kind", "key")) == [("recompute-gate", world.SLUG)]
    jobs.run_waiting()
    assert GateEvaluation.objects.get().collection == collection


def test_a_category_without_a_policy_is_no_failed_job(collection: Collection) -> None:
    GatePolicy.objects.update(state="retired")
    job = jobs.enqueue(jobs.RECOMPUTE_GATE, collection.slug)
    jobs.run(job.pk)
    job.refresh_from_db()
    assert (job.status, job.outcome["refused"]) == ("done", "no-policy")


# The confirm page's side ------------------------------------------------------------------------------------------


def test_publishing_by_ticket_tells_pages_and_goes_stale_with_the_live_page(
    candidate: Release, collection: Collection, editor: User, publisher: User
) -> None:
    decision = Publish(candidate.pk)
    plan = confirm.plan(decision, publisher)
    assert plan.total == "14 public pages would appear."
    signed = Ticket.issue(decision, plan, publisher)
    outcome = confirm.confirm(signed, by=publisher, typed=world.SLUG, reason="Ready.")
    assert PublishRequest.objects.get().pk == outcome["request"]


def test_a_second_release_brings_changes_and_takes_away(
    candidate: Release, collection: Collection, editor: User, publisher: User
) -> None:
    go_live(candidate, publisher)
    world.publish("self-service")
    Facet.objects.filter(collection=collection, slug="de-escalation").update(slug="calming")
    second = seal.seal(collection=collection, by=editor)
    plan = confirm.plan(Publish(second.pk), publisher)
    pages = next(part.rows for part in plan.consequences if part.heading == "Each page")
    assert ("/categories/customer-service/calming/", "absent", "new") in pages
    assert ("/categories/customer-service/de-escalation/", "live", "gone, with the reason") in pages
    assert ("/categories/customer-service/", "live", "new text") in pages
    assert not any("self-service" in page for page, _, _ in pages)
    assert plan.total == "1 public page would appear, 13 change and 1 go."


def test_a_seal_page_is_stale_when_the_registry_moved(collection: Collection, editor: User) -> None:
    decision = Seal(world.SLUG)
    signed = Ticket.issue(decision, confirm.plan(decision, editor), editor)
    change_registry(editor)
    with pytest.raises(Stale):
        confirm.confirm(signed, by=editor)


@pytest.mark.django_db(transaction=True)
def test_eight_posts_at_once_publish_once(publisher: User, editor: User) -> None:
    world.build()
    candidate = seal.seal(collection=Collection.objects.get(slug=world.SLUG), by=editor)
    decision = Publish(candidate.pk)
    signed = Ticket.issue(decision, confirm.plan(decision, publisher), publisher)

    def post(_: int) -> Any:
        try:
            outcome = confirm.confirm(signed, by=publisher, typed=world.SLUG, reason="Ready.")
            jobs.run_waiting()
            return outcome["request"]
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        requests = list(pool.map(post, range(8)))
    assert len(set(requests)) == 1
    assert Publication.objects.count() == 1
    assert AuditEvent.objects.filter(verb="publish").count() == 1


def test_what_is_sealed_is_the_content_as_json(candidate: Release) -> None:
    content = json.loads(candidate.content)
    assert content["collection"]["slug"] == world.SLUG
    assert canonical.text(content) == candidate.content
