"""A published world, and the API as its readers ask it."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from ranking.models import Publication
from tests.ranking.public import ranked, world

ROOT = "/api/v1/"
Get = Callable[..., Any]


@pytest.fixture
def api(client: Client) -> Get:
    """`api("collections/", edition="v3")`: the answer, its JSON in `.told`."""

    def get(path: str, headers: dict[str, str] | None = None, **query: Any) -> Any:
        answer: Any = client.get(ROOT + path, query, headers=headers)
        if answer.headers.get("Content-Type", "").endswith("json"):
            answer.told = json.loads(answer.content)
        return answer

    return get


@pytest.fixture
def registry(db: None) -> None:
    """A registry of which nothing is published."""
    world.build()


@pytest.fixture
def published(registry: None) -> Publication:
    """The status pages of both categories are live; the release of customer-service."""
    world.publish("self-service")
    return world.publish()


@pytest.fixture
def ranking(published: Publication) -> Publication:
    """The ranking that then takes the place of the status of self-service."""
    return ranked.publish("self-service", ranked.demonstrate)


@pytest.fixture
def unthrottled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rest_framework.throttling.AnonRateThrottle.THROTTLE_RATES", {"anon": None})


LISTS = {
    "list_atoms": "atoms/",
    "list_benchmarks": "benchmarks/",
    "list_collections": "collections/",
    "list_configurations": "configurations/",
    "list_contracts": "contracts/",
    "list_editions": "editions/",
    "list_exclusions": "exclusions/",
    "list_facets": "facets/",
    "list_lineages": "lineages/",
    "list_mappings": "mappings/",
    "list_models": "models/",
    "list_policies": "policies/",
    "list_protocols": "protocols/",
    "list_releases": "releases/",
    "list_suites": "suites/",
}
RECORDS = {
    "get_atom": "atoms/support_ux/",
    "get_benchmark": f"benchmarks/{world.BENCHMARK}/",
    "get_collection": f"collections/{world.SLUG}/",
    "get_contract": "contracts/v0.8.main.customer_support.pass_at_1/",
    "get_edition": "editions/v3/",
    "get_facet": f"facets/{world.SLUG}/de-escalation/",
    "get_gate": f"collections/{world.SLUG}/gate/",
    "get_lineage": f"lineages/{world.LINEAGE}/",
    "get_mapping": f"mappings/{world.MAPPING}/",
    "get_policy": "policies/v3/",
    "get_protocol": "protocols/statebench-v0.8.main/",
    "get_suite": "suites/statebench/",
}
OF_RANKINGS = {
    "get_configuration": "configurations/aster/vega-3@max/",
    "get_model": "models/aster/vega-3/",
}
"""What only a ranking release makes public."""
ALONE = {"get_index": "", "get_overall": "overall/"}
OF_RELEASES = ("get_exclusion", "get_release", "get_release_evidence", "get_release_rows")
"""Their addresses hold digests."""


def _addresses(publication: Publication, api: Get) -> dict[str, str]:
    release = f"releases/{publication.identifier[:12]}/"
    exclusion = api("exclusions/").told["results"][0]["key"]
    of_releases = (f"exclusions/{exclusion}/", release, f"{release}evidence/", f"{release}rows/")
    return LISTS | RECORDS | ALONE | dict(zip(OF_RELEASES, of_releases, strict=True))


@pytest.fixture
def addresses(published: Publication, api: Get) -> dict[str, str]:
    """An address that answers, for every operation that an evidence status has an answer to."""
    return _addresses(published, api)


@pytest.fixture
def ranked_addresses(ranking: Publication, api: Get) -> dict[str, str]:
    """An address that answers, for every operation of the API."""
    before, after = ranking.predecessor, ranking
    assert before
    difference = f"releases/{before.identifier[:12]}/diff/{after.identifier[:12]}/"
    return _addresses(ranking, api) | OF_RANKINGS | {"get_release_difference": difference}
