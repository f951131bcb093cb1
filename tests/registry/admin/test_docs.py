"""What the how-tos for editors and publishers call things is what the desk calls them."""

from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import User

from ranking.actions import seal
from registry.actions import curate
from registry.models import Collection, EvidenceMapping
from tests.desk import address
from tests.registry.admin.conftest import Visitor

DOCS = Path(settings.BASE_DIR) / "docs"


@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("/admin/", ("Registry", "Import", "History")),
        ("/admin/registry/importbatch/add/", ("Read and judge",)),
        (
            "collection",
            ("Recompute", "Preview of the public page", "Seal a candidate"),
        ),
        ("mapping", ("Exclude within this mapping",)),
    ],
)
def test_editors_find_what_they_read_about(as_: Visitor, live: Collection, page: str, words: tuple[str, ...]) -> None:
    told = (DOCS / "editors.md").read_text()
    places = {"collection": address(live), "mapping": address(EvidenceMapping.objects.get(collection=live))}
    shown = as_("editor").get(places.get(page, page)).content.decode()
    for word in words:
        assert word in told
        assert word.lower() in shown.lower()


def test_publishers_find_what_they_read_about(as_: Visitor, live: Collection, editor: User) -> None:
    told = (DOCS / "publishers.md").read_text()
    live.question = "Otherwise?"
    curate.save(obj=live, by=editor)
    seal.seal(collection=live, by=editor)
    publisher = as_("publisher")
    shown = publisher.get(address(live)).content.decode() + publisher.get("/admin/").content.decode()
    for words in (
        "Publish the candidate",
        "Withdraw the live page",
        "One-time password",
        "Publish requests waiting or refused",
        "andidates waiting for a publisher",
    ):
        assert words in told
        assert words in shown
