"""Every fact that the pages on STATE-Bench state, asked of the registry that the example files make.

The categories on human comparisons are asked in `test_example_human_evidence.py`, those on travel and shopping in
`test_example_domains.py`, and τ²-bench in `test_example_tau2_bench.py`.
"""

import csv
from decimal import Decimal
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
from django.db.models import Sum
from scipy.sparse.csgraph import connected_components

from ranking import registry_files
from ranking.gate import evaluate
from ranking.models import GatePolicy
from ranking.policies import in_force, values
from ranking.snapshot import take
from registry.models import (
    Benchmark,
    CapabilityAtom,
    Collection,
    Configuration,
    ConfigurationAlias,
    EvidenceMapping,
    Exclusion,
    Facet,
    Lineage,
    LineageLink,
    Measurement,
    MetricContract,
    Protocol,
    RightsDecision,
    Suite,
    TaskAlignment,
)
from registry.people import acting_user
from registry.vocabulary import IdentityPart, SubjectKind
from tests import registries

pytestmark = pytest.mark.django_db

EXAMPLES = Path(__file__).parents[2] / "examples"
DATA = EXAMPLES / "data" / "statebench"
MAIN, LEARNING = "statebench-v0-8-main", "statebench-v0-8-learning"
OLD_MAIN, OLD_LEARNING = "statebench-v0-7-main", "statebench-v0-4-learning"
KEY = "customer-service/statebench/state-bench-customer-support"
SUPPORT = ("customer-service", "policy-grounded-assistance")
SUITE = "statebench"


_example = registries.once_a_module(registries.of_examples, autouse=True)


@pytest.fixture
def mapping() -> EvidenceMapping:
    return EvidenceMapping.objects.get(collection__slug="customer-service", benchmark__suite__key=SUITE)


# --- The category -----------------------------------------------------------------------------------------------------


def test_the_category_asks_its_question_in_edition_v3() -> None:
    collection = Collection.objects.get(slug="customer-service")
    assert collection.edition.key == "v3"
    assert collection.title == "Customer Support & Service Resolution"
    assert collection.question == "Which models are best at customer support and service resolution?"
    assert collection.subject_kind == "harnessed-model"
    assert collection.planning


def test_its_four_facets_weigh_a_quarter_each_and_need_both_kinds_of_evidence() -> None:
    facets = Facet.objects.filter(collection__slug="customer-service")
    assert [(facet.slug, facet.title) for facet in facets] == [
        ("diagnosis-and-resolution", "Diagnosis and resolution"),
        ("policy-boundaries", "Policy boundaries"),
        ("de-escalation", "De-escalation"),
        ("escalation-and-handoff", "Escalation and handoff"),
    ]
    assert {(facet.weight, facet.mode) for facet in facets} == {(Decimal(25), "hybrid")}


def test_weights_sum_to_100_in_every_collection() -> None:
    sums = Facet.objects.values("collection__slug").annotate(total=Sum("weight"))
    assert {row["collection__slug"]: row["total"] for row in sums} == {
        "customer-service": 100,
        "general-assistance": 100,
        "general-assistance-demo": 100,
        "policy-grounded-assistance": 100,
        "shopping-assistance": 100,
        "travel-booking": 100,
    }


def test_every_facet_has_a_small_plan_written_by_editors() -> None:
    facets = Facet.objects.filter(collection__slug__in=SUPPORT).prefetch_related("tasks")
    assert len(facets) == 7
    for facet in facets:
        tasks = facet.tasks.all()
        assert 3 <= len(tasks) <= 5, facet
        assert all(task.editorial and task.required and task.description for task in tasks)


# --- The mapping ------------------------------------------------------------------------------------------------------


def test_the_mapping_states_every_field_of_its_page(mapping: EvidenceMapping) -> None:
    assert mapping.key == KEY
    assert mapping.role == "primary"
    assert mapping.upstream_access == "machine-ready"
    assert (mapping.benchmark.eligibility, mapping.benchmark.registry_status) == ("runnable-now", "registered")
    assert mapping.maximum_directness == 85
    assert mapping.declared_subject == "harnessed-model"
    assert mapping.metric_partitions == ["harnessed-model"]
    assert not mapping.separate_partition_required
    assert mapping.projection == "forbidden"
    assert [atom.key for atom in mapping.atoms.all()] == ["support_ux", "workflow_resolution"]
    assert [str(lineage) for lineage in mapping.lineages.all()] == ["statebench-v0-8-main/harnessed-model"]
    assert [listed.facet.slug for listed in mapping.facets.all()] == [
        "diagnosis-and-resolution", "policy-boundaries", "de-escalation", "escalation-and-handoff",
    ]  # fmt: skip
    assert not mapping.exclusions.exists()
    for word in ("v0.7", "v0.8", "main", "learning", "never merged"):
        assert word in mapping.note


