"""A file with names that nobody knows, in a browser and on a phone: mended on the page of its batch, never uploaded
twice; and the profile that reads another layout.
"""

import re
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User

from registry.actions import curate, imports
from registry.models import Collection, Configuration, ImportBatch, MappingProfile, MetricContract, Result
from tests.browser.test_story import Desk
from tests.ranking.public import world

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NAME = "Maker Hidden 9 high"


@pytest.fixture
def contract(editor: User) -> MetricContract:
    world.build()
    assert Collection.objects.exists()
    return MetricContract.objects.filter(use="usable", kind="rate").get()


@pytest.mark.parametrize("width", [1280, 390])
def test_unknown_names_are_mended_on_the_page(
    contract: MetricContract, live_server: Any, browser: Any, tmp_path: Path, width: int
) -> None:
    rows = [f"{contract.key},{name},6{at},https://example.org/{at}" for at, name in enumerate((NAME, NAME, "Other 1"))]
    table = tmp_path / "names.csv"
    table.write_text("\n".join(["contract,configuration,value,source_url", *rows]) + "\n")
    desk = Desk(browser, live_server.url, "editor")
    desk.page.set_viewport_size({"width": width, "height": 900})
    desk.log_in()
    desk.open("/admin/registry/importbatch/add/")
    desk.page.locator("input[type=file]").set_input_files(table)
    desk.page.get_by_role("button", name="Read and judge").click()
    desk.seen(f"names-{width}")
    assert desk.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")

    desk.page.get_by_role("button", name=f"{NAME} is an Alias of maker/hidden-9@high").press("Enter")
    desk.page.get_by_role("link", name="Review…").click()
    desk.seen(f"review-{width}")
    desk.page.get_by_role("button", name="Review alias").click()
    desk.seen(f"reviewed-{width}")
    desk.page.get_by_role("link", name=re.compile("^Judge batch")).click()
    desk.seen(f"resolved-{width}")
    desk.page.get_by_role("link", name="A new configuration… for Other 1").click()
    desk.seen(f"new-configuration-{width}")
    desk.page.go_back()
    desk.page.get_by_text("Judge it again", exact=True).click()
    desk.seen(f"again-{width}")
    desk.page.get_by_role("button", name="Judge again and leave bad rows behind").click()
    desk.page.get_by_role("link", name=re.compile("^Apply")).click()
    desk.page.get_by_role("button", name="Apply import").click()
    assert Result.objects.filter(batch__source__filename="names.csv").count() == 2
    assert ImportBatch.objects.filter(source__filename="names.csv").count() == 1


@pytest.mark.parametrize("width", [1280, 390])
def test_a_profile_is_edited_and_tried(
    contract: MetricContract, editor: User, live_server: Any, browser: Any, width: int
) -> None:
    key = Configuration.objects.get().key
    spec = {
        "patterns": [{"column": "score", "pattern": "percent", "into": {"rate": "value", "unit": "unit"}}],
        "vocabularies": {"who": {"column": "model", "words": {"Nine": key}}},
        "columns": {
            "contract": contract.key,
            "configuration": "{who}",
            "value": "{rate}",
            "source_url": "https://a.org",
        },
    }
    profile = curate.save(obj=MappingProfile(key="nines", title="Nines", spec=spec), by=editor)
    content = b"model,score\nNine,61.5%\nTen,62%\n"
    batch = imports.stage(content=content, filename="nines.csv", profile=profile, by=editor)
    desk = Desk(browser, live_server.url, "editor")
    desk.page.set_viewport_size({"width": width, "height": 900})
    desk.log_in()
    desk.open(f"/admin/registry/importbatch/{batch.pk}/change/")
    for summary in desk.page.get_by_text("As in the file").all():
        summary.click()
    desk.seen(f"made-{width}")
    desk.open(f"/admin/registry/mappingprofile/{profile.pk}/change/")
    desk.page.locator("#grammar summary").click()
    desk.seen(f"profile-{width}")
    desk.page.get_by_label("Spec").fill("columns: [\n")
    desk.page.get_by_role("button", name="Save", exact=True).click()
    desk.page.get_by_text("This is not YAML").wait_for()
    desk.seen(f"faulty-{width}")
    desk.open(f"/admin/registry/mappingprofile/{profile.pk}/try/")
    desk.page.get_by_label("Stored source").select_option(label=str(batch.source))
    desk.page.get_by_role("button", name="Try it").click()
    desk.seen(f"tried-{width}")
    assert "The profile knows no model Ten." in desk.text()
    assert desk.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
