"""Every list of the API: where it is, what its rows are, how it can be filtered. The schema is made from the same."""

from collections.abc import Callable
from dataclasses import dataclass, field

from ranking.api import rows
from ranking.api.parameters import Filter
from ranking.api.shapes import benchmarks, gates, mappings, rankings, taxonomy
from ranking.api.shapes.base import Shape
from ranking.catalogue import Catalogue
from registry.vocabulary import (
    ContractUse,
    Eligibility,
    EvaluationMode,
    ExclusionScope,
    ExclusionType,
    MappingRole,
    RegistryStatus,
    UpstreamAccess,
)


@dataclass(frozen=True)
class Listing:
    """A list with an address of its own, and an address for each of its records."""

    name: str
    one: str
    """What one of its records is called."""
    summary: str
    read: Callable[[Catalogue], rows.Rows]
    row: type[Shape]
    address: str = "<path:key>"
    """Of one record, after the list's own. What it captures, joined by slashes, is the record's key."""
    filters: tuple[Filter, ...] = field(default=())
    record: type[Shape] | None = None
    """The shape of one record at its own address, where it says more than the row."""


COLLECTION = Filter("collection", "Slug of a collection.")
EDITION = Filter("edition", "Key of an edition.")
SUITE = Filter("suite", "Key of a suite.")
LINEAGE = Filter("lineage", "Key of a lineage.")
MAPPING = Filter("mappings", "Key of a mapping.")
USE = Filter("use", "Whether it may be used.", ContractUse)

ORGANIZATION = Filter("organization_key", "Key of who made the model.")

LISTS = (
    Listing("editions", "edition", "Editions of the taxonomy.", rows.editions, taxonomy.EditionRow),
    Listing(
        "facets",
        "facet",
        "The weighted skills of every live collection, with their criteria.",
        rows.facets,
        taxonomy.FacetRow,
        "<str:collection>/<str:slug>",
        (COLLECTION, Filter("mode", "The kinds of evidence it needs.", EvaluationMode)),
    ),
    Listing("atoms", "atom", "Capability atoms.", rows.atoms, taxonomy.AtomRow, filters=(MAPPING,)),
    Listing("suites", "suite", "Families of benchmarks.", rows.suites, benchmarks.SuiteRow),
    Listing(
        "benchmarks",
        "benchmark",
        "Mapped benchmarks.",
        rows.benchmarks,
        benchmarks.BenchmarkRow,
        "<path:suite>/<path:key>",
        (
            SUITE,
            Filter("publisher", "Key of a publisher."),
            Filter("eligibility", "Whether it can be run, or only read.", Eligibility),
            Filter("registry_status", "Where it stands in the registry.", RegistryStatus),
        ),
    ),
    Listing(
        "lineages",
        "lineage",
        "Streams of evidence, each with its version, track and independence group.",
        rows.lineages,
        benchmarks.LineageRow,
        filters=(SUITE, USE, Filter("group", "Name of an independence group."), MAPPING),
    ),
    Listing("protocols", "protocol", "How the numbers are made.", rows.protocols, benchmarks.ProtocolRow),
    Listing(
        "contracts",
        "contract",
        "Metric contracts: the exact meaning of each number.",
        rows.contracts,
        benchmarks.ContractRow,
        filters=(LINEAGE, Filter("protocol", "Key of a protocol."), USE, MAPPING),
    ),
    Listing(
        "mappings",
        "mapping",
        "Evidence mappings: what a benchmark proves about a collection. No scores.",
        rows.mappings,
        mappings.MappingRow,
        address="<str:collection>/<path:suite>/<path:benchmark>",
        filters=(
            COLLECTION,
            SUITE,
            Filter("benchmark", "Key of a benchmark."),
            Filter("role", "What the mapping is for.", MappingRole),
            Filter("upstream_access", "How the numbers can be had.", UpstreamAccess),
        ),
        record=mappings.MappingRecord,
    ),
    Listing(
        "exclusions",
        "exclusion",
        "The exclusions ledger.",
        rows.exclusions,
        mappings.ExclusionRow,
        filters=(
            Filter("scope", "The kind of thing that is refused.", ExclusionScope),
            Filter("type", "The kind of reason.", ExclusionType),
            Filter("target", "Key of what is refused."),
            Filter("mapping", "Key of the mapping in which it is refused."),
            Filter("state", "Whether it holds.", mappings.ExclusionState),
        ),
    ),
    Listing(
        "policies",
        "policy",
        "The gate policies that live releases were judged by, with the reason for each number.",
        rows.policies,
        gates.PolicyRow,
        "<str:name>",
        (EDITION,),
    ),
    Listing(
        "models",
        "model",
        "Models that live rankings list.",
        rows.models,
        rankings.ModelRow,
        filters=(ORGANIZATION, Filter("collections", "Slug of a collection whose live ranking lists it.")),
    ),
    Listing(
        "configurations",
        "configuration",
        "Configurations that live rankings list, each with its places.",
        rows.configurations,
        rankings.ConfigurationRow,
        filters=(
            ORGANIZATION,
            Filter("model_key", "organization/model."),
            Filter("harness", "The harness around the model."),
            Filter("effort", "Its reasoning effort."),
        ),
    ),
)