def test_its_page_shows_two_usable_contracts() -> None:
    usable = MetricContract.objects.filter(use="usable", benchmark__key="state-bench-customer-support")
    assert [(contract.key, contract.title) for contract in usable] == [
        (
            "v0.8.main.customer_support.mean_ux_score",
            "STATE-Bench Main v0.8 — Customer support — Mean UX score",
        ),
        (
            "v0.8.main.customer_support.pass_at_1",
            "STATE-Bench Main v0.8 — Customer support — Task completion pass@1",
        ),
    ]
    facts = {
        (contract.benchmark.key, contract.lineage.key, contract.subject_kind, contract.protocol.key)
        for contract in usable
    }
    assert facts == {("state-bench-customer-support", MAIN, "harnessed-model", "statebench-v0.8.main")}


def test_an_undivided_number_measures_one_facet(mapping: EvidenceMapping) -> None:
    measurement = mapping.measurements.get()
    assert (measurement.contract.key, measurement.facet.slug) == (
        "v0.8.main.customer_support.pass_at_1",
        "diagnosis-and-resolution",
    )
    assert measurement.lineage.key == MAIN
    notes = {listed.facet.slug: listed.coverage_note for listed in mapping.facets.all()}
    assert notes["diagnosis-and-resolution"].startswith("Measured")
    assert notes["policy-boundaries"].startswith("Inside the aggregate")
    assert notes["de-escalation"].startswith("Not measured upstream")
    assert notes["escalation-and-handoff"].startswith("Not measured upstream")


def test_no_alignment_is_higher_than_85_and_each_has_its_reason(mapping: EvidenceMapping) -> None:
    of_suite = TaskAlignment.objects.filter(mapping__benchmark__suite__key=SUITE)
    assert of_suite.filter(mapping__collection__slug__in=SUPPORT).count() == 14
    assert of_suite.filter(directness__gt=85).count() == 0
    assert not TaskAlignment.objects.filter(reason="").exists()
    (highest,) = mapping.alignments.filter(directness=85)
    assert highest.task.key == "resolve-issue"
    of_policy = mapping.alignments.filter(task__facet__slug="policy-boundaries").values_list("directness", flat=True)
    assert min(of_policy) < 50 < max(of_policy)


def test_one_benchmark_shows_two_records() -> None:
    records = Benchmark.objects.get(key="state-bench-customer-support").mappings.order_by("role")
    assert [(record.collection.slug, record.role) for record in records] == [
        ("customer-service", "primary"),
        ("policy-grounded-assistance", "supporting"),
    ]
    assert Measurement.objects.filter(mapping__in=records).count() == 2


# --- Suite, lineages, independence ------------------------------------------------------------------------------------


def test_the_suite_and_its_parts() -> None:
    suite = Suite.objects.get(key=SUITE)
    assert (suite.publisher.key, suite.publisher.name, suite.key, suite.title) == (
        "microsoft", "Microsoft", "statebench", "STATE-Bench",
    )  # fmt: skip
    assert "Parslee" in suite.not_to_confuse
    assert list(suite.benchmarks.values_list("key", flat=True)) == [
        "state-bench-customer-support",
        "state-bench-shopping-assistant",
        "state-bench-travel",
    ]
    atoms = CapabilityAtom.objects.filter(mappings__benchmark__suite=suite)
    assert set(atoms.values_list("key", flat=True)) == {"workflow_resolution", "support_ux"}


def test_four_lineages_of_which_one_is_usable() -> None:
    lineages = {
        lineage.key: (lineage.upstream_version, lineage.track, lineage.use)
        for lineage in Lineage.objects.filter(suite__key=SUITE)
    }
    assert lineages == {
        MAIN: ("0.8.0", "main", "usable"),
        LEARNING: ("0.8.0", "agent-learning", "catalogued"),
        OLD_MAIN: ("0.7.0", "main", "blocked"),
        OLD_LEARNING: ("0.4.4", "agent-learning", "blocked"),
    }
    assert all("overall" in lineage.note for lineage in Lineage.objects.filter(suite__key=SUITE))


