"""Entries of STATE-Bench's leaderboard: one record for each entry, domain (`overall` too) and metric.

A file holds `entries` and the commit they stood at, or is a list of such snapshots. One that says of itself that its
entries are placeholders is refused, whatever verification they claim.
"""

from collections.abc import Iterator
from typing import Any

from registry.importing.formats.documents import Document
from registry.importing.formats.flat import Fields, at
from registry.importing.formats.json_text import text_of
from registry.importing.formats.schemas import NUMBER, NUMBER_OR_NULL, TEXT, Schema, list_of, map_of, object_of
from registry.importing.problems import NotATable

_ENTRY = {
    "entry": "id",
    "track": "track",
    "model": "model",
    "reasoning_label": "reasoningLabel",
    "agent": "agent",
    "organization": "organization",
    "submission_date": "submissionDate",
    "version": "benchmarkVersion",
    "verification": "verificationStatus",
}
_METRICS = ("passAt1", "passAt5", "meanUxScore", "costPerTask")
_DOMAIN: Schema = {"anyOf": [NUMBER, object_of(**dict.fromkeys(_METRICS, NUMBER_OR_NULL))]}
_SNAPSHOT: Schema = object_of(
    ["entries"],
    entries=list_of(
        object_of(
            ["id", "track", "model", "metrics"],
            id=TEXT,
            track=TEXT,
            model=TEXT,
            metrics=object_of(["domains"], domains=map_of(_DOMAIN)),
        )
    ),
)


def _schema(value: Any) -> Schema:
    if warning := text_of(at(value, "WARNING")):
        raise NotATable(f"it warns itself that its entries are no results: {warning[:80]}…")
    return list_of(_SNAPSHOT) if isinstance(value, list) else _SNAPSHOT


def _records(value: Any) -> Iterator[Fields]:
    for snapshot in value if isinstance(value, list) else [value]:
        commit = text_of(snapshot.get("source_commit") or snapshot.get("commit"))
        day = text_of(snapshot.get("source_commit_date") or snapshot.get("authored"))
        for entry in snapshot["entries"]:
            shared = {column: text_of(entry.get(name)) for column, name in _ENTRY.items()}
            yield from (shared | {"commit": commit, "committed": day} | figure for figure in _figures(entry["metrics"]))


def _figures(metrics: Any) -> Iterator[Fields]:
    overall = {"passAt1": metrics.get("overallPassAt1"), "passAt1Std": metrics.get("overallPassAt1Std")}
    yield from _domain("overall", metrics | overall)
    for domain, figures in metrics["domains"].items():
        yield from _domain(domain, figures if isinstance(figures, dict) else {"passAt1": figures})


def _domain(domain: str, figures: Any) -> Iterator[Fields]:
    for metric in _METRICS:
        if metric in figures:
            spread = text_of(figures.get(f"{metric}Std"))
            yield {"domain": domain, "metric": metric, "value": text_of(figures[metric]), "sd": spread}


DOCUMENT = Document(
    label="entries of STATE-Bench's leaderboard",
    columns=(*_ENTRY, "domain", "metric", "value", "sd", "commit", "committed"),
    marks=(b'"entries"', b'"verificationStatus"', b'"domains"'),
    begins=(b"{", b"["),
    schema=_schema,
    records=_records,
)
