"""Permanent pages: live, superseded, withdrawn."""

import pytest
from django.test import Client

from ranking.models import Publication
from registry import models
from tests.ranking.public import markup, world
from tests.ranking.public.conftest import Read


def address(publication: Publication, digits: int = 12) -> str:
    return f"/releases/{publication.identifier[:digits]}/"


def test_a_permanent_page_shows_all_that_its_release_says(site: None, read: Read) -> None:
    publication = Publication.objects.get(collection__slug=world.SLUG)
    page = read(address(publication))
    said = markup.facts(page)
    assert said["Identifier"] == publication.identifier
    assert said["Digest of its content"] == publication.release.digest
    assert said["Supersedes"] == "nothing: the first of its category"
    assert "This is the live release of its category" in page.text
    assert "There is no ranking here" in page.text
    assert [record.first("code").text for record in page.all("article")] == [world.MAPPING]
    assert len(markup.table(page, "Thresholds, each with its reason")) == len(world.THRESHOLDS) + 1
    assert markup.table(page, "The gate, for De-escalation alone")
    assert read(address(publication, 64)).first("h1").text == page.first("h1").text


def test_a_superseded_page_shows_what_it_said_then_and_leads_to_the_live_one(site: None, read: Read) -> None:
    old = Publication.objects.get(collection__slug=world.SLUG)
    models.Collection.objects.filter(slug=world.SLUG).update(summary="Said anew.")
    new = world.publish(reason="Corrected summary.")
    page = read(address(old))
    assert "Superseded." in page.text
    assert "Accurate, policy-aware support." in page.text
    assert "Said anew." not in page.text
    assert any(link.attributes["href"] == address(new) for link in page.all("a"))
    assert read(address(new)).text.count("Corrected summary.") == 1
    difference = f"{address(old)}diff/{new.identifier[:12]}/"
    assert any(link.attributes["href"] == difference for link in read(address(new)).all("a"))
    assert "Nothing that is compared here differs" in read(difference).text
    assert markup.facts(read(address(new)))["Supersedes"] == old.identifier[:12]


def test_what_a_status_counts_is_compared_though_it_shows_no_values(site: None, read: Read) -> None:
    old = Publication.objects.get(collection__slug=world.SLUG)
    result = models.Result.objects.get(contract__key="v0.8.main.customer_support.pass_at_1")
    world.exclude("result", str(result.pk), "unverified", "Nobody has checked it.")
    models.EvidenceMapping.objects.filter(collection__slug=world.SLUG).update(role="supporting")
    new = world.publish(reason="Excluded.")
    page = read(f"{address(old)}diff/{new.identifier[:12]}/")
    assert "Nothing that is compared here differs" not in page.text
    asked = ["External evidence", "met: 1, at least 1 asked", "not met: 0, at least 1 asked"]
    assert asked in markup.table(page, "Criteria of the gate")
    assert markup.table(page, "Evidence of the facets")[1:] == [
        ["Diagnosis and resolution", "Its evidence is not complete", "No evidence speaks for it yet"]
    ]
    assert markup.table(page, "Benchmarks that are mapped, by role")[1:] == [[world.MAPPING, "primary", "supporting"]]
    assert markup.table(page, "How much is on record and counts")[1:] == [["Results that count", "1", "0"]]
    [[what, *_]] = markup.table(page, "Exclusions made")[1:]
    assert f"result {result.pk} v0.8.main.customer_support.pass_at_1 of maker/hidden-9@high" in what


def test_a_permanent_page_links_to_nothing_that_may_go(site: None, client: Client, read: Read) -> None:
    """Its benchmark, facets and lineages may have left the live releases."""
    old = Publication.objects.get(collection__slug=world.SLUG)
    models.Facet.objects.filter(collection__slug=world.SLUG, slug="de-escalation").update(slug="calming")
    world.publish()
    for link in read(address(old)).first("main").all("a"):
        target = link.attributes["href"]
        assert target.startswith(("https://", "#")) or client.get(target).status_code == 200, target


def test_a_withdrawn_release_leaves_a_tombstone_with_its_reason(site: None, read: Read) -> None:
    publication = Publication.objects.get(collection__slug=world.SLUG)
    world.withdraw(publication, "Its source was retracted.")
    for gone in (address(publication), f"/categories/{world.SLUG}/", f"/categories/{world.SLUG}/de-escalation/"):
        page = read(gone, status=410)
        assert "Customer Support & Service Resolution was withdrawn" in page.text
        assert "Its source was retracted." in page.text
        assert "Diagnosis and resolution" not in page.text, "what it said is gone with it"
    assert "Withdrawn" in read("/").text
    assert "Its source was retracted." in read("/releases/").text
    assert "Its source was retracted." in read("/overall/").text


def test_what_only_a_withdrawn_category_carried_is_gone_with_it(site: None, read: Read) -> None:
    shared = [f"/lineages/{world.LINEAGE}/", f"/benchmarks/{world.BENCHMARK}/", "/atoms/support_ux/"]
    first, second = Publication.objects.order_by("pk")
    world.withdraw(first, "Its source was retracted.")
    page = read(f"/evidence/{world.MAPPING}/", status=410)
    assert "Its source was retracted." in page.text
    assert "STATE-Bench customer support" not in page.text, "what it said is gone with it"
    assert all(read(address) for address in shared), "another category carries them"
    read(f"/evidence/{world.SECOND}/")
    world.withdraw(second, "Sealed too early.")
    assert all("was withdrawn" in read(address, status=410).text for address in shared)
    read("/lineages/never-published/", status=404)


def test_a_withdrawn_category_comes_back_with_its_next_publication(site: None, read: Read) -> None:
    publication = Publication.objects.get(collection__slug=world.SLUG)
    world.withdraw(publication)
    models.Collection.objects.filter(slug=world.SLUG).update(summary="Said anew.")
    world.publish()
    assert "Said anew." in read(f"/categories/{world.SLUG}/").text
    assert "was withdrawn" in read(address(publication), status=410).text


def test_a_superseded_page_of_a_withdrawn_category_says_that_none_is_live(site: None, read: Read) -> None:
    old = Publication.objects.get(collection__slug=world.SLUG)
    models.Collection.objects.filter(slug=world.SLUG).update(summary="Said anew.")
    world.withdraw(world.publish())
    assert "No release of the category is live" in read(address(old)).text


@pytest.mark.parametrize("identifier", ["0" * 12, "0" * 11, "A" * 12, "g" * 12, "0" * 65])
def test_what_names_no_release_is_not_found(site: None, client: Client, identifier: str) -> None:
    assert client.get(f"/releases/{identifier}/").status_code == 404


def test_the_list_holds_every_publication_newest_first(site: None, read: Read) -> None:
    models.Collection.objects.filter(slug=world.SLUG).update(summary="Said anew.")
    world.publish(reason="Corrected summary.")
    rows = markup.table(read("/releases/"), "Publications, newest first")[1:]
    assert [(row[1], row[4], row[5]) for row in rows] == [
        ("Customer Support & Service Resolution, number 2", "live", "Corrected summary."),
        ("Self-service guidance, number 1", "live", "First publication."),
        ("Customer Support & Service Resolution, number 1", "superseded", "First publication."),
    ]
