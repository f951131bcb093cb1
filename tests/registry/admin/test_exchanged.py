"""Lists out as files and in again, through the pages."""

import csv
import io
import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from openpyxl import load_workbook

from registry import exchange
from registry.exchange import evidence, writing
from registry.models import (
    AuditEvent,
    Collection,
    Comparison,
    Confirmation,
    Exclusion,
    Facet,
    ImportBatch,
    Organization,
    Result,
)
from tests.desk import confirmed, text_of
from tests.registry.admin.conftest import Visitor

ROLES = ("anonymous", "viewer", "editor", "publisher", "admin")
FACETS = "/admin/registry/facet/"


def exported(client: Client, url: str, extension: str = "csv", query: str = "") -> Any:
    answer = client.get(f"{url}export.{extension}{query}")
    assert answer.status_code == 200, answer.status_code
    return answer.getvalue()


def rows(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode(), newline="")))


def as_csv(table: list[dict[str, str]]) -> bytes:
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, table[0])
    writer.writeheader()
    writer.writerows(table)
    return out.getvalue().encode()


def imported(client: Client, url: str, content: bytes, name: str = "facets.csv") -> Any:
    return client.post(f"{url}import/", {"file": SimpleUploadedFile(name, content)})


def changed(client: Client, **cells: str) -> bytes:
    table = rows(exported(client, FACETS))
    table[0] |= cells
    return as_csv(table)


def lists() -> list[str]:
    return [reverse(f"admin:registry_{model._meta.model_name}_changelist") for model in exchange.MODELS]


@pytest.mark.parametrize("extension", ["csv", "xlsx", "json"])
def test_every_list_goes_out_and_comes_back_to_nothing(as_: Visitor, live: Collection, extension: str) -> None:
    editor = as_("editor")
    before = AuditEvent.objects.count()
    for url in lists():
        content = exported(editor, url, extension)
        page = imported(editor, url, content, f"any.{extension}")
        assert page.status_code == 200
        assert "Nothing to change" in text_of(page), (url, text_of(page))
    assert AuditEvent.objects.count() == before
    assert not Confirmation.objects.filter(action="import-records").exists()


@pytest.mark.parametrize(
    ("page", "statuses"),
    [
        ("export.csv", (302, 403, 200, 200, 200)),
        ("export.xlsx", (302, 403, 200, 200, 200)),
        ("export.json", (302, 403, 200, 200, 200)),
        ("import/", (302, 403, 200, 403, 200)),
    ],
)
def test_who_may_take_out_and_bring_in(as_: Visitor, collection: Collection, page: str, statuses: tuple[int]) -> None:
    visitors = [as_(role) for role in ROLES]
    for url in lists():
        assert tuple(visitor.get(url + page).status_code for visitor in visitors) == statuses, url
        if page == "import/":
            posted = [imported(visitor, url, b"x,y\n1,2\n").status_code for visitor in visitors]
            assert tuple(posted) == statuses


def test_the_links_are_for_those_who_may(as_: Visitor, collection: Collection) -> None:
    seen = {role: text_of(as_(role).get(FACETS + "?q=a")) for role in ("viewer", "publisher", "editor")}
    assert ["Export as CSV" in text for text in seen.values()] == [False, True, True]
    page = as_("editor").get(FACETS + "?q=a").content.decode()
    assert 'href="export.xlsx?q=a"' in page
    assert f'href="{FACETS}import/"' in page
    assert "export." not in as_("editor").get(FACETS + "?_popup=1").content.decode()
    assert f'href="{FACETS}import/"' not in as_("publisher").get(FACETS).content.decode()


def test_an_export_is_what_the_list_shows(as_: Visitor, collection: Collection) -> None:
    editor = as_("editor")
    assert len(rows(exported(editor, FACETS))) == 8
    found = rows(exported(editor, FACETS, query="?q=diagnosis"))
    assert [(facet["slug"], facet["weight"]) for facet in found] == [("diagnosis-and-resolution", "25")] * 2
    assert rows(exported(editor, FACETS, query="?mode__exact=pairwise")) == [
        row for row in rows(exported(editor, FACETS)) if row["mode"] == "pairwise"
    ]
    answer = editor.get(FACETS + "export.csv?weight__gte=x")
    assert answer.status_code == 400


def test_a_changed_cell_is_seen_confirmed_and_stored(as_: Visitor, collection: Collection) -> None:
    editor = as_("editor")
    content = changed(editor, title="=Renamed", weight="20")
    page = imported(editor, FACETS, content)
    said = text_of(page)
    assert "0 would be added, 1 changed, 7 stay as they are" in said
    assert "title" in said
    assert "=Renamed" in said
    assert not Facet.objects.filter(title="=Renamed").exists()
    done = confirmed(editor, page, reason="Found in the spreadsheet.")
    assert "Facets from facets.csv" in text_of(editor.get(done["Location"]))
    facet = Facet.objects.get(title="=Renamed")
    assert (int(facet.weight), facet.version) == (20, 2)
    event = AuditEvent.objects.get(by="editor", object_type="registry.facet")
    assert (event.reason, event.after) == ("Found in the spreadsheet.", {"title": "=Renamed", "weight": "20"})
    assert "Nothing to change: 8 records" in text_of(imported(editor, FACETS, content))


