"""The collection desk: the gate, the live page and the candidate, and what may be done about them."""

from decimal import Decimal

import pytest
from django.contrib.auth.models import User

from ranking import behind
from ranking.actions import recompute, seal, withdraw
from ranking.models import GateEvaluation, GatePolicy, Publication, Release
from ranking.public import criteria
from registry import jobs
from registry.actions import curate
from registry.models import Collection, EvidenceMapping, Job, Result, Task
from tests.desk import address, confirmed, text_of
from tests.ranking.public import world
from tests.registry.admin.conftest import Visitor

BUTTONS = ("Recompute", "Seal a candidate…", "Publish the candidate…", "Withdraw the live page…")


def change_words(collection: Collection, by: User) -> None:
    facet = collection.facets.all()[0]
    facet.title = "Finding out"
    curate.save(obj=facet, by=by)


def test_nothing_asked_nothing_live(as_: Visitor, collection: Collection) -> None:
    said = text_of(as_("viewer").get(address(collection)))
    assert "Nothing is live yet" in said
    assert "The gate was never asked." in said


def test_the_gate_is_told_criterion_by_criterion(as_: Visitor, collection: Collection) -> None:
    evaluation = recompute.recompute(collection=collection)
    page = as_("viewer").get(address(collection))
    said = text_of(page)
    for row in criteria.rows(evaluation.criteria):
        assert f"{row.name} {row.code} {row.verdict} {row.required} {row.observed} {row.missing}" in said
    assert "First-party evidence first-party-evidence not met 1 comparison 0 1" in said
    tally = criteria.tally(evaluation.criteria)
    assert f"Of 12 criteria {tally.met} {'is' if tally.met == 1 else 'are'} met, {tally.not_met} are not met" in said
    assert f"{tally.cannot_be_tested} cannot be tested" in said
    assert "not-testable" not in said
    assert evaluation.snapshot.digest[:12] in said
    assert address(evaluation.snapshot) in page.content.decode()
    assert str(world.SECRET) not in page.content.decode()


def test_a_withdrawn_page_is_told_with_its_tombstone(as_: Visitor, live: Collection) -> None:
    world.withdraw(Publication.objects.get(collection=live), "Its source was retracted.")
    page = as_("editor").get(address(live))
    said = text_of(page)
    assert "Nothing is live: number 1 was withdrawn by publisher," in said
    assert "Its source was retracted." in said
    assert f'href="/categories/{live.slug}/"' in page.content.decode()
    assert "Nothing is live yet" not in said
    page = as_("editor").get(f"/admin/confirm/seal/?collection={live.slug}")
    assert "Nothing is live since the last page of the category was withdrawn." in text_of(page)


def test_the_history_of_a_collection_tells_of_its_releases(
    as_: Visitor, collection: Collection, editor: User, publisher: User
) -> None:
    change_words(collection, editor)
    publication = world.publish()
    withdraw.withdraw(publication=publication, by=publisher, reason="The table was wrong.")
    said = text_of(as_("viewer").get(f"/admin/registry/collection/{collection.pk}/history/"))
    for verb in ("seal", "request-publish", "publish", "withdraw"):
        assert f"{verb} · release status {publication.release.digest[:12]}" in said
    assert "The table was wrong." in said
    assert "change · facet" in said


def test_both_names_of_a_release_stand_in_every_list(as_: Visitor, live: Collection) -> None:
    publication = Publication.objects.get(collection=live)
    names = f"{publication.identifier[:12]} {publication.release.digest[:12]}"
    for kind in ("release", "publication", "publishrequest"):
        said = text_of(as_("viewer").get(f"/admin/ranking/{kind}/"))
        assert "Public id Digest" in said
        assert names in said, kind
    found = as_("viewer").get(f"/admin/ranking/release/?q={publication.identifier[:20]}")
    assert found.context["cl"].result_count == 1


