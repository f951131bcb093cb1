"""The overall leaderboard: sealed from three live rankings, published by another person, checked by a stranger."""

import csv
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction
from django.test import Client

from ranking import canonical
from ranking.actions import overall, publish, seal, withdraw
from ranking.bundle import checker, releases, verification
from ranking.bundle.archive import MANIFEST, with_manifest
from ranking.bundle.members import CONTENT, Files, Named, readme
from ranking.decisions import Publish
from ranking.identity import identifier, release_digest
from ranking.models import Publication, Release
from ranking.overall_decisions import SealOverall
from registry import confirm, jobs
from registry.actions.base import Refused
from registry.models import AuditEvent, Collection
from tests import registries
from tests.desk import address, confirmed, text_of
from tests.ranking import human_world as world

SLUGS = ("coding", "helpfulness-demo", "writing")
THIRD = 100 / 3


def _build() -> None:
    """Three categories on the same evidence, all ranked."""
    first = world.build()
    for collection in (first, *(world.another(first, slug) for slug in SLUGS if slug != first.slug)):
        world.publish(seal.seal(collection=collection, by=world.person("sealer"), kind="ranking"))


built = registries.once_a_module(_build)


@pytest.fixture
def candidate(built: None, editor: User) -> Release:
    return overall.seal_overall(by=editor)


@pytest.fixture
def live(candidate: Release, publisher: User) -> Publication:
    confirm.carry_out(Publish(candidate.pk), by=publisher, typed="overall", reason="Three categories rank.")
    jobs.run_waiting()
    return Publication.objects.get(release=candidate)


def told(release: Release) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(release.content)
    return content


def refusal(act: Any) -> str:
    with pytest.raises(Refused) as refused, transaction.atomic():
        act()
    return refused.value.code


# Sealing --------------------------------------------------------------------------------------------------------------


def test_it_averages_what_every_live_ranking_ranks(candidate: Release) -> None:
    content = told(candidate)
    assert [(one["slug"], one["weight"], one["weakened"]) for one in content["facets"]] == [
        (slug, "33.333333", True) for slug in SLUGS
    ]
    rows = content["ranking"]["rows"]
    alone = json.loads(Publication.objects.get(collection__slug=SLUGS[0]).release.content)["ranking"]["rows"]
    assert [row["configuration"] for row in rows] == [row["configuration"] for row in alone]
    assert {row["model"] for row in rows} == {row["model"] for row in alone}
    # The same category three times: standardised on its twelve rows it has mean 50 and standard deviation 10 ...
    scores = [row["score"] for row in rows]
    assert sum(scores) / 12 == pytest.approx(50, abs=1e-6)
    assert sum((score - 50) ** 2 for score in scores) / 11 == pytest.approx(100, abs=1e-4)
    # ... and is no surer for being there three times.
    assert [(row["rank_low"], row["rank_high"]) for row in rows] == [
        (row["rank_low"], row["rank_high"]) for row in alone
    ]
    for row in rows:
        assert sum(part["points"] for part in row["contributions"]) == pytest.approx(row["score"] - 50, abs=1e-5)
    assert {one["group"]: round(one["weight"], 6) for one in content["ranking"]["group_weights"]}["first-party"] == (
        pytest.approx(THIRD / 100, abs=1e-6)
    )


def test_the_same_again_is_the_same_candidate(candidate: Release, editor: User, viewer: User) -> None:
    assert overall.seal_overall(by=editor) == candidate
    plan = confirm.plan(SealOverall(), editor)
    assert plan.total == "12 configurations rank in all of 3 categories."
    with pytest.raises(Exception, match="may not"):
        confirm.plan(SealOverall(), viewer)


def test_with_two_categories_there_is_none(built: None, editor: User, client: Client) -> None:
    gone = Publication.objects.get(collection__slug=SLUGS[0])
    withdraw.withdraw(publication=gone, by=world.person("presser"), reason="A mistake.")
    assert refusal(lambda: overall.seal_overall(by=editor)) == "too-few-categories"
    assert "There is no answer here" in text_of(client.get("/overall/"))


