"""Lists stay fast where there are millions of rows."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.actions import curate
from registry.admin import lists
from registry.models import Organization
from tests.desk import text_of
from tests.registry.admin.conftest import Visitor


@pytest.fixture
def five(editor: User) -> None:
    for number in range(5):
        curate.save(obj=Organization(key=f"maker-{number}", name="Maker"), by=editor)


def test_counting_ends_where_turning_pages_does(as_: Visitor, five: None, monkeypatch: Any) -> None:
    monkeypatch.setattr(lists, "COUNTED", 3)
    page = as_("viewer").get("/admin/registry/organization/")
    assert page.context["cl"].result_count == 3
    assert "3 or more found" in text_of(page)
    with CaptureQueriesContext(connection) as captured:
        as_("viewer").get("/admin/registry/organization/")
    counts = [query["sql"] for query in captured if "COUNT(" in query["sql"] and "organization" in query["sql"]]
    assert counts
    assert all("LIMIT 3" in sql for sql in counts)


@pytest.mark.parametrize(
    "address",
    [
        *("result/?id__range=1", "result/?value__range=1", "result/?pk__regex=(((", "suite/?key__iregex=("),
        *("suite/export.csv?key__regex=(", "mappingprofile/?spec__contains={", "suite/?nothing__here=1"),
    ],
)
def test_what_no_list_asks_is_told_as_such(as_: Visitor, five: None, address: str) -> None:
    page = as_("editor").get(f"/admin/registry/{address}")
    assert (page.status_code, "This list cannot be shown" in text_of(page)) == (400, True)


@pytest.mark.parametrize("model", ["abc", "-1", "9" * 40, "²"])
def test_a_link_that_fills_in_nothing_known_opens_the_form(as_: Visitor, five: None, model: str) -> None:
    assert as_("editor").get("/admin/registry/configuration/add/", {"model": model}).status_code == 200


def test_a_short_list_counts_to_its_end(as_: Visitor, five: None) -> None:
    page = as_("viewer").get("/admin/registry/organization/")
    assert "5 found" in text_of(page)
    assert "or more" not in text_of(page)


def test_history_is_filtered_by_what_happened_lately(as_: Visitor, five: None, monkeypatch: Any) -> None:
    page = as_("viewer").get("/admin/registry/auditevent/")
    offered = {
        spec.title: [choice for choice, _ in spec.lookup_choices] for spec in page.context["cl"].filter_specs[:3]
    }
    assert offered == {"verb": ["add"], "kind of object": ["registry.organization"], "person": ["editor"]}
