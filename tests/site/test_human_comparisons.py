"""Real human comparisons and the two boards beside them, as `make demo` imports them."""

import csv
from collections import Counter

import pytest
from django.contrib.auth.models import User
from django.db.models import Count
from django.test import Client

from ranking import gate, snapshot
from ranking.policies import in_force, values
from registry.actions import curate, imports
from registry.models import (
    AuditEvent,
    Collection,
    Comparison,
    ImportBatch,
    Judge,
    Lineage,
    LineageLink,
    MappingProfile,
    Result,
)
from tests.site.conftest import EXAMPLES

STRICT, DEMONSTRATION = "general-assistance", "general-assistance-demo"
FILE = EXAMPLES / "data" / "pairwise" / "llmfao.csv"


def batch_of(name: str) -> ImportBatch:
    return ImportBatch.objects.get(source__filename=name)


def collection(slug: str) -> Collection:
    return Collection.objects.select_related("edition").get(slug=slug)


def unmet(slug: str) -> list[str]:
    found = collection(slug)
    answer = gate.evaluate(snapshot.take(found), values(in_force(found)))
    return [criterion.code for criterion in answer.criteria if criterion.verdict != "passed"]


def test_every_verdict_lands_with_its_own_word(site: dict[str, User]) -> None:
    batch = batch_of(FILE.name)
    assert (batch.kind, batch.rows, batch.counts["new"]) == ("comparisons", 8931, 8931)
    with FILE.open(newline="") as opened:
        said = {f"{row['id']}:{row['worker']}": row for row in csv.DictReader(opened)}
    stored = batch.comparisons.select_related("a", "b", "judge", "lineage")
    words = {"left": "a", "right": "b", "tie": "tie"}
    for comparison in stored:
        row = said.pop(comparison.comparison_id)
        assert (comparison.raw_outcome, comparison.outcome) == (row["winner"], words[row["winner"]])
        assert comparison.judge.key == f"llmfao/worker-{row['worker']}"
        assert comparison.order == "ab"
    assert said == {}


def test_units_people_and_models(site: dict[str, User]) -> None:
    stored = Comparison.objects.filter(batch=batch_of(FILE.name))
    assert stored.values("task", "a", "b").distinct().count() == 2139
    judges = Judge.objects.filter(comparisons__in=stored).distinct()
    assert judges.count() == 124
    assert set(judges.values_list("person", "family")) == {(True, "")}
    sides = set(stored.values_list("a", flat=True)) | set(stored.values_list("b", flat=True))
    assert len(sides) == 59
    assert set(stored.values_list("lineage__key", flat=True)) == {"llmfao-crowd-2023"}


def test_the_people_were_recorded_in_the_action_that_applied_the_batch(site: dict[str, User]) -> None:
    applied = AuditEvent.objects.get(verb="apply", object_id=str(batch_of(FILE.name).pk))
    made = AuditEvent.objects.filter(object_type="registry.judge", verb="add")
    assert made.count() == 124
    assert set(made.values_list("action_id", "by")) == {(applied.action_id, "editor")}


@pytest.mark.parametrize(
    ("name", "rows"), [("alpaca_eval_2_weighted_leaderboard_raw.csv", 223), ("lmarena_text.csv", 266)]
)
def test_the_twelve_land_and_every_other_row_is_left_out_for_a_reason(
    site: dict[str, User], name: str, rows: int
) -> None:
    batch = batch_of(name)
    assert (batch.rows, batch.counts["new"], batch.counts["skipped"]) == (rows, 12, rows - 12)
    ranked = set(batch.results.values_list("configuration__key", flat=True))
    assert len(ranked) == 12
    assert not batch.results.filter(configuration__reference=True).exists()
    reasons = Counter(row.problems[0]["message"] for row in batch.staged.filter(verdict="skipped"))
    assert all(reasons)
    if name.startswith("alpaca"):
        constant = [count for told, count in reasons.items() if told.startswith("One constant text")]
        assert constant == [1]
        (deceiver,) = batch.staged.filter(line=2)
        assert deceiver.cells[""] == "NullModel"


