"""τ²-bench beside STATE-Bench in customer service, and travel and shopping, as `make demo` makes them."""

from collections import Counter
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from ranking.models import GateEvaluation, Publication
from registry import eligibility
from registry.actions import imports
from registry.importing.formats.archives import packed
from registry.models import Collection, ImportBatch, MappingProfile, Result
from tests.site.conftest import EXAMPLES

SUBMISSIONS = EXAMPLES / "data" / "tau2_bench" / "submissions"
SUPPORT, TRAVEL, SHOPPING = "customer-service", "travel-booking", "shopping-assistance"
ALLTOOLS = "tau2-1.0.1.banking-knowledge.gpt-5.2-sim.alltools"
STATUS = (SUPPORT, TRAVEL, SHOPPING, "policy-grounded-assistance", "general-assistance")


def batch() -> ImportBatch:
    return ImportBatch.objects.get(profile_key="tau2-bench", status="applied")


def criteria(slug: str) -> dict[str, dict[str, Any]]:
    evaluation = GateEvaluation.objects.filter(collection__slug=slug).latest("pk")
    return {row["code"]: row for row in evaluation.criteria}


def judged(slug: str) -> list[eligibility.Judged]:
    mappings = Collection.objects.get(slug=slug).mappings.select_related("collection", "benchmark__suite")
    return list(eligibility.judge(mappings, Result.objects.all()))


def test_the_folder_is_one_import_and_every_row_has_its_verdict(site: dict[str, User]) -> None:
    found = batch()
    assert (found.rows, found.counts["new"], found.counts["skipped"], found.counts["refused"]) == (377, 88, 289, 0)
    skipped = found.staged.filter(verdict="skipped")
    said = Counter(row.problems[0]["message"].split(",")[0].split(";")[0] for row in skipped)
    assert said == {
        "A file states one version": 228,
        "It was measured by voice": 33,
        "The submitter changed the prompts": 12,
        "The submitter changed the scaffold": 12,
        "The list": 4,
    }


def test_the_list_the_schema_and_the_examples_give_no_result(site: dict[str, User]) -> None:
    files = set(Result.objects.filter(batch=batch()).values_list("external_id", flat=True))
    assert len(files) == 22
    assert not [file for file in files if file.startswith(("A_EXAMPLE", "manifest", "schema"))]
    profile = MappingProfile.objects.get(key="tau2-bench")
    for name in ("A_EXAMPLE_new-model_example-org_2025-01-15.json", "manifest.json", "schema.json"):
        content = (SUBMISSIONS / name).read_bytes()
        with pytest.raises(Exception, match=r"holds no results|never measured"):
            imports.stage(content=content, filename=name, profile=profile, source_url="", by=site["editor"])


def test_seventeen_results_count_and_every_other_says_why_not(site: dict[str, User]) -> None:
    found: dict[str, Counter[tuple[str, ...]]] = {}
    for row in judged(SUPPORT):
        lineage, _, metric = row.result.contract.key.rpartition(".")
        if lineage.startswith("tau2"):
            counts = found.setdefault(f"{lineage.rpartition('.')[2]} {metric}", Counter())
            counts[tuple(reason.code for reason in row.reasons)] += 1
    later = ("contract-not-usable", "no-uncertainty")
    other = ("lineage-not-usable", *later)
    retrievals = {"terminal": 2, "text-emb-3-large": 2, "qwen-embeddings": 1}
    assert found == {
        "alltools pass_1": {(): 17},
        **{f"alltools pass_{k}": {later: 17} for k in (2, 3, 4)},
        **{f"{name} pass_{k}": {other: times} for name, times in retrievals.items() for k in (1, 2, 3, 4)},
    }


def test_a_value_is_stored_as_it_was_published(site: dict[str, User]) -> None:
    found = Result.objects.get(contract__key=f"{ALLTOOLS}.pass_1", external_id="gpt-5-5_sierra_2026-05-05.json")
    assert (found.value, found.n, found.stderr, found.sd) == (44.58762886597938, None, None, None)
    assert found.configuration.key == "openai/gpt-5.5/tau2-scaffold/effort-xhigh"


