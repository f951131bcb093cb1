"""The benchmarks of a model page of llm-stats: one record for each score, most of them as the maker reports them."""

from collections.abc import Iterator
from typing import Any

from registry.importing.formats.documents import Document
from registry.importing.formats.flat import Fields
from registry.importing.formats.json_text import text_of
from registry.importing.formats.schemas import NUMBER_OR_NULL, TEXT, Schema, list_of, object_of
from registry.importing.problems import NotATable

COLUMNS = (
    "model_benchmark_id",
    "benchmark_id",
    "benchmark_name",
    "model_id",
    "score",
    "normalized_score",
    "is_self_reported",
    "self_reported_source_link",
    "verified_by_llmstats",
    "analysis_method",
    "verification_date",
    "verification_notes",
    "created_at",
    "updated_at",
)
_SCHEMA: Schema = list_of(
    object_of(["benchmark_id", "model_id", "score"], benchmark_id=TEXT, model_id=TEXT, score=NUMBER_OR_NULL)
)


def _schema(value: Any) -> Schema:
    if isinstance(value, dict):
        raise NotATable(
            "it describes a model of llm-stats and holds no scores; they are on the page of its benchmarks."
        )
    return _SCHEMA


def _records(scores: Any) -> Iterator[Fields]:
    for score in scores:
        yield {name: text_of(score.get(name)) for name in COLUMNS}


DOCUMENT = Document(
    label="model pages of llm-stats",
    columns=COLUMNS,
    marks=(b'"model_benchmark_id"', b'"is_self_reported"'),
    strays=(b'"available_in_zeroeval"',),
    begins=(b"[", b"{"),
    schema=_schema,
    records=_records,
)
