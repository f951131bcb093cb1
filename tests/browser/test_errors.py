"""A form that comes back begins at its first field in error."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.browser.test_story import Desk
from tests.ranking.public import world

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FOCUSED = "document.activeElement.name"
SHOWN = "(r => r.top >= 0 && r.bottom <= innerHeight)(document.activeElement.getBoundingClientRect())"


@pytest.fixture
def desk(editor: User, live_server: Any, browser: Any) -> Desk:
    desk = Desk(browser, live_server.url, "editor")
    desk.log_in()
    return desk


@pytest.mark.parametrize(
    ("page", "typed", "field"),
    [
        ("edition", {"key": "v9"}, "title"),
        ("mappingprofile", {"key": "p", "title": "P", "spec": "colums: x"}, "spec"),
        ("importbatch", {"text": "a,b", "source_url": "nowhere"}, "source_url"),
    ],
)
def test_the_first_field_in_error_is_where_the_page_begins(
    desk: Desk, page: str, typed: dict[str, str], field: str
) -> None:
    desk.open(f"/admin/registry/{page}/add/")
    for name, text in typed.items():
        desk.page.locator(f"[name={name}]").fill(text)
    desk.page.locator("#content-main .default").click()
    desk.page.wait_for_load_state("load")
    assert desk.page.evaluate(FOCUSED) == field
    assert desk.page.evaluate(SHOWN)


def test_a_row_in_error_is_found(desk: Desk) -> None:
    world.build()
    desk.open("/admin/registry/collection/")
    desk.page.locator("#result_list tbody th a").first.click()
    desk.page.locator("[name=facets-1-title]").fill("")
    desk.page.get_by_role("button", name="Save", exact=True).click()
    desk.page.wait_for_load_state("load")
    assert desk.page.evaluate(FOCUSED) == "facets-1-title"
