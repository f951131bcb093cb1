"""Sealing, publishing and superseding rankings, on real human evidence."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction

from ranking import behind, canonical, diff, snapshot
from ranking.actions import publish, recompute, seal
from ranking.decisions import Publish, Seal
from ranking.evidence import Evidence
from ranking.models import GateEvaluation, GatePolicy, Publication, Release
from ranking.reading import read
from registry import confirm, jobs
from registry.actions import exclusions
from registry.actions.base import Refused
from registry.confirm import Stale, Ticket
from registry.models import AuditEvent, Collection, Configuration, Facet, Result
from tests import registries
from tests.ranking import human_world as world
from tests.ranking.method import human

GONE = "LLaMA-2-Chat (7B)"
TRIAL = {
    "GPT 4": (62.4, 1, 6),
    "Claude v1": (58.5, 1, 7),
    "Claude v2": (57.5, 1, 6),
    "GPT 3.5 Turbo": (57.1, 1, 6),
    "LLaMA-2-Chat (70B)": (56.0, 1, 6),
    "Claude Instant v1": (55.4, 1, 8),
    "LLaMA-2-Chat (13B)": (47.9, 6, 11),
    "LLaMA-2-Chat (7B)": (46.7, 7, 11),
    "Vicuna v1.5 (13B)": (45.5, 5, 11),
    "Guanaco (33B)": (44.7, 7, 11),
    "Vicuna v1.3 (7B)": (40.0, 7, 12),
    "Open-Assistant Pythia SFT-4 (12B)": (28.2, 11, 12),
}


built = registries.once_a_module(world.build)


@pytest.fixture
def collection(built: Collection, db: None) -> Collection:
    return Collection.objects.get(pk=built.pk)


@pytest.fixture
def candidate(collection: Collection, editor: User) -> Release:
    return seal.seal(collection=collection, by=editor, kind="ranking")


def told(release: Release) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(release.content)
    return content


def refusal(act: Any) -> str:
    with pytest.raises(Refused) as refused, transaction.atomic():
        act()
    return refused.value.code


def drop_result(collection: Collection, **which: Any) -> None:
    found = Result.objects.filter(**which)
    assert found.exists()
    found.update(state="retired")


# Sealing ----------------------------------------------------------------------------------------------------------


def test_one_digest_covers_snapshot_policy_scale_table_and_page(candidate: Release, collection: Collection) -> None:
    content = told(candidate)
    evaluation = candidate.evaluation
    assert evaluation
    assert (evaluation.verdict, content["gate"]["verdict"]) == ("open", "open")
    assert content["gate"]["snapshot"] == evaluation.snapshot.digest == snapshot.digest(snapshot.take(collection))
    assert candidate.digest == canonical.sha256(f"ranking\n{canonical.text(content)}")
    ranking = content["ranking"]
    assert (len(ranking["panel"]), len(ranking["pool"]), len(ranking["constants"])) == (12, 59, 3)
    assert content["policy"]["thresholds"]["facet_tasks"]["value"] == 13
    assert content["collection"]["planning"] is False
    assert '"editor"' not in candidate.content


def test_the_table_is_that_of_the_trial(candidate: Release) -> None:
    rows = told(candidate)["ranking"]["rows"]
    assert {row["model"]: (round(row["score"], 1), row["rank_low"], row["rank_high"]) for row in rows} == TRIAL
    assert sum(row["top"] for row in rows) == 6
    assert {row["tier"] for row in rows} == {1}
    for row in rows:
        assert sum(part["points"] for part in row["contributions"]) == pytest.approx(row["score"] - 50, abs=1e-5)


def test_the_page_says_where_the_policy_is_weaker_and_what_v3_misses(candidate: Release) -> None:
    ranking = told(candidate)["ranking"]
    assert {row["threshold"]: (row["v3"], row["here"]) for row in ranking["weakened"]} == {
        "crowd_order": (None, {"accept": "recorded", "left_share_limit": 0.15}),
        "effective_tasks": (25, 2.5),
        "facet_tasks": (30, 13),
    }
    assert [row["code"] for row in ranking["fails_v3"]] == ["minimum-evidence", "judges"]


def test_every_value_is_told_with_its_source_row(candidate: Release) -> None:
    ranking = told(candidate)["ranking"]
    assert len(ranking["evidence"]) == 24
    for row in ranking["evidence"]:
        stored = Result.objects.get(contract__key=row["contract"], configuration__key=row["configuration"])
        assert (row["line"], row["source"]) == (stored.line, stored.source.sha256)
        assert row["value"] == canonical.rounded(stored.value or 0)
    assert ranking["comparisons"] == {"verdicts": 8931, "units": 2139, "judges": 124, "tasks": 13}
    assert ranking["dates"] == {"from": "2023-08-01", "to": "2024-01-31"}
    assert ranking["changes_since_first_look"] == {"evaluations": 0, "evidence_changes": 0}


def test_a_closed_gate_seals_no_ranking(collection: Collection, editor: User) -> None:
    GatePolicy.objects.filter(edition__key=world.EDITION).update(
        thresholds={name: {"value": value, "reason": "-"} for name, value in human.policy().items()}
    )
    with pytest.raises(Refused, match="minimum-evidence, judges") as refused:
        seal.seal(collection=collection, by=editor, kind="ranking")
    assert refused.value.code == "gate-closed"
    assert not Release.objects.exists()


def test_an_error_inside_a_check_is_a_failed_check(
    collection: Collection, editor: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("ranking.method.evaluation.reliable", fail)
    evaluation = recompute.recompute(collection=collection)
    answers = {row["code"]: (row["verdict"], row["reason"]) for row in evaluation.criteria}
    assert answers["reliability"] == ("failed", "check-error")
    assert evaluation.verdict == "closed"
    assert refusal(lambda: seal.seal(collection=collection, by=editor, kind="ranking")) == "gate-closed"


def test_sealed_again_it_is_the_same_candidate(candidate: Release, collection: Collection, admin: User) -> None:
    assert seal.seal(collection=collection, by=admin, kind="ranking") == candidate


def test_the_seal_page_shows_criteria_and_no_score(candidate: Release, collection: Collection, editor: User) -> None:
    world.publish(candidate)
    drop_result(collection, contract__key="alpaca-eval-2.win-rate", configuration__model__name="GPT 4")
    plan = confirm.plan(Seal(world.SLUG, "ranking"), editor)
    words = json.dumps([consequence.rows for consequence in plan.consequences])
    assert "GPT 4" not in words
    assert "62.36" not in words
    assert "ranking / " not in words


def test_the_snapshot_holds_no_value_that_does_not_count(collection: Collection) -> None:
    drop = Result.objects.filter(contract__key="arena-text.rating").first()
    assert drop
    drop.contract.use = "catalogued"
    drop.contract.save(update_fields=("use",))
    rows = [row for row in snapshot.take(collection).results if row.contract == "arena-text.rating"]
    assert rows
    assert {(row.value, row.stderr) for row in rows} == {(None, None)}


def test_what_is_computed_is_what_anybody_reads_from_the_snapshot(collection: Collection) -> None:
    evidence = snapshot.take(collection)
    assert read(Evidence, json.loads(canonical.text(evidence))) == evidence


# Publishing -------------------------------------------------------------------------------------------------------


def test_a_ranking_takes_another_person_and_ends_planning(candidate: Release, publisher: User, editor: User) -> None:
    decision = Publish(candidate.pk)
    assert decision.level == 3
    confirm.carry_out(decision, by=publisher, typed=world.SLUG, reason="Ready.")
    jobs.run_waiting()
    live = Publication.objects.get()
    assert (live.number, live.state, live.release) == (1, "live", candidate)
    found = Collection.objects.get(slug=world.SLUG)
    assert (found.planning, found.version) == (False, 2)
    assert AuditEvent.objects.filter(object_type="registry.collection", verb="change", by="publisher").exists()


def test_who_sealed_it_may_not_publish_it(collection: Collection, admin: User) -> None:
    mine = seal.seal(collection=collection, by=admin, kind="ranking")
    assert refusal(lambda: publish.request(release=mine, by=admin, reason="Mine.")) == "own-seal"


def test_a_candidate_without_an_open_gate_is_not_published(candidate: Release, publisher: User) -> None:
    evaluation = candidate.evaluation
    assert evaluation
    closed = GateEvaluation.objects.create(
        collection=evaluation.collection,
        snapshot=evaluation.snapshot,
        policy=world.policy(evaluation.policy.edition, human.policy(), version=9, state="draft"),
        verdict="closed",
        criteria=[],
        facets=[],
        evaluated_at=evaluation.evaluated_at,
    )
    forged = Release.objects.create(
        kind="ranking",
        collection=candidate.collection,
        evaluation=closed,
        content=candidate.content,
        digest=candidate.digest,
        sealed_by="editor",
        sealed_at=candidate.sealed_at,
    )
    assert refusal(lambda: publish.request(release=forged, by=publisher, reason="Now.")) == "gate-closed"


def test_a_candidate_is_not_published_once_the_evidence_closes_the_gate(
    candidate: Release, editor: User, publisher: User
) -> None:
    """An exclusion after sealing: the page says it, and no worker passes it."""
    wish = publish.request(release=candidate, by=publisher, reason="Now.")
    exclusions.exclude(
        scope="lineage", target="alpaca-eval-2", type="contaminated", reason="Leaked.", lift_condition="A re-run.",
        by=editor,
    )  # fmt: skip
    with pytest.raises(Refused, match="closed on the evidence as it stands now: independence"):
        confirm.plan(Publish(candidate.pk), publisher)
    answered = publish.answer(wish=wish)
    assert (answered.state, Publication.objects.count()) == ("refused", 0)
    assert "closed on the evidence as it stands now" in answered.answer


def test_what_moved_since_sealing_stands_on_the_page_and_makes_it_stale(
    candidate: Release, editor: User, publisher: User
) -> None:
    signed = Ticket.issue(Publish(candidate.pk), confirm.plan(Publish(candidate.pk), publisher), publisher)
    result = Result.objects.filter(contract__key="alpaca-eval-2.win-rate", configuration__model__name="GPT 4").get()
    exclusions.exclude(
        scope="result", target=str(result.pk), type="unverified", reason="Unseen.", lift_condition="Seen.", by=editor
    )
    with pytest.raises((Stale, Refused)):
        confirm.confirm(signed, by=publisher, typed=candidate.collection.slug, reason="Now.")  # type: ignore[union-attr]


def test_a_candidate_of_an_earlier_policy_is_not_published(candidate: Release, publisher: User) -> None:
    evaluation = candidate.evaluation
    assert evaluation
    GatePolicy.objects.filter(pk=evaluation.policy_id).update(state="retired")
    world.policy(evaluation.policy.edition, human.policy(), version=2)
    assert refusal(lambda: publish.request(release=candidate, by=publisher, reason="Now.")) == "policy-changed"


def test_a_candidate_that_follows_another_ranking_is_not_published(
    candidate: Release, collection: Collection, publisher: User
) -> None:
    drop_result(collection, contract__key="alpaca-eval-2.win-rate", configuration__model__name="GPT 4")
    first = Release.objects.get(pk=candidate.pk)
    second = Release.objects.create(
        kind="ranking",
        collection=collection,
        evaluation=first.evaluation,
        content=first.content.replace("General assistance", "General help"),
        digest="1" * 64,
        sealed_by="editor",
        sealed_at=first.sealed_at,
    )
    world.publish(second)
    third = Release.objects.create(
        kind="ranking",
        collection=collection,
        evaluation=first.evaluation,
        content=first.content,
        digest=first.digest,
        sealed_by="editor",
        sealed_at=first.sealed_at,
    )
    assert refusal(lambda: publish.request(release=third, by=publisher, reason="Now.")) == "other-predecessor"


def test_a_live_ranking_is_not_behind_itself_and_nothing_new_is_refused(
    candidate: Release, collection: Collection, editor: User, publisher: User
) -> None:
    world.publish(candidate)
    collection.refresh_from_db()
    assert behind.behind(collection) == []
    again = seal.seal(collection=collection, by=editor, kind="ranking")
    assert again.digest == candidate.digest
    assert refusal(lambda: publish.request(release=again, by=publisher, reason="Again.")) == "nothing-new"


# Later releases ---------------------------------------------------------------------------------------------------


def second(collection: Collection, editor: User) -> Publication:
    """One value less: the row assumes, its range widens, everybody keeps their score."""
    drop_result(collection, contract__key="alpaca-eval-2.win-rate", configuration__model__name="Guanaco (33B)")
    return world.publish(seal.seal(collection=collection, by=editor, kind="ranking"))


def test_a_later_ranking_keeps_panel_pool_and_constants(
    candidate: Release, collection: Collection, editor: User
) -> None:
    first = world.publish(candidate)
    then, now = told(candidate)["ranking"], told(second(collection, editor).release)["ranking"]
    assert [now[name] for name in ("panel", "pool", "constants")] == [
        then[name] for name in ("panel", "pool", "constants")
    ]
    assert now["previous"] == first.release.digest
    assert now["changes_since_first_look"]["evidence_changes"] == 1
    scores = {row["model"]: row["score"] for row in then["rows"]}
    moved = [row["model"] for row in now["rows"] if row["score"] != scores[row["model"]]]
    assert moved == ["Guanaco (33B)"]
    evaluation = Publication.objects.get(number=2).release.evaluation
    assert evaluation
    stability = next(row for row in evaluation.criteria if row["code"] == "stability")
    assert [part["code"] for part in stability["parts"]][-3:] == ["later-tau", "later-reversals", "old-leader"]


def test_what_a_later_ranking_changed(candidate: Release, collection: Collection, editor: User) -> None:
    world.publish(candidate)
    changed = diff.between(told(candidate), told(second(collection, editor).release))
    assert "Guanaco (33B)" in [row["model"] for row in changed["moved"]]
    assert [row["contract"] for row in changed["evidence_gone"]] == ["alpaca-eval-2.win-rate"]
    empty = ("rows_in", "rows_out", "evidence_added", "comparisons", "policy", "weights", "exclusions_added")
    assert [changed[name] for name in empty] == [[]] * len(empty)


def test_a_configuration_outside_the_pool_moves_nobody(
    candidate: Release, collection: Collection, editor: User
) -> None:
    """METHOD 1: the sealed pool. A newcomer's comparisons and values change no other score by one digit."""
    world.publish(candidate)
    world.add_newcomer(collection)
    newer = told(seal.seal(collection=collection, by=editor, kind="ranking"))["ranking"]
    before = {row["configuration"]: row for row in told(candidate)["ranking"]["rows"]}
    same = ("score", "standard_error", "low", "high", "contributions")
    for row in newer["rows"]:
        if row["configuration"] != world.NEWCOMER:
            assert [row[name] for name in same] == [before[row["configuration"]][name] for name in same]
    assert len(newer["rows"]) == 13
    assert diff.between(told(candidate), {**told(candidate), "ranking": newer})["rows_in"][0]["model"] == "Newcomer"


