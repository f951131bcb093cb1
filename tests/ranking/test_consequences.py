"""What confirm pages are told about gates, and that it is asked no oftener than needed."""

import pytest
from django.core.cache import cache

from ranking import consequences, gate
from ranking.actions.recompute import recompute
from ranking.evidence import Evidence
from ranking.models import GateEvaluation
from registry import confirm
from registry.models import Collection, Result
from tests.ranking.public import world

pytestmark = pytest.mark.django_db


@pytest.fixture
def collection() -> Collection:
    world.build()
    cache.clear()
    return Collection.objects.get(slug=world.SLUG)


def counted(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    asked: list[object] = []
    evaluate = gate.evaluate

    def counting(evidence: Evidence, policy: gate.Policy) -> gate.GateAnswer:
        asked.append(evidence)
        return evaluate(evidence, policy)

    monkeypatch.setattr(gate, "evaluate", counting)
    return asked


def test_the_same_evidence_is_asked_once(collection: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = counted(monkeypatch)
    first = consequences.gate_consequences([collection.slug])
    assert consequences.gate_consequences([collection.slug]) == first
    assert len(asked) == 1


def test_what_is_stored_and_what_is_asked_say_the_same(collection: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    now = consequences.gate_consequences([collection.slug])
    recompute(collection=collection)
    asked = counted(monkeypatch)
    cache.clear()
    assert consequences.gate_consequences([collection.slug]) == now
    assert (asked, GateEvaluation.objects.count()) == ([], 1)


def test_other_evidence_is_asked_anew(collection: Collection) -> None:
    seen = confirm.rehearse(lambda: Result.objects.update(state="retired"), [collection.slug])
    assert seen.after is not None
    assert seen.before[collection.slug] != seen.after[collection.slug]
    assert consequences.gate_consequences([collection.slug]) == seen.before
