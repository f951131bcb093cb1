"""What the JSON of each harness and leaderboard is read into, number by number."""

from collections import Counter
from typing import Any

import pytest

from tests.registry.importing.formats.conftest import (
    DATA,
    ROOT,
    SUBMISSIONS,
    altered,
    content_of,
    faults,
    reasons,
    rows,
    why_not,
    zipped,
)

RECORD = DATA / "eee" / "v0.3.0_reference_conversion_DEMO.json"
OLD_RECORD = DATA / "eee" / "v0.2.0_hfopenllm_llama-pro-8b-instruct.json"
HAL = DATA / "eee" / "hal-taubench-airline"
LM_EVAL = DATA / "lm_eval" / "results_2026-01-21T03-44-18.458309.json"
CANCELLED = DATA / "inspect_ai" / "2025-05-12_no-samples.json"
LOG = DATA / "inspect_ai" / "data_pubmedqa_gpt4o_mini.json"
HELM = DATA / "helm"
GPT_5_2 = SUBMISSIONS / "gpt-5-2_sierra_2026-02-26.json"


def cells(row: dict[str, str], *names: str) -> list[str]:
    return [row[name] for name in names]


# Every Eval Ever


def test_a_record_of_0_2_0_has_the_scores_of_its_results() -> None:
    read = rows(OLD_RECORD.read_bytes())
    assert [(row["evaluation_name"], row["score"]) for row in read] == [
        ("IFEval", "0.4486"), ("BBH", "0.4224"), ("MATH Level 5", "0.0249"),
        ("GPQA", "0.2743"), ("MUSR", "0.419"), ("MMLU-PRO", "0.1946"),
    ]  # fmt: skip
    names = (
        "schema_version",
        "model_id",
        "lower_is_better",
        "min_score",
        "max_score",
        "retrieved_timestamp",
        "library",
    )
    assert cells(read[0], *names) == [
        "0.2.0", "TencentARC/LLaMA-Pro-8B-Instruct", "false", "0.0", "1.0", "1770682486.623709", "",
    ]  # fmt: skip


def test_a_record_of_0_2_2_names_harness_effort_and_runs() -> None:
    (row,) = rows((HAL / "openai__gpt-5__5effae2f-9279-44f6-b2b2-875a48df996b.json").read_bytes())
    names = ("model_id", "agent_scaffold", "inference_effort", "library", "runs", "score")
    assert cells(row, *names) == ["openai/gpt-5", "HAL Generalist Agent", "medium", "HAL", "1", "0.3"]
    assert row["source_urls"].split() == [
        "https://github.com/sierra-research/tau-bench", "https://hal.cs.princeton.edu/taubench_airline",
    ]  # fmt: skip


def test_uncertainty_and_n_have_columns() -> None:
    uncertainty = {
        "standard_error": {"value": 0.0125, "method": "bootstrap"},
        "confidence_interval": {"lower": 0.7, "upper": 0.8, "confidence_level": 0.95},
        "num_samples": 200,
    }
    (row,) = rows(altered(RECORD, "evaluation_results/0/score_details/uncertainty", uncertainty))
    names = ("standard_error", "standard_error_method", "interval_lower", "interval_upper", "num_samples")
    assert cells(row, *names) == ["0.0125", "bootstrap", "0.7", "0.8", "200"]


@pytest.mark.parametrize(
    ("path", "change", "value", "said"),
    [
        (RECORD, "eval_library", ..., "eval_library is missing."),
        (RECORD, "model_info/additional_details/deployment_type", ..., "deployment_type is missing."),
        (RECORD, "evaluation_results/0/metric_config/lower_is_better", "no", "must be true or false."),
        (RECORD, "evaluation_results/0/score_details/score", None, "score: must be a number."),
        (RECORD, "source_metadata/source_type", "blog", "must be one of documentation, evaluation_run."),
        (RECORD, "surprise", 1, "the schema knows no surprise."),
        (RECORD, "evaluation_results/0/source_data/source_type", "gopher", "has none of the forms"),
        (RECORD, "schema_version", "0.4.0", "version 0.4.0 are not known here; 0.2.0, 0.2.1, 0.2.2, 0.3.0 are."),
        (OLD_RECORD, "eval_library", {"name": "x", "version": "1"}, "the schema knows no eval_library."),
        # What 0.2.0 took, later versions refuse.
        (OLD_RECORD, "schema_version", "0.2.2", "eval_library is missing."),
    ],
)
def test_a_record_is_held_to_the_schema_of_its_own_version(path: Any, change: str, value: Any, said: str) -> None:
    found = faults(altered(path, change, value), "every-eval-ever")
    assert any(said in problem.message for problem in found), found


