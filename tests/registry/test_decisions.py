"""What the decisions about a batch say beforehand, and what they rest on."""

from collections.abc import Iterable

import pytest
from django.contrib.auth.models import User

from registry import confirm, decisions
from registry.actions import imports, reading
from registry.actions.base import Refused
from registry.confirm import Stale, Ticket
from registry.decisions import ApplyImport, RevertBatch
from registry.models import Configuration, ImportBatch, Result
from registry.standing import of_batch
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
    assert flips["External evidence"] == ("met: 1, at least 1 asked", "met: 2, at least 1 asked")
    assert Result.objects.count() == before


def test_the_gates_are_asked_once_before_and_once_after(
    batch: ImportBatch, editor: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[list[str]] = []

    def observed(slugs: Iterable[str]) -> confirm.Observation:
        asked.append(sorted(slugs))
        return {slug: {"The whole gate": f"as of {len(asked)}"} for slug in slugs}

    monkeypatch.setattr(confirm, "observe", observed)
    said = told(ApplyImport(batch.pk), editor)
    assert asked == [sorted([world.SLUG, "self-service"])] * 2
    assert said[f"Gate of {world.SLUG}"] == [("The whole gate", "as of 1", "as of 2")]


def test_a_large_batch_is_not_tried_out_and_says_so(
    batch: ImportBatch, editor: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "TRIED_ROWS", 1)

    def tried(*_: object) -> None:
        raise AssertionError("it was tried out")

    monkeypatch.setattr(decisions, "rehearse", tried)
    said = told(ApplyImport(batch.pk), editor)
    assert "not tried out beforehand" in said["Gates"][0][2]
    confirm.carry_out(ApplyImport(batch.pk), by=editor)
    assert "not tried out beforehand" in told(RevertBatch(batch.pk), editor)["Gates"][0][2]


def test_a_plan_that_would_now_come_to_something_else_is_stale(editor: User) -> None:
    world.build()
    known = Configuration.objects.get()
    other = Configuration.objects.create(
        key="maker/hidden-9@low", model=known.model, subject_kind=known.subject_kind, effort="low"
    )
    content = f"{HEADER}\n{CONTRACT},{other.key},51,row-1,https://example.org/b\n".encode()
    batch = imports.stage(content=content, filename="b.csv", profile=None, source_url="", by=editor)
    decision = ApplyImport(batch.pk)
    ticket = Ticket.issue(decision, confirm.plan(decision, editor), editor)
    before = confirm.observe([world.SLUG])
    world.exclude("configuration", other.key, "conflict-of-interest", "Its maker runs the benchmark.")
    assert confirm.observe([world.SLUG]) == before, "what is stored already is not touched"
    with pytest.raises(Stale) as stale:
        confirm.confirm(ticket, by=editor)
    changed = {where: (shown, present) for where, shown, present in stale.value.changed}
    assert changed[f"gates then.{world.SLUG}.Results that count"] == ("2 of 4", "1 of 4")
    assert not batch.results.exists()


def test_a_plan_says_which_results_would_not_count(batch: ImportBatch, editor: User) -> None:
    said = told(ApplyImport(batch.pk), editor)["Whether its results would count"]
    assert [(slug, results) for slug, results, told in said if told == "count"] == [(world.SLUG, "1")]
    [(results, why)] = [(results, why) for slug, results, why in said if slug == world.SLUG and why != "count"]
    assert (results, why) == ("1", "The same value of the same source is counted already, under another name.")
    confirm.carry_out(ApplyImport(batch.pk), by=editor)
    assert [tuple(map(str, each)) for each in of_batch(batch)] == [(slug, why, results) for slug, results, why in said]


def test_a_correction_asks_for_its_reason(batch: ImportBatch, editor: User) -> None:
    assert not ApplyImport(batch.pk).needs_reason
    confirm.carry_out(ApplyImport(batch.pk), by=editor)
    key = Configuration.objects.get().key
    rows = [f"{CONTRACT},{key},52,{place},https://example.org/b" for place in ("row-51", "row-52")]
    content = "\n".join([HEADER, *rows, ""]).encode()
    correction = imports.stage(content=content, filename="c.csv", profile=None, source_url="", by=editor)
    assert ApplyImport(correction.pk).needs_reason
    with pytest.raises(Refused) as refused:
        confirm.carry_out(ApplyImport(correction.pk), by=editor)
    assert refused.value.code == "no-reason"


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


@pytest.mark.parametrize("tried_rows", [0, 5_000])
def test_a_batch_that_cannot_be_reverted_has_no_plan(
    batch: ImportBatch, editor: User, monkeypatch: pytest.MonkeyPatch, tried_rows: int
) -> None:
    monkeypatch.setattr(reading, "TRIED_ROWS", tried_rows)
    with pytest.raises(Refused) as refused:
        confirm.plan(RevertBatch(batch.pk), editor)
    assert refused.value.code == "not-applied"
    confirm.carry_out(ApplyImport(batch.pk), by=editor)
    key = Configuration.objects.get().key
    rows = [f"{CONTRACT},{key},52,{place},https://example.org/b" for place in ("row-51", "row-52")]
    content = "\n".join([HEADER, *rows, ""]).encode()
    correction = imports.stage(content=content, filename="c.csv", profile=None, source_url="", by=editor)
    confirm.carry_out(ApplyImport(correction.pk), by=editor, reason="It was misread.")
    with pytest.raises(Refused) as refused:
        confirm.plan(RevertBatch(batch.pk), editor)
    assert refused.value.code == "superseded-since"
    total = confirm.plan(RevertBatch(correction.pk), editor).total
    assert total == "2 results would be taken back. 2 results that they corrected would count again."


def test_a_reversal_names_the_batches_that_count_on_it(batch: ImportBatch, editor: User) -> None:
    confirm.carry_out(ApplyImport(batch.pk), by=editor)
    key = Configuration.objects.get().key
    rows = [f"{CONTRACT},{key},51,{place},https://example.org/b" for place in ("row-52", "row-53")]
    content = "\n".join([HEADER, *rows, ""]).encode()
    later = imports.stage(content=content, filename="c.csv", profile=None, source_url="", by=editor)
    assert (later.counts["same"], later.counts["new"]) == (1, 1)
    assert "Batches that count on it" not in {
        name for name, rows in told(RevertBatch(batch.pk), editor).items() if rows
    }
    confirm.carry_out(ApplyImport(later.pk), by=editor)
    said = told(RevertBatch(batch.pk), editor)["Batches that count on it"]
    assert said == [(f"batch {later.pk}", "says that rows are stored already", "they are not")]
