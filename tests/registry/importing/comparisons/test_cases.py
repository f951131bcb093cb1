"""Every case file of comparisons through the command, as anybody would run it."""

from typing import Any

import pytest
import yaml

from registry.models import Comparison, ImportBatch
from registry.vocabulary import Verdict
from tests.registry.importing.conftest import CASES, run_command

pytestmark = pytest.mark.django_db

OUTCOMES: dict[str, dict[str, Any]] = yaml.safe_load((CASES / "outcomes_comparisons.yaml").read_text())
PROFILE = ("--profile", "cases-comparisons")

every_case = pytest.mark.parametrize("name", OUTCOMES)


def run(name: str, *options: str) -> tuple[int, dict[str, Any]]:
    code, report, _ = run_command("import_comparisons", str(CASES / name), *PROFILE, *options)
    assert report is not None
    return code, report


@every_case
def test_a_case_gives_its_outcome(name: str, registry: None) -> None:
    expected = OUTCOMES[name]
    code, report = run(name, "--apply")
    assert code == expected["exit"]
    assert report["applied"] == (code == 0)
    assert report["rows"] == expected["rows"]
    assert report["verdicts"] == {verdict.value: expected["verdicts"].get(verdict.value, 0) for verdict in Verdict}
    assert [[told["line"], told["column"], told["reason"]] for told in report["problems"]] == expected.get(
        "problems", []
    )
    assert Comparison.objects.count() == expected["stored"]


@every_case
def test_without_apply_a_case_is_staged_and_said_alike(name: str, registry: None) -> None:
    code, report = run(name)
    assert (code, report["applied"]) == (OUTCOMES[name]["exit"], False)
    assert (Comparison.objects.count(), ImportBatch.objects.count()) == (0, 1)


@every_case
def test_quarantine_stores_the_good_rows_of_a_case(name: str, registry: None) -> None:
    code, report = run(name, "--apply", "--quarantine")
    assert (code, report["applied"]) == (0, True)
    assert Comparison.objects.count() == OUTCOMES[name]["stored_in_quarantine"]


@every_case
def test_a_case_imported_again_changes_nothing(name: str, registry: None) -> None:
    run(name, "--apply", "--quarantine")
    before = list(Comparison.objects.order_by("pk").values())
    _, report = run(name, "--apply", "--quarantine")
    assert report["verdicts"]["same"] == len(before)
    assert list(Comparison.objects.order_by("pk").values()) == before


def test_c13_both_bad_is_kept_apart_from_a_tie_with_its_own_word(registry: None) -> None:
    run("c13_tie_bothbad.csv", "--apply")
    found = Comparison.objects.order_by("line").values_list("outcome", "raw_outcome")
    assert list(found) == [("a", "model_a"), ("both-bad", "tie (bothbad)"), ("tie", "tie"), ("b", "model_b")]


def test_c13_a_label_that_no_rule_maps_is_refused_and_never_a_tie(registry: None, tmp_path: Any) -> None:
    file = tmp_path / "labels.csv"
    file.write_text((CASES / "c13_tie_bothbad.csv").read_text().replace("tie (bothbad)", "tie (unsure)"))
    code, report, _ = run_command("import_comparisons", str(file), *PROFILE, "--apply")
    assert report is not None
    assert (code, Comparison.objects.count()) == (1, 0)
    (told,) = report["problems"]
    assert (told["line"], told["column"], told["value"], told["reason"]) == (
        3,
        "winner",
        "tie (unsure)",
        "unknown-word",
    )


def test_c15_both_lines_are_named(registry: None) -> None:
    _, report = run("c15_self_battle_and_dup_vote.csv")
    assert "line 4" in report["problems"][1]["message"]
    assert "line 3" in report["problems"][2]["message"]


def test_the_commands_refuse_each_others_profiles(registry: None) -> None:
    name = str(CASES / "c13_tie_bothbad.csv")
    for command, profile in (("import_results", "cases-comparisons"), ("import_comparisons", "cases")):
        code, report, said = run_command(command, name, "--profile", profile)
        assert (code, report) == (2, None)
        assert "cannot be used" in said


def test_revert_says_how_many_comparisons(registry: None, capsys: Any) -> None:
    from django.core.management import call_command

    _, report = run("c13_tie_bothbad.csv", "--apply")
    call_command("revert_batch", str(report["batch"]), "--reason", "Wrong.")
    assert "4 comparisons taken back" in capsys.readouterr().out
    assert set(Comparison.objects.values_list("state", flat=True)) == {"reverted"}
