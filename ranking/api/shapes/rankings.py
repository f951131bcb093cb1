"""What a ranking release says of configurations: the only shapes that name a model or hold a value."""

from typing import Any

from drf_spectacular.utils import extend_schema_field

from ranking.api.shapes.base import (
    AsIs,
    Count,
    Day,
    Decimal,
    Digest,
    Flag,
    Keys,
    Number,
    OneOf,
    Shape,
    Text,
    Told,
)
from ranking.api.shapes.gates import Policy
from registry.vocabulary import Availability


class Identity(Shape):
    """A configuration by its parts. A part that nobody declared is `unknown`, which is not `default`."""

    model = Text("Name of the model.")
    model_key = Text("organization/model.")
    organization = Text("Who made the model.")
    organization_key = Text("Key of who made it.")
    harness = Text("The harness around the model.")
    effort = Text("Its reasoning effort.")
    settings = Text("Its other settings.")
    availability = OneOf(Availability, "Whether it could be had when the release was sealed.")


class Note(Shape):
    """Something to know about a row."""

    code = Text("Stable code.")
    message = Text("The same in a sentence.")


class Contribution(Shape):
    """What one facet by one lineage adds to a score."""

    facet = Text("Slug of the facet.")
    group = Text("The independence group of the lineage.")
    lineage = Text("Key of the lineage; first-party for pairwise comparisons.")
    z = Number("In standard deviations of the panel.")
    points = Number("In points of the score; over a row they sum to the score less 50.")


class RankedRow(Identity):
    """One configuration of a ranking."""

    configuration = Text("Key of the configuration.")
    rank = Count("1 and the number of rows with a higher score at 6 digits.")
    rank_low = Count("The best rank that the evidence leaves open: 1 and the rows that are separated above.")
    rank_high = Count("The worst rank that it leaves open.")
    tier = Count("A tier ends only where every row above is separated from every row below.")
    top = Flag("Whether the rank range begins at 1.")
    score = Number("50 is the average of the panel.")
    low = Number("Lower end of the 95 per cent interval; null: no bound, or too few tasks.", allow_null=True)
    high = Number("Upper end of the interval; null: no bound, or too few tasks.", allow_null=True)
    least = Number("The score if every missing cell were at the panel's worst.")
    most = Number("The score if every missing cell were at the panel's best.")
    standard_error = Number("Of the score.")
    degrees_of_freedom = Number("Of the interval; null: no part is estimated from tasks.", allow_null=True)
    coverage = Number(
        "Per cent of the required tasks that evidence covers; null in an overall leaderboard.", allow_null=True
    )
    contributions = Contribution(many=True)
    assumes = Keys("Cells without a value, as facet / lineage, taken to agree with the mean of the others.")
    indistinct = Keys("Keys of the rows that it cannot be told apart from.")
    notes = Note(many=True)


class ApartRow(Identity):
    """A configuration with evidence and without a rank."""

    configuration = Text("Key of the configuration.")
    coverage = Number("Per cent of the required tasks that evidence covers; null: not measured.", allow_null=True)
    code = Text("Stable code of why it has no rank.")
    message = Text("The same in a sentence.")


class Context(Shape):
    """Evidence that is shown for context and counts in no score."""

    key = Text("What it is.")
    code = Text("Stable code of why it does not count.")
    message = Text("The same in a sentence.")


class Constant(Shape):
    """The scale of one cell, sealed with the panel, in log-odds."""

    facet = Text("Slug of the facet.")
    lineage = Text("Key of the lineage.")
    mean = Decimal("Mean of the panel.")
    sd = Decimal("Standard deviation of the panel.")


class EvidenceValue(Shape):
    """One published result that counts in a ranking, with where it came from."""

    configuration = Text("Key of the configuration.")
    contract = Text("Key of the metric contract, which says what the number means.")
    lineage = Text("Key of the lineage.")
    facet = Text("Slug of the facet that it measures.")
    value = Number("In the unit of the contract.")
    stderr = Number("Published standard error; null: none was.", allow_null=True)
    n = Count("Number of tasks; null: not stated.", allow_null=True)
    n_assumed = Flag("Whether n is what the contract assumes where the source states none.")
    source = Digest("SHA-256 of the file it was read from.")  # type: ignore[assignment]  # no field of a class any more
    source_url = Text("Where it was published.", allow_blank=True)
    source_ref = Text("Commit, page or row there.", allow_blank=True)
    external_id = Text("Its key in the source.", allow_blank=True)
    line = Count("Its line in the file; null: not known.", required=False, allow_null=True)


class Comparisons(Shape):
    """The first-party comparisons behind a ranking, in counts."""

    verdicts = Count("Verdicts of one judge on one pair and task.")
    units = Count("Pairs of configurations on one task, whatever the number of judges.")
    judges = Count("Judges.")
    tasks = Count("Distinct tasks.")


class Fragility(Shape):
    """What removing the 1 per cent of units that most favour the leader does."""

    units = Count("Units that are 1 per cent.")
    gap = Number("Points between the leader and the best other row.")
    gap_after = Number("The same after removing them and refitting; below zero another row leads.")


class Figures(Shape):
    """Figures that stand beside a ranking and decide nothing."""

    fragility = Fragility(allow_null=True)
    verdict_alpha = Number("Krippendorff's alpha of the verdicts; low even where scores agree.", allow_null=True)
    swaps = Count("Units that one judge saw in both orders.")
    swaps_kept = Number("Share of them judged alike both times.", allow_null=True)
    top_reliability = Number("Reliability inside the top group.", allow_null=True)


@extend_schema_field(
    {
        "oneOf": [
            {"type": "number"},
            {"type": "array", "items": {"type": "string"}},
            {"type": "object", "additionalProperties": {"oneOf": [{"type": "number"}, {"type": "string"}]}},
        ]
    }
)
class ThresholdValue(AsIs):
    """The value of a threshold in one of two policies; null where it does not ask for it."""


