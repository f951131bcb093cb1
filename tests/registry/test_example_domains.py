"""Travel and shopping: the two other domains of STATE-Bench, each a category of its own in the example registry."""

from decimal import Decimal

import pytest

from registry.models import Collection, EvidenceMapping, MetricContract
from tests import registries

pytestmark = pytest.mark.django_db

MAIN = "statebench-v0-8-main"
CATEGORIES = {
    "travel-booking": ("state-bench-travel", "travel", "bookings-and-changes"),
    "shopping-assistance": ("state-bench-shopping-assistant", "shopping_assistant", "the-right-cart"),
}
FACETS = {
    "travel-booking": [
        ("bookings-and-changes", 30, "hybrid"),
        ("fares-fees-and-rules", 30, "hybrid"),
        ("the-whole-trip", 20, "hybrid"),
        ("clear-choices", 20, "pairwise"),
    ],
    "shopping-assistance": [
        ("the-right-cart", 30, "hybrid"),
        ("finding-what-fits", 30, "hybrid"),
        ("offers-and-totals", 20, "hybrid"),
        ("honest-advice", 20, "pairwise"),
    ],
}


_example = registries.once_a_module(registries.of_examples, autouse=True)


@pytest.fixture(params=CATEGORIES)
def slug(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def mapping(slug: str) -> EvidenceMapping:
    return EvidenceMapping.objects.get(collection__slug=slug)


def test_a_category_of_v3_with_a_question_that_has_not_ranked(slug: str) -> None:
    collection = Collection.objects.get(slug=slug)
    assert (collection.edition.key, collection.subject_kind, collection.planning) == ("v3", "harnessed-model", True)
    assert collection.question.startswith("Which models are best at")
    assert collection.summary


def test_its_facets_their_weights_and_modes(slug: str) -> None:
    found = Collection.objects.get(slug=slug).facets.all()
    assert [(facet.slug, int(facet.weight), facet.mode) for facet in found] == FACETS[slug]
    assert sum(facet.weight for facet in found) == Decimal(100)


def test_its_plan_is_written_by_editors(slug: str) -> None:
    for facet in Collection.objects.get(slug=slug).facets.all():
        tasks = facet.tasks.all()
        assert len(tasks) == 3
        assert all(task.editorial and task.required and task.description for task in tasks)


def test_the_benchmark_is_registered_and_mapped_once(slug: str, mapping: EvidenceMapping) -> None:
    benchmark = mapping.benchmark
    assert (benchmark.key, benchmark.registry_status) == (CATEGORIES[slug][0], "registered")
    assert benchmark.mappings.count() == 1
    assert (mapping.role, mapping.upstream_access, mapping.projection) == ("primary", "machine-ready", "forbidden")
    assert (mapping.declared_subject, mapping.metric_partitions) == ("harnessed-model", ["harnessed-model"])
    assert [str(lineage) for lineage in mapping.lineages.all()] == [f"{MAIN}/harnessed-model"]
    for word in ("v0.7", "v0.8", "main", "learning", "never merged", "conflict of interest"):
        assert word in mapping.note


def test_travel_says_which_tasks_were_rewritten() -> None:
    note = EvidenceMapping.objects.get(collection__slug="travel-booking").note
    assert "4 and 142" in note
    assert "0.8.1" in note


def test_one_undivided_number_measures_one_facet(slug: str, mapping: EvidenceMapping) -> None:
    _, domain, facet = CATEGORIES[slug]
    measurement = mapping.measurements.get()
    assert (measurement.contract.key, measurement.facet.slug) == (f"v0.8.main.{domain}.pass_at_1", facet)
    words = [listed.coverage_note.split(":")[0] for listed in mapping.facets.all()]
    assert words == ["Measured", "Inside the aggregate", "Inside the aggregate", "Not measured upstream"]


def test_the_uses_of_its_contracts_are_those_of_customer_support(slug: str) -> None:
    def uses(domain: str) -> dict[str, str]:
        found = MetricContract.objects.filter(key__startswith=f"v0.8.main.{domain}.")
        return {contract.key.rpartition(".")[2]: contract.use for contract in found}

    assert uses(CATEGORIES[slug][1]) == uses("customer_support") == {
        "pass_at_1": "usable", "mean_ux_score": "usable", "pass_hat_5": "catalogued", "mean_cost_usd": "blocked",
    }  # fmt: skip


def test_no_alignment_reaches_what_upstream_does_not_measure(mapping: EvidenceMapping) -> None:
    assert mapping.alignments.count() == 9
    assert mapping.maximum_directness == 75
    assert not mapping.alignments.filter(task__facet__mode="pairwise").exists()
    assert not mapping.alignments.filter(reason="").exists()
