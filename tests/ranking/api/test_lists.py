"""Pages, filters and CSV."""

import csv
import io

import pytest
from django.http import QueryDict
from hypothesis import given
from hypothesis import strategies as st

from ranking.api import pages
from ranking.api.problems import BadCursor
from ranking.api.renderers import FORMULA, cell
from ranking.api.rows import Rows
from ranking.api.shapes.base import columns
from ranking.api.shapes.mappings import MappingRow
from ranking.models import Publication
from registry.models import Collection
from tests.ranking.api.conftest import LISTS
from tests.ranking.public import world

# Pages ----------------------------------------------------------------------------------------------------------------


def follow(api, path, **query):
    """The keys of every page of a list, page by page."""
    answer = api(path, **query)
    yield answer.told
    while answer.told["next"]:
        answer = api(path, **QueryDict(answer.told["next"].split("?", 1)[1]).dict())
        yield answer.told


def test_following_next_gives_every_row_once(api, published):
    whole = [row["slug"] for row in api("facets/").told["results"]]
    assert len(whole) == 8
    for size in (1, 3, 8):
        told = list(follow(api, "facets/", page_size=size))
        assert [row["slug"] for page in told for row in page["results"]] == whole
        assert {page["count"] for page in told} == {8}
        assert all(len(page["results"]) <= size for page in told)
        assert len(told) == -(-8 // size)


def test_next_keeps_filter_and_size_and_stands_in_the_link_header(api, published):
    answer = api("facets/", collection=world.SLUG, page_size=3)
    query = QueryDict(answer.told["next"].split("?", 1)[1])
    assert (query["collection"], query["page_size"]) == (world.SLUG, "3")
    assert answer.headers["Link"] == f'<{answer.told["next"]}>; rel="next"'
    assert answer.told["next"].startswith("http://testserver/api/v1/facets/?")
    assert "Link" not in api("facets/", collection=world.SLUG).headers


def test_a_publication_between_two_pages_moves_no_row(api, published):
    first = api("releases/", page_size=1).told
    Collection.objects.update(title="Edited")
    world.publish(reason="Edited.")
    second = api("releases/", **QueryDict(first["next"].split("?", 1)[1]).dict()).told
    assert [row["collection"] for row in first["results"] + second["results"]] == [world.SLUG, "self-service"]
    assert (second["count"], second["next"]) == (3, None)


def test_a_page_has_a_hard_maximum(api, published):
    rows: Rows = {f"{number:04}": {} for number in range(500)}
    for asked in ("101", "99999", str(2**63), "9" * 5000):
        answer = api("facets/", page_size=asked)
        assert (answer.status_code, answer.told["parameter"]) == (400, "page_size")
        assert answer.told["detail"].endswith("is not a whole number from 1 to 100.")
    assert api("facets/", page_size="100").status_code == 200
    assert len(pages.page(rows, {"page_size": "100"}).rows) == 100
    assert len(pages.page(rows, {}).rows) == 50
    assert len(pages.page(rows, {"page_size": "007"}).rows) == 7


@given(st.text())
def test_a_cursor_names_any_key(key):
    try:
        text = pages.cursor(key)
    except UnicodeEncodeError:  # a lone surrogate is in no key
        return
    assert pages.read_cursor(text) == key
    assert text.replace("-", "").replace("_", "").isalnum()


@given(st.text() | st.binary().map(lambda raw: raw.hex()))
def test_anything_else_is_no_cursor(text):
    try:
        key = pages.read_cursor(text)
    except BadCursor:
        return
    assert pages.cursor(key) == text


@given(st.sets(st.text(alphabet="abc/", max_size=4)), st.integers(1, 5))
def test_pages_partition_a_list(keys, size):
    rows = {key: {"key": key} for key in sorted(keys)}
    seen, query = [], {"page_size": str(size)}
    while True:
        page = pages.page(rows, query)
        seen += [row["key"] for row in page.rows]
        if page.following is None:
            break
        query = QueryDict(page.following).dict()
    assert seen == list(rows)


# Filters --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "query", "count"),
    [
        ("collections/", {"edition": "v3"}, 2),
        ("collections/", {"edition": "v2"}, 0),
        ("collections/", {"kind": "ranking"}, 0),
        ("facets/", {"collection": world.SLUG}, 4),
        ("facets/", {"mode": "pairwise"}, 0),
        ("atoms/", {"mappings": world.SECOND}, 2),
        ("benchmarks/", {"suite": "statebench", "publisher": "microsoft"}, 1),
        ("benchmarks/", {"eligibility": "retired"}, 0),
        ("lineages/", {"use": "usable"}, 1),
        ("lineages/", {"mappings": world.MAPPING}, 1),
        ("contracts/", {"lineage": world.LINEAGE}, 3),
        ("contracts/", {"lineage": world.LINEAGE, "use": "usable"}, 2),
        ("contracts/", {"protocol": "none"}, 0),
        ("mappings/", {"collection": world.SLUG}, 1),
        ("mappings/", {"suite": "statebench", "role": "supporting"}, 1),
        ("mappings/", {"benchmark": "state-bench-customer-support", "upstream_access": "machine-ready"}, 2),
        ("exclusions/", {"scope": "lineage", "type": "version"}, 1),
        ("exclusions/", {"mapping": world.MAPPING}, 0),
        ("exclusions/", {"target": "statebench-v0-7-main"}, 1),
        ("policies/", {"edition": "v3"}, 1),
        ("releases/", {"collection": "self-service", "state": "live", "kind": "status"}, 1),
    ],
)
def test_a_filter_keeps_the_rows_that_have_its_value(api, published, path, query, count):
    told = api(path, **query).told
    assert told["count"] == len(told["results"]) == count


