"""A batch as the report that commands print."""

from collections.abc import Iterator
from typing import Any

from django.db.models import Count
from django.db.models.fields.json import KT

from registry.importing.contents import Content, identified
from registry.importing.mending import bad_rows
from registry.models import ImportBatch
from registry.vocabulary import BatchStatus, Verdict

REMARKS = ("changed", "declared-absence", "new-judge")
"""Reasons of what is told beside a row and stands in nobody's way."""

Report = dict[str, Any]


def report(batch: ImportBatch) -> Report:
    """As INTERFACES fixes it; `problems` tells what stands in the way, the file's own first."""
    return {
        "batch": batch.pk,
        "sha256": batch.source.sha256,
        "rows": batch.rows,
        "verdicts": batch.counts,
        "applied": batch.status == BatchStatus.APPLIED,
        "problems": [*batch.problems, *_problems(batch)],
    }


def report_of_no_table(content: Content, code: str, message: str) -> Report:
    """For bytes that no batch is kept of."""
    problem = {"line": 1, "column": "", "value": "", "reason": code, "message": message}
    return {
        "batch": None,
        "sha256": identified(content)[0],
        "rows": 0,
        "verdicts": {verdict.value: 0 for verdict in Verdict},
        "applied": False,
        "problems": [problem],
    }


def skip_reasons(batch: ImportBatch) -> dict[str, int]:
    """The sentence of each rule that left rows out, with how many."""
    skipped = batch.staged.filter(verdict=Verdict.SKIPPED).order_by()
    return dict(skipped.values_list(KT("problems__0__message")).annotate(rows=Count("line")).order_by("-rows"))


def _problems(batch: ImportBatch) -> Iterator[dict[str, Any]]:
    for problems in bad_rows(batch).values_list("problems", flat=True).iterator():
        yield from (problem for problem in problems if problem["reason"] not in REMARKS)
