"""Logs of Inspect AI, as JSON or as `.eval`: one record for each score and metric.

The standard error is a metric of its own there, and stands here in the column `stderr` of the others. A log that did
not end in `success` gives its numbers in `unfinished_value`, and `value` stays blank: what was scored until then is no
result of the task.
"""

from collections.abc import Iterator
from typing import Any

from registry.importing.formats import archives
from registry.importing.formats.documents import ALWAYS, Document, objects
from registry.importing.formats.flat import Fields, FlatTable, at
from registry.importing.formats.json_text import text_of
from registry.importing.formats.schemas import TEXT, Schema, list_of, map_of, object_of
from registry.importing.problems import NotATable

HEADER = "header.json"
JOURNAL = "_journal/start.json"

_LOG = {
    "status": "status",
    "error": "error/message",
    "task": "eval/task",
    "task_version": "eval/task_version",
    "task_id": "eval/task_id",
    "run_id": "eval/run_id",
    "eval_id": "eval/eval_id",
    "created": "eval/created",
    "completed_at": "stats/completed_at",
    "model": "eval/model",
    "model_args": "eval/model_args",
    "temperature": "plan/config/temperature",
    "max_tokens": "plan/config/max_tokens",
    "reasoning_effort": "plan/config/reasoning_effort",
    "dataset": "eval/dataset/name",
    "dataset_samples": "eval/dataset/samples",
    "limit": "eval/config/limit",
    "epochs": "eval/config/epochs",
    "total_samples": "results/total_samples",
    "completed_samples": "results/completed_samples",
    "commit": "eval/revision/commit",
    "inspect_version": "eval/packages/inspect_ai",
}
_EFFORT = "eval/model_generate_config/reasoning_effort"
_SPREADS = ("stderr", "std")
_SCHEMA: Schema = object_of(
    ["status", "eval"],
    status={"enum": ["success", "error", "cancelled", "started"]},
    eval=object_of(["task", "model"], task=TEXT, model=TEXT),
    results={
        "anyOf": [
            {"type": "null"},
            object_of(scores=list_of(object_of(["name", "metrics"], metrics=map_of(object_of(["value"]))))),
        ]
    },
)


def _records(log: Any) -> Iterator[Fields]:
    shared = {column: text_of(at(log, path)) for column, path in _LOG.items()}
    # What was asked of one model alone stands apart from what the plan asks of all.
    shared["reasoning_effort"] = shared["reasoning_effort"] or text_of(at(log, _EFFORT))
    place = "value" if log["status"] == "success" else "unfinished_value"
    scores = at(log, "results/scores") or []
    if not scores:
        yield shared
    for score in scores:
        spreads = {name: text_of(at(score["metrics"], f"{name}/value")) for name in _SPREADS}
        named = {"score": text_of(score["name"]), "scorer": text_of(score.get("scorer"))}
        named["reducer"] = text_of(score.get("reducer"))
        for metric, figure in objects(score["metrics"]):
            if metric not in _SPREADS:
                yield shared | named | spreads | {"metric": metric, place: text_of(figure["value"])}


DOCUMENT = Document(
    label="a log of Inspect AI",
    columns=(*_LOG, "score", "scorer", "reducer", "metric", "value", "unfinished_value", *_SPREADS),
    marks=(b'"status"', b'"eval"', b'"task_id"', b'"run_id"'),
    schema=lambda _: _SCHEMA,
    records=_records,
)
COLUMNS = (*ALWAYS, *DOCUMENT.columns)


def is_eval(content: bytes) -> bool:
    return archives.is_zip(content) and not {HEADER, JOURNAL}.isdisjoint(archives.names(content))


def recognises(_filename: str, content: bytes) -> bool:
    return is_eval(content) or DOCUMENT.is_one(content)


def read(content: bytes, filename: str = "") -> FlatTable:
    """An `.eval` is an archive whose header holds all but the samples."""
    if is_eval(content):
        with archives.opened(content) as archive:
            if HEADER not in archive.namelist():
                raise NotATable("it is the log of a run that never ended, and holds no results yet.")
            content = archive.read(HEADER)
    return DOCUMENT.read(content, filename)
