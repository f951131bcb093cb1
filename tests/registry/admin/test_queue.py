"""The index: what waits for a person, and what to do where nothing does."""

from collections.abc import Iterator
from typing import Any

from django.http import HttpRequest
from django.utils import timezone

from registry.admin.queue import SHOWN, Cell, Section
from registry.models import Collection, Configuration, ConfigurationAlias, ImportBatch, Job, RightsDecision, Source
from tests.desk import address, text_of
from tests.registry.admin.conftest import Visitor


def staged(number: int) -> ImportBatch:
    now = timezone.now()
    source = Source.objects.create(
        sha256=f"{number:064}", filename=f"{number}.csv", size=1, uploaded_by="editor", uploaded_at=now
    )
    return ImportBatch.objects.create(source=source, rows=3, counts={"refused": 1}, created_by="editor", created_at=now)


def test_an_empty_desk_says_what_to_do_next(as_: Visitor, db: None) -> None:
    page = as_("editor").get("/admin/")
    said = text_of(page)
    assert "There is no collection yet. Add a collection" in said
    assert "No import waits. Import results" in said
    assert 'href="/admin/registry/importbatch/add/"' in page.content.decode()


def test_imports_wait_for_those_who_may_decide(as_: Visitor, db: None) -> None:
    batch = staged(1)
    said = text_of(as_("editor").get("/admin/"))
    assert f"batch {batch.pk}: 1.csv 3 1 editor" in said
    assert "1.csv" not in text_of(as_("viewer").get("/admin/"))


def test_a_long_queue_shows_its_beginning_and_the_way_to_the_rest(as_: Visitor, db: None) -> None:
    for number in range(SHOWN + 3):
        staged(number)
    page = as_("editor").get("/admin/")
    section = page.context["queue"][0]
    assert (len(section.rows), section.total, section.more) == (SHOWN, SHOWN + 3, 3)
    assert '<a href="/admin/registry/importbatch/?status__exact=staged">All 11</a>' in page.content.decode()
    everything = as_("editor").get(section.url)
    assert everything.context["cl"].result_count == SHOWN + 3


def test_failures_and_what_is_not_reviewed_wait(as_: Visitor, collection: Collection) -> None:
    now = timezone.now()
    job = Job.objects.create(
        kind="recompute-gate", key="x", status="failed", error="It broke.", created_at=now, not_before=now
    )
    alias = ConfigurationAlias.objects.create(name="Nine", configuration=Configuration.objects.get())
    decision = RightsDecision.objects.get(use="rank")
    decision.verdict, decision.reviewed_by, decision.reviewed_on = "unreviewed", "", None
    decision.save()
    page = as_("viewer").get("/admin/")
    said = text_of(page)
    assert "Jobs that failed 1" in said
    assert "It broke." in said
    assert "Rights not reviewed 1" in said
    assert "Aliases not reviewed 1" in said
    for record in (job, alias, decision):
        assert address(record) in page.content.decode()


def test_a_suite_nobody_decided_about_waits(as_: Visitor, collection: Collection) -> None:
    RightsDecision.objects.all().delete()
    page = as_("editor").get("/admin/")
    assert "STATE-Bench all nobody decided" in text_of(page)
    assert "/admin/registry/rightsdecision/add/?suite=" in page.content.decode()


def extra(request: HttpRequest) -> Iterator[Section]:
    yield Section(0, "Something else", ("What",), [(Cell("a thing"),)], "None.", 1)


def test_any_app_may_offer_a_section(as_: Visitor, db: None, settings: Any) -> None:
    settings.QUEUE_PROVIDERS = [*settings.QUEUE_PROVIDERS, f"{__name__}.extra"]
    assert as_("viewer").get("/admin/").context["queue"][0].title == "Something else"


def test_the_registry_is_listed_by_concept(as_: Visitor, db: None) -> None:
    page = as_("admin").get("/admin/")
    assert [group["name"] for group in page.context["app_list"]] == [
        "Taxonomy",
        "Benchmarks",
        "Contracts",
        "Mappings",
        "Subjects",
        "Evidence",
        "Imports",
        "Gates and releases",
        "History",
        "People",
    ]


def test_the_desk_bears_the_name_of_the_site(as_: Visitor, db: None) -> None:
    assert "<title>Work queue · Assay desk</title>" in " ".join(as_("viewer").get("/admin/").content.decode().split())
