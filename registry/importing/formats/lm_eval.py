"""Results of lm-evaluation-harness: one record for each task, metric and filter."""

from collections.abc import Iterator
from typing import Any

from registry.importing.formats.documents import Document
from registry.importing.formats.flat import Fields, at
from registry.importing.formats.json_text import text_of
from registry.importing.formats.schemas import Schema, map_of, object_of

_RUN = {
    "model": "config/model",
    "model_args": "config/model_args",
    "model_name": "model_name",
    "model_revision": "config/model_revision",
    "model_sha": "config/model_sha",
    "model_dtype": "config/model_dtype",
    "limit": "config/limit",
    "gen_kwargs": "config/gen_kwargs",
    "random_seed": "config/random_seed",
    "bootstrap_iters": "config/bootstrap_iters",
    "harness_version": "lm_eval_version",
    "git_hash": "git_hash",
    "date": "date",
}
_TASK = ("alias", "is_group", "task_version", "n_shot", "n_original", "n_effective", "repeats", "dataset", "split")
_STDERR = "_stderr"
# What stands among the metrics of a task and is none.
_LABELS = {"alias", "name", "samples", "sample_len", "sample_count"}
_SCHEMA: Schema = object_of(
    ["results"],
    results=map_of({"type": "object"}),
    **{name: {"type": "object"} for name in ("configs", "versions", "n-shot", "n-samples", "config")},
)


def _records(run: Any) -> Iterator[Fields]:
    shared = {column: text_of(at(run, path)) for column, path in _RUN.items()}
    for task, figures in run["results"].items():
        for key, value in figures.items():
            metric, _, selection = key.partition(",")
            if key in _LABELS or metric.endswith(_STDERR):
                continue
            spread = figures.get(f"{metric}{_STDERR},{selection}" if selection else f"{metric}{_STDERR}")
            number = {"metric": metric, "filter": selection, "value": text_of(value), "stderr": text_of(spread)}
            better = _of(run, "higher_is_better", task, metric)
            yield shared | _task(run, task, figures) | number | {"task": task, "higher_is_better": better}


def _task(run: Any, task: str, figures: Any) -> Fields:
    """Task names may hold a slash, and are therefore no part of a path."""
    return {
        "alias": text_of(figures.get("alias")),
        # A group is the mean of its tasks, which stand beside it.
        "is_group": text_of(bool(_of(run, "group_subtasks", task) not in ("", "[]"))),
        "task_version": _of(run, "versions", task),
        "n_shot": _of(run, "n-shot", task),
        "n_original": _of(run, "n-samples", task, "original"),
        "n_effective": _of(run, "n-samples", task, "effective"),
        "repeats": _of(run, "configs", task, "repeats"),
        "dataset": _of(run, "configs", task, "dataset_path"),
        "split": _of(run, "configs", task, "test_split"),
    }


def _of(value: Any, *names: str) -> str:
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return text_of(value)


DOCUMENT = Document(
    label="results of lm-evaluation-harness",
    columns=("task", *_TASK, "metric", "filter", "value", "stderr", "higher_is_better", *_RUN),
    marks=(b'"results"', b'"versions"', b'"config"'),
    schema=lambda _: _SCHEMA,
    records=_records,
)