def test_no_configuration_has_values_of_both_benchmarks(site: dict[str, User]) -> None:
    """GPT-5.5 was measured at effort high by one and at xhigh by the other: two configurations, and never one row."""
    counting = [row.result for row in judged(SUPPORT) if not row.reasons]
    by_suite: dict[str, set[str]] = {}
    for result in counting:
        by_suite.setdefault(result.contract.benchmark.suite.key, set()).add(result.configuration.key)
    assert {suite: len(keys) for suite, keys in by_suite.items()} == {"statebench": 2, "tau2-bench": 17}
    assert not by_suite["statebench"] & by_suite["tau2-bench"]


def test_importing_the_folder_again_changes_nothing(site: dict[str, User]) -> None:
    profile = MappingProfile.objects.get(key="tau2-bench")
    again = imports.stage(content=packed(SUBMISSIONS), filename="again", profile=profile, by=site["editor"])
    assert (again.counts["same"], again.counts["new"], again.counts["changed"]) == (88, 0, 0)


def test_two_groups_have_results_in_customer_service_and_neither_counts_yet(site: dict[str, User]) -> None:
    found = criteria(SUPPORT)
    assert found["independence"]["beside"] == {"groups with eligible results": 2}
    assert (found["independence"]["observed"], found["independence"]["missing"]) == (0, 2)
    assert (found["external-evidence"]["observed"], found["rights"]["observed"]) == (19, 2)
    assert found["field"]["beside"] == {"configurations with an eligible result": 19}
    assert found["coverage"]["beside"] == {"highest coverage of any configuration, %": 31.2}
    assert {code for code, row in found.items() if row["verdict"] == "passed"} == {"external-evidence", "rights"}


@pytest.mark.parametrize(("slug", "coverage"), [(TRAVEL, 50.0), (SHOPPING, 41.7)])
def test_one_group_has_results_in_travel_and_shopping(site: dict[str, User], slug: str, coverage: float) -> None:
    found = criteria(slug)
    assert found["external-evidence"]["observed"] == 2
    assert found["independence"]["beside"] == {"groups with eligible results": 1}
    assert (found["field"]["observed"], found["field"]["missing"]) == (0, 8)
    assert found["coverage"]["beside"] == {"highest coverage of any configuration, %": coverage}
    assert (found["facets"]["required"], found["facets"]["observed"]) == (4, 0)
    assert {code for code, row in found.items() if row["verdict"] == "passed"} == {"external-evidence", "rights"}


def test_five_categories_are_live_as_evidence_status_and_stand_on_the_first_page(
    site: dict[str, User], client: Client
) -> None:
    kinds = dict(Publication.objects.filter(state="live").values_list("collection__slug", "release__kind"))
    assert kinds == {**dict.fromkeys(STATUS, "status"), "general-assistance-demo": "ranking"}
    text = client.get("/").content.decode()
    assert all(f"/categories/{slug}/" in text for slug in kinds)


@pytest.mark.parametrize("slug", [SUPPORT, TRAVEL, SHOPPING])
def test_its_page_asks_its_question_and_says_why_nothing_is_ranked(
    site: dict[str, User], client: Client, slug: str
) -> None:
    text = client.get(f"/categories/{slug}/").content.decode()
    collection = Collection.objects.get(slug=slug)
    assert collection.question in text
    assert "no ranking" in text.lower()
    assert all(facet.title in text for facet in collection.facets.all())
    for row in criteria(slug).values():
        assert row["message"].replace("'", "&#x27;") in text


@pytest.mark.parametrize(
    "mapping", ["statebench/state-bench-customer-support", "tau2-bench/tau2-bench-banking-knowledge"]
)
def test_the_page_of_each_mapping_prints_what_the_two_groups_share(
    site: dict[str, User], client: Client, mapping: str
) -> None:
    answer = client.get(f"/evidence/{SUPPORT}/{mapping}/")
    assert answer.status_code == 200
    text = answer.content.decode()
    assert "two releases of one maker" in text
    assert "conflict of interest" in text


def test_the_page_of_the_lineage_says_why_it_has_no_link(site: dict[str, User], client: Client) -> None:
    text = client.get("/lineages/tau2-1-0-1-banking-alltools/").content.decode()
    assert "so that no link is recorded" in text
    assert "conflict of interest" in text
