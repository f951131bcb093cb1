"""STATE-Bench's published table as it stands, through its saved profile."""

from collections import Counter
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.db.models import Count

from registry.actions import imports
from registry.actions.base import Refused
from registry.models import ImportBatch, MappingProfile, Result
from registry.vocabulary import Verdict
from tests import registries
from tests.registry.importing.conftest import EXAMPLES, run

pytestmark = pytest.mark.django_db

DATA = EXAMPLES / "data" / "statebench"
COMMIT = "5644b1838d96bc4483da29642d058ecaa6f80f7f"


_registry = registries.once_a_module(registries.of_examples, autouse=True)


def staged(path: Path, editor: User) -> ImportBatch:
    profile = MappingProfile.objects.get(key="statebench")
    return imports.stage(content=path.read_bytes(), filename=path.name, profile=profile, by=editor)


def stored(path: Path, editor: User) -> ImportBatch:
    return imports.apply(batch=staged(path, editor), by=editor)


def test_eleven_entries_land_in_four_lineages_and_nothing_is_merged(editor: User) -> None:
    batch = stored(DATA / "statebench_results.csv", editor)
    assert (batch.rows, batch.counts["new"], batch.counts["skipped"]) == (176, 132, 44)
    by_lineage = Result.objects.values_list("contract__lineage__key").annotate(
        entries=Count("external_id", distinct=True)
    )
    assert dict(by_lineage.order_by()) == {
        "statebench-v0-4-learning": 2,
        "statebench-v0-7-main": 5,
        "statebench-v0-8-learning": 2,
        "statebench-v0-8-main": 2,
    }
    assert not Result.objects.values("contract", "configuration").annotate(rows=Count("pk")).filter(rows__gt=1).exists()


def test_a_number_keeps_its_unit_spread_and_place(editor: User) -> None:
    stored(DATA / "statebench_results.csv", editor)
    result = Result.objects.get(contract__key="v0.7.main.customer_support.pass_at_1", external_id="main-01")
    assert (result.value, result.sd, result.stderr, result.n, result.runs) == (57.6, 2.5, None, None, 5)
    assert result.configuration.key == "openai/gpt-5.4/effort-high"
    assert result.source_url == f"https://github.com/microsoft/STATE-Bench/blob/{COMMIT}/.leaderboard/leaderboard.js"
    assert result.source_ref == COMMIT


def test_default_blank_and_no_memory_are_three_things(editor: User) -> None:
    stored(DATA / "statebench_results.csv", editor)
    passed = Result.objects.filter(contract__key__endswith="travel.pass_at_1")
    efforts = dict(passed.values_list("external_id", "configuration__effort"))
    settings = dict(passed.values_list("external_id", "configuration__settings"))
    assert (efforts["main-05"], efforts["main-03"], efforts["memory-02"]) == ("default", "unknown", "unknown")
    assert settings["main-05"] != settings["memory-04"]


def test_overall_rows_are_skipped_and_blank_costs_are_absences_for_stated_reasons(editor: User) -> None:
    batch = stored(DATA / "statebench_results.csv", editor)
    skipped = batch.staged.filter(verdict=Verdict.SKIPPED)
    assert {row.cells["domain"] for row in skipped} == {"overall"}
    assert all("mean of the three domains" in row.problems[0]["message"] for row in skipped)
    absent = Result.objects.filter(absence="not-reported")
    assert {(result.value, result.contract.key.rsplit(".", 1)[1]) for result in absent} == {(None, "mean_cost_usd")}
    assert absent.count() == 9
    row = batch.staged.get(line=absent[0].line)
    assert "not a cost of zero" in row.problems[0]["message"]


def test_the_withdrawn_rows_import(editor: User) -> None:
    stored(DATA / "statebench_results.csv", editor)
    batch = stored(DATA / "statebench_withdrawn.csv", editor)
    assert (batch.counts["new"], batch.counts["skipped"]) == (12, 4)
    values = Result.objects.filter(contract__key__endswith="main.customer_support.pass_at_1")
    gpt = values.filter(configuration__key="openai/gpt-5.4/effort-default").order_by("contract__key")
    assert list(gpt.values_list("value", flat=True)) == [47.2, 46.0]


def test_the_unverified_figures_are_refused_row_by_row(editor: User) -> None:
    batch = staged(DATA / "statebench_unverified_third_party.csv", editor)
    assert (batch.rows, batch.counts["refused"]) == (44, 44)
    reasons = [Counter(problem["column"] for problem in row.problems) for row in batch.staged.order_by("line")]
    assert all(row["source_path"] and row["track+organization+model+reasoning_effort"] for row in reasons)
    assert [row["version"] for row in reasons] == [1] * 12 + [0] * 32
    assert {
        row.cells["metric"] for row in batch.staged.all() if Counter(p["column"] for p in row.problems)["metric"]
    } == {"task_completion_pass_at_5_any"}
    with pytest.raises(Refused, match="44 of 44 rows"):
        imports.apply(batch=batch, by=editor)


def test_the_mock_up_is_no_table_of_results(editor: User) -> None:
    code, report, _ = run(str(DATA / "MOCKUP_NOT_RESULTS_entries.json"), "--profile", "statebench", "--apply")
    assert report is not None
    assert (code, report["batch"], Result.objects.count()) == (2, None, 0)


def test_a_blank_pass_rate_is_no_declared_absence(editor: User) -> None:
    content = (DATA / "statebench_results.csv").read_bytes().replace(b",high,55.9,percent", b",high,,percent")
    profile = MappingProfile.objects.get(key="statebench")
    batch = imports.stage(content=content, filename="x.csv", profile=profile, by=editor)
    (row,) = batch.staged.filter(verdict=Verdict.REFUSED)
    assert [(problem["column"], problem["reason"]) for problem in row.problems] == [("value", "missing")]
