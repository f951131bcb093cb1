"""Samples through mapping profiles: what a format flattened becomes results."""

import io
from collections import Counter
from pathlib import Path
from typing import Any

import openpyxl
import pytest
import yaml

from registry.importing.formats import mismatch, recognised
from registry.importing.layouts import Reading
from registry.importing.profiles import validate_spec
from registry.importing.translating import ProfileLayout
from registry.vocabulary import ImportKind
from tests.registry.importing.formats.conftest import DATA, HERE, ROOT, SUBMISSIONS, altered, content_of
from tests.registry.importing.formats.test_documents import CANCELLED, LM_EVAL
from tests.registry.importing.formats.test_huggingface import RESULTS

PROFILES: dict[str, Any] = {each["key"]: each for each in yaml.safe_load((HERE / "profiles.yaml").read_text())}
EXAMPLES: dict[str, Any] = {
    each["key"]: each["spec"]
    for each in yaml.safe_load((ROOT / "examples" / "registry" / "mapping_profiles.yaml").read_text())
}
BATTLES: dict[str, Any] = yaml.safe_load((HERE / "battles.yaml").read_text())


def readings(spec: Any, content: bytes, filename: str = "", kind: str = ImportKind.RESULTS) -> list[Reading]:
    validate_spec(spec, kind)
    layout, found = ProfileLayout(spec), recognised(filename, content)
    assert mismatch(found, layout.formats) is None
    table = found.read(content, filename)
    assert layout.header.problems(table.header) == []
    return [layout.read(record.line, dict(zip(table.header, record.cells, strict=True))) for record in table]


def through(key: str, path: Path | None = None, content: bytes = b"") -> list[Reading]:
    path = path or DATA / PROFILES[key].get("sample", "")
    return readings(PROFILES[key]["spec"], content or content_of(path), path.name)


def texts(reading: Reading, *names: str) -> list[str]:
    return [reading.cells[name].text for name in names]


def told(reading: Reading) -> list[tuple[str, str]]:
    return [(problem.column, problem.reason) for problem in reading.problems]


@pytest.mark.parametrize(
    ("key", "count", "first"),
    [
        ("every-eval-ever", 6, {"contract": "hfopenllm-v2.ifeval", "value": "44.86", "unit": "percent",
                                "direction": "higher", "observed_on": "2026-02-10"}),
        ("hal-tau-bench", 1, {"model": "openai/gpt-5", "harness": "HAL Generalist Agent", "effort": "medium",
                              "value": "0.3", "runs": "1"}),
        ("lm-eval", 2, {"contract": "math_perturbed_full.v1.0.exact_match.none.0-shot", "value": "0.0",
                        "stderr": "0.0", "n": "5000", "observed_on": "2026-01-21", "source_ref": "1f84a09f"}),
        ("inspect", 1, {"contract": "inspect_evals/pubmedqa.choice.accuracy", "value": "1.0", "n": "2",
                        "observed_on": "2025-07-03"}),
        ("helm", 1, {"contract": "helm.mmlu.exact_match.test", "configuration": "openai/gpt2",
                     "value": "0.1111111111111111"}),
        ("hf-model-index", 2, {"contract": "beans..accuracy", "configuration": "my-cool-model", "value": "0.9"}),
        ("llm-stats", 35, {"contract": "llm-stats.swe-bench-verified", "value": "0.749", "external_id": "9002"}),
        ("epoch-runs", 108, {"configuration": "gpt-5-mini-2025-08-07_high", "value": "0.98", "stderr": "0",
                             "observed_on": "2025-10-30"}),
        ("epoch-fiction", 60, {"configuration": "o3-2025-04-16_medium", "value": "100.0", "unit": "percent"}),
        ("arena-hard", 60, {"configuration": "gpt-4-turbo-2024-04-09", "value": "82.63",
                            "stderr": repr(1.97 / 1.96)}),
    ],
)  # fmt: skip
def test_a_sample_becomes_results(key: str, count: int, first: dict[str, str]) -> None:
    read = through(key)
    kept = [reading for reading in read if not reading.skipped]
    assert len(kept) == count
    assert not any(reading.problems for reading in read)
    assert {name: kept[0].cells[name].text for name in first} == first


# How many sources give each a figure.
MMLU = {"falcon-7b": 7, "LLaMA-7B": 7}


def test_several_sources_for_one_model_stay_several_rows() -> None:
    spec = {
        "columns": {"contract": "mmlu", "configuration": "{Model version}", "value": "{score}", "source_url":
                    "{Source link}", "external_id": "{id}"},
        "patterns": [{"column": "EM", "pattern": "percent", "into": {"score": "value"}}],
        "unknown_columns": "ignore",
    }  # fmt: skip
    read = readings(spec, content_of(DATA / "epoch" / "external_benchmark_mmlu.csv"))
    models = Counter(reading.cells["configuration"].text for reading in read)
    assert (len(read), models["gpt-4-0613"]) == (
        246,
        len([1 for r in read if r.cells["configuration"].text == "gpt-4-0613"]),
    )
    assert max(models.values()) > 1


def test_the_entries_of_state_bench_say_what_the_published_table_says() -> None:
    def by_identity(key: str, path: Path) -> dict[tuple[str, str], dict[str, str]]:
        read = readings(EXAMPLES[key], content_of(path))
        kept = [{name: cell.text for name, cell in each.cells.items()} for each in read if not each.skipped]
        assert not any(each.problems for each in read)
        return {(row["contract"], row["configuration"]): row | {"unit": ""} for row in kept}

    entries = by_identity("statebench-entries", DATA / "statebench" / "leaderboard_entries_HEAD.json")
    table = by_identity("statebench", ROOT / "examples" / "data" / "statebench" / "statebench_results.csv")
    assert len(entries) == 132
    assert {key: row | {"unit": ""} for key, row in entries.items()} == table


