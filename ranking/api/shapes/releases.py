"""Releases, what they carry, and what they do not."""

from typing import Any

from rest_framework import serializers

from ranking.api.shapes.base import Count, Digest, Keys, Moment, OneOf, Shape, Text
from ranking.api.shapes.benchmarks import Lineage, Protocol
from ranking.api.shapes.gates import CollectionEvidence, EvidenceCounts, Policy, SealedGate
from ranking.api.shapes.mappings import Exclusion, LiftedExclusion, Mapping
from ranking.api.shapes.rankings import (
    ApartRow,
    Change,
    DifferingValue,
    EvidenceValue,
    Move,
    RankedRow,
    Ranking,
    RankOf,
)
from ranking.api.shapes.taxonomy import Facet, SealedCollection
from ranking.models.releases import PublicationState, ReleaseKind


class ReleaseRow(Shape):
    """One publication."""

    identifier = Digest("Permanent id: SHA-256 of digest, number and predecessor.")
    collection = Text("Slug of the collection; empty for the overall leaderboard.", allow_blank=True)
    number = Count("Gapless within the collection.")
    kind = OneOf(ReleaseKind, "What kind of release it is.")
    state = OneOf(PublicationState, "Live, superseded by a newer one, or withdrawn.")
    digest = Digest("SHA-256 of kind and content: equal evidence, equal digest.")
    predecessor = Digest("Identifier of the release before it; null for a first one.", allow_null=True)
    reason = Text("Why it was published.")
    sealed_at = Moment("When its content was sealed.")
    published_at = Moment("When it was published.")
    withdrawn_at = Moment("When it was withdrawn; null while it stands.", allow_null=True)
    withdrawal_reason = Text("Why it was withdrawn.", allow_blank=True)


class Content(Shape):
    """What a release seals. Its canonical JSON is what the digest is of."""

    format = Count("Version of this shape.")
    kind = OneOf(ReleaseKind, "What kind of release it is.")
    collection = SealedCollection()
    facets = Facet(many=True, help_text="In the editors' order.")
    policy = Policy()
    gate = SealedGate()
    mappings = Mapping(many=True)
    lineages = Lineage(many=True, help_text="Every lineage of the mapped suites, usable or not.")
    protocols = Protocol(many=True)
    exclusions = Exclusion(many=True, help_text="The exclusions that touch what the release speaks of.")
    lifted_exclusions = LiftedExclusion(
        many=True, required=False, help_text="Those that once did. Absent from the oldest releases."
    )
    evidence = CollectionEvidence()
    ranking = Ranking(required=False, help_text="In a ranking release only.")

    def to_representation(self, instance: Any) -> Any:
        """As it was sealed, to the last member: a shape that lost one would change the digest."""
        return instance


class Release(ReleaseRow):
    """A release with all that it seals."""

    evaluated_at = Moment("When the gate that it carries was evaluated.", allow_null=True)
    content = Content()


class Rows(Shape):
    """The ranked rows of a release, or why there are none."""

    release = Digest("Identifier of the release.")
    collection = Text("Slug of the collection.")
    rows = RankedRow(many=True, help_text="By score; empty in an evidence-status release.")
    apart = ApartRow(many=True, help_text="Listed apart, unranked.")
    reason = Text("Stable code of why there are none; null where there are.", allow_null=True)
    message = Text("The same in a sentence.", allow_null=True)


class MappingEvidence(EvidenceCounts):
    """The evidence through one mapping, in counts."""

    mapping = Text("Key of the mapping.")


class ReleaseEvidence(CollectionEvidence):
    """The evidence behind a release: counts and reasons, and in a ranking release the values that count."""

    release = Digest("Identifier of the release.")
    collection = Text("Slug of the collection.")
    snapshot = Digest("SHA-256 of the evidence that was evaluated.")
    mappings = MappingEvidence(many=True, help_text="The same for each mapping.")
    values = EvidenceValue(many=True, help_text="Empty in an evidence-status release.")
    reason = Text("Stable code of why there are no values; null where there are.", allow_null=True)
    message = Text("The same in a sentence.", allow_null=True)


class Difference(Shape):
    """What one release of a collection says otherwise than another; a list is empty where nothing differs."""

    collection = Text("Slug of the collection.")
    before = Digest("Identifier of the release that is compared with.")
    after = Digest("Identifier of the release whose changes these are.")
    rows_in = RankOf(many=True, help_text="Rows that came in.")
    rows_out = RankOf(many=True, help_text="Rows that went out.")
    moved = Move(many=True, help_text="Rows whose rank range moved.")
    panel_in = Keys("Configurations that set the scale after and did not before.")
    panel_out = Keys("Configurations that set it before and do not after.")
    scale = Change(many=True, help_text="Mean and SD of cells of both, where they differ: scores are not comparable.")
    gate = Change(many=True, help_text="Criteria of the gate: verdict, observed and required.")
    facets = Change(many=True, help_text="Evidence status of the facets.")
    mappings = Change(many=True, help_text="Evidence mappings, by role; null: not there.")
    counted = Change(many=True, help_text="How many results and comparisons are on record and count.")
    evidence_added = DifferingValue(many=True, help_text="Values that count after and did not before.")
    evidence_gone = DifferingValue(many=True, help_text="Values that counted before and do not after.")
    comparisons = Change(many=True, help_text="Counts of the first-party comparisons.")
    exclusions_added = Exclusion(many=True)
    exclusions_lifted = Exclusion(many=True)
    policy = Change(many=True, help_text="Thresholds of the gate policy.")
    weights = Change(many=True, help_text="Weights of the facets, in per cent.")


class NotContributing(Shape):
    """A category that contributes nothing to the overall leaderboard."""

    collection = Text("Slug of the collection.")
    title = Text("Its title.")
    reason = Text("Stable code of why it contributes nothing.")
    message = Text("The same in a sentence.")


class Overall(Shape):
    """The overall leaderboard, or why there is none."""

    release = Digest("Identifier of the live overall release; null where there is none.", allow_null=True)
    reason = Text("Stable code of why there is none; null where there is one.", allow_null=True)
    message = Text("The same in a sentence.", allow_null=True)
    contributing = Keys("Slugs of the categories that contribute.")
    not_contributing = NotContributing(many=True, help_text="The categories that do not, each with its reason.")


class Index(Shape):
    """Where everything is."""

    name = Text("Name of the site.")
    version = Text("Version of the API.")
    addresses = serializers.DictField(child=serializers.URLField(), help_text="Address of each list and page, by name.")
