"""The categories on human comparisons: every decision about them, asked of the registry that the example files make."""

import csv
from decimal import Decimal
from pathlib import Path

import pytest

from ranking.models import GatePolicy
from ranking.policies import values
from registry.models import (
    Collection,
    Configuration,
    ConfigurationAlias,
    EvidenceMapping,
    Lineage,
    LineageLink,
    MappingProfile,
    Measurement,
    MetricContract,
    RightsDecision,
    SampleOutput,
    Task,
)
from registry.rules import independence_groups
from tests import registries

pytestmark = pytest.mark.django_db

EXAMPLES = Path(__file__).parents[2] / "examples"
DATA = EXAMPLES / "data"
STRICT, DEMONSTRATION = "general-assistance", "general-assistance-demo"
BOTH = (STRICT, DEMONSTRATION)
SUITES = ("alpaca-eval", "arena", "epoch-hub", "llmfao")
# The twelve that all three sources measured, by their names there.
SHARED = {
    "GPT 4": ("gpt4_0613", "GPT-4-0613"),
    "GPT 3.5 Turbo": ("gpt-3.5-turbo-0613", "GPT-3.5-Turbo-0613"),
    "Claude v1": ("claude", "Claude-1"),
    "Claude v2": ("claude-2", "Claude-2.0"),
    "Claude Instant v1": ("claude-instant-1.2", "Claude-Instant-1"),
    "LLaMA-2-Chat (7B)": ("llama-2-7b-chat-hf", "Llama-2-7B-chat"),
    "LLaMA-2-Chat (13B)": ("llama-2-13b-chat-hf", "Llama-2-13b-chat"),
    "LLaMA-2-Chat (70B)": ("llama-2-70b-chat-hf", "Llama-2-70B-chat"),
    "Guanaco (33B)": ("guanaco-33b", "Guanaco-33B"),
    "Vicuna v1.5 (13B)": ("vicuna-13b-v1.5", "Vicuna-13B"),
    "Vicuna v1.3 (7B)": ("vicuna-7b-v1.3", "Vicuna-7B"),
    "Open-Assistant Pythia SFT-4 (12B)": ("oasst-sft-pythia-12b", "OpenAssistant-Pythia-12B"),
}


_example = registries.once_a_module(registries.of_examples, autouse=True)


def names(file: str, *columns: str) -> set[str]:
    with (DATA / file).open(encoding="utf-8", newline="") as opened:
        return {row[column] for row in csv.DictReader(opened) for column in columns}


# --- The categories ---------------------------------------------------------------------------------------------------


def test_one_question_stands_in_two_editions() -> None:
    found = {row.slug: row for row in Collection.objects.filter(slug__in=BOTH).select_related("edition")}
    assert {slug: row.edition.key for slug, row in found.items()} == {STRICT: "v3", DEMONSTRATION: "demonstration"}
    assert {(row.subject_kind, row.planning) for row in found.values()} == {("model", True)}
    assert len({row.question for row in found.values()}) == 2
    for row in found.values():
        facet = row.facets.get()
        assert (facet.slug, facet.weight, facet.mode) == ("everyday-requests", Decimal(100), "hybrid")


def test_the_thirteen_prompts_of_the_source_are_the_plan_of_both() -> None:
    prompts = MappingProfile.objects.get(key="llmfao").spec["vocabularies"]["task"]["words"]
    assert prompts.keys() == names("pairwise/llmfao.csv", "prompt")
    for slug in BOTH:
        tasks = Task.objects.filter(facet__collection__slug=slug)
        assert set(tasks.values_list("key", flat=True)) == set(prompts.values())
        assert all(task.required and not task.editorial and task.description for task in tasks)
    for task in Task.objects.filter(facet__collection__slug=DEMONSTRATION).select_related("same_as__facet__collection"):
        assert task.same_as is not None
        assert (task.same_as.facet.collection.slug, task.same_as.key, task.same_as.title) == (
            STRICT,
            task.key,
            task.title,
        )


def test_saved_outputs_show_a_task_without_a_grade() -> None:
    found = SampleOutput.objects.select_related("configuration")
    assert len(found) == 4
    assert {(sample.retired_grade, sample.configuration.reference) for sample in found} == {(None, True)}


# --- The policy of the demonstration ----------------------------------------------------------------------------------


