"""Whatever a page says, its markup holds: for people with and without a screen reader, and against hostile words."""

import itertools
import json
from urllib.parse import urlsplit

import pytest
from django.test import Client

from registry import models
from tests.ranking.public import markup, ranked, world
from tests.ranking.public.conftest import Read

LANDMARKS = ("header", "main", "footer")


def crawl(client: Client) -> dict[str, markup.Element]:
    """Every page that links lead to from the front page. Each must be there."""
    waiting, found = ["/"], {}
    while waiting:
        address = waiting.pop()
        if address in found:
            continue
        response = client.get(address)
        assert response.status_code == 200, address
        if not response["Content-Type"].startswith("text/html"):
            continue
        page = found[address] = markup.read(response.content.decode())
        targets = {link.attributes["href"] for link in page.all("a", "link") if link.attributes.get("rel") != "icon"}
        waiting += [urlsplit(target).path for target in targets if target.startswith("/") and _ours(target)]
    return found


def _ours(target: str) -> bool:
    return not target.startswith(("/api/", "/static/", "/admin/"))


def data_addresses(page: markup.Element) -> set[str]:
    return {link.attributes["href"] for link in page.all("a", "link") if link.attributes["href"].startswith("/api/")}


@pytest.fixture(params=["evidence status", "a ranking"])
def pages(site: None, client: Client, request: pytest.FixtureRequest) -> dict[str, markup.Element]:
    if request.param == "a ranking":
        ranked.publish(change=ranked.demonstrate)
        ranked.publish(reason="Corrected.")
    else:
        models.Collection.objects.filter(slug=world.SLUG).update(summary="Said anew.")
        world.publish(reason="Corrected summary.")
    return {address: page for address, page in crawl(client).items() if not address.startswith("/embed/")}


def test_every_internal_link_leads_somewhere(pages: dict[str, markup.Element]) -> None:
    assert len(pages) > 25
    assert f"/evidence/{world.MAPPING}/" in pages
    assert sum(address.startswith("/releases/") for address in pages) >= 4, "the list, two live ones, superseded ones"


def test_every_page_has_its_data_at_a_predictable_address(pages: dict[str, markup.Element], client: Client) -> None:
    for address in sorted({found for page in pages.values() for found in data_addresses(page)}):
        assert client.get(address).status_code == 200, address


def test_every_page_names_the_release_it_shows(pages: dict[str, markup.Element]) -> None:
    for address, page in pages.items():
        links = [link.attributes["href"] for link in page.first("footer").all("a")]
        assert address == "/method/" or any(link.startswith("/releases/") for link in links), address


def test_no_page_holds_style_or_script_or_anything_from_elsewhere(pages: dict[str, markup.Element]) -> None:
    for address, page in pages.items():
        for element in page.all():
            assert element.tag not in {"style", "iframe", "object", "embed", "form"}, address
            assert element.tag != "script" or json.loads(element.text)["@type"] == "Dataset", "data, which nothing runs"
            assert not [name for name in element.attributes if name == "style" or name.startswith("on")], address
            loaded = element.attributes.get("src", "") or (
                element.attributes["href"] if element.attributes.get("rel") in ("stylesheet", "icon") else "/"
            )
            assert element.tag == "a" or loaded.startswith("/"), (address, loaded)


def test_no_page_holds_a_value_or_names_a_model(pages: dict[str, markup.Element]) -> None:
    for address, page in pages.items():
        for secret in (str(world.SECRET), "3.625", world.MODEL, "hidden-9", "Maker"):
            assert secret not in page.text, (address, secret)


def test_pages_can_be_found_their_way_around_in(pages: dict[str, markup.Element]) -> None:
    for address, page in pages.items():
        for tag in LANDMARKS:
            assert len([found for found in page.first("body").children if _is(found, tag)]) == 1, (address, tag)
        assert next(page.first("body").all("a")).attributes["href"] == "#main", address
        assert page.first("html").attributes["lang"] == "en"
        assert len(list(page.all("h1"))) == 1, address
        assert page.first("title").text.endswith("Assay"), address
        levels = [int(heading.tag[1]) for heading in page.all("h1", "h2", "h3", "h4")]
        assert all(later <= earlier + 1 for earlier, later in itertools.pairwise(levels)), (address, levels)


