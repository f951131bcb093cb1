"""What the decisions about a batch say beforehand, and what they rest on."""

from collections.abc import Iterable

import pytest
from django.contrib.auth.models import User

from registry import confirm, decisions
from registry.actions import imports
from registry.actions.base import Refused
from registry.confirm import Stale, Ticket
from registry.decisions import ApplyImport, RevertBatch
from registry.models import Configuration, ImportBatch, Result
from tests.ranking.public import world

CONTRACT = "v0.8.main.customer_support.pass_at_1"
HEADER = "contract,configuration,value,external_id,source_url"


@pytest.fixture
def batch(editor: User) -> ImportBatch:
    world.build()
    key = Configuration.objects.get().key
    rows = [f"{CONTRACT},{key},{value},row-{value},https://example.org/b" for value in (51, 51)]
    rows[1] = rows[1].replace("row-51", "row-52")
    content = "\n".join([HEADER, *rows, ""]).encode()
    return imports.stage(content=content, filename="b.csv", profile=None, source_url="", by=editor)


def told(decision: confirm.Decision, by: User) -> dict[str, list[tuple[str, str, str]]]:
    return {row.heading: list(row.rows) for row in confirm.plan(decision, by).consequences}


def test_a_plan_tells_the_gates_that_would_answer_otherwise_and_writes_nothing(
    batch: ImportBatch, editor: User
) -> None:
    before = Result.objects.count()
    said = told(ApplyImport(batch.pk), editor)
    flips = {what: (now, then) for what, now, then in said[f"Gate of {world.SLUG}"]}
    assert flips["External evidence"] == ("met, 1 of 1", "met, 2 of 1")
    assert Result.objects.count() == before


def test_the_gates_are_asked_once_before_and_once_after(
    batch: ImportBatch, editor: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[list[str]] = []

    def observed(slugs: Iterable[str]) -> confirm.Observation:
        asked.append(sorted(slugs))
        return {slug: {"The whole gate": f"as of {len(asked)}"} for slug in slugs}

    for room in (confirm, decisions):
        monkeypatch.setattr(room, "observe", observed)
    said = told(ApplyImport(batch.pk), editor)
    assert asked == [sorted([world.SLUG, "self-service"])] * 2
    assert said[f"Gate of {world.SLUG}"] == [("The whole gate", "as of 1", "as of 2")]


def test_a_large_batch_is_not_tried_out_and_says_so(
    batch: ImportBatch, editor: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decisions, "TRIED_ROWS", 1)

    def tried(*_: object) -> None:
        raise AssertionError("it was tried out")

    monkeypatch.setattr(decisions, "rehearse", tried)
    said = told(ApplyImport(batch.pk), editor)
    assert "not tried out beforehand" in said["Gates"][0][2]
    confirm.carry_out(ApplyImport(batch.pk), by=editor)
    assert "not tried out beforehand" in told(RevertBatch(batch.pk), editor)["Gates"][0][2]


def test_confirming_does_not_try_it_out_again(
    batch: ImportBatch, editor: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    decision = ApplyImport(batch.pk)
    ticket = Ticket.issue(decision, confirm.plan(decision, editor), editor)
    monkeypatch.setattr(decisions, "rehearse", lambda *_: pytest.fail("it was tried out"))
    confirm.confirm(ticket, by=editor)
    assert batch.results.count() == 2


def test_a_gate_that_moved_since_makes_the_plan_stale(batch: ImportBatch, editor: User) -> None:
    decision = ApplyImport(batch.pk)
    ticket = Ticket.issue(decision, confirm.plan(decision, editor), editor)
    world.exclude("lineage", world.LINEAGE, "conflict-of-interest", "The judge is of the subject's family.")
    with pytest.raises(Stale) as stale:
        confirm.confirm(ticket, by=editor)
    assert any(where.endswith("External evidence") for where, _, _ in stale.value.changed)


def test_a_batch_that_cannot_be_applied_has_no_plan(batch: ImportBatch, editor: User) -> None:
    imports.discard(batch=batch, by=editor, reason="A mistake.")
    with pytest.raises(Refused) as refused:
        confirm.plan(ApplyImport(batch.pk), editor)
    assert refused.value.code == "not-staged"
    with pytest.raises(Refused, match="no import batch"):
        confirm.plan(ApplyImport(batch.pk + 1), editor)
