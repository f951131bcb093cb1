"""Editions, collections, facets, tasks and capability atoms."""

from django.db.models import TextChoices

from ranking.api.rows import NOT_RANKED, RANKED
from ranking.api.shapes.base import Count, Decimal, Digest, Flag, Keys, Moment, OneOf, Shape, Text, Texts, Told
from ranking.api.shapes.gates import CollectionEvidence, Criterion, GateVerdict
from ranking.models.releases import ReleaseKind
from registry.vocabulary import EvaluationMode, SubjectKind


class CollectionState(TextChoices):
    RANKED = RANKED, "its live release is a ranking"
    NOT_RANKED = NOT_RANKED, "its live release says why there is no ranking"


class Edition(Shape):
    """One generation of the taxonomy."""

    key = Text("Stable key.")
    title = Text("Title.")
    description = Text("What this edition is.", allow_blank=True)


class EditionRow(Edition, Told):
    """An edition with its live collections."""

    collections = Keys("Slugs of the live collections of this edition.")


class Atom(Shape):
    """A small ability out of a controlled list that all collections share."""

    key = Text("Stable key.")
    title = Text("Title.")
    description = Text("What it is.", allow_blank=True)


class AtomRow(Atom, Told):
    """A capability atom with the mappings that name it."""

    mappings = Keys("Keys of the mappings whose benchmark speaks to it.")


class Task(Shape):
    """One item of a facet's task plan."""

    key = Text("Stable key within the facet.")
    title = Text("Title.")
    description = Text("What is asked.", allow_blank=True)
    required = Flag("Whether it counts for coverage.")  # type: ignore[assignment]  # no field of a class any more
    editorial = Flag("Whether the editors wrote it, rather than took it from a source.")
    samples = Texts("Saved outputs that illustrate it. None of them is evidence, and none carries a grade.")


class Status(Shape):
    """Where a facet's evidence stands."""

    code = Text("Stable code: evidenced, incomplete, no-evidence.")
    message = Text("The same in a sentence.")


class WeightedFacet(Shape):
    """A facet without its plan and its evidence."""

    slug = Text("Stable name within the collection.")
    title = Text("Title.")
    description = Text("The skill.")
    weight = Decimal("Share of the collection's score, in per cent.")
    mode = OneOf(EvaluationMode, "The kinds of evidence it needs.")


class Facet(WeightedFacet):
    """A weighted skill of a collection, with its task plan and where its evidence stands."""

    tasks = Task(many=True, help_text="The task plan, in the editors' order.")
    criteria = Criterion(many=True, help_text="Its own criteria.")
    status = Status()
    mappings = Keys("Keys of the mappings that speak to it.")
    atoms = Atom(many=True, help_text="Capability atoms of those mappings.")


class FacetRow(Facet, Told):
    """A facet with the collection it belongs to."""

    collection = Text("Slug of its collection.")


class SealedCollection(Shape):
    """A category of work as a release seals it."""

    slug = Text("Stable name, part of its address.")
    title = Text("Title.")
    question = Text("The question a ranking here would answer.")
    summary = Text("The outcome that this category wants.")
    subject_kind = OneOf(SubjectKind, "The kind of subject that it ranks.")
    planning = Flag("True while no release of it has ranked.")
    edition = Edition()


class CollectionRow(Shape):
    """A category of work with its live release."""

    slug = Text("Stable name, part of its address.")
    title = Text("Title.")
    question = Text("The question a ranking here would answer.")
    summary = Text("The outcome that this category wants.")
    subject_kind = OneOf(SubjectKind, "The kind of subject that it ranks.")
    planning = Flag("True while no release of it has ranked.")
    edition = Text("Key of its edition.")
    kind = OneOf(ReleaseKind, "What its live release is.")
    state = OneOf(CollectionState, "Whether it is ranked.")
    gate = OneOf(GateVerdict, "Whether the promotion gate was open for the live release.")
    policy = Text("Name of the gate policy.")
    release = Digest("Identifier of its live release.")
    number = Count("Number of the live release within the collection.")
    published_at = Moment("When the live release was published.")


class FacetSummary(WeightedFacet):
    """A facet and where its evidence stands."""

    status = Status()


class Collection(CollectionRow):
    """A category of work: whether it is ranked or why not, its facets and the evidence there is."""

    reason = Text("Stable code of why there is no ranking; null where there is one.", allow_null=True)
    message = Text("The same in a sentence.", allow_null=True)
    unmet = Keys("Codes of the gate's criteria that are not passed.")
    facets = FacetSummary(many=True, help_text="In the editors' order.")
    mappings = Keys("Keys of its evidence mappings.")
    evidence = CollectionEvidence()
