"""Which comparisons count in a collection, and how they are counted."""

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ranking import counting, snapshot
from ranking.evidence import ComparisonCount
from ranking.field import Field
from registry import exchange
from registry.actions import curate, exclusions, imports
from registry.models import (
    Benchmark,
    Collection,
    Configuration,
    EvidenceMapping,
    Facet,
    ImportBatch,
    Lineage,
    MappingLineage,
    RightsDecision,
    Task,
)
from registry.vocabulary import ImportKind

pytestmark = pytest.mark.django_db

LINEAGE = "lineage-000-main"
HEADER = "comparison_id,facet,task,a,b,outcome,judge,order,lineage\n"
ROW = "{id},case-questions,q1,vendor0-model-000,vendor1-model-001,a,j1,{order},{lineage}\n"

Import = Callable[..., ImportBatch]


@pytest.fixture
def collection(editor: User) -> Collection:
    exchange.load(Path(__file__).parents[1] / "cases_registry", by=editor)
    return Collection.objects.select_related("edition").get(slug="case-files")


@pytest.fixture
def store(collection: Collection, editor: User) -> Import:
    """Import verdicts of one judge on one pair and task."""

    def store(*ids: str, lineage: str = "", order: str = "") -> ImportBatch:
        content = HEADER + "".join(ROW.format(id=one, lineage=lineage, order=order) for one in ids)
        batch = imports.stage(kind=ImportKind.COMPARISONS, content=content.encode(), filename="c.csv", by=editor)
        return imports.apply(batch=batch, by=editor)

    return store


@pytest.fixture
def mapping(collection: Collection, editor: User) -> EvidenceMapping:
    """One that makes the lineage usable in the collection."""
    mapping = EvidenceMapping(
        collection=collection,
        benchmark=Benchmark.objects.get(key="bench-000-v3"),
        role="primary",
        upstream_access="manual",
        declared_subject="harnessed-model",
        metric_partitions=["harnessed-model"],
    )
    curate.save(obj=mapping, by=editor)
    usable = MappingLineage(mapping=mapping, lineage=Lineage.objects.get(key=LINEAGE), subject_kind="harnessed-model")
    curate.save(obj=usable, by=editor)
    return mapping


def counted(collection: Collection) -> int:
    return sum(row.count for row in counting.comparisons(collection)[0])


def test_equal_verdicts_are_one_row_with_their_number(collection: Collection, store: Import) -> None:
    store("1", "2", order="ab")
    store("3", order="ba")
    words = ("case-questions", "q1", "vendor0-model-000", "vendor1-model-001", "a", "j1")
    assert counting.comparisons(collection)[0] == (ComparisonCount(*words, "ab", 2), ComparisonCount(*words, "ba", 1))


def test_the_number_of_queries_does_not_grow_with_the_verdicts(collection: Collection, store: Import) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            counting.comparisons(collection)
        return len(captured)

    store("1")
    few = queries()
    store(*(f"n{number}" for number in range(200)))
    assert queries() == few


def test_what_was_taken_back_leaves_no_trace(collection: Collection, store: Import, editor: User) -> None:
    store("1")
    before = snapshot.digest(snapshot.take(collection))
    batch = store("2", order="ab")
    assert snapshot.digest(snapshot.take(collection)) != before
    imports.revert(batch=batch, by=editor, reason="Wrong.")
    assert snapshot.digest(snapshot.take(collection)) == before


def test_a_subject_of_another_kind_does_not_count(collection: Collection, store: Import, editor: User) -> None:
    store("1")
    subject = Configuration.objects.get(key="vendor1-model-001")
    subject.subject_kind = "product"
    curate.save(obj=subject, by=editor)
    assert counted(collection) == 0


def test_a_lineage_that_is_not_usable_counts_nowhere(
    collection: Collection, store: Import, mapping: EvidenceMapping, editor: User
) -> None:
    store("1", lineage=LINEAGE)
    assert counted(collection) == 1
    lineage = Lineage.objects.get(key=LINEAGE)
    lineage.use = "blocked"
    curate.save(obj=lineage, by=editor)
    assert counted(collection) == 0


# Tasks that are the same ----------------------------------------------------------------------------------------------


@pytest.fixture
def other(collection: Collection, editor: User) -> Collection:
    """Another collection with one task, the same as q1."""
    texts = {"slug": "other", "title": "O", "question": "Which?", "summary": "S.", "subject_kind": "harnessed-model"}
    other = curate.save(obj=Collection(edition=collection.edition, **texts), by=editor)
    facet = Facet(collection=other, slug="its-own", title="F", description="F.", weight=100, mode="pairwise")
    curate.save(obj=facet, by=editor)
    curate.save(obj=Task(facet=facet, key="again", title="Q1", same_as=Task.objects.get(key="q1")), by=editor)
    return other


def test_a_task_shares_the_comparisons_of_the_one_it_is_the_same_as(other: Collection, store: Import) -> None:
    store("1", "2")
    (row,) = counting.comparisons(other)[0]
    assert (row.facet, row.task, row.count) == ("its-own", "again", 2)