def test_a_withdrawn_ranking_sets_no_scale(candidate: Release, collection: Collection, editor: User) -> None:
    world.publish(candidate)
    Publication.objects.update(
        state="withdrawn", withdrawn_by="publisher", withdrawn_at=candidate.sealed_at, withdrawal_reason="Wrong."
    )
    assert snapshot.take(collection).sealed is None


def test_an_unavailable_row_is_listed_apart_and_still_sets_the_scale(
    candidate: Release, collection: Collection, editor: User
) -> None:
    world.publish(candidate)
    Configuration.objects.filter(model__name=GONE).update(availability="unavailable")
    newer = told(seal.seal(collection=collection, by=editor, kind="ranking"))["ranking"]
    assert [(row["model"], row["code"]) for row in newer["apart"]] == [(GONE, "not-available")]
    assert newer["panel"] == told(candidate)["ranking"]["panel"]


def test_the_commands_publish_then_supersede(collection: Collection, editor: User, publisher: User) -> None:
    said: dict[str, Any] = {"by": "publisher", "reason": "Ready.", "confirm": world.SLUG, "kind": "ranking"}
    call_command("seal", world.SLUG, kind="ranking", by="editor")
    with pytest.raises(CommandError, match="nothing-live"):
        call_command("supersede", world.SLUG, **said)
    call_command("publish", world.SLUG, **said)
    drop_result(collection, contract__key="alpaca-eval-2.win-rate", configuration__model__name="Guanaco (33B)")
    call_command("seal", world.SLUG, kind="ranking", by="editor")
    call_command("supersede", world.SLUG, **said)
    assert list(Publication.objects.order_by("number").values_list("number", "state")) == [
        (1, "superseded"),
        (2, "live"),
    ]


