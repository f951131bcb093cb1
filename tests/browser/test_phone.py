"""Every page of the desk on a phone: nothing scrolls sideways, and no row of a form hides its end."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from django.urls import reverse

from registry.admin.confirm import address
from tests.browser.test_story import Desk
from tests.ranking.public import world

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WIDER = """[...document.querySelectorAll('.inline-group')].some(one => one.scrollWidth > one.clientWidth + 1)
    || document.documentElement.scrollWidth > innerWidth"""


def pages() -> Iterator[str]:
    yield from ("/admin/", "/admin/registry/importbatch/add/", "/api/v1/docs/")
    yield from (address("seal", collection=slug) for slug in (world.SLUG, "self-service"))
    for model in admin.site._registry:
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        yield reverse(f"{name}_changelist")
        if (record := model._default_manager.first()) is not None:
            yield reverse(f"{name}_change", args=(record.pk,))
            yield reverse(f"{name}_history", args=(record.pk,))
        yield reverse(f"{name}_add")


def test_no_page_of_the_desk_scrolls_sideways(admin: User, live_server: Any, browser: Any) -> None:
    world.build()
    world.publish()
    desk = Desk(browser, live_server.url, "admin")
    desk.page.set_viewport_size({"width": 390, "height": 900})
    desk.log_in()
    wide = []
    for page in pages():
        desk.page.goto(live_server.url + page)
        if desk.page.evaluate(WIDER):
            wide.append(page)
    assert not wide
    top = "[...document.querySelectorAll('#user-tools > *')].map(one => one.getClientRects().length)"
    assert set(desk.page.evaluate(top)) == {1}, "each stands on one line"
