"""Records of Every Eval Ever, 0.2.0 to 0.3.0: one record for each evaluation result."""

from collections.abc import Iterator
from typing import Any

from registry.importing.formats.documents import Document, has_marks
from registry.importing.formats.flat import Fields, FlatTable, at, whole
from registry.importing.formats.json_text import text_of
from registry.importing.formats.schemas import Schema, stored
from registry.importing.problems import NotATable

VERSIONS = ("0.2.0", "0.2.1", "0.2.2", "0.3.0")

# Where each column stands in a record and in one of its results. What a version does not have stays blank.
_RECORD = {
    "schema_version": "schema_version",
    "evaluation_id": "evaluation_id",
    "retrieved_timestamp": "retrieved_timestamp",
    "source_name": "source_metadata/source_name",
    "source_type": "source_metadata/source_type",
    "source_organization": "source_metadata/source_organization_name",
    "source_organization_url": "source_metadata/source_organization_url",
    "evaluator_relationship": "source_metadata/evaluator_relationship",
    "library": "eval_library/name",
    "library_version": "eval_library/version",
    "model_id": "model_info/id",
    "model_name": "model_info/name",
    "developer": "model_info/developer",
    "inference_platform": "model_info/inference_platform",
    "inference_engine": "model_info/inference_engine/name",
    "agent_scaffold": "model_info/additional_details/agent_scaffold",
    "inference_effort": "model_info/additional_details/inference_effort",
}
_RESULT = {
    "evaluation_result_id": "evaluation_result_id",
    "evaluation_name": "evaluation_name",
    "evaluation_timestamp": "evaluation_timestamp",
    "dataset_name": "source_data/dataset_name",
    "dataset_source": "source_data/source_type",
    "dataset_repo": "source_data/hf_repo",
    "dataset_split": "source_data/hf_split",
    "dataset_samples": "source_data/samples_number",
    "metric_id": "metric_config/metric_id",
    "metric_name": "metric_config/metric_name",
    "metric_kind": "metric_config/metric_kind",
    "metric_unit": "metric_config/metric_unit",
    "metric_description": "metric_config/evaluation_description",
    "lower_is_better": "metric_config/lower_is_better",
    "score_type": "metric_config/score_type",
    "min_score": "metric_config/min_score",
    "max_score": "metric_config/max_score",
    "score": "score_details/score",
    "standard_error": "score_details/uncertainty/standard_error/value",
    "standard_error_method": "score_details/uncertainty/standard_error/method",
    "standard_deviation": "score_details/uncertainty/standard_deviation",
    "interval_lower": "score_details/uncertainty/confidence_interval/lower",
    "interval_upper": "score_details/uncertainty/confidence_interval/upper",
    "confidence_level": "score_details/uncertainty/confidence_interval/confidence_level",
    "num_samples": "score_details/uncertainty/num_samples",
    "temperature": "generation_config/generation_args/temperature",
    "max_tokens": "generation_config/generation_args/max_tokens",
    "reasoning": "generation_config/generation_args/reasoning",
    "reasoning_effort": "generation_config/additional_details/reasoning_effort",
    "runs": "generation_config/additional_details/runs",
}


def _schema(value: Any) -> Schema:
    if at(value, "properties") is not None:
        raise NotATable("it is the schema of Every Eval Ever and holds no results.")
    version = text_of(at(value, "schema_version"))
    if version not in VERSIONS:
        message = f"Records of version {version or '(none)'} are not known here; {', '.join(VERSIONS)} are."
        raise whole("schema-version", message, column="schema_version", value=version)
    return stored(f"every-eval-ever-{version}")


def _records(record: Any) -> Iterator[Fields]:
    shared = {column: text_of(at(record, path)) for column, path in _RECORD.items()}
    for result in record["evaluation_results"]:
        own = {column: text_of(at(result, path)) for column, path in _RESULT.items()}
        own["evaluation_timestamp"] = own["evaluation_timestamp"] or text_of(record.get("evaluation_timestamp"))
        # A result without an address of its own has none: that of the platform is no source of one number.
        own["source_urls"] = " ".join(map(text_of, at(result, "source_data/url") or []))
        yield shared | own


DOCUMENT = Document(
    label="a record of Every Eval Ever",
    columns=(*_RECORD, *_RESULT, "source_urls"),
    marks=(b'"schema_version"', b'"evaluation_results"'),
    schema=_schema,
    records=_records,
)


def is_answers(_filename: str, content: bytes) -> bool:
    """The file beside a record that holds the single answers."""
    return has_marks(content, (b"{",), (b'"schema_version"', b'"evaluation_id"', b'"sample_id"'))


def refuse_answers(_content: bytes, _filename: str = "") -> FlatTable:
    raise NotATable(
        "it holds single answers of Every Eval Ever and no results. Import the record that names this file."
    )
