"""Which exclusions a release tells of, and in what words."""

import pytest
from django.utils import timezone

from ranking import refusals, snapshot
from registry.models import Collection, Exclusion, Result, Source
from tests.ranking.public import world

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _registry() -> None:
    world.build()


def touching(slug: str) -> list[tuple[str, str, str]]:
    """Of a category that maps nothing else: only what is told of rows."""
    evidence = snapshot.take(Collection.objects.get(slug=slug))
    in_force, lifted = refusals.touching([], [], evidence)
    return [(row["scope"], row["target"], row["about"]) for row in (*in_force, *lifted)]


def unmapped() -> str:
    """A category to which no benchmark is mapped."""
    other = Collection.objects.get(slug="self-service")
    mapping = other.mappings.get()
    for rows in (mapping.facets, mapping.lineages, mapping.alignments):
        rows.all().delete()
    mapping.delete()
    return other.slug


def test_a_result_is_told_where_it_stands_and_by_what_it_is() -> None:
    result = Result.objects.get(contract__key="v0.8.main.customer_support.pass_at_1")
    world.exclude("result", str(result.pk), "unverified", "Nobody has checked it.")
    told = ("result", str(result.pk), "v0.8.main.customer_support.pass_at_1 of maker/hidden-9@high")
    assert touching(world.SLUG) == [told]
    assert touching(unmapped()) == []


def test_a_source_and_a_batch_are_told_where_they_brought_rows_by_the_name_of_the_file() -> None:
    result = Result.objects.all()[0]
    world.exclude("source", result.source.sha256, "withdrawn", "Taken back.")
    world.exclude("batch", str(result.batch_id), "unverified", "Nobody has checked it.")
    assert touching(world.SLUG) == [
        ("batch", str(result.batch_id), "table.csv"),
        ("source", result.source.sha256, "table.csv"),
    ]
    assert touching(unmapped()) == []


def test_a_source_that_brought_nothing_is_told_everywhere() -> None:
    Source.objects.create(
        sha256="7" * 64, filename="mock.csv", size=1, uploaded_by="editor", uploaded_at=timezone.now()
    )
    for source in ("7" * 64, "8" * 64):
        world.exclude("source", source, "placeholder", "Invented.")
    told = [("source", "7" * 64, "mock.csv"), ("source", "8" * 64, "")]
    assert touching(world.SLUG) == touching(unmapped()) == told


def test_a_lifted_one_says_why_and_a_row_costs_no_query(django_assert_num_queries: pytest.FixtureRequest) -> None:
    result = Result.objects.all()[0]
    for number, why in enumerate(("placeholder", "unverified", "withdrawn")):
        world.exclude("result", str(result.pk), why, f"Reason {number}.")
    Exclusion.objects.filter(reason="Reason 1.").update(
        lifted_by="editor", lifted_at=timezone.now(), lift_reason="It was checked."
    )
    rows = list(Exclusion.objects.filter(scope="result"))
    with django_assert_num_queries(1):  # type: ignore[operator]
        told = refusals.told(rows)
    assert [row.get("lift_reason") for row in told] == [None, "It was checked.", None]
