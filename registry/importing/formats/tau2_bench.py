"""Leaderboard submissions of τ²-bench: one record for each domain and pass^k that the submission has.

A pass^k that is null gives a record with a blank value; a domain that is null or not there was not run and gives none.
"""

from collections.abc import Iterator
from typing import Any

from registry.importing.formats.documents import Document, objects
from registry.importing.formats.flat import Fields, at
from registry.importing.formats.json_text import text_of
from registry.importing.formats.schemas import Schema, stored
from registry.importing.problems import NotATable

_SUBMISSION = {
    "model": "model_name",
    "organization": "model_organization",
    "submitted_by": "submitting_organization",
    "submission_date": "submission_date",
    "submission_type": "submission_type",
    "modality": "modality",
    "reasoning_effort": "reasoning_effort",
    "version": "methodology/tau2_bench_version",
    "user_simulator": "methodology/user_simulator",
    "evaluation_date": "methodology/evaluation_date",
    "modified_prompts": "methodology/verification/modified_prompts",
    "omitted_questions": "methodology/verification/omitted_questions",
    "trajectories_available": "trajectories_available",
    "release_date": "model_release/release_date",
    "voice_provider": "voice_config/provider",
    "voice_model": "voice_config/model",
    "notes": "methodology/notes",
}
_DOMAIN = {"retrieval_config": "retrieval_config", "cost": "cost"}
_PASSES = ("pass_1", "pass_2", "pass_3", "pass_4")


def _schema(value: Any) -> Schema:
    if at(value, "submissions") is not None:
        raise NotATable("it is the list of τ²-bench's submissions and holds no results.")
    if at(value, "$defs") is not None:
        raise NotATable("it is the schema of τ²-bench's submissions and holds no results.")
    if at(value, "model_organization") == "Example Organization":
        raise NotATable("it is the example that τ²-bench gives to submitters; its numbers were never measured.")
    return stored("tau2-bench")


def _records(submission: Any) -> Iterator[Fields]:
    shared = {column: text_of(at(submission, path)) for column, path in _SUBMISSION.items()}
    for domain, result in objects(submission["results"]):
        own = {column: text_of(result.get(name)) for column, name in _DOMAIN.items()}
        for name in _PASSES:
            if name in result:
                yield shared | own | {"domain": domain, "metric": name, "value": text_of(result[name])}


DOCUMENT = Document(
    label="a submission to τ²-bench",
    columns=(*_SUBMISSION, *_DOMAIN, "domain", "metric", "value"),
    marks=(b'"submitting_organization"',),
    strays=(b'"legacy_submissions"',),
    schema=_schema,
    records=_records,
)
