"""Pages in a real browser: accessible in light, dark and on a phone, and nothing is blocked or scrolls sideways."""

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from ranking.models import Publication
from registry import models
from tests.ranking.public import ranked, world

pytestmark = pytest.mark.browser

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
SETTINGS = {"light": (1280, "light"), "dark": (1280, "dark"), "phone": (390, "light")}


@pytest.fixture
def addresses(transactional_db: None) -> list[str]:
    world.build()
    world.publish("self-service")
    gone = world.publish()
    models.Collection.objects.update(summary="Said anew.")
    live = world.publish()
    world.withdraw(gone)
    ranking = ranked.publish("self-service", ranked.demonstrate)
    assert ranking.predecessor
    return [
        *("/", "/evidence/", "/exclusions/", "/method/", "/policy/", "/releases/", "/overall/", "/nowhere/"),
        *("/lineages/", "/contracts/", "/atoms/", "/models/"),
        "/api/v1/docs/",
        f"/categories/{world.SLUG}/",
        f"/categories/{world.SLUG}/de-escalation/",
        f"/evidence/{world.MAPPING}/",
        f"/benchmarks/{world.BENCHMARK}/",
        f"/lineages/{world.LINEAGE}/",
        "/contracts/v0.8.main.customer_support.pass_at_1/",
        "/atoms/support_ux/",
        "/categories/self-service/",
        "/categories/self-service/de-escalation/",
        "/models/aster/vega-3/",
        f"/embed/{ranking.identifier[:12]}/",
        f"/releases/{ranking.predecessor.identifier[:12]}/diff/{ranking.identifier[:12]}/",
        *map(_permanent, (live, gone, ranking)),
    ]


def _permanent(publication: Publication) -> str:
    return f"/releases/{publication.identifier[:12]}/"


@pytest.mark.parametrize("setting", SETTINGS)
def test_pages_are_accessible(addresses: list[str], live_server: Any, browser: Any, setting: str) -> None:
    width, scheme = SETTINGS[setting]
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page, complaints = context.new_page(), []
    page.on("console", lambda message: complaints.append(message.text))
    for address in addresses:
        status = page.goto(live_server.url + address).status
        page.evaluate("document.querySelectorAll('details').forEach(found => { found.open = true; })")
        found = Axe().run(page, options=RULES)
        assert not found.response["violations"], (address, found.generate_report())
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{address} scrolls sideways"
        assert status == 200 or complaints.pop(), "a browser tells of the status itself"
    context.close()
    assert not complaints


def test_no_table_of_a_long_page_scrolls_on_a_phone(addresses: list[str], live_server: Any, browser: Any) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 900})
    page = context.new_page()
    wider = "[...document.querySelectorAll('.table')].filter(one => one.scrollWidth > one.clientWidth + 1).length"
    for address in (
        f"/evidence/{world.MAPPING}/",
        f"/categories/{world.SLUG}/",
        "/exclusions/",
        "/policy/",
        "/releases/",
        "/categories/self-service/",
    ):
        page.goto(live_server.url + address)
        page.evaluate("document.querySelectorAll('details').forEach(found => { found.open = true; })")
        assert page.evaluate(wider) == 0, address
    context.close()


def test_the_keyboard_reaches_the_content_first(addresses: list[str], live_server: Any, page: Any) -> None:
    page.goto(f"{live_server.url}/categories/{world.SLUG}/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
