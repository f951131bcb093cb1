"""Suites, benchmarks, lineages, protocols and metric contracts."""

from ranking.api.shapes.base import Count, Field, Flag, Keys, Number, OneOf, Shape, SomeOf, Text, Told
from registry.vocabulary import (
    ContractUse,
    Direction,
    Eligibility,
    IdentityPart,
    LinkCertainty,
    LinkKind,
    RegistryStatus,
    SubjectKind,
    ValueKind,
)


class Publisher(Shape):
    """Who publishes a suite."""

    key = Text("Stable key.")
    name = Text("Name.")
    url = Text("Address; may be empty.", allow_blank=True)


class Suite(Shape):
    """A family of benchmarks by one publisher."""

    key = Text("Stable key.")
    title = Text("Title.")
    description = Text("What it is.", allow_blank=True)
    url = Text("Address; may be empty.", allow_blank=True)
    not_to_confuse = Text("Other benchmarks with a similar name.", allow_blank=True)
    publisher = Publisher()


class SuiteRow(Suite, Told):
    """A suite with its mapped benchmarks."""

    benchmarks = Keys("Addresses (suite/benchmark) of its mapped benchmarks.")


class StandingBenchmark(Shape):
    """A benchmark without its suite."""

    key = Text("Stable key.")
    title = Text("Title.")
    description = Text("What it is.", allow_blank=True)
    eligibility = OneOf(Eligibility, "Whether it can be run, or only read.")
    registry_status = OneOf(RegistryStatus, "Where it stands in the registry.")


class Benchmark(StandingBenchmark):
    """The exact part of a suite that is mapped."""

    suite = Suite()


class BenchmarkRow(StandingBenchmark, Told):
    """A benchmark with the mappings that use it."""

    suite = Text("Key of its suite.", source="suite.key")
    publisher = Text("Key of its publisher.", source="suite.publisher.key")
    mappings = Keys("Keys of its mappings.")


class Link(Shape):
    """Why a lineage is not independent of another."""

    def get_fields(self) -> dict[str, Field]:
        """`with` cannot be an attribute."""
        return {"with": Text("Key of the other lineage."), **super().get_fields()}

    kind = OneOf(LinkKind, "What they share.")
    certainty = OneOf(LinkCertainty, "Unknown counts as shared.")
    reason = Text("The reason in words.")


class Lineage(Shape):
    """One stream of evidence with one version and one track. Lineages are never merged."""

    key = Text("Stable key.")
    title = Text("Title.")
    suite = Text("Key of its suite.")
    version = Text("Version upstream.")
    track = Text("Track upstream.")
    use = OneOf(ContractUse, "Whether its results may be used.")
    note = Text("Note of the editors.", allow_blank=True)
    group = Text("Name of its independence group: lineages of one group count once.")
    links = Link(many=True, help_text="What makes it dependent on others.")


class LineageRow(Lineage, Told):
    """A lineage with the mappings in which its results may count."""

    mappings = Keys("Keys of the mappings in which its results may count.")


class Protocol(Shape):
    """How a number is made."""

    key = Text("Stable key.")
    title = Text("Title.")
    harness = Text("Harness; empty where none is declared.", allow_blank=True)
    judge = Text("Judge; empty where none is declared.", allow_blank=True)
    simulator = Text("Simulator; empty where none is declared.", allow_blank=True)
    prompts_sha256 = Text("SHA-256 of the prompts; empty where none is declared.", allow_blank=True)
    runs = Count("Runs of each task; null where not declared.", allow_null=True)
    task_split = Text("The tasks it runs on.", allow_blank=True)
    note = Text("Note of the editors.", allow_blank=True)


class ProtocolRow(Protocol, Told):
    """A protocol with the contracts made by it."""

    contracts = Keys("Keys of the metric contracts made by it.")


class Contract(Shape):
    """The exact meaning of one number."""

    key = Text("Stable key.")
    title = Text("Title.")
    subject_kind = OneOf(SubjectKind, "The kind of subject that was measured.")
    unit = Text("Unit of the number.")
    kind = OneOf(ValueKind, "What sort of number it is.")
    direction = OneOf(Direction, "Which way is better.")
    lower = Number("Lowest possible value; null where there is none.", allow_null=True)
    upper = Number("Highest possible value; null where there is none.", allow_null=True)
    minimum_n = Count("A result over fewer tasks is out of contract.")
    required_identity = SomeOf(IdentityPart, "Parts that a configuration must state.")
    assumed_n = Count("Tasks assumed where the source states none; null: nothing is assumed.", allow_null=True)
    assumed_n_reason = Text("Why that number of tasks is assumed.", allow_blank=True)
    stderr_over_rows = Flag("Whether upstream computes its standard error over rows where tasks are the sample.")
    use = OneOf(ContractUse, "Whether it may be used.")
    use_reason = Text("Why, where that needs saying.", allow_blank=True)
    lineage = Text("Key of its lineage.")
    protocol = Text("Key of its protocol.")


class MappedContract(Contract):
    """A contract as one mapping uses it."""

    measures = Text("Slug of the facet that it measures here; null where it is only catalogued.", allow_null=True)


class Measured(Shape):
    """Where a contract counts."""

    mapping = Text("Key of the mapping.")
    facet = Text("Slug of the facet that it measures there.")


class ContractRow(Contract, Told):
    """A metric contract with the mappings that list it."""

    mappings = Keys("Keys of the mappings that list it.")
    measures = Measured(many=True, help_text="The facets that it measures, mapping by mapping.")
