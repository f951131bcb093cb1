"""Two people at once: one batch is applied once, and two that contradict each other never both win."""

import pytest
from django.contrib.auth.models import User

from registry.actions import curate, imports
from registry.models import AuditEvent, Comparison, Judge, MappingProfile
from tests import registries
from tests.registry.importing.comparisons.test_imports import crowd
from tests.registry.importing.conftest import Stage
from tests.registry.importing.test_concurrency import together

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def registry(transactional_db: None) -> None:
    """For other connections to see."""
    registries.of_cases()


def test_one_batch_is_applied_once(stage: Stage, editor: User) -> None:
    batch = stage({}, {"comparison_id": "v-2"})
    outcomes = together(*[lambda: imports.apply(batch=batch, by=editor)] * 4)
    assert outcomes == ["done", *["not-staged"] * 3]
    assert Comparison.objects.count() == 2


def test_of_two_files_that_contradict_each_other_the_second_is_stale(stage: Stage, editor: User) -> None:
    first, second = stage({"order": "ab"}), stage({"comparison_id": "v-2", "order": "ab", "outcome": "b"})
    outcomes = together(lambda: imports.apply(batch=first, by=editor), lambda: imports.apply(batch=second, by=editor))
    assert outcomes == ["done", "stale"]
    assert Comparison.objects.count() == 1


def test_the_same_bytes_staged_twice_are_stored_once(stage: Stage, editor: User) -> None:
    batches = [stage({}), stage({})]
    outcomes = together(*[lambda batch=batch: imports.apply(batch=batch, by=editor) for batch in batches])
    assert outcomes == ["done", "stale"]
    assert Comparison.objects.count() == 1


def test_two_files_that_bring_the_same_people(stage: Stage, editor: User) -> None:
    profile = MappingProfile.objects.get(key="cases-comparisons")
    profile.spec |= {"judge_kind": "person"}
    curate.save(obj=profile, by=editor)
    other = crowd("crowd/1", "crowd/2").replace(b"q1", b"q2")
    batches = [stage(content=content, profile=profile) for content in (crowd("crowd/1", "crowd/2"), other)]
    outcomes = together(*[lambda batch=batch: imports.apply(batch=batch, by=editor) for batch in batches])
    assert outcomes == ["done", "done"]
    assert Judge.objects.filter(person=True).count() == 2
    assert Comparison.objects.count() == 4
    assert AuditEvent.objects.filter(verb="apply").count() == 2