def test_the_button_queues_one_recompute(as_: Visitor, collection: Collection) -> None:
    editor = as_("editor")
    where = f"/admin/registry/collection/{collection.pk}/recompute/"
    for _ in range(2):
        assert editor.post(where)["Location"] == f"{address(collection)}#gate"
    assert Job.objects.filter(kind=jobs.RECOMPUTE_GATE, key=collection.slug).count() == 1
    jobs.run_waiting()
    assert GateEvaluation.objects.filter(collection=collection).count() == 1
    assert editor.get(where).status_code == 405


@pytest.mark.parametrize(("name", "offered"), [("viewer", False), ("editor", True), ("publisher", True)])
def test_whoever_only_looks_asks_no_gate(as_: Visitor, collection: Collection, name: str, offered: bool) -> None:
    assert ("Recompute" in text_of(as_(name).get(address(collection)))) == offered
    answer = as_(name).post(f"/admin/registry/collection/{collection.pk}/recompute/")
    assert (answer.status_code, Job.objects.exists()) == ((302, True) if offered else (403, False))


def test_a_page_behind_its_evidence_says_by_what(as_: Visitor, live: Collection, editor: User) -> None:
    assert "It says what its evidence says." in text_of(as_("viewer").get(address(live)))
    change_words(live, editor)
    said = text_of(as_("viewer").get(address(live)))
    assert "It is behind its evidence in 1 place." in said
    told = "What Published Present Finding out: title Diagnosis and resolution Finding out"
    assert f"Would read otherwise: facets {told}" in said
    queue = text_of(as_("viewer").get("/admin/"))
    assert "Live pages behind their evidence 1" in queue
    assert "1 place Facets: Finding out: title" in queue


def test_a_page_far_behind_tells_every_place(as_: Visitor, live: Collection) -> None:
    Task.objects.filter(facet__collection=live).update(description="Written anew.")
    EvidenceMapping.objects.filter(collection=live).update(role="supporting", note="Written anew.")
    places = behind.behind(live)
    assert len(places) > 9
    said = text_of(as_("viewer").get(address(live)))
    for place in places:
        assert f"{place.what} {place.published} {place.present}" in said


def test_evidence_that_was_read_anew_asks_nobody_to_act(as_: Visitor, live: Collection) -> None:
    """The digest of the snapshot is another, and no word or number of an evidence status is."""
    Result.objects.filter(value=world.SECRET).update(value=71)
    assert "Every live page says what its evidence says." in text_of(as_("viewer").get("/admin/"))
    assert "It says what its evidence says." in text_of(as_("viewer").get(address(live)))
    page = as_("editor").get(f"/admin/confirm/seal/?collection={live.slug}")
    assert page.context["plan"].facts["digest"] != Publication.objects.get(collection=live).release.digest
    assert "The evidence was read anew; nothing that a reader sees differs from the live page." in text_of(page)


@pytest.mark.parametrize(
    ("name", "offered"),
    [
        ("viewer", set()),
        ("editor", {"Recompute", "Seal a candidate…"}),
        ("publisher", {"Recompute", "Publish the candidate…", "Withdraw the live page…"}),
        ("admin", set(BUTTONS)),
    ],
)
def test_each_role_is_offered_its_own(
    as_: Visitor, live: Collection, editor: User, name: str, offered: set[str]
) -> None:
    change_words(live, editor)
    seal.seal(collection=live, by=editor)
    said = text_of(as_(name).get(address(live)))
    assert {button for button in BUTTONS if button in said} == offered