# Publishing -----------------------------------------------------------------------------------------------------------


def test_it_takes_another_person_at_level_three(candidate: Release, editor: User, publisher: User) -> None:
    assert Publish(candidate.pk).level == 3
    assert refusal(lambda: publish.check(candidate, editor)) == "own-seal"
    plan = confirm.plan(Publish(candidate.pk), publisher)
    assert plan.consequences[0].rows == [("/overall/", "absent", "new text")]


def test_the_queue_leads_a_publisher_to_it(candidate: Release, publisher: User, editor: User, client: Client) -> None:
    client.force_login(publisher)
    assert f"All categories that rank overall leaderboard {candidate.digest[:12]}" in text_of(client.get("/admin/"))
    assert f"/admin/confirm/publish/?release={candidate.pk}" in client.get(address(candidate)).content.decode()
    client.force_login(editor)
    assert "/admin/confirm/publish/" not in client.get(address(candidate)).content.decode()


def test_the_queue_leads_an_editor_to_seal_it_as_long_as_it_would_be_another(
    built: None, editor: User, viewer: User, client: Client
) -> None:
    button = "/admin/confirm/seal-overall/"
    client.force_login(viewer)
    assert "Overall leaderboard to seal 1" in text_of(client.get("/admin/"))
    assert button not in client.get("/admin/").content.decode()
    client.force_login(editor)
    assert "Coding, General assistance, Writing nothing" in text_of(client.get("/admin/"))
    assert button in client.get("/admin/").content.decode()
    outcome = client.get(confirmed(client, client.get(button))["Location"])
    assert "A publisher decides about it." in text_of(outcome)
    assert button not in client.get("/admin/").content.decode()
    world.publish(Release.objects.get(kind="overall"))
    assert "It averages the 3 live rankings" in text_of(client.get("/admin/"))
    withdraw.withdraw(
        publication=Publication.objects.get(collection__slug=SLUGS[0]), by=world.person("presser"), reason="A mistake."
    )
    assert "It takes 3 live rankings. Live now: 2." in text_of(client.get("/admin/"))


def test_published_it_has_a_number_and_a_name_of_its_own(live: Publication) -> None:
    assert (live.number, live.collection, live.state) == (1, None, "live")
    assert AuditEvent.objects.filter(verb="publish", object_key=str(live.release)).exists()


def test_it_is_refused_when_a_category_moved_on(candidate: Release, publisher: User) -> None:
    gone = Publication.objects.get(collection__slug=SLUGS[1])
    withdraw.withdraw(publication=gone, by=publisher, reason="A mistake.")
    assert refusal(lambda: publish.check(candidate, publisher)) == "other-categories"


def test_the_database_has_one_live_and_no_number_twice(live: Publication) -> None:
    for number, state in ((1, "superseded"), (2, "live")):
        sealed = Release.objects.create(
            kind="overall", content="{}", digest="0" * 64, sealed_by="editor", sealed_at=live.published_at
        )
        with pytest.raises(IntegrityError), transaction.atomic():
            Publication.objects.create(
                release=sealed, number=number, state=state, identifier="f" * 64, published_at=live.published_at
            )


def test_what_is_sealed_stays(live: Publication) -> None:
    for statement in ("UPDATE ranking_release SET content = '{}'", "DELETE FROM ranking_release"):
        with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"{statement} WHERE id = {live.release_id}")


# Pages ----------------------------------------------------------------------------------------------------------------


def test_page_json_csv_and_database_say_the_same(live: Publication, client: Client) -> None:
    rows = told(live.release)["ranking"]["rows"]
    address = f"/api/v1/releases/{live.identifier[:12]}/rows/"
    assert client.get(address).json()["rows"] == rows
    table = list(csv.DictReader(io.StringIO(client.get(f"{address}?format=csv").content.decode())))
    assert [float(row["score"]) for row in table] == [row["score"] for row in rows]
    for page in ("/overall/", f"/releases/{live.identifier[:12]}/"):
        response = client.get(page)
        said = text_of(response)
        assert response.status_code == 200
        for row in rows:
            assert row["model"] in said
            assert f"{row['score']:.1f}" in said
        assert "It names no best model" in said
        assert "a demonstration that asks less" in said
        assert '<svg class="plot"' in response.content.decode()
        assert '<svg class="bar"' in response.content.decode()