def test_tau2_bench_takes_what_can_be_compared_and_says_why_not_the_rest() -> None:
    read = readings(EXAMPLES["tau2-bench"], content_of(SUBMISSIONS))
    contracts = Counter(each.cells["contract"].text for each in read if not each.skipped)
    by_retrieval = Counter({contract.split(".")[-2]: times for contract, times in contracts.items()})
    assert by_retrieval == {"alltools": 17, "terminal": 2, "text-emb-3-large": 2, "qwen-embeddings": 1}
    assert contracts["tau2-1.0.1.banking-knowledge.gpt-5.2-sim.alltools.pass_1"] == 17
    assert not any(each.problems for each in read)
    reasons = Counter(each.remarks[0].message.split(",")[0].split(";")[0] for each in read if each.skipped)
    assert reasons == {
        "A file states one version": 228,
        "It was measured by voice": 33,
        "The submitter changed the prompts": 12,
        "The submitter changed the scaffold": 12,
        "The list": 4,
    }


def test_an_example_of_tau2_bench_alone_gives_nothing_to_skip() -> None:
    changed = altered(SUBMISSIONS / "gpt-5-2_sierra_2026-02-26.json", "methodology/user_simulator", "gpt-6")
    read = [each for each in readings(EXAMPLES["tau2-bench"], changed) if not each.skipped]
    assert {(problem.column, problem.value) for each in read for problem in each.problems} == {
        ("user_simulator", "gpt-6")
    }


def test_an_unfinished_log_is_an_absence_with_its_reason() -> None:
    (reading,) = through("inspect", CANCELLED)
    assert texts(reading, "value", "absence") == ["", "failed"]
    assert "did not end in success" in reading.remarks[0].message


def test_n_a_is_no_standard_error() -> None:
    content = altered(LM_EVAL, "results/math_rephrased_full/exact_match_stderr,none", "N/A")
    assert texts(through("lm-eval", content=content)[1], "value", "stderr") == ["0.0004", ""]


def test_results_of_hugging_face_become_results() -> None:
    read = through("hf-eval-results", content=RESULTS)
    assert texts(read[0], "contract", "value", "observed_on", "notes") == ["hle", "20.90", "2026-01-15", "no-tools"]


def test_a_cell_tells_by_which_rules_it_was_made() -> None:
    cell = through("every-eval-ever")[0].cells["value"]
    assert (cell.shown, cell.by, cell.text) == ("0.4486", "fraction-to-percent", "44.86")
    assert through("every-eval-ever")[0].cells["direction"].by == "vocabulary direction"
    assert through("every-eval-ever")[0].cells["configuration"].by == ""


ASKED = {"prompt": "p", "model_a": "x", "model_b": "y"}
ROWS = {
    "one-hot": [
        {"id": 1, **ASKED, "winner_model_a": 1, "winner_model_b": 0, "winner_tie": 0},
        {"id": 2, **ASKED, "winner_model_a": 0, "winner_model_b": 0, "winner_tie": 1},
        {"id": 3, **ASKED, "winner_model_a": 0, "winner_model_b": 1, "winner_tie": 0},
    ],
    "winner": [
        {"id": 1, **ASKED, "winner": "model_a"},
        {"id": 2, **ASKED, "winner": "tie"},
        {"id": 3, **ASKED, "winner": "model_b"},
    ],
    "left-right": [
        {"id": 1, "prompt": "p", "left": "x", "right": "y", "winner": "left", "worker": 7},
        {"id": 2, "prompt": "p", "left": "x", "right": "y", "winner": "tie", "worker": 7},
        {"id": 3, "prompt": "p", "left": "x", "right": "y", "winner": "right", "worker": 7},
    ],
}  # fmt: skip


def written(rows: list[dict[str, Any]], form: str) -> bytes:
    import json

    if form == "json":
        return json.dumps(rows).encode()
    if form == "jsonl":
        return "\n".join(json.dumps(row) for row in rows).encode()
    if form == "csv":
        return "\n".join(",".join(map(str, line)) for line in [rows[0], *(row.values() for row in rows)]).encode()
    book, made = openpyxl.Workbook(), io.BytesIO()
    for line in [list(rows[0]), *(list(row.values()) for row in rows)]:
        book.active.append(line)
    book.save(made)
    return made.getvalue()


@pytest.mark.parametrize("form", ["csv", "xlsx", "json", "jsonl"])
@pytest.mark.parametrize("layout", BATTLES)
def test_battles_are_the_same_in_any_vocabulary_and_form(layout: str, form: str) -> None:
    read = readings(BATTLES[layout], written(ROWS[layout], form), kind=ImportKind.COMPARISONS)
    assert [texts(each, "a", "b", "outcome") for each in read] == [["x", "y", "a"], ["x", "y", "tie"], ["x", "y", "b"]]
    assert not any(each.problems for each in read)


@pytest.mark.parametrize("flags", [(0, 0, 0), (1, 1, 0), (1, 0, ""), (1, 0, 2), ("yes", 0, 0)])
def test_one_hot_columns_that_say_not_one_thing_are_refused(flags: tuple[Any, Any, Any]) -> None:
    row = ROWS["one-hot"][0] | dict(zip(["winner_model_a", "winner_model_b", "winner_tie"], flags, strict=True))
    (reading,) = readings(BATTLES["one-hot"], written([row], "csv"), kind=ImportKind.COMPARISONS)
    assert told(reading) == [("winner_model_a+winner_model_b+winner_tie", "one-hot")]
    assert reading.spoiled == {"outcome"}
