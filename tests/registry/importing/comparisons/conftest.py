"""A registry to import comparisons into, and one line to write a file of them."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from registry.actions import imports
from registry.models import ImportBatch
from registry.vocabulary import ImportKind
from tests.registry.importing.conftest import Stage

FACET = "case-files/case-questions"
USUAL = {
    "comparison_id": "v-1",
    "facet": FACET,
    "task": "q1",
    "a": "vendor0-model-000",
    "b": "vendor1-model-001",
    "outcome": "a",
    "judge": "j1",
}


def comparisons_csv(*rows: dict[str, Any]) -> bytes:
    """comparisons.csv with the columns that any of the rows gives; unnamed ones have their usual value."""
    full = [USUAL | {name: str(value) for name, value in row.items()} for row in rows]
    columns = list(dict.fromkeys(name for row in full for name in row))
    lines = [",".join(columns), *(",".join(row.get(name, "") for name in columns) for row in full)]
    return "\n".join(lines).encode()


@pytest.fixture
def stage(registry: None, editor: User) -> Stage:
    """Stage rows, or bytes, as the editor."""

    def stage(*rows: dict[str, Any], content: bytes | None = None, **options: Any) -> ImportBatch:
        content = comparisons_csv(*rows) if content is None else content
        return imports.stage(
            kind=ImportKind.COMPARISONS, content=content, filename="comparisons.csv", by=editor, **options
        )

    return stage


@pytest.fixture
def store(stage: Stage, editor: User) -> Stage:
    """Stage rows and apply them."""

    def store(*rows: dict[str, Any], **options: Any) -> ImportBatch:
        return imports.apply(batch=stage(*rows, **options), by=editor)

    return store


def told(batch: ImportBatch) -> list[tuple[int, str, str]]:
    """Line, column and reason of every problem of the rows."""
    return [
        (problem["line"], problem["column"], problem["reason"])
        for row in batch.staged.order_by("line")
        for problem in row.problems or []
    ]
