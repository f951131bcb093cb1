"""The whole day in a browser: log in, open a mapping, import, preview, confirm, see the gate, publish, read the page.

Each step leaves a screenshot in `screenshots/`, which is not kept under version control.
"""

import re
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.contrib.auth.models import User

from ranking import registry_files
from ranking.models import Publication
from registry import jobs
from registry.models import EvidenceMapping, ImportBatch, Result

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

EXAMPLES = Path(settings.BASE_DIR) / "examples"
SHOTS = Path(settings.BASE_DIR) / "screenshots"
SLUG = "customer-service"
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]}


class Desk:
    """A person at a browser: every page they come to is checked, and looked at."""

    def __init__(self, browser: Any, url: str, name: str) -> None:
        self.url, self.name, self.step = url, name, 0
        self.complaints: list[str] = []
        self.context = browser.new_context(viewport={"width": 1280, "height": 900})
        self.page = self.context.new_page()
        self.page.on("console", lambda message: self.complaints.append(message.text))

    def open(self, path: str) -> None:
        answer = self.page.goto(self.url + path)
        assert answer.status == 200, (path, answer.status)

    def seen(self, what: str) -> None:
        assert not self.complaints, (what, self.complaints)
        self.step += 1
        SHOTS.mkdir(exist_ok=True)
        self.page.screenshot(path=SHOTS / f"{self.name}-{self.step:02}-{what}.png", full_page=True, caret="initial")
        found = Axe().run(self.page, options=RULES)
        assert not found.response["violations"], (what, found.generate_report())
        self.complaints.clear()  # what the two of them did to the page is not the page's

    def log_in(self) -> None:
        self.page.goto(self.url + "/admin/")
        self.page.get_by_label("Username").fill(self.name)
        self.page.get_by_label("Password").fill(self.name)
        self.page.get_by_role("button", name="Log in").click()
        self.seen("work-queue")

    def text(self) -> str:
        return str(self.page.locator("main, #content, body").first.inner_text())


@pytest.fixture
def registry(editor: User, publisher: User) -> None:
    registry_files.load(EXAMPLES / "registry", by=editor)
    jobs.run_waiting()


def test_from_a_file_to_the_public_page(registry: None, live_server: Any, browser: Any) -> None:
    _curate_import_and_seal(Desk(browser, live_server.url, "editor"))
    _publish(Desk(browser, live_server.url, "publisher"))
    _read(Desk(browser, live_server.url, "reader"))


def _curate_import_and_seal(desk: Desk) -> None:
    desk.log_in()
    mapping = EvidenceMapping.objects.get(collection__slug=SLUG, benchmark__key="state-bench-customer-support")
    desk.open(f"/admin/registry/evidencemapping/{mapping.pk}/change/")
    assert "machine-ready" in desk.page.content()
    desk.seen("mapping")

    desk.open("/admin/registry/importbatch/add/")
    desk.page.locator("input[type=file]").set_input_files(EXAMPLES / "data/statebench/statebench_results.csv")
    desk.page.get_by_label("Profile").select_option(label=_option(desk, "Profile", "statebench"))
    desk.seen("upload")
    desk.page.get_by_role("button", name="Read and judge").click()
    batch = ImportBatch.objects.get()
    assert "176 rows" in desk.text()
    assert (batch.status, Result.objects.count()) == ("staged", 0)
    desk.seen("preview")

    desk.page.get_by_role("link", name=re.compile("^Apply")).click()
    assert "132 of 176 rows would be written." in desk.text()
    assert "External evidence" in desk.text()
    desk.seen("confirm-import")
    desk.page.get_by_role("button", name="Apply import").click()
    assert Result.objects.count() == 132
    desk.seen("imported")
    jobs.run_waiting()

    collection = mapping.collection_id
    desk.open(f"/admin/registry/collection/{collection}/change/")
    assert "Eligible external results: 2." in desk.text()
    desk.seen("gate")
    desk.page.get_by_role("link", name=re.compile("^Seal")).click()
    desk.seen("confirm-seal")
    desk.page.get_by_role("button", name="Seal a candidate").click()
    desk.seen("sealed")


def _option(desk: Desk, label: str, text: str) -> str:
    options = desk.page.get_by_label(label).locator("option").all_inner_texts()
    return next(str(option) for option in options if text in option)


def _publish(desk: Desk) -> None:
    desk.log_in()
    assert "Customer Support" in desk.text()
    desk.page.get_by_role("link", name=re.compile("Customer Support")).first.click()
    desk.seen("desk")
    desk.page.get_by_role("link", name=re.compile("^Publish")).first.click()
    desk.seen("confirm-publish")
    desk.page.get_by_label(re.compile(f"Type {SLUG}")).fill("customer-servise")
    desk.page.get_by_label(re.compile("Reason")).fill("The first page of the category.")
    desk.page.get_by_role("button", name=re.compile("^Publish")).click()
    assert "customer-servise" in desk.page.content()
    desk.complaints.clear()  # the browser tells of the status 400 itself
    desk.page.get_by_label(re.compile(f"Type {SLUG}")).fill(SLUG)
    desk.page.get_by_role("button", name=re.compile("^Publish")).click()
    assert not Publication.objects.exists()
    jobs.run_waiting()
    desk.page.reload()
    assert "number 1" in desk.text()
    desk.seen("published")


def _read(desk: Desk) -> None:
    desk.open(f"/categories/{SLUG}/")
    assert "There is no ranking here" in desk.text()
    assert "Eligible external results: 2. Required: at least 1." in desk.text()
    desk.seen("category")
    desk.page.get_by_role("link", name=re.compile("De-escalation")).first.click()
    desk.seen("facet")
    desk.open("/evidence/customer-service/statebench/state-bench-customer-support/")
    desk.seen("mapping")
