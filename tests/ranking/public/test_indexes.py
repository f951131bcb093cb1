"""The lists of what live releases speak of, at the addresses that are left when the end of one is cut off."""

import pytest
from django.test import Client

from ranking.models import Publication
from tests.ranking.public import markup, world
from tests.ranking.public.conftest import Read


def test_lineages_contracts_and_atoms_are_listed_with_their_categories(site: None, read: Read) -> None:
    lineages = markup.table(read("/lineages/"), "Lineages, alphabetically, and the categories that speak of each")
    assert lineages[0] == ["Name", "Categories"]
    [carried] = [row[1] for row in lineages if world.LINEAGE in row[0]]
    assert carried == "Self-service guidance Customer Support & Service Resolution"
    contracts = markup.table(read("/contracts/"), "Contracts, alphabetically, and the categories that speak of each")
    names = [row[0] for row in contracts[1:]]
    assert names == sorted(names, key=str.casefold)
    assert any("v0.8.main.customer_support.pass_at_1" in name for name in names)
    assert "support_ux" in read("/atoms/").text


def test_models_are_those_that_a_live_ranking_lists(ranking: Publication, read: Read) -> None:
    page = read("/models/")
    names = [row[0] for row in markup.table(page, "Models, alphabetically, and the categories that speak of each")[1:]]
    assert len(names) > 1
    assert names == sorted(names, key=str.casefold), "their order says nothing"
    world.withdraw(ranking)
    assert "No live release speaks of any yet." in read("/models/").text


def test_before_anything_ranks_no_model_is_named(site: None, read: Read) -> None:
    assert "No live release speaks of any yet." in read("/models/").text
    assert world.MODEL not in read("/models/").text


@pytest.mark.django_db
def test_an_address_cut_short_leads_to_the_list(client: Client) -> None:
    short = {"/categories/": "/", "/benchmarks/": "/evidence/", "/api/": "/api/v1/"}
    for address, target in short.items():
        assert client.get(address)["Location"] == target


def test_pages_lead_back_to_their_list(ranking: Publication, read: Read) -> None:
    for address, title in {
        f"/lineages/{world.LINEAGE}/": "Lineages",
        "/contracts/v0.8.main.customer_support.pass_at_1/": "Contracts",
        "/atoms/support_ux/": "Atoms",
        "/models/aster/vega-3/": "Models",
    }.items():
        crumbs = next(nav for nav in read(address).all("nav") if nav.attributes.get("aria-label") == "Breadcrumb")
        assert title in crumbs.text
