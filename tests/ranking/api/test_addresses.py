"""Every address alike: what answers, what does not, and how."""

import pytest

from ranking.api import openapi
from tests.ranking.api.conftest import ALONE, LISTS, RECORDS, ROOT
from tests.ranking.public import world

PROBLEM = "application/problem+json"


def operations():
    return {methods["get"]["operationId"] for methods in openapi.document()["paths"].values()}


def test_these_tests_know_every_address(ranked_addresses):
    assert {*ranked_addresses, "get_release_bundle"} == operations(), (
        "the bundle, which is no JSON, has tests of its own"
    )


def test_every_address_answers_anybody(api, ranked_addresses):
    for path in [*ranked_addresses.values(), "schema/", "docs/"]:
        answer = api(path)
        assert answer.status_code == 200, path
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        assert answer.headers["Cache-Control"] == "no-cache"
        assert answer.headers["ETag"]
        assert not answer.cookies
        assert "Cookie" not in answer.headers.get("Vary", "")


@pytest.mark.django_db
def test_without_a_release_every_list_is_empty(api):
    for path in LISTS.values():
        assert api(path).told == {"count": 0, "next": None, "results": []}
    overall = api("overall/").told
    assert (overall["release"], overall["reason"], overall["not_contributing"]) == (None, "no-ranking-release", [])
    assert all(api(path).status_code == 404 for path in RECORDS.values())


def test_the_registry_is_hidden_until_it_is_published(api, registry):
    for path in LISTS.values():
        assert api(path).told["count"] == 0
    for path in [*RECORDS.values(), "collections/self-service/"]:
        answer = api(path)
        assert answer.status_code == 404
        assert world.MODEL not in answer.content.decode()


def test_editing_the_registry_changes_no_answer(api, addresses):
    from registry.models import CapabilityAtom, Collection, Facet

    before = {path: api(path).content for path in addresses.values()}
    Collection.objects.update(title="Edited", question="Edited?")
    Facet.objects.update(weight=20)
    CapabilityAtom.objects.create(key="new_atom", title="New atom")
    assert {path: api(path).content for path in addresses.values()} == before


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path",
    [
        *("nope/", "nope", "collections/none/", "collections/none/gate/", "collections/%00/", "collections/%00/gate/"),
        *("mappings/a/b/c/", "atoms/none/", "atoms/%00/", "releases/%00/", "releases/0123/", "releases/ABCDEF012345/"),
        *("releases/0123456789ab/", "releases/0123456789ab/rows/", "releases/0123456789ab/evidence/"),
        "releases/%25%25%25%25%25%25%25%25%25%25%25%25/",
    ],
)
def test_what_is_not_there_is_a_problem_document(api, path):
    answer = api(path)
    assert answer.status_code == 404
    assert answer.headers["Content-Type"] == PROBLEM
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert "ETag" not in answer.headers
    assert set(answer.told) == {"type", "title", "status", "detail"}
    assert (answer.told["status"], answer.told["title"]) == (404, "Not Found")
    assert answer.told["type"] == "/api/v1/docs/#problem-not-found"


def test_only_a_missing_slash_is_made_good(client, published):
    answer = client.get(f"{ROOT}collections?format=csv")
    assert (answer.status_code, answer.headers["Location"]) == (301, f"{ROOT}collections/?format=csv")
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert client.post(f"{ROOT}collections").status_code == 405
    assert client.get(f"{ROOT}//evil.example").status_code == 404


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_nothing_can_be_written(client, addresses, method):
    for path in addresses.values():
        answer = getattr(client, method)(ROOT + path, data="{}", content_type="application/json")
        assert answer.status_code == 405, path
        assert answer.headers["Allow"] == "GET, HEAD, OPTIONS"
        assert answer.headers["Content-Type"] == PROBLEM
        assert answer.json()["type"].endswith("#problem-method-not-allowed")


def test_head_is_get_without_the_body(client, addresses):
    for path in addresses.values():
        whole, head = client.get(ROOT + path), client.head(ROOT + path)
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers["ETag"] == whole.headers["ETag"]


@pytest.mark.django_db
@pytest.mark.parametrize("path", ALONE.values())
def test_a_page_of_another_site_may_ask_with_a_validator(client, path):
    answer = client.options(
        ROOT + path, headers={"Origin": "https://other.example", "Access-Control-Request-Headers": "if-none-match"}
    )
    assert answer.status_code == 204
    assert answer.headers["Access-Control-Allow-Methods"] == "GET, HEAD, OPTIONS"
    assert "If-None-Match" in answer.headers["Access-Control-Allow-Headers"]
    assert "Access-Control-Allow-Credentials" not in answer.headers


@pytest.mark.django_db
def test_a_format_that_is_not_made_is_not_acceptable(api):
    answer = api("collections/", headers={"Accept": "application/xml"})
    assert (answer.status_code, answer.headers["Content-Type"]) == (406, PROBLEM)
    assert answer.told["type"].endswith("#problem-not-acceptable")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "query", "parameter"),
    [
        ("collections/", {"editon": "v3"}, "editon"),
        ("collections/", {"kind": "rank"}, "kind"),
        ("collections/", {"edition": ["v2", "v3"]}, "edition"),
        ("collections/", {"format": "xml"}, "format"),
        ("overall/", {"format": "csv"}, "format"),
        ("overall/", {"page_size": "1"}, "page_size"),
        ("", {"anything": ""}, "anything"),
        ("mappings/", {"offset": str(2**63)}, "offset"),
        ("mappings/", {"page_size": "0"}, "page_size"),
        ("mappings/", {"page_size": "-1"}, "page_size"),
        ("mappings/", {"page_size": "1e3"}, "page_size"),
        ("mappings/", {"page_size": "٣"}, "page_size"),
        ("mappings/", {"cursor": ""}, "cursor"),
        ("mappings/", {"cursor": "abc"}, "cursor"),
        ("mappings/", {"cursor": "é\x00"}, "cursor"),
        ("schema/", {"format": "xml"}, "format"),
        ("docs/", {"theme": "dark"}, "theme"),
    ],
)
def test_a_bad_parameter_is_named(api, path, query, parameter):
    answer = api(path, **query)
    assert (answer.status_code, answer.headers["Content-Type"]) == (400, PROBLEM)
    assert answer.told["parameter"] == parameter
    assert parameter in answer.told["detail"]
    kind = "bad-cursor" if parameter == "cursor" else "bad-parameter"
    assert answer.told["type"] == f"/api/v1/docs/#problem-{kind}"


QUERIES = {"get_index": 1, "get_overall": 4, "get_release_difference": 3}
"""The validator, then the releases. Overall also asks what was withdrawn, and a difference is of two releases."""


def test_every_answer_costs_the_same_queries_however_much_there_is(api, ranked_addresses, django_assert_num_queries):
    for operation, path in ranked_addresses.items():
        with django_assert_num_queries(
            {"get_index": 1, "get_overall": 4, "get_release_difference": 3}.get(operation, 2)
        ):
            api(path)