def test_all_lineages_are_one_independence_group_and_stay_one_without_what_is_unknown() -> None:
    keys = list(Lineage.objects.filter(suite__key=SUITE).values_list("key", flat=True))
    links = LineageLink.objects.filter(a__suite__key=SUITE)
    assert not links.exclude(b__suite__key=SUITE).exists()
    assert not LineageLink.objects.filter(b__suite__key=SUITE).exclude(a__suite__key=SUITE).exists()

    def groups(links: "list[tuple[str, str]]") -> int:
        matrix = np.zeros((len(keys), len(keys)))
        for a, b in links:
            matrix[keys.index(a), keys.index(b)] = 1
        return int(connected_components(matrix, directed=False)[0])

    shared = links.filter(certainty="shared")
    assert groups(list(links.values_list("a__key", "b__key"))) == 1
    assert groups(list(shared.values_list("a__key", "b__key"))) == 1
    assert {link.kind for link in shared} == {"publisher", "harness", "judge", "derived", "tasks"}
    judged = links.filter(kind="judge").values_list("a__key", "b__key", "certainty")
    assert set(judged) == {
        (OLD_LEARNING, OLD_MAIN, "unknown"),
        (OLD_MAIN, LEARNING, "unknown"),
        (OLD_MAIN, MAIN, "unknown"),
        (LEARNING, MAIN, "shared"),
    }
    assert not LineageLink.objects.filter(reason="").exists()


def test_protocols_name_judge_and_simulator_or_say_why_not() -> None:
    protocols = {found.key: found for found in Protocol.objects.filter(contracts__lineage__suite__key=SUITE)}
    assert {key: (protocol.judge, protocol.simulator, protocol.runs) for key, protocol in protocols.items()} == {
        "statebench-v0.8.main": ("GPT-5.4", "GPT-5.4", 5),
        "statebench-v0.8.learning": ("GPT-5.4", "GPT-5.4", 5),
        "statebench-v0.7.main": ("", "", 5),
        "statebench-v0.4.4.learning": ("GPT-5.1", "GPT-5.1", 5),
    }
    assert "not proven" in protocols["statebench-v0.7.main"].note
    for key in ("statebench-v0.8.main", "statebench-v0.8.learning", "statebench-v0.4.4.learning"):
        assert "conflict of interest" in protocols[key].note


# --- Contracts --------------------------------------------------------------------------------------------------------

PREFIXES = {"v0.8.main": MAIN, "v0.8.learning": LEARNING, "v0.7.main": OLD_MAIN, "v0.4.learning": OLD_LEARNING}
DOMAINS = ("customer_support", "travel", "shopping_assistant")
TERMS = {
    "pass_at_1": ("percent", "rate", "higher", 0, 100),
    "pass_hat_5": ("percent", "rate", "higher", 0, 100),
    "mean_ux_score": ("score", "bounded", "higher", 1, 5),
    "mean_cost_usd": ("USD/task", "unbounded", "lower", 0, None),
}


def test_a_contract_for_every_lineage_domain_and_metric() -> None:
    found = MetricContract.objects.filter(benchmark__suite__key=SUITE).select_related("lineage", "benchmark")
    contracts = {contract.key: contract for contract in found}
    assert len(contracts) == 48
    for prefix, lineage in PREFIXES.items():
        for domain in DOMAINS:
            for metric, terms in TERMS.items():
                contract = contracts[f"{prefix}.{domain}.{metric}"]
                assert contract.lineage.key == lineage
                assert contract.benchmark.key == f"state-bench-{domain.replace('_', '-')}"
                assert (contract.unit, contract.kind, contract.direction, contract.lower, contract.upper) == terms
                assert contract.subject_kind == (
                    "memory-augmented-agent" if "learning" in lineage else "harnessed-model"
                )
                assert contract.required_identity == ["model", "effort"]
                assert contract.use_reason


def test_what_is_not_usable_is_catalogued_or_blocked() -> None:
    uses = dict(MetricContract.objects.values_list("key", "use"))
    assert {use for key, use in uses.items() if key.startswith(("v0.7", "v0.4"))} == {"blocked"}
    assert uses["v0.8.main.customer_support.pass_hat_5"] == "catalogued"
    assert uses["v0.8.main.customer_support.mean_cost_usd"] == "blocked"
    assert uses["v0.8.main.travel.pass_hat_5"] == "catalogued"
    assert uses["v0.8.learning.travel.pass_hat_5"] == "blocked"


