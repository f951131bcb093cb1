"""The weights of a category in a browser: their total while they are typed, the saved one where nobody may type."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from registry.models import Collection
from tests.browser.test_story import Desk
from tests.desk import address
from tests.ranking.public import world

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def on_the_desk(browser: Any, url: str, name: str) -> tuple[Desk, list[str]]:
    """The page of the first category as this person sees it, and the errors that its scripts raised."""
    world.build()
    desk, errors = Desk(browser, url, name), []
    desk.page.on("pageerror", lambda error: errors.append(str(error)))
    desk.log_in()
    desk.open(address(Collection.objects.get(slug=world.SLUG)))
    return desk, errors


@pytest.mark.parametrize("name", ["publisher", "viewer"])
def test_who_may_only_read_is_told_the_saved_total(
    publisher: User, viewer: User, live_server: Any, browser: Any, name: str
) -> None:
    desk, errors = on_the_desk(browser, live_server.url, name)
    assert desk.page.locator("#weight-total").inner_text() == "The saved weights come to 100 %."
    assert (errors, desk.complaints) == ([], [])


def test_an_editor_sees_the_total_change(editor: User, live_server: Any, browser: Any) -> None:
    desk, errors = on_the_desk(browser, live_server.url, "editor")
    desk.page.locator("[name=facets-0-weight]").fill("20")
    told = desk.page.locator("#weight-total").inner_text()
    assert told == "The weights as typed come to 95 %; they must come to exactly 100 %."
    assert errors == []
