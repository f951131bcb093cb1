"""What machines read: feed, map, robots, whom to tell."""

from datetime import UTC, datetime
from xml.etree import ElementTree as ET

import pytest
from django.conf import LazySettings
from django.test import Client

from ranking.bundle import checker
from ranking.models import Publication
from tests.ranking.public import world
from tests.ranking.public.test_markup import crawl

ATOM = {"a": "http://www.w3.org/2005/Atom"}
MAP = {"m": "http://www.sitemaps.org/schemas/sitemap/0.9"}


def test_the_feed_holds_publications_and_withdrawals(site: None, client: Client) -> None:
    gone = Publication.objects.get(collection__slug=world.SLUG)
    world.withdraw(gone, "Its source was <retracted>.")
    response = client.get("/feed.atom")
    assert response["Content-Type"].startswith("application/atom+xml")
    entries = ET.fromstring(response.content).findall("a:entry", ATOM)
    told = [[entry.findtext(f"a:{part}", namespaces=ATOM) for part in ("title", "summary", "id")] for entry in entries]
    where = "http://127.0.0.1:8000/releases"
    assert told[1] == [
        "Customer Support & Service Resolution: evidence status, release 1 (withdrawn)",
        "Its source was <retracted>.",
        f"{where}/{gone.identifier[:12]}/",
    ]
    assert told[0][0] == "Self-service guidance: evidence status, release 1"
    assert len(told) == 2


def test_the_map_holds_every_live_page_that_links_lead_to(site: None, client: Client) -> None:
    response = client.get("/sitemap.xml")
    listed = {found.text for found in ET.fromstring(response.content).findall("m:url/m:loc", MAP)}
    assert listed == {f"http://127.0.0.1:8000{address}" for address in crawl(client)}


def test_robots_may_read_the_public_pages(client: Client) -> None:
    told = client.get("/robots.txt").content.decode()
    assert "Disallow: /admin/" in told
    assert "Sitemap: http://127.0.0.1:8000/sitemap.xml" in told


def test_security_reports_have_an_address_that_holds_for_a_while(client: Client, settings: LazySettings) -> None:
    settings.SECURITY_CONTACT = "mailto:security@example.org"
    told = dict(line.split(": ", 1) for line in client.get("/.well-known/security.txt").content.decode().splitlines())
    assert told["Contact"] == "mailto:security@example.org"
    assert 100 < (datetime.fromisoformat(told["Expires"]) - datetime.now(UTC)).days < 365


@pytest.mark.django_db
def test_without_a_contact_there_is_no_such_page(client: Client) -> None:
    assert client.get("/.well-known/security.txt").status_code == 404


def test_the_check_of_bundles_is_there_for_everybody(site: None, client: Client) -> None:
    answer = client.get("/check.pyz")
    assert (answer.status_code, answer.content) == (200, checker.content())
    assert answer["Content-Disposition"] == 'attachment; filename="check.pyz"'
    publication = Publication.objects.get(collection__slug=world.SLUG)
    assert 'href="/check.pyz"' in client.get(f"/releases/{publication.identifier[:12]}/").content.decode()