def test_from_the_desk_to_the_public(as_: Visitor, collection: Collection) -> None:
    """Seal, publish, wait for the worker, withdraw: with the pages that the buttons lead to."""
    editor, publisher = as_("editor"), as_("publisher")
    plan = editor.get(editor.get(address(collection)).context["desk"].seal_url)
    assert "this would be the first page of the category" in text_of(plan)
    sealed = editor.get(confirmed(editor, plan)["Location"])
    assert "Candidate" in text_of(sealed)
    assert "Candidates waiting for a publisher 1" in text_of(publisher.get("/admin/"))

    plan = publisher.get(publisher.get(address(collection)).context["desk"].publish_url)
    where = confirmed(publisher, plan, typed="customer-service", reason="It is ready.")["Location"]
    waiting = publisher.get(where)
    assert '<meta http-equiv="refresh"' in waiting.content.decode()
    assert "waits for the worker" in text_of(publisher.get(address(collection)))
    assert "Publish requests waiting or refused 1" in text_of(publisher.get("/admin/"))
    jobs.run_waiting()
    told = publisher.get(where)
    live = Publication.objects.get()
    assert "http-equiv" not in told.content.decode()
    assert f"It is number 1; its permanent id is {live.identifier}." in text_of(told)
    assert f'href="/categories/{collection.slug}/"' in told.content.decode()
    assert publisher.get(f"/releases/{live.identifier[:12]}/").status_code == 200

    plan = publisher.get(publisher.get(address(collection)).context["desk"].withdraw_url)
    gone = publisher.get(confirmed(publisher, plan, typed="customer-service", reason="Wrong.")["Location"])
    assert "Number 1 is withdrawn." in text_of(gone)
    assert publisher.get(f"/categories/{collection.slug}/").status_code == 410


def test_a_refusal_of_the_worker_is_told_with_its_reason(as_: Visitor, collection: Collection, editor: User) -> None:
    publisher = as_("publisher")
    plan = publisher.get(f"/admin/confirm/publish/?release={seal.seal(collection=collection, by=editor).pk}")
    where = confirmed(publisher, plan, typed="customer-service", reason="It is ready.")["Location"]
    change_words(collection, editor)
    seal.seal(collection=collection, by=editor)
    jobs.run_waiting()
    said = text_of(publisher.get(where))
    assert "Not published A newer candidate was sealed since" in said
    assert "A newer candidate was sealed since" in text_of(publisher.get("/admin/"))


def test_a_candidate_that_says_the_same_is_none(as_: Visitor, live: Collection, editor: User) -> None:
    seal.seal(collection=live, by=editor)
    assert "No candidate waits." in text_of(as_("publisher").get("/admin/"))
    assert as_("publisher").get(address(live)).context["desk"].publish_url == ""


# --- Preview ----------------------------------------------------------------------------------------------------------


def test_the_preview_is_the_public_page_marked(as_: Visitor, live: Collection, editor: User) -> None:
    change_words(live, editor)
    page = as_("viewer").get(f"/admin/registry/collection/{live.pk}/preview/")
    said = text_of(page)
    assert (page.status_code, "Preview. Not published" in said) == (200, True)
    assert "Finding out" in said
    assert "Finding out" not in text_of(as_("anonymous").get(f"/categories/{live.slug}/"))
    assert str(world.SECRET) not in page.content.decode()
    assert not Release.objects.exclude(publication__isnull=False).exists()


def test_no_preview_of_what_is_not_defined(as_: Visitor, collection: Collection, editor: User) -> None:
    facet = collection.facets.all()[0]
    facet.weight = Decimal(10)
    curate.save(obj=facet, by=editor)
    answer = as_("viewer").get(f"/admin/registry/collection/{collection.pk}/preview/")
    assert (answer.status_code, "not to 100 %" in text_of(answer)) == (409, True)


# --- What nobody edits ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", [Release, Publication, GateEvaluation, GatePolicy])
def test_what_is_sealed_is_for_reading(as_: Visitor, live: Collection, model: type[Release]) -> None:
    record = model.objects.all()[0]
    admin = as_("admin")
    page = admin.get(address(record)).content.decode()
    assert 'name="_save"' not in page
    assert "for reading" in page
    assert admin.post(address(record), {"state": "live"}).status_code == 403
    assert admin.post(address(record, "delete"), {"post": "yes"}).status_code == 403


def test_a_policy_gives_the_reason_for_each_number(as_: Visitor, collection: Collection) -> None:
    said = text_of(as_("viewer").get(address(GatePolicy.objects.get())))
    assert "Headline rows, at least 8 Why headline_rows." in said


def test_a_snapshot_shows_what_was_computed_on(as_: Visitor, live: Collection) -> None:
    snapshot = GateEvaluation.objects.all()[0].snapshot
    assert "&quot;edition&quot;: &quot;v3&quot;" in as_("viewer").get(address(snapshot)).content.decode()