# CSV ------------------------------------------------------------------------------------------------------------------


def table(answer):
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    return list(csv.DictReader(io.StringIO(answer.content.decode())))


def test_every_list_is_a_table_too(api, ranking):
    for path in LISTS.values():
        told = api(path).told["results"]
        rows = table(api(path, format="csv"))
        assert len(rows) == len(told) > 0, path
        for row, record in zip(rows, told, strict=True):
            for name in set(row) & set(record):
                assert row[name] == cell(record[name])


def test_accept_asks_for_csv_and_format_overrules_it(api, published):
    by_header = api("mappings/", headers={"Accept": "text/csv"})
    assert by_header.headers["Content-Type"].startswith("text/csv")
    assert "Accept" in by_header.headers["Vary"]
    assert by_header.content == api("mappings/", format="csv").content
    assert api("mappings/", headers={"Accept": "text/csv"}, format="json").told["count"] == 2


def test_a_csv_page_leads_to_the_next(api, published):
    answer = api("facets/", format="csv", page_size=3)
    assert len(table(answer)) == 3
    assert "format=csv" in answer.headers["Link"]


def test_an_empty_list_still_has_its_header(api, db):
    text = api("mappings/", format="csv").content.decode()
    assert text == ",".join(columns(MappingRow)) + "\r\n"


def test_a_formula_in_a_name_does_not_run(api, registry):
    Collection.objects.filter(slug=world.SLUG).update(title='=HYPERLINK("https://evil.example")')
    world.publish()
    assert table(api("collections/", format="csv"))[0]["title"] == '\'=HYPERLINK("https://evil.example")'
    assert api("collections/").told["results"][0]["title"].startswith("=HYPERLINK")
    assert Publication.objects.count() == 1


@given(st.text() | st.lists(st.text()))
def test_no_cell_begins_a_formula(value):
    assert not cell(value).startswith(FORMULA)


@pytest.mark.parametrize(
    ("value", "text"), [(None, ""), (True, "true"), (False, "false"), (-0.35, "-0.35"), (2, "2"), (["a", "b"], "a b")]
)
def test_a_number_in_a_cell_stays_a_number(value, text):
    assert cell(value) == text
