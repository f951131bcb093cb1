"""Criteria, policies and counts of evidence."""

from django.db.models import TextChoices
from rest_framework import serializers

from ranking.api.shapes.base import Count, Digest, Moment, Number, NumberOrWords, OneOf, Shape, Text, Told
from ranking.gate import CLOSED, FAILED, NOT_TESTABLE, OPEN, PASSED


class GateVerdict(TextChoices):
    OPEN = OPEN, "every criterion is passed"
    CLOSED = CLOSED, "at least one criterion is not passed"


class CriterionVerdict(TextChoices):
    PASSED = PASSED, "passed"
    FAILED = FAILED, "failed"
    NOT_TESTABLE = NOT_TESTABLE, "cannot be tested yet, which is not passed"


class Statistic(Shape):
    """One of the figures that a criterion is made of."""

    code = Text("Stable code of the criterion.")
    required = Number("What the policy asks for.")  # type: ignore[assignment]  # no field of a class any more
    observed = Number("What the evidence has; null where it could not be computed.", allow_null=True)
    missing = Number("What is missing to pass; null where it could not be computed.", allow_null=True)
    verdict = OneOf(CriterionVerdict, "The answer.")
    reason = Text("Stable code of the reason.")
    message = Text("The reason in a sentence.")
    beside = serializers.DictField(child=Number("The number."), help_text="Numbers for context; they decide nothing.")


class Criterion(Statistic):
    """One question of the gate and its answer."""

    parts = Statistic(many=True, required=False, help_text="The statistics that it is made of; all must pass.")


class FacetCriteria(Shape):
    """The criteria of one facet."""

    facet = Text("Slug of the facet.")
    criteria = Criterion(many=True)


class SealedGate(Shape):
    """The answer of the promotion gate as a release seals it."""

    policy = Text("Name of the policy.")
    snapshot = Digest("SHA-256 of the evidence that was evaluated.")
    verdict = OneOf(GateVerdict, "Whether the gate is open.")
    criteria = Criterion(many=True, help_text="The criteria of the whole collection.")
    facets = FacetCriteria(many=True, help_text="The criteria of each facet.")


class Gate(Shape):
    """The gate evaluation sealed in the live release of a collection."""

    collection = Text("Slug of the collection.")
    policy = Text("Name of the policy.")
    evaluated_at = Moment("When the gate was evaluated.", allow_null=True)
    snapshot = Digest("SHA-256 of the evidence that was evaluated.")
    verdict = OneOf(GateVerdict, "Whether the gate is open.")
    criteria = Criterion(many=True, help_text="The criteria of the whole collection.")
    facets = FacetCriteria(many=True, help_text="The criteria of each facet.")


class Threshold(Shape):
    """One number of a policy, with the reason for it."""

    value = NumberOrWords("The number, or the words where it is a list.")
    reason = Text("Why it is this number.")


class Policy(Shape):
    """A version of the gate policy."""

    name = Text("Name of the policy.")
    edition = Text("Key of the edition.")
    version = Count("Version within the edition.")
    title = Text("Title.")
    reason = Text("Why this version exists.")
    thresholds = serializers.DictField(child=Threshold(), help_text="Each threshold by its name.")


class NamedThreshold(Shape):
    """One number of a policy, with its name and the reason for it."""

    name = Text("Name of the threshold.")
    value = NumberOrWords("The number, or the words where it is a list.")
    reason = Text("Why it is this number.")


class PolicyRow(Told):
    """A gate policy that a live release was judged by."""

    name = Text("Name of the policy.")
    edition = Text("Key of the edition.")
    version = Count("Version within the edition.")
    title = Text("Title.")
    reason = Text("Why this version exists.")
    thresholds = NamedThreshold(many=True, help_text="Every threshold, in order of name.")


class ReasonCount(Shape):
    """One reason why results do not count."""

    code = Text("Stable code of the reason.")
    message = Text("The reason in a sentence.")
    results = Count("How many results it keeps out. A result may have several reasons.")


class EvidenceCounts(Shape):
    """How many results are recorded, how many count, why the others do not, and how many comparisons count."""

    results = Count("Results recorded.")
    eligible = Count("Results that count.")
    reasons = ReasonCount(many=True, help_text="Why the others do not count.")
    comparisons = Count("First-party comparisons that count.")


class CollectionEvidence(EvidenceCounts):
    """The evidence of a whole collection, in counts."""