def _is(found: markup.Element | str, tag: str) -> bool:
    return isinstance(found, markup.Element) and found.tag == tag


def test_ids_are_unique_and_every_reference_to_one_holds(pages: dict[str, markup.Element]) -> None:
    for address, page in pages.items():
        ids = [element.attributes["id"] for element in page.all() if "id" in element.attributes]
        assert len(ids) == len(set(ids)), (address, sorted(name for name in ids if ids.count(name) > 1))
        for element in page.all():
            named = element.attributes.get("aria-labelledby")
            assert named is None or named in ids, (address, named)
            target = element.attributes.get("href", "")
            assert not target.startswith("#") or target[1:] in ids, (address, target)


def test_on_a_phone_each_cell_stands_under_the_heading_of_its_column(pages: dict[str, markup.Element]) -> None:
    """Where rows become blocks the headings are hidden: each cell says its own."""
    seen = 0
    for address, page in pages.items():
        for table in page.all("table"):
            if "stacks" not in table.attributes.get("class", "").split():
                continue
            head, *rows = table.all("tr")
            columns = [cell.text for cell in head.all("th")][1:]
            for row in rows:
                assert [cell.attributes["data-column"] for cell in row.all("td")] == columns, (address, row.text)
                seen += 1
    assert seen > 50


def test_tables_have_captions_and_every_head_its_scope(pages: dict[str, markup.Element]) -> None:
    for address, page in pages.items():
        for table in page.all("table"):
            assert table.first("caption").text, address
            assert all(head.attributes.get("scope") in ("col", "row", "rowgroup") for head in table.all("th")), address
            assert all(cell.text for cell in table.all("td")), f"{address}: a cell without a value says why"
            region = table.parent
            assert region
            assert (region.attributes["role"], region.attributes["tabindex"]) == ("group", "0"), address


def test_pages_are_known_by_one_address(pages: dict[str, markup.Element]) -> None:
    for address, page in pages.items():
        [canonical] = [link for link in page.all("link") if link.attributes["rel"] == "canonical"]
        assert canonical.attributes["href"] == f"http://127.0.0.1:8000{address}"
        graph = {
            meta.attributes["property"]: meta.attributes["content"]
            for meta in page.all("meta")
            if "property" in meta.attributes
        }
        assert graph["og:url"] == canonical.attributes["href"]
        assert graph["og:title"]
        assert graph["og:description"]


def test_hostile_words_are_shown_as_words(db: None, client: Client, read: Read) -> None:
    evil = "\"'><script>alert(1)</script><img src=x onerror=alert(1)>{{ title }}{% url 'x' %}"
    world.build()
    models.Collection.objects.filter(slug=world.SLUG).update(title=evil, question=evil, summary=evil)
    models.Facet.objects.update(title=evil, description=evil)
    models.Task.objects.update(title=evil, description=evil)
    models.Benchmark.objects.update(title=evil, description=evil)
    models.Publisher.objects.update(name=evil, url="javascript:alert(1)")
    models.Suite.objects.update(title=evil, description=evil, url="javascript:alert(1)", not_to_confuse=evil)
    models.RightsDecision.objects.update(clause=evil, clause_url="data:text/html,x", attribution=evil)
    models.EvidenceMapping.objects.update(note=evil)
    models.MappingFacet.objects.update(coverage_note=evil)
    models.MetricContract.objects.update(title=evil, use_reason=evil)
    models.Lineage.objects.update(title=evil, note=evil)
    models.Exclusion.objects.update(reason=evil, lift_condition=evil)
    world.publish(reason=evil)
    pages = crawl(client)
    assert len(pages) > 15
    for address, page in pages.items():
        assert not list(page.all("img")), address
        assert all(block.attributes == {"type": "application/ld+json"} for block in page.all("script")), address
        assert all(link.attributes["href"].startswith(("/", "#", "https://")) for link in page.all("a")), address
    assert read(f"/categories/{world.SLUG}/").first("h1").text == evil