def test_own_comparisons_of_such_a_task_are_added(other: Collection, store: Import, editor: User) -> None:
    store("1")
    content = (HEADER + ROW.format(id="2", order="", lineage="")).replace("case-questions,q1", "its-own,again")
    batch = imports.stage(kind=ImportKind.COMPARISONS, content=content.encode(), filename="c.csv", by=editor)
    imports.apply(batch=batch, by=editor)
    (row,) = counting.comparisons(other)[0]
    assert row.count == 2
    assert counted(Collection.objects.get(slug="case-files")) == 1


@pytest.mark.parametrize("fault", ["its own collection", "a chain", "the head of others", "twice"])
def test_evidence_reaches_a_collection_once(other: Collection, editor: User, fault: str) -> None:
    from django.core.exceptions import ValidationError

    again, first, second = (Task.objects.get(key=key) for key in ("again", "q1", "q2"))
    new = Task(facet=again.facet, key="new", title="New")
    task, target = {
        "its own collection": (second, first),
        "a chain": (second, again),
        "the head of others": (first, new),
        "twice": (new, first),
    }[fault]
    if target is new:
        curate.save(obj=new, by=editor)
    task.same_as = target
    with pytest.raises(ValidationError, match="same_as"):
        curate.save(obj=task, by=editor)


# Mappings and exclusions ----------------------------------------------------------------------------------------------


def test_a_lineage_counts_where_a_mapping_makes_it_usable(
    collection: Collection, store: Import, mapping: EvidenceMapping, editor: User
) -> None:
    store("1", lineage=LINEAGE)
    assert counted(collection) == 1
    for role, expected in (("supporting", 1), ("context", 0), ("excluded", 0), ("primary", 1)):
        mapping.role = role
        curate.save(obj=mapping, by=editor)
        assert counted(collection) == expected, role
    mapping.benchmark.registry_status = "candidate"
    curate.save(obj=mapping.benchmark, by=editor)
    assert counted(collection) == 0


def test_a_lineage_that_no_mapping_names_does_not_count_and_our_own_does(collection: Collection, store: Import) -> None:
    store("1", lineage=LINEAGE)
    store("2")
    assert counted(collection) == 1


@pytest.mark.parametrize("within", [False, True])
@pytest.mark.parametrize(
    "refused",
    [
        ("configuration", "vendor0-model-000"),
        ("configuration", "vendor1-model-001"),
        ("lineage", LINEAGE),
        ("benchmark", "bench-000-v3"),
        ("source", ""),
        ("batch", ""),
    ],
)
def test_an_exclusion_reaches_comparisons_until_it_is_lifted(
    store: Import, mapping: EvidenceMapping, editor: User, refused: tuple[str, str], within: bool
) -> None:
    collection = mapping.collection
    batch = store("1", lineage=LINEAGE)
    scope, target = refused
    target = target or {"source": batch.source.sha256, "batch": str(batch.pk)}[scope]
    words = {"type": "conflict-of-interest", "reason": "R.", "lift_condition": "Never."}
    exclusion = exclusions.exclude(scope=scope, target=target, mapping=mapping if within else None, by=editor, **words)
    assert counted(collection) == 0
    exclusions.lift(exclusion=exclusion, by=editor, reason="Settled.")
    assert counted(collection) == 1


def test_an_exclusion_of_something_else_reaches_nothing(
    collection: Collection, store: Import, mapping: EvidenceMapping, editor: User
) -> None:
    store("1", lineage=LINEAGE)
    words = {"type": "version", "reason": "R.", "lift_condition": "Never."}
    exclusions.exclude(scope="configuration", target="vendor2-model-002", by=editor, **words)
    assert counted(collection) == 1


# Rights ---------------------------------------------------------------------------------------------------------------


def rights(collection: Collection) -> dict[str, str]:
    (source,) = counting.comparisons(collection)[1]
    return dict(source.rights)


def test_a_source_has_the_rights_of_the_suite_of_its_lineage(
    collection: Collection, store: Import, mapping: EvidenceMapping, editor: User
) -> None:
    store("1", "2", lineage=LINEAGE)
    (source,) = counting.comparisons(collection)[1]
    assert (source.lineage, source.comparisons) == (LINEAGE, 2)
    assert rights(collection) == {"rank": "allowed", "show": "allowed", "export": "allowed"}
    decision = RightsDecision.objects.get(use="show")
    decision.verdict = "refused"
    curate.save(obj=decision, by=editor)
    assert rights(collection)["show"] == "refused"


def test_what_is_our_own_takes_nobodys_leave_unless_the_source_says_otherwise(
    collection: Collection, store: Import, editor: User
) -> None:
    batch = store("1")
    assert set(rights(collection).values()) == {"allowed"}
    words = {"verdict": "refused", "clause": "Asked not to.", "reviewed_by": "editor", "reviewed_on": date(2026, 1, 1)}
    curate.save(obj=RightsDecision(source=batch.source, use="export", **words), by=editor)
    assert rights(collection)["export"] == "refused"


def test_the_gate_asks_for_the_rights_of_sources_of_comparisons(collection: Collection, store: Import) -> None:
    batch = store("1")
    standing = Field.of(snapshot.take(collection), {})
    assert set(standing.rights_by_source) == {batch.source.sha256}