def test_a_number_of_tasks_is_assumed_where_the_main_rows_state_none() -> None:
    assumed = MetricContract.objects.filter(benchmark__suite__key=SUITE).exclude(assumed_n=None)
    assert {contract.key for contract in assumed} == {f"v0.8.main.{domain}.pass_at_1" for domain in DOMAINS}
    assert all(contract.assumed_n == 150 and "state no number" in contract.assumed_n_reason for contract in assumed)


def test_no_word_stands_outside_the_vocabulary() -> None:
    for contract in MetricContract.objects.all():
        assert set(contract.required_identity) <= set(IdentityPart.values)
    for mapping in EvidenceMapping.objects.all():
        assert set(mapping.metric_partitions) <= set(SubjectKind.values)


# --- Subjects ---------------------------------------------------------------------------------------------------------

ALIASES = {
    "main|OpenAI|GPT-5.4|high": ("openai/gpt-5.4", "harnessed-model", "high", "unknown"),
    "main|OpenAI|GPT-5.4|default": ("openai/gpt-5.4", "harnessed-model", "default", "unknown"),
    "main|OpenAI|GPT-5.5|high": ("openai/gpt-5.5", "harnessed-model", "high", "unknown"),
    "main|Anthropic|Claude Opus 4.7|high": ("anthropic/claude-opus-4.7", "harnessed-model", "high", "unknown"),
    "main|Moonshot AI|Kimi-K2.6|": ("moonshot-ai/kimi-k2.6", "harnessed-model", "unknown", "unknown"),
    "main|DeepSeek|DeepSeek-v4-Pro|": ("deepseek/deepseek-v4-pro", "harnessed-model", "unknown", "unknown"),
    "agent-learning|Microsoft Foundry|GPT 5.1 + Foundry Memory|": (
        "openai/gpt-5.1", "memory-augmented-agent", "unknown", "Foundry Memory on",
    ),
    "agent-learning|OpenAI|GPT 5.1|": ("openai/gpt-5.1", "harnessed-model", "unknown", "memory off"),
    "agent-learning|Microsoft Foundry|GPT 5.4 + Foundry Memory|default": (
        "openai/gpt-5.4", "memory-augmented-agent", "default", "Foundry Memory on",
    ),
    "agent-learning|OpenAI|GPT 5.4|default": ("openai/gpt-5.4", "harnessed-model", "default", "memory off"),
}  # fmt: skip


def test_a_reviewed_alias_names_the_configuration_of_every_entry() -> None:
    found = {}
    aliases = ConfigurationAlias.objects.filter(name__startswith="statebench:")
    for alias in aliases.select_related("configuration__model__organization"):
        configuration = alias.configuration
        model = f"{configuration.model.organization.key}/{configuration.model.key}"
        found[alias.name] = (model, configuration.subject_kind, configuration.effort, configuration.settings)
        assert alias.reviewed_by, alias
        assert alias.reviewed_at
    assert found == {f"statebench:{name}": parts for name, parts in ALIASES.items()}
    measured = Configuration.objects.filter(aliases__in=aliases).distinct()
    assert measured.count() == len(ALIASES) == 10
    assert set(measured.values_list("harness", flat=True)) == {"unknown"}


@pytest.mark.parametrize("name", ["statebench_results.csv", "statebench_withdrawn.csv"])
def test_every_row_of_the_published_table_finds_its_alias(name: str) -> None:
    with (DATA / name).open(encoding="utf-8", newline="") as file:
        named = {
            "|".join([row["track"], row["organization"], row["model"], row["reasoning_effort"]])
            for row in csv.DictReader(file)
        }
    assert named <= ALIASES.keys()
    if name == "statebench_results.csv":
        assert named == ALIASES.keys()


# --- Rights and exclusions --------------------------------------------------------------------------------------------


def test_rights_are_decided_for_all_four_uses_with_clause_reviewer_and_date() -> None:
    decisions = RightsDecision.objects.filter(suite__key="statebench")
    assert {decision.use: decision.verdict for decision in decisions} == {
        "store": "allowed", "rank": "allowed", "show": "attribute", "export": "attribute",
    }  # fmt: skip
    for decision in decisions:
        assert "MIT" in decision.clause
        assert decision.reviewed_by
        assert decision.reviewed_on
        assert bool(decision.attribution) == (decision.verdict == "attribute")


