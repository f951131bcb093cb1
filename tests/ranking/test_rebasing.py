"""Re-basing: a ranking that finds panel, pool and constants anew, because an editor says why."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.core.management import CommandError, call_command
from django.db import transaction
from django.test import Client

from ranking import behind, diff, snapshot
from ranking.actions import recompute, seal
from ranking.bundle import releases
from ranking.bundle.verification import moved, verify_zip
from ranking.decisions import Publish, Seal
from ranking.models import Publication, Release
from registry import confirm
from registry.actions.base import Refused
from registry.models import AuditEvent, Collection, Comparison, Configuration, Result
from tests import registries
from tests.desk import address, confirmed, text_of
from tests.ranking import human_world as world

WHY = "Guanaco has no win rate any more."
GUANACO = "Guanaco (33B)"
SCALE = ("panel", "pool", "constants")


def _build() -> Publication:
    """A live ranking, one of whose panel has lost a value since."""
    collection = world.build()
    return world.publish(seal.seal(collection=collection, by=world.person("sealer"), kind="ranking"))


built = registries.once_a_module(_build)


@pytest.fixture
def first(built: Publication, db: None) -> Publication:
    found = Result.objects.filter(contract__key="alpaca-eval-2.win-rate", configuration__model__name=GUANACO)
    assert found.update(state="retired") == 1
    return Publication.objects.get(pk=built.pk)


@pytest.fixture
def collection(first: Publication) -> Collection:
    return Collection.objects.get(slug=world.SLUG)


@pytest.fixture
def rebased(collection: Collection, editor: User) -> Release:
    return seal.seal(collection=collection, by=editor, kind="ranking", rebase=WHY)


def told(release: Release) -> dict[str, Any]:
    ranking: dict[str, Any] = json.loads(release.content)["ranking"]
    return ranking


def guanaco() -> str:
    return Configuration.objects.get(model__name=GUANACO).key


def refusal(act: Any) -> str:
    with pytest.raises(Refused) as refused, transaction.atomic():
        act()
    return refused.value.code


# Sealing --------------------------------------------------------------------------------------------------------------


def test_a_rebased_ranking_finds_its_scale_anew_and_says_why(
    first: Publication, rebased: Release, collection: Collection, editor: User
) -> None:
    before, after = told(first.release), told(rebased)
    assert set(before["panel"]) - set(after["panel"]) == {guanaco()}
    assert (len(before["panel"]), len(after["panel"]), len(after["pool"])) == (12, 11, 58)
    assert (after["previous"], after["rebased"], before["rebased"]) == (first.release.digest, WHY, "")
    rows = {row["configuration"]: row["score"] for row in after["rows"]}
    assert len(rows) == 12
    assert rows[guanaco()] != {row["configuration"]: row["score"] for row in before["rows"]}[guanaco()]
    # The scale is that of the panel: 50 is its mean.
    assert sum(rows[key] for key in after["panel"]) / 11 == pytest.approx(50, abs=1e-5)
    kept = told(seal.seal(collection=collection, by=editor, kind="ranking"))
    assert [kept[name] for name in SCALE] == [before[name] for name in SCALE]
    assert kept["rebased"] == ""


def test_it_is_still_held_against_the_ranking_before(rebased: Release) -> None:
    stability = next(row for row in json.loads(rebased.content)["gate"]["criteria"] if row["code"] == "stability")
    assert [part["code"] for part in stability["parts"]][-3:] == ["later-tau", "later-reversals", "old-leader"]


def test_the_reason_is_on_record(rebased: Release) -> None:
    event = AuditEvent.objects.get(verb="seal", by="editor")
    assert (event.reason, (event.after or {})["digest"]) == (WHY, rebased.digest)


def test_the_reason_is_part_of_what_is_sealed(rebased: Release, collection: Collection, editor: User) -> None:
    again = seal.seal(collection=collection, by=editor, kind="ranking", rebase=f"  {WHY.replace(' ', chr(10))} ")
    assert again == rebased
    other = seal.seal(collection=collection, by=editor, kind="ranking", rebase="It is narrower.")
    assert other.digest != rebased.digest


def test_what_follows_keeps_the_new_scale(rebased: Release, collection: Collection, editor: User) -> None:
    world.publish(rebased)
    assert behind.behind(Collection.objects.get(pk=collection.pk)) == []
    assert seal.seal(collection=collection, by=editor, kind="ranking").digest == rebased.digest
    world.add_newcomer(collection)
    third = told(seal.seal(collection=collection, by=editor, kind="ranking"))
    assert [third[name] for name in SCALE] == [told(rebased)[name] for name in SCALE]
    assert (third["rebased"], third["previous"]) == ("", rebased.digest)


def test_a_panel_without_evidence_closes_the_gate_until_it_is_rebased(collection: Collection, editor: User) -> None:
    """METHOD 7: a changed panel is refused; only an editor with a reason lets one of its members go."""
    Result.objects.filter(configuration__model__name=GUANACO).update(state="retired")
    Comparison.objects.filter(a__model__name=GUANACO).update(state="retired")
    Comparison.objects.filter(b__model__name=GUANACO).update(state="retired")
    answers = {row["code"]: row["reason"] for row in recompute.recompute(collection=collection).criteria}
    assert answers["reliability"] == "panel-changed"
    assert refusal(lambda: seal.seal(collection=collection, by=editor, kind="ranking")) == "gate-closed"
    found = told(seal.seal(collection=collection, by=editor, kind="ranking", rebase=WHY))
    assert (len(found["panel"]), len(found["rows"])) == (11, 11)


# Refused --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reason", "code"), [("", "no-reason"), (" \n ", "no-reason"), ("\u200b", "no-reason"), ("a\0b", "not-text")]
)
def test_without_a_reason_nothing_is_rebased(collection: Collection, editor: User, reason: str, code: str) -> None:
    assert refusal(lambda: seal.seal(collection=collection, by=editor, kind="ranking", rebase=reason)) == code


def test_who_may_not_seal_may_not_rebase(collection: Collection, publisher: User, viewer: User) -> None:
    for person in (publisher, viewer):
        with pytest.raises(PermissionDenied):
            seal.seal(collection=collection, by=person, kind="ranking", rebase=WHY)
        with pytest.raises(PermissionDenied):
            confirm.plan(Seal(world.SLUG, "ranking", WHY), person)


def test_a_first_ranking_and_a_status_have_nothing_to_rebase(
    first: Publication, collection: Collection, editor: User
) -> None:
    assert refusal(lambda: seal.seal(collection=collection, by=editor, rebase=WHY)) == "nothing-to-rebase"
    Publication.objects.update(
        state="withdrawn", withdrawn_by="publisher", withdrawn_at=first.published_at, withdrawal_reason="Wrong."
    )
    assert snapshot.ranked_before(collection) is None
    assert refusal(lambda: seal.seal(collection=collection, by=editor, kind="ranking", rebase=WHY)) == (
        "nothing-to-rebase"
    )


# What is said of it ---------------------------------------------------------------------------------------------------


def test_the_difference_says_that_scores_are_not_comparable(
    first: Publication, rebased: Release, client: Client
) -> None:
    changed = diff.between(json.loads(first.release.content), json.loads(rebased.content))
    assert (changed["panel_in"], changed["panel_out"]) == ([], [guanaco()])
    assert [row["name"] for row in changed["scale"]] == [
        f"{one['facet']} / {one['lineage']}" for one in told(rebased)["constants"]
    ]
    assert not diff.on_one_scale(changed)
    second = world.publish(rebased)
    page = text_of(client.get(f"/releases/{first.identifier[:12]}/diff/{second.identifier[:12]}/"))
    assert "Scores of the two are not comparable." in page
    assert f"Release 2 was re-based: {WHY}" in page
    assert f"Left the panel {guanaco()}" in page
    assert "helpfulness / arena-text mean 6.316, SD 0.429 mean 6.336, SD 0.444" in page
    api = client.get(f"/api/v1/releases/{first.identifier}/diff/{second.identifier}/").json()
    assert (api["panel_out"], len(api["scale"])) == ([guanaco()], 3)


def test_a_kept_panel_leaves_scores_comparable(
    first: Publication, collection: Collection, editor: User, client: Client
) -> None:
    second = world.publish(seal.seal(collection=collection, by=editor, kind="ranking"))
    changed = diff.between(json.loads(first.release.content), json.loads(second.release.content))
    assert (diff.on_one_scale(changed), bool(changed["moved"])) == (True, True)
    page = text_of(client.get(f"/releases/{first.identifier[:12]}/diff/{second.identifier[:12]}/"))
    assert "not comparable" not in page
    assert "Re-based" not in text_of(client.get(f"/releases/{second.identifier[:12]}/"))


def test_its_pages_say_so_and_lead_to_the_ranking_before(first: Publication, rebased: Release, client: Client) -> None:
    second = world.publish(rebased)
    for page in (f"/releases/{second.identifier[:12]}/", f"/categories/{world.SLUG}/"):
        answer = client.get(page)
        said = text_of(answer)
        assert "Re-based. Panel, pool and scale were found anew here" in said
        assert f"whose digest is {first.release.digest[:12]} ( release 1 ) and on another scale" in said
        assert f'href="/releases/{first.identifier[:12]}/"' in answer.content.decode()
        assert f"Why it was done: {WHY}" in said
    assert "Re-based" not in text_of(client.get(f"/releases/{first.identifier[:12]}/"))


def test_its_bundle_is_recomputed(rebased: Release) -> None:
    second = world.publish(rebased)
    assert verify_zip(releases.bundle(second)) == []
    assert list(releases.chain()) == []


def test_a_reason_that_was_changed_is_a_fault(rebased: Release) -> None:
    """The bundle has the reason twice, in the evidence and in what is said of it; they are held together."""
    second = world.publish(rebased)
    content, evidence = json.loads(rebased.content), json.loads(releases.snapshot_of(second))
    content["ranking"]["rebased"] = "Because."
    assert [fault.where for fault in moved(content, evidence)] == ["ranking.rebased"]


# Desk and commands ----------------------------------------------------------------------------------------------------


def test_the_desk_asks_for_a_reason_and_tells_what_becomes_of_scores(
    collection: Collection, editor: User, publisher: User, client: Client
) -> None:
    client.force_login(publisher)
    assert 'name="rebase"' not in client.get(address(collection)).content.decode()
    client.force_login(editor)
    assert 'name="rebase"' in client.get(address(collection)).content.decode()
    asked = {"collection": world.SLUG, "kind": "ranking"}
    refused = client.get("/admin/confirm/seal/", asked | {"rebase": " "})
    assert (refused.status_code, "Say why the panel is re-based" in text_of(refused)) == (409, True)
    plan = client.get("/admin/confirm/seal/", asked | {"rebase": WHY})
    said = text_of(plan)
    assert f"Why {WHY}" in said
    assert "not comparable with earlier ones" in said
    assert GUANACO not in said
    confirmed(client, plan)
    assert told(Release.objects.latest("pk"))["rebased"] == WHY


def test_the_desk_of_a_category_that_never_ranked_has_nothing_to_rebase(
    first: Publication, editor: User, client: Client
) -> None:
    client.force_login(editor)
    twin = world.another(Collection.objects.get(slug=world.SLUG), "writing")
    assert 'name="rebase"' not in client.get(address(twin)).content.decode()


def test_a_publisher_is_told_before_publishing(rebased: Release, publisher: User) -> None:
    headings = {one.heading: one.rows for one in confirm.plan(Publish(rebased.pk), publisher).consequences}
    assert headings["Re-based"][0] == ("Why", "", WHY)
    assert ("Left the panel", "", "1") in headings["Evidence, policy, weights"]


def test_the_command(first: Publication, editor: User) -> None:
    with pytest.raises(CommandError, match="no-reason"):
        call_command("seal", world.SLUG, kind="ranking", by="editor", rebase=True)
    with pytest.raises(CommandError, match="nothing-to-rebase"):
        call_command("seal", world.SLUG, by="editor", rebase=True, reason=WHY)
    with pytest.raises(CommandError, match="no panel of its own") as usage:
        call_command("seal", "overall", by="editor", rebase=True, reason=WHY)
    assert usage.value.returncode == 2
    call_command("seal", world.SLUG, kind="ranking", by="editor", rebase=True, reason=WHY)
    assert told(Release.objects.latest("pk"))["rebased"] == WHY