# Sealed is sealed -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("statement", ["UPDATE ranking_release SET content = '{}'", "DELETE FROM ranking_release"])
def test_raw_sql_on_a_ranking_is_refused(candidate: Release, statement: str) -> None:
    with pytest.raises(IntegrityError, match="sealed"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


def test_the_orm_and_querysets_on_a_ranking_are_refused(candidate: Release) -> None:
    candidate.content = "{}"
    with pytest.raises(IntegrityError), transaction.atomic():
        candidate.save()
    with pytest.raises(IntegrityError), transaction.atomic():
        candidate.delete()
    with pytest.raises(TypeError):
        Release.objects.filter(kind="ranking").update(content="{}")
    with pytest.raises(TypeError):
        Release.objects.filter(kind="ranking").delete()


def test_the_admin_neither_changes_nor_deletes_a_ranking(candidate: Release, admin: User, client: Any) -> None:
    client.force_login(admin)
    address = f"/admin/ranking/release/{candidate.pk}"
    client.post(f"{address}/change/", {"content": "{}"})
    client.post(f"{address}/delete/", {"post": "yes"})
    assert Release.objects.get(pk=candidate.pk).content == candidate.content


def test_weights_are_still_whole(collection: Collection, editor: User) -> None:
    Facet.objects.filter(collection=collection).update(weight="99.5")
    assert refusal(lambda: seal.seal(collection=collection, by=editor, kind="ranking")) == "weights-not-100"