def test_gates_are_told_where_a_guarded_cell_differs(as_: Visitor, live: Collection) -> None:
    editor = as_("editor")
    page = imported(editor, FACETS, changed(editor, weight="20"))
    assert "facets" in text_of(page)
    assert "customer-service 100 % 95 %" in text_of(page).replace(".00", "")
    assert "Gate" not in text_of(imported(editor, FACETS, changed(editor, title="Words only")))


def test_a_stale_preview_is_refused(as_: Visitor, collection: Collection) -> None:
    editor, admin = as_("editor"), as_("admin")
    page = imported(editor, FACETS, changed(editor, title="Mine"))
    other = imported(admin, FACETS, changed(admin, title="Theirs"))
    assert confirmed(admin, other).status_code == 302
    answer = confirmed(editor, page)
    assert (answer.status_code, "changed by somebody else" in text_of(answer)) == (409, True)
    assert not Facet.objects.filter(title="Mine").exists()


def test_confirming_twice_does_it_once(as_: Visitor, collection: Collection) -> None:
    editor = as_("editor")
    page = imported(editor, FACETS, changed(editor, title="Mine"))
    assert confirmed(editor, page).status_code == 302
    assert "again=1" in confirmed(editor, page)["Location"]
    assert AuditEvent.objects.filter(by="editor").count() == 1


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "it is empty"),
        (b"%PDF-1", "it is a PDF"),
        (b"PK\x03\x04damaged", "damaged"),
        (b"[{]", "not JSON"),
        (b"[1]", "must be an object"),
        (b"a;b\n1;2\n", "delimiter is ';'"),
        (b"a,b\n\xff,2\n", "UTF-8"),
        (b'collection,"slug\nx,y\n', "Quotes must enclose"),
        (b"collection,slug\nsupport,a\n", "The column weight is missing"),
    ],
)
def test_a_file_that_cannot_be_taken_says_why(as_: Visitor, collection: Collection, content: bytes, told: str) -> None:
    page = imported(as_("editor"), FACETS, content)
    assert page.status_code == 200
    assert told in text_of(page)


def test_a_bad_cell_is_shown_with_its_place(as_: Visitor, collection: Collection) -> None:
    editor = as_("editor")
    page = imported(editor, FACETS, changed(editor, weight="<b>ten</b>"))
    assert "2 weight &lt;b&gt;ten&lt;/b&gt; Must be a number such as 0.81." in text_of(page)
    assert "Nothing was changed" in text_of(page)


def test_no_file_is_no_import(as_: Visitor, collection: Collection) -> None:
    assert "This field is required" in text_of(as_("editor").post(FACETS + "import/", {}))


def test_an_export_that_a_workbook_cannot_hold_says_so(as_: Visitor, collection: Collection, monkeypatch: Any) -> None:
    monkeypatch.setattr(writing, "MOST_ROWS", 2)
    answer = as_("editor").get(FACETS + "export.xlsx", follow=True)
    assert "may hold 2 rows" in text_of(answer)
    monkeypatch.setattr(writing, "MOST_ROWS", 10)
    Facet.objects.update(description="x" * 40_000)
    assert "longer than the 32,767 characters" in text_of(as_("editor").get(FACETS + "export.xlsx", follow=True))


def test_results_go_out_as_they_come_in(as_: Visitor, live: Collection) -> None:
    Result.objects.filter(absence="").update(notes="=1+1", external_id="001", value=-0.35)
    editor, url = as_("editor"), "/admin/registry/result/"
    row = rows(exported(editor, url))[0]
    assert (row["value"], row["notes"], row["external_id"]) == ("-0.35", "'=1+1", "001")
    record = json.loads(exported(editor, url, "json"))[0]
    assert (record["value"], record["notes"], record["external_id"]) == (-0.35, "=1+1", "001")
    header, cells, *_ = load_workbook(io.BytesIO(exported(editor, url, "xlsx"))).active.iter_rows()
    sheet = {str(name.value): (cell.value, cell.data_type) for name, cell in zip(header, cells, strict=True)}
    assert (sheet["value"], sheet["notes"], sheet["external_id"]) == ((-0.35, "n"), ("'=1+1", "s"), ("001", "s"))
    Result.objects.update(state="retracted")
    assert rows(exported(editor, url)) == []


def test_comparisons_go_out_in_their_columns(as_: Visitor, live: Collection) -> None:
    from registry.importing.comparisons.resource import COLUMNS

    content = exported(as_("publisher"), "/admin/registry/comparison/")
    assert content.decode().strip().split(",") == list(COLUMNS)
    assert not Comparison.objects.exists()