def test_the_demonstration_asks_what_v3_asks_but_for_three_values() -> None:
    strict, demonstration = (GatePolicy.objects.get(edition__key=key) for key in ("v3", "demonstration"))
    asked, here = values(strict), values(demonstration)
    differing = {name: here[name] for name in here if here.get(name) != asked.get(name)}
    assert differing == {
        "facet_tasks": 13,
        "effective_tasks": 2.5,
        "crowd_order": {"accept": "recorded", "left_share_limit": 0.15},
    }
    assert asked.keys() <= here.keys()
    for name, threshold in demonstration.thresholds.items():
        if name in differing:
            assert threshold["reason"].startswith("Weaker than v3, which asks")
        else:
            assert threshold == strict.thresholds[name]


# --- Lineages and independence ----------------------------------------------------------------------------------------


def test_the_three_sources_are_three_groups() -> None:
    every = Lineage.objects.values_list("key", flat=True)
    group = independence_groups(every, LineageLink.objects.values_list("a__key", "b__key"))
    assert len({group[key] for key in ("alpaca-eval-2", "arena-text-2025-08-04", "llmfao-crowd-2023")}) == 3
    assert group["alpaca-eval-1"] == group["alpaca-eval-2"]
    assert group["arena-text-2025-08-04-style"] == group["arena-text-2025-08-04"]


def test_every_link_has_a_kind_and_a_reason() -> None:
    links = LineageLink.objects.filter(a__suite__key__in=SUITES)
    assert {(link.a.key, link.kind) for link in links} == {
        ("alpaca-eval-1", "tasks"), ("alpaca-eval-1", "publisher"), ("alpaca-eval-1", "judge"),
        ("alpaca-eval-1", "derived"), ("arena-text-2025-08-04", "raw-votes"), ("arena-text-2025-08-04", "publisher"),
    }  # fmt: skip
    assert all(link.reason for link in links)


@pytest.mark.parametrize("key", ["alpaca-eval-2", "arena-text-2025-08-04", "llmfao-crowd-2023"])
def test_a_lineage_without_a_link_to_the_others_says_why(key: str) -> None:
    note = Lineage.objects.get(key=key).note
    assert any(word in note for word in ("shares none", "share neither", "no other lineage"))


# --- Mappings and contracts -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", BOTH)
def test_each_source_is_mapped_and_two_numbers_count(slug: str) -> None:
    mappings = EvidenceMapping.objects.filter(collection__slug=slug).select_related("benchmark__suite")
    assert {mapping.benchmark.key: mapping.role for mapping in mappings} == {
        "llmfao": "primary", "alpaca-eval-2": "primary", "arena-text": "primary", "mmlu-by-epoch": "context",
    }  # fmt: skip
    assert {mapping.projection for mapping in mappings} == {"forbidden"}
    counting = Measurement.objects.filter(mapping__in=mappings).values_list("contract__key", "facet__slug")
    assert set(counting) == {
        ("alpaca-eval-2.win_rate", "everyday-requests"), ("arena-text-2025-08-04.rating", "everyday-requests"),
    }  # fmt: skip


def test_conflicts_of_interest_stand_on_the_mapping() -> None:
    notes = {mapping.benchmark.key: mapping.note for mapping in EvidenceMapping.objects.select_related("benchmark")}
    assert "Judge and baseline are one model" in notes["alpaca-eval-2"]
    assert "operator of the Arena made some of the ranked models" in notes["arena-text"]
    assert all("conflict of interest" in notes[key] for key in ("alpaca-eval-2", "arena-text"))
    assert "Third-party work" in notes["llmfao"]
    assert "credited" in notes["llmfao"]


def test_what_each_number_means() -> None:
    rate, rating = (
        MetricContract.objects.get(key=key) for key in ("alpaca-eval-2.win_rate", "arena-text-2025-08-04.rating")
    )
    assert (rate.kind, rate.unit, rate.direction, rate.lower, rate.upper) == ("rate", "percent", "higher", 0, 100)
    assert (rating.kind, rating.direction, rating.lower, rating.upper) == ("rating", "higher", None, None)
    assert (rate.stderr_over_rows, rating.stderr_over_rows) == (False, True)
    assert {(contract.use, tuple(contract.required_identity)) for contract in (rate, rating)} == {
        ("usable", ("model",))
    }


