"""Evaluation results and model cards of Hugging Face, and the YAML they are written in."""

import pytest

from registry.importing.formats.yaml_text import read_yaml
from tests.registry.importing.formats.conftest import DATA, faults, rows, why_not

CARD = (DATA / "huggingface" / "sample_simple_model_index.md").read_bytes()
RESULTS = b"""\
- dataset:
    id: cais/hle
    task_id: hle
    revision: 5503434ddd753f426f4b38109466949a1217c2bb
  value: 20.90
  date: "2026-01-15"
  source:
    url: https://example.org/eval
    name: Eval Logs
  notes: no-tools
- dataset: {id: Idavidrein/gpqa, task_id: gpqa_diamond}
  value: 1e-3
"""


def test_results_keep_their_digits_and_their_source() -> None:
    first, second = rows(RESULTS)
    assert (first["dataset"], first["task"], first["value"]) == ("cais/hle", "hle", "20.90")
    assert (first["date"], first["source_url"], first["notes"]) == (
        "2026-01-15",
        "https://example.org/eval",
        "no-tools",
    )
    assert (second["value"], second["source_url"], second["date"]) == ("1e-3", "", "")


def test_the_metrics_of_a_card_are_records() -> None:
    first, second = rows(CARD)
    assert (first["model"], first["dataset"], first["metric"], first["value"]) == (
        "my-cool-model", "beans", "accuracy", "0.9",
    )  # fmt: skip
    assert (second["metric"], second["config"], second["split"], second["dataset_args"]) == (
        "f1", "default", "test", '{"date":"20220120"}',
    )  # fmt: skip


def test_windows_line_ends_change_nothing() -> None:
    assert rows(CARD.replace(b"\n", b"\r\n")) == rows(CARD)


def test_every_fault_of_an_index_is_named() -> None:
    (problem,) = faults((DATA / "huggingface" / "sample_invalid_model_index.md").read_bytes())
    assert (problem.column, problem.message) == (
        "model-index[1].results[1]",
        "model-index[1].results[1]: dataset is missing.",
    )


def test_places_to_fill_in_are_no_values() -> None:
    found = faults((DATA / "huggingface" / "eval_results_SPEC.yaml").read_bytes())
    assert [problem.column for problem in found] == ["[1].dataset.task_id", "[1].value", "[1].source.url"]


@pytest.mark.parametrize(
    ("content", "line", "reason"),
    [
        (RESULTS + b"  value: 2\n", 13, "repeated-key"),
        (RESULTS + b"  notes: &n x\n  date: *n\n", 13, "alias"),
        (RESULTS + b" odd: [\n", 13, "not-yaml"),
        (RESULTS + b"  notes: \x07\n", 1, "not-yaml"),
        (RESULTS + b"  notes: " + b"[" * 150 + b"]" * 150, 1, "too-deep"),
        (RESULTS + b"  ? [a, b]\n  : 1\n", 13, "not-yaml"),
        (RESULTS + b"  notes: \xff\n", 13, "encoding"),
        (b"- dataset: {id: a, task_id: b}\n  value: \n", 1, "schema"),
    ],
)
def test_a_fault_has_its_line(content: bytes, line: int, reason: str) -> None:
    assert [(problem.line, problem.reason) for problem in faults(content, "hf-eval-results")][:1] == [(line, reason)]


def test_a_fault_in_front_matter_has_its_line_in_the_card() -> None:
    (problem,) = faults(CARD.replace(b"license: mit", b"license: mit\nlicense: apache-2.0"))
    assert (problem.line, problem.reason) == (4, "repeated-key")


def test_aliases_that_multiply_are_refused_at_the_first() -> None:
    bomb = b"- &a [x,x,x,x,x,x,x,x,x]\n" + b"".join(
        b"- &%c [%s]\n" % (98 + level, b",".join([b"*%c" % (97 + level)] * 9)) for level in range(9)
    )
    assert [problem.reason for problem in faults(bomb, "hf-eval-results")] == ["alias"]


def test_nothing_is_guessed_but_null() -> None:
    assert read_yaml(b"{a: no, b: 012, c: 2022-01-20, d: ~, e: 'null', f: null, g: !!python/name:os.system x}") == {
        "a": "no", "b": "012", "c": "2022-01-20", "d": None, "e": "null", "f": None, "g": "x",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"points: []", "no list of evaluation results"),
        (b"---\nlicense: mit\n---\n", "without a model-index"),
        (b"---\nlicense: mit\n", "without the front matter"),
        (b"---\nmodel-index: []\n---\n", "without a single result"),
    ],
)
def test_what_states_no_results_says_so(content: bytes, said: str) -> None:
    key = "hf-model-index" if content.startswith(b"---") else "hf-eval-results"
    assert said in why_not(content, key)