class Weakened(Shape):
    """A threshold of which the policy asks less than the policy it is compared with.

    The value there is the member with the name of that policy.
    """

    threshold = Text("Name of the threshold.")
    required_by = Text("Name of the policy that it is compared with.")
    v3 = ThresholdValue("The value there, where that policy is v3.", required=False, allow_null=True)
    here = ThresholdValue("The value here.", allow_null=True)
    reason = Text("Why it is weaker here.")


class Failed(Shape):
    """A criterion that the same evidence fails under the stricter policy."""

    code = Text("Stable code of the criterion.")
    required = Number("What that policy asks for.")  # type: ignore[assignment]  # no field of a class any more
    observed = Number("What the evidence has; null where it could not be computed.", allow_null=True)
    message = Text("The same in a sentence.")


class Dates(Shape):
    """When the evidence was observed; null where no source states it."""

    def get_fields(self) -> dict[str, Any]:
        """`from` is no name that a class can give."""
        named = {"from": Day("The first day.", allow_null=True), "to": Day("The last day.", allow_null=True)}
        return {**super().get_fields(), **named}


class Looks(Shape):
    """What came after the first result was seen."""

    evaluations = Count("Evaluations of the gate.")
    evidence_changes = Count("Changes of the evidence.")


class Ranking(Shape):
    """What a ranking release seals besides what an evidence status does."""

    rows = RankedRow(many=True, help_text="By score; equal scores at 6 digits by key.")
    apart = ApartRow(many=True, help_text="Listed apart, unranked.")
    context = Context(many=True)  # type: ignore[assignment]  # no field of a class any more
    panel = Keys("Configurations that set the scale.")
    pool = Keys("The panel and the reference opponents.")
    constants = Constant(many=True)
    figures = Figures(allow_null=True)
    evidence = EvidenceValue(many=True, help_text="Every published value that counts.")
    previous = Digest("Digest of the ranking before, whose scale it keeps; null: none.", allow_null=True)
    rebased = Text("Why it keeps no scale but finds its own; empty: it does not.", allow_blank=True, required=False)
    compared_with = Policy(allow_null=True, help_text="The stricter policy, where this one is weaker.")
    comparisons = Comparisons()
    weakened = Weakened(many=True)
    fails_v3 = Failed(many=True)
    dates = Dates()
    changes_since_first_look = Looks()


# Between two releases -------------------------------------------------------------------------------------------------


class RankOf(Shape):
    """Where one release has a row."""

    configuration = Text("Key of the configuration.")
    model = Text("Name of the model.")
    rank = Count("Place by score.")
    rank_low = Count("The best rank that the evidence leaves open.")
    rank_high = Count("The worst rank that it leaves open.")
    score = Number("50 is the average of the panel.")


class Move(Shape):
    """A row whose rank range moved."""

    configuration = Text("Key of the configuration.")
    model = Text("Name of the model.")
    before = RankOf()
    after = RankOf()


class DifferingValue(Shape):
    """A published value that one of two releases has. A corrected value is one that went and one that came."""

    configuration = Text("Key of the configuration.")
    contract = Text("Key of the metric contract.")
    value = Number("In the unit of the contract.")
    stderr = Number("Published standard error; null: none was.", allow_null=True)
    n = Count("Number of tasks; null: not stated.", allow_null=True)
    source_url = Text("Where it was published.", allow_blank=True)
    source_ref = Text("Commit, page or row there.", allow_blank=True)
    external_id = Text("Its key in the source.", allow_blank=True)


@extend_schema_field(
    {
        "oneOf": [
            {"type": "number"},
            {"type": "string"},
            {"type": "array", "items": {"type": "string"}},
            {"type": "object", "additionalProperties": {"oneOf": [{"type": "number"}, {"type": "string"}]}},
        ]
    }
)
class Said(AsIs):
    """A number, threshold or weight as a release seals it; null where it does not have it."""


class Change(Shape):
    """Something that two releases say differently."""

    name = Text("What it is.")
    before = Said("In the release before.", allow_null=True)
    after = Said("In the release after.", allow_null=True)


# Of the live rankings together ----------------------------------------------------------------------------------------


class Place(Shape):
    """Where one live ranking has a configuration."""

    collection = Text("Slug of the collection.")
    release = Digest("Identifier of the ranking release.")
    ranked = Flag("False: it is listed apart, and code and message say why.")
    rank = Count("Place by score.", allow_null=True)
    rank_low = Count("The best rank that the evidence leaves open.", allow_null=True)
    rank_high = Count("The worst rank that it leaves open.", allow_null=True)
    tier = Count("Its tier.", allow_null=True)
    score = Number("50 is the average of the panel of that ranking.", allow_null=True)
    low = Number("Lower end of the 95 per cent interval.", allow_null=True)
    high = Number("Upper end of the interval.", allow_null=True)
    coverage = Number("Per cent of the required tasks that evidence covers.", allow_null=True)
    code = Text("Why it has no rank; null where it has one.", allow_null=True)
    message = Text("The same in a sentence.", allow_null=True)


class ConfigurationRow(Identity, Told):
    """A configuration that live rankings list. No evidence-status release names one."""

    key = Text("Its key.")
    places = Place(many=True, help_text="Where each live ranking has it.")


class ModelRow(Told):
    """A model that live rankings list."""

    key = Text("organization/model.")
    name = Text("Its name.")
    organization = Text("Who made it.")
    organization_key = Text("Key of who made it.")
    configurations = Keys("Keys of its configurations.")
    collections = Keys("Slugs of the collections whose live ranking lists it.")
