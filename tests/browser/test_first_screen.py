"""What a reader sees before scrolling: the answer, and with it that the answer is a demonstration."""

from typing import Any

import pytest

from tests.ranking.public import ranked, world

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ENDS = "document.querySelector(%r).getBoundingClientRect().bottom"


@pytest.mark.parametrize(("width", "height"), [(1280, 900), (390, 844)])
def test_a_demonstration_says_so_and_answers_in_the_first_screen(
    live_server: Any, browser: Any, width: int, height: int
) -> None:
    world.build()
    for slug in (world.SLUG, "self-service"):
        world.publish(slug)
    ranked.publish("self-service", ranked.demonstrate)
    page = browser.new_page(viewport={"width": width, "height": height})
    page.goto(f"{live_server.url}/categories/self-service/")
    assert page.evaluate(ENDS % ".demonstration") < page.evaluate(ENDS % "#answer") < height
    page.goto(f"{live_server.url}/categories/{world.SLUG}/")
    assert page.evaluate(ENDS % "#answer") < height
    page.close()