def test_the_number_of_queries_does_not_grow_with_the_table(as_: Visitor, collection: Collection) -> None:
    editor, url = as_("editor"), "/admin/registry/organization/"

    def queries() -> tuple[int, int]:
        with CaptureQueriesContext(connection) as out:
            content = exported(editor, url)
        with CaptureQueriesContext(connection) as back:
            assert "Nothing to change" in text_of(imported(editor, url, content))
        return len(out), len(back)

    queries()
    before = queries()
    Organization.objects.bulk_create([Organization(key=f"o{number}", name="O") for number in range(300)])
    assert queries() == before
    assert max(before) < 25


@pytest.mark.parametrize("extension", ["csv", "xlsx", "json"])
def test_results_that_are_exported_come_in_again_as_the_same(
    as_: Visitor, collection: Collection, extension: str
) -> None:
    """With texts that a spreadsheet would run, and a negative number that is none of them."""
    Result.objects.filter(contract__kind="rate").update(notes="=1+1", external_id="-7", stderr=None)
    Result.objects.exclude(contract__kind="rate").update(notes="'=quoted\nin two lines", source_ref="@ref")
    before = list(Result.objects.order_by("pk").values())
    editor = as_("editor")
    content = exported(editor, "/admin/registry/result/", extension)
    upload = {"file": SimpleUploadedFile(f"results.{extension}", content), "mode": "all-or-nothing"}
    editor.post("/admin/registry/importbatch/add/", upload)
    batch = ImportBatch.objects.latest("pk")
    assert {verdict: count for verdict, count in batch.counts.items() if count} == {"same": len(before)}
    assert list(Result.objects.order_by("pk").values()) == before


RESULTS = "/admin/registry/result/"


def test_a_list_of_results_says_what_its_export_leaves_out(as_: Visitor, live: Collection) -> None:
    editor = as_("editor")
    assert "go into a file" not in text_of(editor.get(RESULTS))
    first, *others = Result.objects.order_by("pk")
    Result.objects.filter(pk__in=[other.pk for other in others]).update(state="reverted")
    everything = len(others) + 1
    said = text_of(editor.get(RESULTS))
    assert f"Of {everything} listed rows, 1 go into a file." in said
    assert f"its batch was reverted ({len(others)})." in said
    assert len(rows(exported(editor, RESULTS))) == 1
    reverted = text_of(editor.get(RESULTS + "?state__exact=reverted"))
    assert f"Of {len(others)} listed rows, 0 go into a file." in reverted
    assert rows(exported(editor, RESULTS, query="?state__exact=reverted")) == []
    assert "go into a file" not in text_of(editor.get(RESULTS + "?state__exact=active"))
    assert "go into a file" not in text_of(as_("viewer").get(RESULTS))
    assert first.state == "active"


def test_of_a_long_list_it_is_counted_so_far(as_: Visitor, live: Collection, monkeypatch: Any) -> None:
    monkeypatch.setattr(evidence, "COUNTED", 1)
    said = text_of(as_("editor").get(RESULTS))
    assert "Of 1 listed rows that were counted, 1 go into a file. Those that do not stand stay behind" in said


def test_a_file_of_exclusions_leads_to_the_page_that_asks(as_: Visitor, live: Collection) -> None:
    editor, url = as_("editor"), "/admin/registry/exclusion/"
    table = rows(exported(editor, url))
    assert 'href="/admin/registry/exclusion/add/"' in editor.get(f"{url}import/").content.decode()
    new = table[0] | {"type": "unverified", "reason": " ", "excluded_by": "somebody"}
    page = imported(editor, url, as_csv([*table, new]), "exclusions.csv")
    said = text_of(page)
    assert "Nothing was changed" in said
    assert f"{new['scope']} {new['target']}" in said
    assert "Exclude on the page Exclude evidence" in said
    assert not Exclusion.objects.filter(type="unverified").exists()
    assert not Confirmation.objects.exists()


def test_a_file_with_more_faults_than_a_page_shows_says_so(as_: Visitor, collection: Collection) -> None:
    table = rows(exported(as_("editor"), FACETS))
    bad = [table[0] | {"slug": f"new-{number}", "collection": "nowhere"} for number in range(400)]
    page = imported(as_("editor"), FACETS, as_csv(bad))
    assert "the first 200; there are more" in text_of(page)
    assert page.content.decode().count("There is no such collection") == 200
    assert "there are more" not in text_of(imported(as_("editor"), FACETS, as_csv(bad[:200])))


def test_notes_as_long_as_they_may_be_come_in_again(as_: Visitor, collection: Collection) -> None:
    """The apostrophe that keeps a spreadsheet from running them is one character more."""
    Result.objects.update(notes="=" + "x" * 19_999)
    editor = as_("editor")
    content = exported(editor, RESULTS)
    assert b"'=xxx" in content
    upload = {"file": SimpleUploadedFile("results.csv", content), "mode": "all-or-nothing"}
    editor.post("/admin/registry/importbatch/add/", upload)
    counts = ImportBatch.objects.latest("pk").counts
    assert {verdict: count for verdict, count in counts.items() if count} == {"same": Result.objects.count()}