def test_a_score_that_is_not_finite_keeps_its_word() -> None:
    """The row is refused later, with its cell."""
    (row,) = rows(RECORD.read_bytes().replace(b'"score": 0.75', b'"score": NaN'))
    assert row["score"] == "NaN"


# τ²-bench


def test_a_submission_gives_each_domain_and_pass_its_record() -> None:
    read = rows(GPT_5_2.read_bytes(), "gpt-5-2.json")
    assert len(read) == 16
    banking = {row["metric"]: row["value"] for row in read if row["domain"] == "banking_knowledge"}
    assert banking == {"pass_1": "32.22", "pass_2": "23.88", "pass_3": "20.62", "pass_4": "18.56"}
    names = ("file", "reasoning_effort", "version", "user_simulator", "retrieval_config", "cost", "modality")
    assert cells(read[-1], *names) == ["gpt-5-2.json", "high", "1.0.1", "gpt-5.2", "alltools", "", ""]
    assert read[0]["cost"] == "0.11379"


def test_null_is_no_zero_and_a_domain_that_was_not_run_gives_no_record() -> None:
    read = rows((SUBMISSIONS / "claude-opus-5_sierra_2026-08-04.json").read_bytes())
    assert {row["domain"] for row in read} == {"banking_knowledge"}
    assert read[0]["value"] == "48.71134020618557"
    changed = altered(GPT_5_2, "results/airline/pass_2", None)
    assert [row["value"] for row in rows(changed)][:3] == ["83.0", "", "75.0"]


def test_what_lies_beside_submissions_is_told_and_gives_no_value() -> None:
    read = rows(content_of(SUBMISSIONS))
    beside = {row["file"]: row["value"] for row in read if row["no_results"]}
    assert beside == dict.fromkeys(
        ["A_EXAMPLE_new-model_example-org_2025-01-15.json", "A_EXAMPLE_voice-model_example-org_2026-03-11.json",
         "manifest.json", "schema.json"], "",
    )  # fmt: skip
    assert len({row["file"] for row in read} - beside.keys()) == 49
    ran = Counter((row["domain"], row["user_simulator"], row["retrieval_config"]) for row in read if row["value"])
    assert ran["banking_knowledge", "gpt-5.2", "alltools"] == 17 * 4


@pytest.mark.parametrize(
    ("change", "value", "said"),
    [
        ("results/airline/pass_1", 101, "must be at most 100."),
        ("results/airline/pass_5", 1, "the schema knows no pass_5."),
        ("results/airline/pass_1", "83", "results.airline.pass_1: must be a number."),
        ("submission_date", ..., "submission_date is missing."),
        ("results", ..., "results is missing."),
    ],
)
def test_a_submission_is_held_to_its_schema(change: str, value: Any, said: str) -> None:
    assert any(said in problem.message for problem in faults(altered(GPT_5_2, change, value)))


# STATE-Bench


def test_entries_give_the_rows_of_the_published_table() -> None:
    read = rows(content_of(DATA / "statebench" / "leaderboard_entries_HEAD.json"))
    assert len(read) == 11 * 4 * 4
    assert cells(read[4], "entry", "domain", "metric", "value", "sd") == ["main-01", "travel", "passAt1", "55.9", "2.8"]
    overall = next(row for row in read if row["domain"] == "overall" and row["entry"] == "main-01")
    assert cells(overall, "metric", "value", "sd") == ["passAt1", "55.7", "1.9"]
    assert sum(row["value"] == "" for row in read) == 12, "costs that nobody reported, overall among them"


def test_placeholders_are_refused_whatever_they_claim() -> None:
    mockup = (ROOT / "examples" / "data" / "statebench" / "MOCKUP_NOT_RESULTS_entries.json").read_bytes()
    assert b'"verified"' in mockup
    assert "PLACEHOLDER" in why_not(mockup)


# lm-evaluation-harness


def test_a_run_of_the_harness_gives_task_metric_and_filter() -> None:
    read = rows(LM_EVAL.read_bytes())
    names = ("task", "metric", "filter", "value", "stderr", "n_effective", "n_shot", "task_version", "is_group")
    assert cells(read[1], *names) == [
        "math_rephrased_full", "exact_match", "none", "0.0004", "0.0002828144211304471", "5000", "0", "1.0", "false",
    ]  # fmt: skip
    assert cells(read[1], "higher_is_better", "git_hash", "harness_version", "date") == [
        "true", "1f84a09f", "0.4.9.2", "1768964383.8593218",
    ]  # fmt: skip


def test_n_a_stays_n_a_and_groups_are_marked() -> None:
    content = altered(LM_EVAL, "results/math_rephrased_full/exact_match_stderr,none", "N/A")
    assert rows(content)[1]["stderr"] == "N/A"
    assert rows(altered(LM_EVAL, "group_subtasks/math_rephrased_full", ["a", "b"]))[1]["is_group"] == "true"