def test_the_api_names_it(live: Publication, client: Client) -> None:
    found = client.get("/api/v1/overall/").json()
    assert (found["release"], found["reason"], found["contributing"]) == (live.identifier, None, list(SLUGS))
    assert client.get(f"/api/v1/releases/{live.identifier}/").json()["content"] == told(live.release)
    assert client.get(f"/api/v1/releases/{live.identifier}/evidence/").status_code == 404
    for page in ("/", "/releases/", "/feed.atom", "/sitemap.xml", "/method/"):
        assert client.get(page).status_code == 200
    assert "An average over 3 categories" in text_of(client.get("/"))


def test_a_category_that_is_gone_is_marked_and_the_bundle_with_it(live: Publication, client: Client) -> None:
    gone = Publication.objects.get(collection__slug=SLUGS[1])
    withdraw.withdraw(publication=gone, by=world.person("presser"), reason="A mistake.")
    assert "The ranking that was averaged is not live any more." in text_of(client.get("/overall/"))
    assert client.get(f"/api/v1/releases/{live.identifier}/bundle/").status_code == 404


def test_withdrawn_it_leaves_a_tombstone(live: Publication, client: Client) -> None:
    withdraw.withdraw(publication=live, by=world.person("presser"), reason="The scale was wrong.")
    assert client.get(f"/releases/{live.identifier[:12]}/").status_code == 410
    assert "The scale was wrong." in text_of(client.get("/overall/"))


# Checking -------------------------------------------------------------------------------------------------------------


def test_a_stranger_recomputes_it(live: Publication, tmp_path: Path) -> None:
    body = releases.bundle(live)
    assert verification.verify_zip(body) == []
    (tmp_path / "overall.zip").write_bytes(body)
    (tmp_path / "check.pyz").write_bytes(checker.content())
    command = [sys.executable, str(tmp_path / "check.pyz"), str(tmp_path / "overall.zip")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "Everything agrees: bytes, names, gate and figures.\n")


def test_a_moved_figure_and_another_category_are_named(live: Publication) -> None:
    found = dict(releases.files(live))
    content = told(live.release)
    content["ranking"]["rows"][0]["score"] += 0.00001
    assert [fault.where for fault in verification.verify_files(_sealed_anew(live, found, content))] == [
        "ranking.rows[0].score"
    ]
    found["writing/content.json"] = found["coding/content.json"]
    assert "writing/content.json" in [
        fault.where for fault in verification.verify_files(_sealed_anew(live, found, told(live.release)))
    ]


def _sealed_anew(live: Publication, found: Files, content: dict[str, Any]) -> Files:
    """With a manifest and names that fit, so that only the figures can give it away."""
    body = canonical.text(content)
    digest = release_digest("overall", body)
    named = Named("overall", "overall", live.number, identifier(digest, live.number, ""), digest, "")
    parts = {f"{name}.json": canonical.text(content[name]).encode() for name in ("policy", "ranking")}
    files = {name: one for name, one in found.items() if name != MANIFEST}
    return with_manifest(named, files | parts | {CONTENT: body.encode(), "README.txt": readme(named).encode()})


def test_as_commands(built: None, editor: User, publisher: User, capsys: Any) -> None:
    call_command("seal", "overall", "--by", "editor")
    call_command(
        "publish", "overall", "--kind", "overall", "--confirm", "overall", "--by", "publisher", "--reason", "Ready."
    )
    assert "Published as number 1." in capsys.readouterr().out
    call_command("verify", "--chain")
    assert Collection.objects.filter(slug="overall").count() == 0
