"""Every fact that the pages on τ²-bench state, asked of the registry that the example files make."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from registry.actions import curate
from registry.models import (
    Configuration,
    ConfigurationAlias,
    EvidenceMapping,
    Lineage,
    LineageLink,
    MetricContract,
    Protocol,
    RightsDecision,
    Suite,
    TaskAlignment,
)
from registry.people import acting_user
from registry.rules import independence_groups
from tests import registries

pytestmark = pytest.mark.django_db

EXAMPLES = Path(__file__).parents[2] / "examples"
SUITE, BENCHMARK = "tau2-bench", "tau2-bench-banking-knowledge"
COUNTED, STATE_BENCH = "tau2-1-0-1-banking-alltools", "statebench-v0-8-main"
CONTRACTS = "tau2-1.0.1.banking-knowledge.gpt-5.2-sim"
RETRIEVALS = ("alltools", "qwen-embeddings", "terminal", "text-emb-3-large")
TASKS, TRIALS = 97, 4


_example = registries.once_a_module(registries.of_examples, autouse=True)


def submissions() -> Iterator[dict[str, Any]]:
    """Those in text on banking_knowledge; the list, the schema and the examples are none."""
    for path in sorted((EXAMPLES / "data" / "tau2_bench" / "submissions").glob("[!A]*.json")):
        read = json.loads(path.read_text())
        results = read.get("results", {})
        if results.get("banking_knowledge") and read.get("modality") != "voice":
            yield read


def counted() -> list[dict[str, Any]]:
    return [each for each in submissions() if each["results"]["banking_knowledge"]["retrieval_config"] == "alltools"]


def name(submission: dict[str, Any]) -> str:
    parts = (submission["model_organization"], submission["model_name"], submission["reasoning_effort"])
    return f"tau2-bench:{'|'.join(parts)}"


def groups() -> dict[str, str]:
    keys = Lineage.objects.values_list("key", flat=True)
    return independence_groups(keys, LineageLink.objects.values_list("a__key", "b__key"))


def test_seventeen_submissions_have_one_version_one_simulator_and_one_way_of_retrieval() -> None:
    assert (len(list(submissions())), len(counted())) == (22, 17)
    for each in counted():
        method = each["methodology"]
        assert (method["tau2_bench_version"], method["user_simulator"]) == ("1.0.1", "gpt-5.2")
        assert (each["submission_type"], each["submitting_organization"]) == ("standard", "Sierra")
        assert not any(method["verification"][word] for word in ("modified_prompts", "omitted_questions"))
        assert "low" in method["notes"]
        assert "300" in method["notes"]
    note = Lineage.objects.get(key=COUNTED).note
    assert note.startswith("Seventeen submissions")
    assert sum("re-graded" in each["methodology"]["notes"] for each in counted()) == 8
    assert "Eight of them ran before version 1.0.1" in note


def test_each_way_of_retrieval_is_a_lineage_and_one_is_usable() -> None:
    found = Lineage.objects.filter(suite__key=SUITE).values_list("key", "upstream_version", "use")
    assert set(found) == {
        (f"tau2-1-0-1-banking-{retrieval}", "1.0.1", "usable" if retrieval == "alltools" else "catalogued")
        for retrieval in RETRIEVALS
    }


def test_they_are_one_group_by_tasks_harness_simulator_and_publisher() -> None:
    links = LineageLink.objects.filter(a__suite__key=SUITE)
    assert links.count() == 6 * 4
    assert set(links.values_list("kind", flat=True)) == {"tasks", "harness", "judge", "publisher"}
    found = groups()
    assert len({found[f"tau2-1-0-1-banking-{retrieval}"] for retrieval in RETRIEVALS}) == 1


def test_it_is_independent_of_state_bench_and_says_on_what_that_rests() -> None:
    assert groups()[COUNTED] != groups()[STATE_BENCH]
    note = Lineage.objects.get(key=COUNTED).note
    for word in ("GPT-5.2", "GPT-5.4", "one maker", "no link is recorded", "conflict of interest"):
        assert word in note
    notes = EvidenceMapping.objects.filter(collection__slug="customer-service").values_list("note", flat=True)
    assert len(notes) == 2
    assert all("two independence groups" in note and "conflict of interest" in note for note in notes)


def test_one_link_would_make_them_one_group() -> None:
    """The decision is one record, which an editor can take back."""
    a, b = (Lineage.objects.get(key=key) for key in (STATE_BENCH, COUNTED))
    link = LineageLink(a=a, b=b, kind="judge", reason="Both simulators are of one generation.")
    curate.save(obj=link, by=acting_user(None))
    assert groups()[COUNTED] == groups()[STATE_BENCH]


def test_the_protocol_states_simulator_trials_and_that_states_decide() -> None:
    protocol = Protocol.objects.get(key=f"{CONTRACTS}.alltools")
    assert (protocol.simulator, protocol.runs, protocol.task_split) == ("GPT-5.2, effort low", 4, "all 97 tasks")
    assert protocol.judge.startswith("none")
    assert "standard scaffold" in protocol.harness
    for each in Protocol.objects.filter(contracts__lineage__suite__key=SUITE):
        assert "conflict of interest" in each.note


def test_pass_1_of_one_lineage_is_usable_and_every_other_number_catalogued() -> None:
    found = MetricContract.objects.filter(benchmark__key=BENCHMARK)
    assert {contract.key: contract.use for contract in found} == {
        f"{CONTRACTS}.{retrieval}.pass_{k}": "usable" if (retrieval, k) == ("alltools", 1) else "catalogued"
        for retrieval in RETRIEVALS
        for k in range(1, TRIALS + 1)
    }
    for contract in found:
        assert (contract.unit, contract.kind, contract.direction) == ("percent", "rate", "higher")
        assert (contract.lower, contract.upper, contract.subject_kind) == (0, 100, "harnessed-model")
        assert contract.required_identity == ["model", "harness", "effort"]
        assert contract.use_reason


def test_the_number_of_tasks_is_assumed_with_its_source_and_fits_every_value() -> None:
    (assumed,) = MetricContract.objects.filter(benchmark__key=BENCHMARK).exclude(assumed_n=None)
    assert (assumed.key, assumed.assumed_n) == (f"{CONTRACTS}.alltools.pass_1", TASKS)
    for word in ("v1.0.1", "fc0055dc4e0a316c3f83133267fbd6faaa770992", "388"):
        assert word in assumed.assumed_n_reason
    for each in counted():
        value = each["results"]["banking_knowledge"]["pass_1"]
        passed = round(value * TASKS * TRIALS / 100)
        assert value == pytest.approx(100 * passed / (TASKS * TRIALS), abs=0.0051), each["model_name"]


def test_a_reviewed_alias_names_the_configuration_of_every_submission() -> None:
    aliases = ConfigurationAlias.objects.filter(name__startswith="tau2-bench:")
    found = {alias.name: alias.configuration for alias in aliases.select_related("configuration__model")}
    assert found.keys() == {name(each) for each in submissions()}
    for each in submissions():
        configuration = found[name(each)]
        assert (configuration.subject_kind, configuration.harness) == (
            "harnessed-model", "tau2-bench standard scaffold",
        )  # fmt: skip
        assert configuration.effort == each["reasoning_effort"]
        assert configuration.model.name == each["model_name"]
    assert all(alias.reviewed_by and alias.reviewed_at and alias.reason for alias in aliases)


def test_what_no_submission_states_is_unknown() -> None:
    found = Configuration.objects.filter(aliases__name__startswith="tau2-bench:")
    assert set(found.values_list("availability", "settings")) == {("unknown", "unknown")}


def test_it_is_mapped_to_one_facet_and_every_alignment_is_marked_editorial() -> None:
    mapping = EvidenceMapping.objects.get(benchmark__key=BENCHMARK)
    assert (mapping.collection.slug, mapping.role, mapping.projection) == ("customer-service", "primary", "forbidden")
    assert [str(lineage) for lineage in mapping.lineages.all()] == [f"{COUNTED}/harnessed-model"]
    measurement = mapping.measurements.get()
    assert (measurement.contract.key, measurement.facet.slug) == (
        f"{CONTRACTS}.alltools.pass_1", "diagnosis-and-resolution",
    )  # fmt: skip
    assert mapping.maximum_directness == 80
    reasons = TaskAlignment.objects.filter(mapping=mapping).values_list("reason", flat=True)
    assert len(reasons) == 8
    assert all(reason.startswith("Editorial: ") for reason in reasons)


def test_the_suite_is_not_the_benchmark_before_it() -> None:
    suite = Suite.objects.get(key=SUITE)
    assert (suite.publisher.name, suite.title) == ("Sierra", "τ²-bench")
    assert "τ-bench" in suite.not_to_confuse
    assert "HAL" in suite.not_to_confuse


def test_rights_are_decided_for_all_four_uses() -> None:
    decisions = RightsDecision.objects.filter(suite__key=SUITE)
    assert {decision.use: decision.verdict for decision in decisions} == {
        "store": "allowed", "rank": "allowed", "show": "attribute", "export": "attribute",
    }  # fmt: skip
    assert all("MIT" in decision.clause and decision.reviewed_by for decision in decisions)