def test_results_of_before_filters_are_read() -> None:
    old = b'{"results": {"a": {"acc": 0.50, "acc_stderr": 0.02}}, "versions": {"a": 0}, "config": {"model": "gpt2"}}'
    (row,) = rows(old)
    assert cells(row, "task", "metric", "filter", "value", "stderr", "task_version", "model") == [
        "a", "acc", "", "0.50", "0.02", "0", "gpt2",
    ]  # fmt: skip


@pytest.mark.parametrize(("change", "value"), [("results", []), ("results/math_rephrased_full", 1), ("n-samples", [])])
def test_a_run_of_another_shape_is_refused(change: str, value: Any) -> None:
    assert reasons(altered(LM_EVAL, change, value)) == ["schema"]


# Inspect AI


def test_a_log_gives_each_metric_its_standard_error() -> None:
    (row,) = rows(LOG.read_bytes())
    names = ("task", "model", "score", "metric", "value", "stderr", "completed_samples", "epochs", "status")
    assert cells(row, *names) == [
        "inspect_evals/pubmedqa", "openai/azure/gpt-4o-mini", "choice", "accuracy", "1.0", "0.0", "2", "1", "success",
    ]  # fmt: skip


def test_an_eval_archive_says_the_same_as_its_json() -> None:
    packed, plain = (rows((DATA / "inspect_ai" / f"log_formats.{kind}").read_bytes()) for kind in ("eval", "json"))
    assert packed == plain


def test_what_an_unfinished_log_scored_is_no_value() -> None:
    (row,) = rows(CANCELLED.read_bytes())
    assert cells(row, "status", "value", "unfinished_value") == ["cancelled", "", "0.6666666666666666"]
    (failed,) = rows(altered(CANCELLED, "results", None))
    assert cells(failed, "status", "score", "value") == ["cancelled", "", ""]


@pytest.mark.parametrize(
    ("change", "value"),
    [("status", "done"), ("eval/model", ...), ("results/scores", {}), ("results/scores/0/metrics", [1])],
)
def test_a_log_of_another_shape_is_refused(change: str, value: Any) -> None:
    assert set(reasons(altered(LOG, change, value))) == {"schema"}


def test_the_effort_is_that_of_the_plan_or_of_the_model() -> None:
    of_model = altered(LOG, "eval/model_generate_config", {"reasoning_effort": "low"})
    assert rows(of_model)[0]["reasoning_effort"] == "low"
    of_plan = altered(LOG, "plan/config", {"reasoning_effort": "high", "temperature": 0.50})
    assert cells(rows(of_plan)[0], "reasoning_effort", "temperature") == ["high", "0.5"]


def test_the_log_of_a_run_that_never_ended_holds_no_results() -> None:
    assert "never ended" in why_not(zipped({"_journal/start.json": b"{}", "samples/1_epoch_1.json": b"{}"}))


# HELM


def test_a_run_folder_gives_each_statistic_with_its_run() -> None:
    read = rows(content_of(HELM))
    assert len(read) == 162
    (row,) = [each for each in read if cells(each, "stat", "split", "perturbation") == ["exact_match", "test", ""]]
    names = ("file", "model", "scenario", "split", "mean", "count", "stddev", "max_eval_instances")
    assert cells(row, *names) == [
        "mmlu_philosophy_gpt2", "openai/gpt2", "mmlu", "test", "0.1111111111111111", "1", "0.0", "10",
    ]  # fmt: skip
    assert Counter(each["perturbation"] for each in read) == {"": 62, "robustness": 50, "fairness": 50}
    assert {each["mean"] for each in read if each["count"] == "0"} == {""}


def test_a_run_that_misses_a_file_is_told() -> None:
    run = HELM / "mmlu_philosophy_gpt2"
    packed = zipped({"a/run_spec.json": (run / "run_spec.json").read_bytes()})
    assert cells(rows(packed)[0], "file", "no_results") == ["a", "the run has no stats.json."]
    broken = zipped({"run_spec.json": b"{}", "stats.json": b"[]"})
    assert [problem.message for problem in faults(broken)] == [
        "run_spec.json: The file: name is missing.",
        "run_spec.json: The file: adapter_spec is missing.",
    ]


# llm-stats


def test_a_model_page_gives_each_score_and_who_reports_it() -> None:
    read = rows(content_of(DATA / "llm_stats" / "gpt-5-2025-08-07_benchmarks.json"))
    assert cells(read[0], "benchmark_id", "model_id", "score", "is_self_reported", "verification_date") == [
        "swe-bench-verified", "gpt-5-2025-08-07", "0.749", "true", "",
    ]  # fmt: skip
    assert len(read) == 35
