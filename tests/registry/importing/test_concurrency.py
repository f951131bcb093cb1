"""Two people at once: one batch is applied once, and two batches never both win."""

import threading
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.db import connection

from registry.actions import imports
from registry.actions.base import Refused
from registry.models import ImportBatch, Result
from registry.vocabulary import BatchStatus, ResultState
from tests import registries
from tests.registry.importing.conftest import Stage

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def registry(transactional_db: None) -> None:
    """For other connections to see."""
    registries.of_cases()


AT_ONCE = 4


def together(*calls: Callable[[], object]) -> list[str]:
    """Run the calls at the same moment, each on a connection of its own; what became of each."""
    gate = threading.Barrier(len(calls))
    outcomes: list[str] = []

    def one(call: Callable[[], object]) -> None:
        gate.wait()
        try:
            call()
            outcomes.append("done")
        except Refused as refused:
            outcomes.append(refused.code)
        finally:
            connection.close()

    threads = [threading.Thread(target=one, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(outcomes)


def test_one_batch_is_applied_once(stage: Stage, editor: User) -> None:
    batch = stage({}, {"external_id": "c-2"})
    outcomes = together(*[lambda: imports.apply(batch=batch, by=editor)] * AT_ONCE)
    assert outcomes == ["done", *["not-staged"] * (AT_ONCE - 1)]
    assert Result.objects.count() == 2


def test_of_two_batches_with_one_result_the_second_is_stale(stage: Stage, editor: User) -> None:
    first, second = stage({"notes": "a"}), stage({"notes": "b"})
    outcomes = together(lambda: imports.apply(batch=first, by=editor), lambda: imports.apply(batch=second, by=editor))
    assert outcomes == ["done", "stale"]
    assert Result.objects.count() == 1


def test_a_batch_is_reverted_once(store: Stage, editor: User) -> None:
    store({"value": "0.5"})
    batch = store({"value": "0.6"}, reason="Fixed.")
    outcomes = together(*[lambda: imports.revert(batch=batch, by=editor, reason="Wrong.")] * AT_ONCE)
    assert outcomes == ["done", *["not-applied"] * (AT_ONCE - 1)]
    assert Result.objects.get(state=ResultState.ACTIVE).value == 0.5


def test_the_same_bytes_staged_at_once_are_one_source(stage: Stage) -> None:
    together(*[lambda: stage({})] * AT_ONCE)
    assert ImportBatch.objects.filter(status=BatchStatus.STAGED).count() == AT_ONCE
    assert ImportBatch.objects.values("source").distinct().count() == 1
