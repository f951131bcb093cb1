"""The one reader of what is public."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest

from ranking import live
from ranking.catalogue import Published, Tombstone
from ranking.models import Publication
from registry import models
from tests.ranking.public import world

Counted = Callable[[int], AbstractContextManager[Any]]


@pytest.fixture(autouse=True)
def site(db: None) -> None:
    world.build()
    world.publish()
    world.publish("self-service")


def again(slug: str = world.SLUG) -> Publication:
    models.Collection.objects.filter(slug=slug).update(summary="Said anew.")
    return world.publish(slug, reason="Corrected.")


def test_only_the_live_release_of_each_category_is_live() -> None:
    new = again()
    world.withdraw(Publication.objects.get(collection__slug="self-service"))
    [found] = live.live_releases()
    assert (found.identifier, found.number, found.reason) == (new.identifier, 2, "Corrected.")
    assert found.content["collection"]["summary"] == "Said anew."
    assert found.evaluated_at == new.release.evaluation.evaluated_at  # type: ignore[union-attr]


def test_a_category_is_its_live_release_or_its_tombstone_or_nothing() -> None:
    assert isinstance(live.category(world.SLUG), Published)
    world.withdraw(again(), "Retracted.")
    tombstone = live.category(world.SLUG)
    assert isinstance(tombstone, Tombstone)
    assert (tombstone.title, tombstone.withdrawal_reason) == ("Customer Support & Service Resolution", "Retracted.")
    assert live.category("none") is None


def test_a_withdrawn_release_gives_no_content() -> None:
    publication = Publication.objects.get(collection__slug=world.SLUG)
    world.withdraw(publication)
    assert not hasattr(live.release(publication.identifier), "content")


def test_only_categories_without_a_live_release_are_withdrawn() -> None:
    first = Publication.objects.get(collection__slug=world.SLUG)
    second = again()
    world.withdraw(first)
    assert live.withdrawn() == ()
    world.withdraw(second)
    assert [found.identifier for found in live.withdrawn()] == [second.identifier]


def test_a_beginning_that_fits_several_releases_names_none() -> None:
    assert live.release("") is None


def test_a_superseded_release_keeps_what_it_said() -> None:
    first = Publication.objects.get(collection__slug=world.SLUG)
    new = again()
    found = live.release(first.identifier[:12])
    assert isinstance(found, Published)
    assert not found.is_live
    assert found.content["collection"]["summary"] == "Accurate, policy-aware support."
    assert [listed.identifier for listed in live.history(1)] == [new.identifier]
    assert live.history(1)[0].predecessor == first.identifier


def test_the_validator_changes_with_publications_and_withdrawals_and_nothing_else() -> None:
    seen = [live.state()]
    models.Collection.objects.update(title="Renamed")
    world.exclude("lineage", world.LINEAGE, "track", "Another.")
    assert live.state() == seen[0]
    published = again()
    seen.append(live.state())
    world.withdraw(published)
    seen.append(live.state())
    assert len(set(seen)) == 3


@pytest.mark.parametrize(
    "read",
    [
        live.catalogue,
        live.live_releases,
        live.history,
        live.withdrawn,
        live.state,
        lambda: live.category(world.SLUG),
        lambda: live.release("0" * 12),
    ],
)
def test_each_question_is_one_query(read: Callable[[], object], django_assert_num_queries: Counted) -> None:
    again()
    with django_assert_num_queries(1):
        read()


def test_records_are_indexed_by_key_across_releases() -> None:
    catalogue = live.catalogue()
    assert list(catalogue.categories) == [world.SLUG, "self-service"]
    assert list(catalogue.mappings) == [world.MAPPING, world.SECOND]
    assert list(catalogue.benchmarks) == [world.BENCHMARK]
    assert list(catalogue.lineages) == ["statebench-v0-7-main", world.LINEAGE]
    assert list(catalogue.protocols) == ["statebench-v0.8.main"]
    assert list(catalogue.atoms) == ["support_ux", "workflow_resolution"]
    assert list(catalogue.policies) == list(catalogue.editions) == ["v3"]
    assert len(catalogue.facets) == 8
    assert len(catalogue.exclusions) == 1
    assert [entry.key for entry in catalogue.mappings_of(world.BENCHMARK)] == [world.MAPPING, world.SECOND]
    assert [entry.key for entry in catalogue.mappings_with_lineage("statebench-v0-7-main")] == []
    assert len(catalogue.mappings_with_atom("support_ux")) == 2


def test_a_contract_is_the_same_record_whatever_each_mapping_measures_with_it() -> None:
    contract = live.catalogue().contracts["v0.8.main.customer_support.pass_at_1"]
    assert "measures" not in contract.record
    assert len(contract.releases) == 2
    assert contract.differing == ()


def test_the_newest_words_stand_and_older_ones_are_named() -> None:
    models.Lineage.objects.filter(key=world.LINEAGE).update(note="Seen again.")
    new = world.publish()
    entry = live.catalogue().lineages[world.LINEAGE]
    assert entry.record["note"] == "Seen again."
    assert entry.release.identifier == new.identifier
    assert [release.collection for release in entry.differing] == ["self-service"]