@pytest.mark.parametrize(
    ("key", "use", "because"),
    [
        ("alpaca-eval-2.length_controlled_win_rate", "catalogued", "no standard error"),
        ("arena-text-2025-08-04.style_control_rank", "catalogued", "no uncertainty"),
        ("llmfao-crowd-2023.published_score", "blocked", "count them twice"),
        ("mmlu-epoch-figures.accuracy", "catalogued", "base models"),
    ],
)
def test_what_does_not_count_says_why(key: str, use: str, because: str) -> None:
    contract = MetricContract.objects.get(key=key)
    assert contract.use == use
    assert because in contract.use_reason


def test_the_length_controlled_rate_indeed_has_no_standard_error_for_the_twelve() -> None:
    with (DATA / "alpaca_eval" / "alpaca_eval_2_weighted_leaderboard_raw.csv").open(newline="") as opened:
        rows = {row[""]: row for row in csv.DictReader(opened)}
    shared = [rows[alpaca] for alpaca, _ in SHARED.values()]
    assert {row["lc_standard_error"] for row in shared} == {""}
    assert sum(not row["lc_standard_error"] for row in rows.values()) > len(rows) / 2


# --- Subjects ---------------------------------------------------------------------------------------------------------


def test_all_models_of_the_comparisons_are_known_and_twelve_are_ranked() -> None:
    aliases = ConfigurationAlias.objects.filter(name__startswith="llmfao:").select_related("configuration")
    found = {alias.name.removeprefix("llmfao:"): alias.configuration for alias in aliases}
    assert found.keys() == names("pairwise/llmfao.csv", "left", "right")
    assert len(set(found.values())) == len(found) == 59
    assert {configuration.subject_kind for configuration in found.values()} == {"model"}
    ranked = {name for name, configuration in found.items() if not configuration.reference}
    assert ranked == SHARED.keys()


@pytest.mark.parametrize("name", SHARED)
def test_each_shared_model_goes_by_three_names_each_decided_with_a_reason(name: str) -> None:
    alpaca, arena = SHARED[name]
    aliases = ConfigurationAlias.objects.filter(
        name__in=(f"llmfao:{name}", f"alpaca-eval-2:{alpaca}", f"arena-text:{arena}")
    )
    assert len(aliases) == 3
    assert len({alias.configuration_id for alias in aliases}) == 1
    assert all(alias.reason and alias.reviewed_by and alias.reviewed_at for alias in aliases)


def test_an_alias_that_may_be_another_version_says_so() -> None:
    assert "leads to version 1.5" in ConfigurationAlias.objects.get(name="arena-text:Vicuna-7B").reason


def test_profiles_leave_out_exactly_what_has_no_alias() -> None:
    for key, prefix in (("alpaca-eval-2", "alpaca-eval-2:"), ("arena-text", "arena-text:")):
        *_, rule = MappingProfile.objects.get(key=key).spec["skip"]
        aliases = ConfigurationAlias.objects.filter(name__startswith=prefix).values_list("name", flat=True)
        assert {prefix + name for name in rule["when"]["model"]["not"]} == set(aliases)
        assert rule["reason"]


def test_availability_is_recorded_with_what_it_means() -> None:
    ranked = Configuration.objects.filter(subject_kind="model", reference=False)
    assert {configuration.availability for configuration in ranked} == {"available"}
    for configuration in ranked:
        open_weights = "weights are published" in configuration.note
        assert open_weights or "as of the evidence, not of today" in configuration.note
    assert set(Configuration.objects.filter(reference=True).values_list("availability", flat=True)) == {"unknown"}


# --- Rights -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("suite", "licence"),
    [("llmfao", "CC BY 4.0"), ("alpaca-eval", "Apache"), ("arena", "MPL 2.0"), ("epoch-hub", "CC BY")],
)
def test_rights_are_decided_for_all_four_uses(suite: str, licence: str) -> None:
    decisions = RightsDecision.objects.filter(suite__key=suite)
    assert {decision.use for decision in decisions} == {"store", "rank", "show", "export"}
    for decision in decisions:
        assert decision.verdict in ("allowed", "attribute")
        assert licence in decision.clause
        assert decision.reviewed_by
        assert decision.reviewed_on
        assert bool(decision.attribution) == (decision.verdict == "attribute")
    assert {decision.verdict for decision in decisions if decision.use in ("show", "export")} == {"attribute"}
