"""Evidence mappings and exclusions."""

from django.db.models import TextChoices

from ranking.api.shapes.base import Count, Day, Decimal, Flag, Keys, OneOf, Shape, SomeOf, Text, Told
from ranking.api.shapes.benchmarks import Benchmark, MappedContract
from ranking.api.shapes.gates import EvidenceCounts
from ranking.api.shapes.taxonomy import Atom, WeightedFacet
from registry.vocabulary import (
    Eligibility,
    ExclusionScope,
    ExclusionType,
    MappingRole,
    Projection,
    RegistryStatus,
    RightsUse,
    RightsVerdict,
    SubjectKind,
    UpstreamAccess,
)


class Exclusion(Shape):
    """A reasoned refusal, in force when the release was sealed."""

    scope = OneOf(ExclusionScope, "The kind of thing that is refused.")
    target = Text("Its key; a number for a batch or a result, a SHA-256 for a source.")
    about = Text(
        "What a number or SHA-256 stands for: a file's name, or contract and configuration; blank for a key.",
        allow_blank=True,
        required=False,
    )
    mapping = Text("Key of the mapping in which it is refused; null: everywhere.", allow_null=True)
    type = OneOf(ExclusionType, "The kind of reason.")
    reason = Text("The reason in words.")
    lift_condition = Text("What would lift it.")
    since = Day("The day it was made.")


class LiftedExclusion(Exclusion):
    """An exclusion that was lifted before the release was sealed."""

    lifted_on = Day("The day it was lifted.")
    lifted_by = Text("Who lifted it.")
    lift_reason = Text("Why it no longer holds.")


class ExclusionState(TextChoices):
    IN_FORCE = "in-force", "in force"
    LIFTED = "lifted", "lifted"


class ExclusionRow(Exclusion, Told):
    """An exclusion of the ledger. A lifted one says when, by whom and why."""

    key = Text("Names the exclusion in these very words.")
    state = OneOf(ExclusionState, "Whether it holds.")
    lifted_on = Day("The day it was lifted; null: it is in force.", allow_null=True)
    lifted_by = Text("Who lifted it; null: it is in force.", allow_null=True)
    lift_reason = Text("Why it no longer holds; null: it is in force.", allow_null=True)


class MeasuredBy(Shape):
    """A measurement: a contract that speaks for a facet."""

    contract = Text("Key of the contract.")
    reason = Text("Why its number speaks for the facet, and what it leaves out.")


class MappingFacet(WeightedFacet):
    """A facet that a mapping speaks to; without a measurement it is described, not evidenced."""

    coverage_note = Text("What upstream measures of it, and what not.", allow_blank=True)
    measured_by = MeasuredBy(many=True)


class Subject(Shape):
    """Whose performance the benchmark measures."""

    declared = OneOf(SubjectKind, "The kind of subject that the benchmark measures.")
    metric_partitions = SomeOf(SubjectKind, "Subject kinds that its metrics split into.")
    separate_partition_required = Flag("Whether the partitions must stay in tables of their own.")
    projection = OneOf(Projection, "Whether a result for one subject kind may stand for another.")
    projection_reason = Text("Why, where it may.", allow_blank=True)


class UsableLineage(Shape):
    """A lineage and subject kind whose results may count."""

    lineage = Text("Key of the lineage.")
    subject_kind = OneOf(SubjectKind, "The subject kind.")


class Alignment(Shape):
    """How directly the benchmark measures one task."""

    facet = Text("Slug of the facet.")
    task = Text("Key of the task.")
    title = Text("Title of the task.")
    directness = Decimal("0 to 100 per cent.")
    reason = Text("Why.")


class Right(Shape):
    """The rights decision in force for one use."""

    use = OneOf(RightsUse, "The use.")
    verdict = OneOf(RightsVerdict, "The decision.")
    clause = Text("The licence or clause that it rests on.", allow_blank=True)
    clause_url = Text("Where that stands.", allow_blank=True)
    attribution = Text("The attribution asked for.", allow_blank=True)
    decided_for = Text("suite or publisher: whose decision it is; null where nobody decided.", allow_null=True)
    reviewed_on = Day("The day of the review; null: not reviewed.", allow_null=True)


class Mapping(Shape):
    """One benchmark mapped to one collection, with everything that the release says about it. No scores."""

    key = Text("collection/suite/benchmark.")
    collection = Text("Slug of the collection.")
    collection_title = Text("Its title.")
    collection_question = Text("Its question.")
    role = OneOf(MappingRole, "What the mapping is for.")
    note = Text("Note of the editors.", allow_blank=True)
    upstream_access = OneOf(UpstreamAccess, "How the numbers can be had.")
    maximum_directness = Decimal("The highest task alignment, in per cent; null: none.", allow_null=True)
    benchmark = Benchmark()
    facets = MappingFacet(many=True, help_text="The facets that it speaks to.")
    atoms = Atom(many=True, help_text="The capability atoms that it speaks to.")
    subject = Subject()
    usable_lineages = UsableLineage(many=True)
    contracts = MappedContract(many=True, help_text="Every metric contract of the benchmark.")
    alignments = Alignment(many=True, help_text="How directly it measures each task.")
    exclusions = Exclusion(many=True, help_text="Exclusions within this mapping.")
    rights = Right(many=True, help_text="The rights decision for each use.")
    evidence = EvidenceCounts()


class MappingRecord(Mapping, Told):
    """A mapping of a live release."""


class MappingRow(Told):
    """A mapping in short; its own address has all of it."""

    key = Text("collection/suite/benchmark.")
    collection = Text("Slug of the collection.")
    suite = Text("Key of the suite.", source="benchmark.suite.key")
    benchmark = Text("Key of the benchmark.", source="benchmark.key")
    title = Text("Title of the benchmark.", source="benchmark.title")
    role = OneOf(MappingRole, "What the mapping is for.")
    upstream_access = OneOf(UpstreamAccess, "How the numbers can be had.")
    eligibility = OneOf(Eligibility, "Whether the benchmark can be run, or only read.", source="benchmark.eligibility")
    registry_status = OneOf(RegistryStatus, "Where the benchmark stands.", source="benchmark.registry_status")
    declared_subject = OneOf(SubjectKind, "The kind of subject that the benchmark measures.", source="subject.declared")
    maximum_directness = Decimal("The highest task alignment, in per cent; null: none.", allow_null=True)
    facets = Keys("Slugs of the facets that it speaks to.", "slug")
    atoms = Keys("Keys of the capability atoms that it speaks to.", "key")
    results = Count("Results recorded.", source="evidence.results")
    eligible = Count("Results that count.", source="evidence.eligible")
    comparisons = Count("Comparisons of its lineages that count.", source="evidence.comparisons")
