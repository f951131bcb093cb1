"""What stands in a file, row by row, before it counts: loaded without indexes, judged by joins, moved in one statement.

The columns are those of the table that a row would go to. A key may point to nothing, and nothing is looked up by it.
"""

import json
from typing import Any

from django.db import models

from registry.models.benchmarks import Lineage
from registry.models.contracts import MetricContract
from registry.models.evidence import Comparison, Result
from registry.models.imports import ImportBatch
from registry.models.subjects import Configuration
from registry.models.taxonomy import Task
from registry.vocabulary import ImportKind, Verdict


class Loose(models.ForeignKey[Any, Any]):
    """A reference that costs nothing to write: neither checked nor indexed by the database."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        loose = {"on_delete": models.DO_NOTHING, "null": True, "db_constraint": False, "db_index": False}
        super().__init__(*args, **{**kwargs, **loose, "related_name": "+"})


class StagedRow(models.Model):
    """One record of a file: its cells, how they were read, and the verdict with every problem."""

    pk = models.CompositePrimaryKey("batch_id", "line")
    batch = models.ForeignKey(ImportBatch, on_delete=models.CASCADE, related_name="+", db_index=False)
    line = models.PositiveIntegerField(help_text="Where the record begins in the file.")
    # Text, because a JSON column is checked at every write, and most rows are never looked at.
    raw = models.TextField(help_text="The cells as they stood, in the order of the header: a list in JSON.")
    verdict = models.CharField(max_length=20, choices=Verdict)
    values = models.JSONField(null=True, help_text="What could be read of a row that is refused, by column.")
    problems = models.JSONField(null=True, help_text="Column, value, reason code and sentence of each problem.")

    class Meta:
        abstract = True
        ordering = ("batch", "line")

    def __str__(self) -> str:
        return f"line {self.line}: {self.verdict}"

    @property
    def record(self) -> list[str]:
        """The cells as they stood; there may be more or fewer than columns."""
        cells: list[str] = json.loads(self.raw)
        return cells

    @property
    def cells(self) -> dict[str, str]:
        """The cells by header."""
        return dict(zip(self.batch.header, self.record, strict=False))


class StagedResult(StagedRow):
    """A row of results. Contract and configuration are there as soon as the row's identity can be told."""

    contract = Loose(MetricContract)
    configuration = Loose(Configuration)
    source_url = models.CharField(max_length=500)
    source_ref = models.CharField(max_length=250)
    external_id = models.CharField(max_length=200)
    value = models.FloatField(null=True)
    absence = models.CharField(max_length=20)
    stderr = models.FloatField(null=True)
    sd = models.FloatField(null=True)
    n = models.PositiveIntegerField(null=True)
    runs = models.PositiveIntegerField(null=True)
    observed_on = models.DateField(null=True)
    notes = models.TextField()
    stored = Loose(Result, help_text="The result of the same identity: equal, or to be corrected.")


class StagedComparison(StagedRow):
    """A row of comparisons. The judge is named by key: a person may not be recorded yet."""

    comparison_id = models.CharField(max_length=200)
    task = Loose(Task)
    a = Loose(Configuration)
    b = Loose(Configuration)
    outcome = models.CharField(max_length=10)
    raw_outcome = models.CharField(max_length=60)
    judge = models.CharField(max_length=120)
    order = models.CharField(max_length=2)
    judged_at = models.DateTimeField(null=True)
    lineage = Loose(Lineage)
    stored = Loose(Comparison, help_text="The comparison that it is, or contradicts.")


STAGED: dict[str, type[StagedRow]] = {ImportKind.RESULTS: StagedResult, ImportKind.COMPARISONS: StagedComparison}