def test_refusals_stand_at_lineage_and_source_and_hold_everywhere() -> None:
    exclusions = Exclusion.objects.all()
    assert {(exclusion.scope, exclusion.target, exclusion.type) for exclusion in exclusions} == {
        ("lineage", OLD_MAIN, "version"),
        ("lineage", LEARNING, "track"),
        ("lineage", OLD_LEARNING, "track"),
        ("source", "f9df57aeefc5693eed942db2682249b1699b5071b217bf56d1c79212d2925a1f", "withdrawn"),
        ("source", "7b7a2437abb29937db2dfeb71bf7732871a87564a303817f1572afd534307cd1", "unverified"),
        ("source", "ead950383d6eb49ad4e2078e7191512866266455a56db7f828e7da024116d1d2", "placeholder"),
    }
    for exclusion in exclusions:
        assert exclusion.mapping is None
        assert exclusion.lifted_at is None
        assert exclusion.reason
        assert exclusion.lift_condition


@pytest.mark.parametrize(
    ("name", "type_"),
    [
        ("statebench_withdrawn.csv", "withdrawn"),
        ("statebench_unverified_third_party.csv", "unverified"),
        ("MOCKUP_NOT_RESULTS_entries.json", "placeholder"),
    ],
)
def test_a_refused_source_is_the_file_that_is_here(name: str, type_: str) -> None:
    digest = sha256((DATA / name).read_bytes()).hexdigest()
    assert Exclusion.objects.get(scope="source", target=digest).type == type_


# --- The policy -------------------------------------------------------------------------------------------------------


def test_the_policy_holds_every_threshold_with_its_reason() -> None:
    policy = GatePolicy.objects.get(edition__key="v3")
    assert (policy.name, policy.state) == ("v3", "active")
    assert all(threshold["reason"] for threshold in policy.thresholds.values())
    assert values(policy) == {
        "external_results": 1,
        "first_party_comparisons": 1,
        "independence_groups": 2,
        "group_headline_rows": 8,
        "group_weight_share": 40,
        "headline_rows": 8,
        "task_coverage": 80,
        "directness": 50,
        "units_per_task": 1,
        "facet_tasks": 30,
        "effective_tasks": 25,
        "facet_units": 30,
        "distinct_opponents": 5,
        "judge_families": 2,
        "judge_people": 20,
        "judge_unit_share": 0.90,
        "both_orders_share": 0.95,
        "judge_agreement": 0.80,
        "group_weight_limit": 0.60,
        "external_group_weight_limit": 0.75,
        "reliability_whole": 0.80,
        "reliability_first_party": 0.70,
        "reliability_facet": 0.70,
        "reliability_without_row": 0.70,
        "split_half": 0.80,
        "split_half_without_row": 0.70,
        "split_half_without_quarter": 0.50,
        "agreement_tau": 0.40,
        "agreement_r": 0.60,
        "first_tau_first_party": 0.45,
        "first_tau_whole": 0.70,
        "first_tau_replication": 0.70,
        "later_tau": 0.80,
        "later_reversals": 0,
        "interval_row_factor": 2.6,
        "required_rights": ["rank", "show", "export"],
    }


def test_the_gate_finds_every_threshold_it_asks_for() -> None:
    for collection in Collection.objects.all():
        answer = evaluate(take(collection), values(in_force(collection)))
        assert answer.verdict == "closed"
        assert not [criterion for criterion in answer.criteria if criterion.reason == "check-error"]


# --- The files --------------------------------------------------------------------------------------------------------


def test_the_files_are_in_the_form_that_an_export_writes(tmp_path: Path) -> None:
    registry_files.dump(tmp_path)
    by_hand = {"mapping_profiles.yaml"}
    written = {path.name: path.read_text() for path in tmp_path.iterdir() if path.name not in by_hand}
    kept = {path.name: path.read_text() for path in (EXAMPLES / "registry").iterdir() if path.name not in by_hand}
    assert written == kept


def test_a_second_load_changes_nothing() -> None:
    assert set(registry_files.load(EXAMPLES / "registry", by=acting_user(None)).values()) == {0}
