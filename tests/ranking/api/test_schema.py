"""The description and what it describes agree."""

import json
from html.parser import HTMLParser
from typing import Any

import pytest
import schemathesis
import yaml
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.validation import validate_schema
from hypothesis import HealthCheck, given, settings
from jsonschema import Draft202012Validator, FormatChecker
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import positive_data_acceptance

from ranking.api import openapi, reference
from ranking.api.problems import KINDS
from tests.ranking.api.conftest import ROOT
from tests.ranking.public import world


def test_it_is_valid_openapi_without_a_warning(capsys):
    GENERATOR_STATS.reset()
    openapi.document.cache_clear()
    document = openapi.document()
    validate_schema(document)
    assert document["openapi"] == "3.1.0"
    assert not GENERATOR_STATS
    assert capsys.readouterr().err == ""


def test_no_shape_is_left_open():
    def open_parts(schema: Any, path: str) -> list[str]:
        if isinstance(schema, list):
            return [found for part in schema for found in open_parts(part, path)]
        if not isinstance(schema, dict):
            return []
        if schema == {} or (
            schema.get("type") == "object" and not ({"properties", "additionalProperties"} & {*schema})
        ):
            return [path]
        return [found for name, part in schema.items() for found in open_parts(part, f"{path}/{name}")]

    assert open_parts(openapi.document()["components"]["schemas"], "") == []


def test_json_and_yaml_say_the_same(api, db):
    told = json.loads(api("schema/").content)
    answer = api("schema/", format="yaml")
    assert answer.headers["Content-Type"] == "application/yaml"
    assert yaml.safe_load(answer.content) == told == json.loads(json.dumps(openapi.document()))
    assert api("docs/", format="json").told == told


def conforming(document: dict[str, Any], operation: str, status: int) -> Draft202012Validator:
    described = next(
        methods["get"] for methods in document["paths"].values() if methods["get"]["operationId"] == operation
    )
    media_type = "application/json" if status == 200 else "application/problem+json"
    schema = described["responses"][str(status)]["content"][media_type]["schema"]
    checker = FormatChecker()
    return Draft202012Validator({**schema, "components": document["components"]}, format_checker=checker)


def test_every_answer_conforms(api, addresses, ranked_addresses, unthrottled):
    document = json.loads(api("schema/").content)
    for operation, path in [*addresses.items(), *ranked_addresses.items()]:
        conforming(document, operation, 200).validate(api(path).told)
        conforming(document, operation, 400).validate(api(path, unknown="").told)


def test_tombstones_and_unknown_records_conform(api, published):
    document = json.loads(api("schema/").content)
    world.withdraw(published)
    conforming(document, "get_gate", 410).validate(api(f"collections/{world.SLUG}/gate/").told)
    conforming(document, "get_gate", 404).validate(api("collections/none/gate/").told)


def test_a_record_has_no_member_that_is_not_described(api, addresses, ranked_addresses, unthrottled):
    document = json.loads(api("schema/").content)
    for operation, path in [*addresses.items(), *ranked_addresses.items()]:
        validator = conforming(document, operation, 200)
        closed = json.loads(
            json.dumps(validator.schema).replace('"properties": {', '"additionalProperties": false, "properties": {')
        )
        Draft202012Validator(closed).validate(api(path).told)


# The page -------------------------------------------------------------------------------------------------------------


class Anchors(HTMLParser):
    """The names and the inner links of a page, and what a strict policy would block."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.links: set[str] = set()
        self.blocked: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if name := given.get("id"):
            assert name not in self.names, f"two elements are called {name}"
            self.names.add(name)
        if (link := given.get("href") or "").startswith("#"):
            self.links.add(link[1:])
        if tag in {"script", "style"} or "style" in given or any(name.startswith("on") for name in given):
            self.blocked.append(tag)


@pytest.fixture
def page(client, db):
    return client.get(f"{ROOT}docs/", headers={"Accept": "text/html"})


def test_the_page_explains_every_address_shape_and_problem(page):
    assert page.headers["Content-Type"] == "text/html; charset=utf-8"
    assert "script-src 'self'" in page.headers["Content-Security-Policy"]
    found = Anchors()
    found.feed(page.content.decode())
    assert found.blocked == []
    assert found.links <= found.names
    document = openapi.document()
    assert {methods["get"]["operationId"] for methods in document["paths"].values()} <= found.names
    assert {f"problem-{kind}" for kind in KINDS} <= found.names
    assert {f"shape-{name}" for name in document["components"]["schemas"]} == {
        name for name in found.names if name.startswith("shape-")
    }


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"type": "string"}, "text"),
        ({"type": "string", "format": "date-time"}, "date and time"),
        ({"type": ["number", "null"]}, "number or null"),
        ({"type": "array", "items": {"$ref": "#/components/schemas/Task"}}, "list of Task"),
        ({"type": "object", "additionalProperties": {"type": "number"}}, "object of number"),
        ({"oneOf": [{"$ref": "#/components/schemas/Task"}, {"type": "null"}]}, "Task or null"),
        ({"oneOf": [{"type": "number"}, {"type": "array", "items": {"type": "string"}}]}, "number or list of text"),
    ],
)
def test_a_type_is_told_in_words(schema, words):
    kind = reference.kind(schema)
    assert f"{kind.before}{kind.shape}{kind.after}" == words


# Fuzzing --------------------------------------------------------------------------------------------------------------


@pytest.fixture
def one_connection():
    """Requests end without closing the connection that holds the transaction of the test, as in Django's own client."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def described(ranking, unthrottled, one_connection):
    return schemathesis.openapi.from_wsgi(f"{ROOT}schema/?format=json", get_wsgi_application())


@pytest.mark.parametrize("mode", list(GenerationMode))
def test_whatever_is_asked_is_answered_as_described(described, mode):
    """Parameters as described and parameters that are not: no fault, and an answer of the shape that is described."""
    for found in described.get_all_operations():

        @settings(max_examples=10, deadline=None, database=None, suppress_health_check=list(HealthCheck))
        @given(case=found.ok().as_strategy(generation_mode=mode))
        def ask(case):
            # Any text is a cursor to the description, and only ours is one to the list.
            case.call_and_validate(excluded_checks=[positive_data_acceptance] if "cursor" in (case.query or {}) else [])

        ask()
