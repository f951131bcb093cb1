"""Evaluation results as models on Hugging Face carry them: `.eval_results` YAML, and the model-index of a card.

Neither names the model's repository: a profile states it, or takes it from the path within an archive.
"""

import re
from collections.abc import Iterator
from typing import Any

from registry.importing.formats.documents import Document
from registry.importing.formats.flat import Fields, at
from registry.importing.formats.json_text import text_of
from registry.importing.formats.schemas import TEXT, Schema, list_of, object_of
from registry.importing.formats.yaml_text import read_yaml
from registry.importing.problems import NotATable

_ENTRY = {
    "dataset": "dataset/id",
    "task": "dataset/task_id",
    "revision": "dataset/revision",
    "value": "value",
    "date": "date",
    "source_url": "source/url",
    "source_name": "source/name",
    "source_user": "source/user",
    "source_org": "source/org",
    "verify_token": "verifyToken",
    "notes": "notes",
}
_ENTRIES: Schema = list_of(
    object_of(
        ["dataset", "value"],
        dataset=object_of(["id", "task_id"], id=TEXT, task_id=TEXT),
        value=TEXT,
        source=object_of(["url"], url=TEXT),
        notes=TEXT,
        date=TEXT,
    )
)
_RESULT = {
    "task": "task/type",
    "task_name": "task/name",
    "dataset": "dataset/type",
    "dataset_name": "dataset/name",
    "config": "dataset/config",
    "split": "dataset/split",
    "revision": "dataset/revision",
    "dataset_args": "dataset/args",
    "source_name": "source/name",
    "source_url": "source/url",
}
_METRIC = {
    "metric": "type",
    "metric_name": "name",
    "value": "value",
    "metric_config": "config",
    "metric_args": "args",
    "verified": "verified",
    "verify_token": "verifyToken",
}
_INDEX: Schema = list_of(
    object_of(
        ["name", "results"],
        name=TEXT,
        results=list_of(
            object_of(
                ["task", "dataset", "metrics"],
                task=object_of(["type"], type=TEXT),
                dataset=object_of(["type", "name"], type=TEXT, name=TEXT),
                metrics=list_of(object_of(["type", "value"], type=TEXT)),
            )
        ),
    )
)
_FRONT_MATTER = re.compile(rb"\A(?:\xef\xbb\xbf)?---[ \t]*\r?\n(.*?)^---[ \t]*\r?$", re.DOTALL | re.MULTILINE)


def _entries_schema(value: Any) -> Schema:
    if not isinstance(value, list):
        raise NotATable("it is YAML and no list of evaluation results.")
    return _ENTRIES


def _entries(entries: Any) -> Iterator[Fields]:
    for entry in entries:
        yield {column: text_of(at(entry, path)) for column, path in _ENTRY.items()}


EVAL_RESULTS = Document(
    label="evaluation results of Hugging Face",
    columns=tuple(_ENTRY),
    marks=(b"dataset:", b"task_id:", b"value:"),
    begins=(b"- ", b"#", b"---\n- ", b"---\r\n- "),
    parse=read_yaml,
    schema=_entries_schema,
    records=_entries,
)


def is_yaml(filename: str, content: bytes) -> bool:
    """No other format here is YAML, so that what is named so is told as what it should be."""
    return filename.lower().endswith((".yaml", ".yml")) or EVAL_RESULTS.is_one(content)


def _front_matter(content: bytes) -> Any:
    match = _FRONT_MATTER.match(content)
    if match is None:
        raise NotATable("it is a text without the front matter of a model card.")
    return read_yaml(match[1], first_line=2)


def _index_schema(card: Any) -> Schema:
    if at(card, "model-index") is None:
        raise NotATable("it is a model card without a model-index: it states no results.")
    return {"type": "object", "properties": {"model-index": _INDEX}}


def _index(card: Any) -> Iterator[Fields]:
    for model in card["model-index"]:
        for result in model["results"]:
            shared = {"model": model["name"]} | {name: text_of(at(result, path)) for name, path in _RESULT.items()}
            for metric in result["metrics"]:
                yield shared | {name: text_of(metric.get(key)) for name, key in _METRIC.items()}


MODEL_INDEX = Document(
    label="a model card of Hugging Face",
    columns=("model", *_RESULT, *_METRIC),
    marks=(b"\n---",),
    begins=(b"---\n", b"---\r\n", b"--- "),
    parse=_front_matter,
    schema=_index_schema,
    records=_index,
)
