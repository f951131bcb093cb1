"""One address, one allowance."""

from random import Random

import pytest

from tests.ranking.api.conftest import ROOT

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _twenty_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rest_framework.throttling.AnonRateThrottle.THROTTLE_RATES", {"anon": "20/hour"})


def address(random: Random) -> str:
    return ".".join(str(random.randrange(1, 255)) for _ in range(4))


def test_a_thousand_made_up_addresses_are_one_client(client):
    random = Random(13)
    answers = [client.get(ROOT, headers={"X-Forwarded-For": address(random)}) for _ in range(1000)]
    assert [answer.status_code for answer in answers] == [200] * 20 + [429] * 980
    last = answers[-1]
    assert last.headers["Content-Type"] == "application/problem+json"
    assert last.json()["type"].endswith("#problem-throttled")
    assert int(last.headers["Retry-After"]) > 0
    assert last.headers["Access-Control-Allow-Origin"] == "*"
    assert client.get(ROOT, REMOTE_ADDR="192.0.2.7").status_code == 200


def test_behind_a_proxy_only_what_the_proxy_adds_counts(client, settings):
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "NUM_PROXIES": 1}
    random = Random(13)

    def ask(real: str) -> int:
        return int(client.get(ROOT, headers={"X-Forwarded-For": f"{address(random)}, {real}"}).status_code)

    assert [ask("198.51.100.7") for _ in range(25)] == [200] * 20 + [429] * 5
    assert ask("198.51.100.8") == 200


def test_addresses_that_do_not_exist_count_too(client):
    answers = [client.get(f"{ROOT}none-{number}/").status_code for number in range(25)]
    assert answers == [404] * 20 + [429] * 5
