"""How pages are served: methods, validators, queries, and what is not there."""

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
from django.test import Client

from ranking.models import Publication
from registry import models
from tests.ranking.public import ranked, world

PAGES = {
    "/": 5,
    "/overall/": 4,
    "/evidence/": 2,
    "/exclusions/": 2,
    "/method/": 1,
    "/policy/": 2,
    "/releases/": 4,
    f"/categories/{world.SLUG}/": 2,
    f"/categories/{world.SLUG}/de-escalation/": 2,
    f"/evidence/{world.MAPPING}/": 2,
    f"/benchmarks/{world.BENCHMARK}/": 2,
    f"/lineages/{world.LINEAGE}/": 2,
    "/contracts/v0.8.main.customer_support.pass_at_1/": 2,
    "/atoms/support_ux/": 2,
    "/lineages/": 2,
    "/contracts/": 2,
    "/atoms/": 2,
    "/models/": 2,
    "/feed.atom": 4,
    "/sitemap.xml": 2,
}
"""Queries of each page: one for the validator, one for the releases, more for history and tombstones."""

RANKED = PAGES | {
    f"/categories/{world.SLUG}/": 3,
    "/models/aster/vega-3/": 2,
}
"""Where one category ranks: its page also lists the releases of its category."""

Counted = Callable[..., AbstractContextManager[Any]]


def test_queries_do_not_grow_with_what_is_published(
    site: None, client: Client, django_assert_num_queries: Counted
) -> None:
    models.Collection.objects.update(summary="Said anew.")
    for later in (False, True):
        if later:
            world.publish()
            world.publish("self-service")
        for address, queries in PAGES.items():
            with django_assert_num_queries(queries, info=address):
                client.get(address)


def test_queries_of_a_ranking_do_not_grow_either(
    ranking: Publication, client: Client, django_assert_num_queries: Counted
) -> None:
    for _ in range(2):
        short = Publication.objects.filter(release__kind="ranking").latest("pk").identifier[:12]
        alone = {f"/releases/{short}/": 3, f"/releases/{short}/plot.svg": 2, f"/embed/{short}/": 2}
        for address, queries in (RANKED | alone).items():
            with django_assert_num_queries(queries, info=address):
                assert client.get(address).status_code == 200
        ranked.publish(change=lambda said: said["collection"].update(summary="Said anew."))
        ranked.publish("self-service")


def test_a_page_is_revalidated_and_not_sent_twice(
    ranking: Publication, client: Client, django_assert_num_queries: Counted
) -> None:
    short = ranking.identifier[:12]
    for address in [*RANKED, f"/releases/{short}/", f"/releases/{short}/plot.svg", f"/embed/{short}/"]:
        response = client.get(address)
        assert response["Cache-Control"] == "no-cache"
        with django_assert_num_queries(1, info=address):
            again = client.get(address, headers={"if-none-match": response["ETag"]})
        assert (again.status_code, again.content) == (304, b""), address
        assert again["Cache-Control"] == "no-cache"


def test_after_a_publication_or_a_withdrawal_no_validator_of_before_holds(site: None, client: Client) -> None:
    validators = {address: client.get(address)["ETag"] for address in PAGES}
    models.Collection.objects.filter(slug="self-service").update(summary="Said anew.")
    published = world.publish("self-service")
    for _ in ("after the publication", "after the withdrawal"):
        for address, etag in validators.items():
            response = client.get(address, headers={"if-none-match": etag, "if-modified-since": _far_future()})
            assert response.status_code == 200, address
            validators[address] = response["ETag"]
        world.withdraw(published)


def _far_future() -> str:
    """A clock that runs ahead must not keep an old page alive: only the ETag decides."""
    return "Fri, 31 Dec 2100 23:59:59 GMT"


def test_a_page_tells_when_what_it_shows_was_published(site: None, client: Client) -> None:
    publication = Publication.objects.get(collection__slug=world.SLUG)
    told = client.get(f"/categories/{world.SLUG}/")["Last-Modified"]
    assert told == publication.published_at.strftime("%a, %d %b %Y %H:%M:%S GMT")


def test_an_etag_of_one_page_does_not_hold_for_another(site: None, client: Client) -> None:
    etag = client.get("/")["ETag"]
    assert client.get("/overall/", headers={"if-none-match": etag}).status_code == 200
    assert client.get("/categories/none/", headers={"if-none-match": etag}).status_code == 404


def test_what_is_not_there_carries_no_validator_and_is_not_cached(site: None, client: Client) -> None:
    world.withdraw(Publication.objects.get(collection__slug=world.SLUG))
    for address in ("/categories/none/", f"/categories/{world.SLUG}/"):
        response = client.get(address)
        assert "ETag" not in response
        assert response["Cache-Control"] == "no-cache"


def test_pages_are_only_read(db: None, client: Client) -> None:
    for address in [*PAGES, "/robots.txt", "/.well-known/security.txt"]:
        for method in ("post", "put", "patch", "delete"):
            response = getattr(client, method)(address)
            assert response.status_code == 405, (method, address)
            assert response["Allow"] == "GET, HEAD"


def test_head_is_get_without_its_body(site: None, client: Client) -> None:
    response = client.head("/")
    assert (response.status_code, response.content) == (200, b"")
    assert response["ETag"] == client.get("/")["ETag"]


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("/categories/none/", "There is no published category “none”."),
        (f"/categories/{world.SLUG}/none/", "has no facet “none”."),
        ("/evidence/no/such/mapping/", "No live release has a mapping record “no/such/mapping”."),
        ("/benchmarks/none/", "No live release has a benchmark “none”."),
        ("/lineages/a%00b/", "No live release has a lineage"),
        ("/contracts/%3Cscript%3E/", "“&lt;script&gt;”"),
        ("/atoms/none/", "No live release has a capability atom “none”."),
        ("/nowhere/", "Nothing is published at"),
    ],
)
def test_an_unknown_address_is_told_what_is_missing_and_where_to_look(
    site: None, client: Client, address: str, sentence: str
) -> None:
    response = client.get(address)
    assert response.status_code == 404
    page = response.content.decode()
    assert sentence in page
    assert 'href="/evidence/"' in page


def test_pages_are_the_same_for_everybody(site: None, client: Client, admin_client: Client) -> None:
    response = client.get("/")
    assert not response.cookies
    assert "Cookie" not in response.get("Vary", "")
    assert admin_client.get("/").content == response.content


def test_the_browser_may_load_nothing_but_the_pages_own_files(site: None, client: Client) -> None:
    policy = client.get("/")["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert not re.search(r"https?:", policy)


def test_errors_without_a_request_have_pages_too() -> None:
    """Django renders these without any context."""
    from django.template.loader import render_to_string

    for status, sentence in {"400": "could not be understood", "500": "Something went wrong on our side"}.items():
        assert sentence in render_to_string(f"{status}.html")
