"""Two categories on the same human evidence: one that v3 does not rank, one that a demonstration policy does."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from ranking.bundle import releases
from ranking.models import GateEvaluation, Publication
from registry.models import Collection, Configuration
from tests.desk import text_of

STRICT, DEMONSTRATION = "general-assistance", "general-assistance-demo"
TRIAL = [
    (62.4, 58.5, 66.2, 1, 6),
    (58.5, None, None, 1, 7),
    (57.5, None, None, 1, 6),
    (57.1, None, None, 1, 6),
    (56.1, None, None, 1, 6),
    (55.4, None, None, 1, 8),
    (47.9, None, None, 6, 11),
    (46.7, None, None, 7, 11),
    (45.5, None, None, 5, 11),
    (44.8, None, None, 7, 11),
    (40.1, None, None, 7, 12),
    (28.2, None, None, 11, 12),
]
"""Score, interval where the trial told it, rank range, of a throw-away fit of the same three files."""


def live(slug: str) -> Publication:
    return Publication.objects.select_related("release").get(collection__slug=slug, state="live")


def content(slug: str) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(live(slug).release.content)
    return told


def unmet(slug: str) -> list[str]:
    return [row["code"] for row in content(slug)["gate"]["criteria"] if row["verdict"] != "passed"]


def test_under_v3_the_page_says_what_is_missing_and_ranks_nothing(site: dict[str, User]) -> None:
    told = content(STRICT)
    assert (live(STRICT).release.kind, told["policy"]["name"], told["gate"]["verdict"]) == ("status", "v3", "closed")
    assert unmet(STRICT) == ["minimum-evidence", "judges"]
    parts = {part["code"]: part for row in told["gate"]["criteria"] for part in row["parts"]}
    assert (parts["facet-tasks"]["observed"], parts["facet-tasks"]["required"]) == (13, 30)
    assert parts["effective-tasks"]["observed"] == pytest.approx(2.7, abs=0.05)
    assert parts["both-orders-share"]["observed"] == 0
    assert "ranking" not in told


def test_the_demonstration_is_ranked_by_two_people(site: dict[str, User]) -> None:
    publication = live(DEMONSTRATION)
    assert (publication.release.kind, unmet(DEMONSTRATION)) == ("ranking", [])
    assert (publication.release.sealed_by, publication.published_by) == ("editor", "publisher")
    assert not Collection.objects.get(slug=DEMONSTRATION).planning


def test_both_rest_on_the_same_evidence(site: dict[str, User]) -> None:
    bodies = [
        json.loads(GateEvaluation.objects.filter(collection__slug=slug).latest("pk").snapshot.body)
        for slug in (STRICT, DEMONSTRATION)
    ]
    values = [
        sorted((row["contract"], row["configuration"], row["value"]) for row in body["results"]) for body in bodies
    ]
    verdicts = [
        sorted(
            (row["task"], row["a"], row["b"], row["judge"], row["outcome"], row["count"]) for row in body["comparisons"]
        )
        for body in bodies
    ]
    assert values[0] == values[1]
    assert [row[1:] for row in verdicts[0]] == [row[1:] for row in verdicts[1]]


def test_the_page_lists_its_weakenings_and_what_v3_misses(site: dict[str, User]) -> None:
    ranking = content(DEMONSTRATION)["ranking"]
    assert {row["threshold"]: (row["v3"], row["here"]) for row in ranking["weakened"]} == {
        "crowd_order": (None, {"accept": "recorded", "left_share_limit": 0.15}),
        "effective_tasks": (25, 2.5),
        "facet_tasks": (30, 13),
    }
    assert all(row["reason"] for row in ranking["weakened"])
    assert [row["code"] for row in ranking["fails_v3"]] == ["minimum-evidence", "judges"]


def test_what_is_assumed_of_availability_is_said_on_the_page(site: dict[str, User], client: Client) -> None:
    assumed = [
        row["configuration"]
        for row in content(DEMONSTRATION)["ranking"]["rows"]
        if "as of the evidence, not of today" in Configuration.objects.get(key=row["configuration"]).note
    ]
    assert len(assumed) == 5
    said = text_of(client.get(f"/categories/{DEMONSTRATION}/"))
    assert "Five of the twelve ranked models were served by their makers alone" in said
    assert "was not verified since" in said


def test_the_table_is_that_of_the_trial(site: dict[str, User]) -> None:
    rows = content(DEMONSTRATION)["ranking"]["rows"]
    assert [(row["rank_low"], row["rank_high"]) for row in rows] == [row[3:] for row in TRIAL]
    for row, (score, low, high, *_) in zip(rows, TRIAL, strict=True):
        assert row["score"] == pytest.approx(score, abs=0.1)
        if low is not None:
            assert (row["low"], row["high"]) == (pytest.approx(low, abs=0.15), pytest.approx(high, abs=0.15))
    assert sum(row["top"] for row in rows) == 6
    assert {row["tier"] for row in rows} == {1}
    assert len(rows) * 11 // 2 - sum(len(row["indistinct"]) for row in rows) // 2 == 37


def test_every_release_of_the_example_site_verifies(site: dict[str, User]) -> None:
    for publication in Publication.objects.select_related("release__evaluation__snapshot", "collection", "predecessor"):
        assert releases.faults(publication) == []
    assert list(releases.chain()) == []