def test_values_and_their_standard_errors_are_those_of_the_files(site: dict[str, User]) -> None:
    rate = Result.objects.get(contract__key="alpaca-eval-2.win_rate", external_id="llama-2-70b-chat-hf")
    assert (rate.value, rate.stderr, rate.n) == (13.88825834374378, 1.079984772728814, 804)
    rating = Result.objects.get(contract__key="arena-text-2025-08-04.rating", external_id="Guanaco-33B")
    assert (rating.value, rating.n) == (1060, None)
    assert rating.stderr == pytest.approx(12 / 1.96)


def test_both_categories_count_the_same_verdicts_stored_once(site: dict[str, User]) -> None:
    counted = [snapshot.take(collection(slug)).comparisons for slug in (STRICT, DEMONSTRATION)]
    assert counted[0] == counted[1]
    assert sum(row.count for row in counted[0]) == Comparison.objects.count() == 8931
    assert Comparison.objects.values("task__facet__collection").distinct().count() == 1


def test_under_v3_it_is_closed_for_two_reasons_and_the_demonstration_opens(site: dict[str, User]) -> None:
    assert unmet(STRICT) == ["minimum-evidence", "judges"]
    assert unmet(DEMONSTRATION) == []


def test_a_link_between_the_boards_would_close_even_the_demonstration(site: dict[str, User]) -> None:
    a, b = (Lineage.objects.get(key=key) for key in ("alpaca-eval-2", "arena-text-2025-08-04"))
    curate.save(obj=LineageLink(a=a, b=b, kind="funder", certainty="unknown", reason="Suppose."), by=site["editor"])
    assert "independence" in unmet(DEMONSTRATION)


def test_the_same_file_again_brings_nothing(site: dict[str, User]) -> None:
    profile = MappingProfile.objects.get(key="llmfao")
    again = imports.stage(content=FILE.read_bytes(), filename=FILE.name, profile=profile, by=site["editor"])
    assert (again.counts["same"], again.counts["new"]) == (8931, 0)
    grown = FILE.read_bytes() + b"0,8,97,98,0,left,Airoboros L2 70B,Weaver 12k\n"
    again = imports.stage(content=grown, filename="grown.csv", profile=profile, by=site["editor"])
    assert (again.counts["same"], again.counts["new"]) == (8931, 1)


def test_reverting_and_importing_again_gives_the_exact_evidence_of_before(site: dict[str, User]) -> None:
    before = snapshot.digest(snapshot.take(collection(STRICT)))
    imports.revert(batch=batch_of(FILE.name), by=site["editor"], reason="A rehearsal of the undo.")
    without = snapshot.take(collection(STRICT))
    assert (without.comparisons, without.judges, len(without.candidates)) == ((), (), 12)
    profile = MappingProfile.objects.get(key="llmfao")
    batch = imports.stage(content=FILE.read_bytes(), filename=FILE.name, profile=profile, by=site["editor"])
    imports.apply(batch=batch, by=site["editor"])
    assert snapshot.digest(snapshot.take(collection(STRICT))) == before


def test_no_pair_was_judged_in_both_orders(site: dict[str, User]) -> None:
    """What v3 asks for and the source cannot give."""
    pairs = Comparison.objects.values("task", "a", "b").annotate(verdicts=Count("pk"))
    seen = {(row["task"], row["a"], row["b"]) for row in pairs}
    assert not {(task, b, a) for task, a, b in seen} & seen


def test_the_mapping_of_the_comparisons_says_how_many_count(site: dict[str, User], client: Client) -> None:
    page = " ".join(client.get(f"/evidence/{STRICT}/llmfao/llmfao/").content.decode().split())
    assert "8931 comparisons of its lineages count." in page
    assert "described here, not evidenced" not in page
    told = client.get(f"/api/v1/mappings/{STRICT}/llmfao/llmfao/").json()["evidence"]
    assert (told["results"], told["comparisons"]) == (0, 8931)
    board = client.get(f"/api/v1/mappings/{STRICT}/alpaca-eval/alpaca-eval-2/").json()["evidence"]
    assert (board["results"], board["eligible"], board["comparisons"]) == (12, 12, 0)
