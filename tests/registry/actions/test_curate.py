"""The one write path of curated records: permission, validation, history, staleness, permanent names."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied, ValidationError

from registry import models
from registry.actions import curate
from registry.actions.base import Refused
from registry.models import AuditEvent, Collection, EvidenceMapping, Facet
from tests.ranking.public import world


@pytest.fixture(autouse=True)
def _world(db: None) -> None:
    world.build()


def facet() -> Facet:
    return Facet.objects.get(collection__slug=world.SLUG, slug="de-escalation")


def test_a_change_is_stored_with_before_and_after(editor: User) -> None:
    row = facet()
    row.title = "Calming down"
    curate.save(obj=row, by=editor, reason="Clearer.")
    event = AuditEvent.objects.get()
    assert (event.verb, event.by, event.reason) == ("change", "editor", "Clearer.")
    assert (event.before, event.after) == ({"title": "De-escalation"}, {"title": "Calming down"})
    assert facet().version == 2


def test_saving_without_a_change_writes_nothing(editor: User) -> None:
    curate.save(obj=facet(), by=editor)
    assert (AuditEvent.objects.count(), models.Job.objects.count(), facet().version) == (0, 0, 1)


def test_the_second_of_two_savers_is_refused_and_nothing_is_lost(editor: User, admin: User) -> None:
    first, second = facet(), facet()
    first.title, second.title = "First", "Second"
    curate.save(obj=first, by=editor)
    with pytest.raises(Refused) as refused:
        curate.save(obj=second, by=admin)
    assert (refused.value.code, facet().title) == ("stale", "First")


@pytest.mark.parametrize("name", ["viewer", "publisher"])
def test_only_editors_curate(name: str, request: pytest.FixtureRequest) -> None:
    with pytest.raises(PermissionDenied):
        curate.save(obj=facet(), by=request.getfixturevalue(name))
    with pytest.raises(PermissionDenied):
        curate.remove(obj=facet(), by=request.getfixturevalue(name))


def test_a_bad_value_names_its_field(editor: User) -> None:
    row = facet()
    row.mode = "sideways"
    with pytest.raises(ValidationError) as refused:
        curate.save(obj=row, by=editor)
    assert set(refused.value.message_dict) == {"mode"}


NAMED: list[tuple[Any, str, Any]] = [
    (Collection, "slug", "customer-care"),
    (Facet, "slug", "calming-down"),
    (models.Benchmark, "key", "other-benchmark"),
    (models.Lineage, "key", "other-lineage"),
    (models.MetricContract, "key", "other.contract"),
    (models.Configuration, "key", "other/configuration"),
    (models.CapabilityAtom, "key", "other_atom"),
]


@pytest.mark.parametrize(("model", "name", "value"), NAMED)
def test_a_name_never_changes(admin: User, model: Any, name: str, value: str) -> None:
    row = model.objects.first()
    setattr(row, name, value)
    with pytest.raises(ValidationError) as refused:
        curate.save(obj=row, by=admin)
    assert set(refused.value.message_dict) == {name}
    assert not AuditEvent.objects.exists()


def test_a_facet_stays_in_its_collection_and_a_mapping_in_its_address(admin: User) -> None:
    other = Collection.objects.get(slug="self-service")
    row = facet()
    row.collection, row.slug = other, "de-escalation-2"
    with pytest.raises(ValidationError) as refused:
        curate.save(obj=row, by=admin)
    assert set(refused.value.message_dict) == {"collection", "slug"}
    mapping = EvidenceMapping.objects.get(collection__slug=world.SLUG)
    mapping.benchmark = models.Benchmark.objects.create(
        suite=mapping.benchmark.suite, key="second", title="Second", eligibility="runnable-now"
    )
    with pytest.raises(ValidationError):
        curate.save(obj=mapping, by=admin)


def test_what_is_used_is_not_removed_and_what_is_not_leaves_its_words(admin: User) -> None:
    with pytest.raises(Refused, match="is used by"):
        curate.remove(obj=facet(), by=admin)
    atom = models.CapabilityAtom.objects.create(key="unused", title="Unused")
    curate.remove(obj=atom, by=admin, reason="Nobody maps it.")
    event = AuditEvent.objects.get(verb="remove")
    assert event.before
    assert (event.object_key, event.before["title"]) == ("unused", "Unused")


def test_the_members_of_a_mapping_are_part_of_its_history(editor: User) -> None:
    mapping = EvidenceMapping.objects.get(collection__slug=world.SLUG)
    atom = models.CapabilityAtom.objects.get(key="support_ux")
    curate.save(obj=mapping, by=editor, many={"atoms": [atom]})
    event = AuditEvent.objects.get()
    assert event.before == {"atoms": ["support_ux", "workflow_resolution"]}
    assert event.after == {"atoms": ["support_ux"]}
