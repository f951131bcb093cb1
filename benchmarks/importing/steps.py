"""What is measured, each in a process of its own with the database of `world`."""

import csv
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, ClassVar

import tablib
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from import_export.fields import Field
from import_export.resources import ModelResource
from import_export.widgets import CachedForeignKeyWidget, ForeignKeyWidget

from benchmarks.importing.world import Cost, cost, empty
from registry import bulk, import_jobs, jobs, models  # noqa: F401  the jobs register themselves
from registry.actions import imports, reading
from registry.importing.contents import OnDisk
from registry.people import acting_user


def whole_import(path: str, kind: str) -> Cost:
    """Staged, judged and applied as a worker does it."""

    def act() -> None:
        by = acting_user(None)
        batch = staged(path, kind, by)
        imports.apply(batch=batch, by=by)

    return cost(act)


def only_staged(path: str, kind: str) -> Cost:
    return cost(lambda: staged(path, kind, acting_user(None)))


def staged(path: str, kind: str, by: User) -> models.ImportBatch:
    batch = imports.stage(content=OnDisk(Path(path)), filename=Path(path).name, kind=kind, by=by)
    jobs.do(reading.READ_IMPORT, str(batch.pk))
    batch.refresh_from_db()
    assert batch.status == "staged", (batch.status, batch.problems)
    assert not batch.counts["refused"] and not batch.counts["conflict"], batch.counts  # noqa: PT018
    return batch


def bare_load(kind: str, *, both: bool) -> Cost:
    """The rows of the last import, ready as tuples, into an emptied table of their own kind; or into both tables."""
    kept = {
        "results": (models.StagedResult, models.Result),
        "comparisons": (models.StagedComparison, models.Comparison),
    }
    loads = []
    for model in kept[kind] if both else kept[kind][1:]:
        columns = [field.column for field in model._meta.concrete_fields if field.column not in (None, "id")]
        rows = [tuple(_plain(value) for value in row) for row in model._base_manager.order_by().values_list(*columns)]
        loads.append((model, columns, rows))
    for model, _, _ in loads:
        empty(model)

    def act() -> None:
        with transaction.atomic():
            for model, columns, rows in loads:
                bulk.load(model, columns, rows)

    return cost(act)


def _plain(value: Any) -> Any:
    if isinstance(value, list | dict):
        import json

        return json.dumps(value)
    return value.isoformat(" ") if isinstance(value, datetime) else str(value) if hasattr(value, "isoformat") else value


# --- django-import-export on the same rows ----------------------------------------------------------------------------


class _Plain(ModelResource):
    """As its documentation has it: foreign keys by natural key, the identity as import id."""

    contract = Field("contract", "contract", ForeignKeyWidget(models.MetricContract, "key"))
    configuration = Field("configuration", "configuration", ForeignKeyWidget(models.Configuration, "key"))

    class Meta:
        model = models.Result
        import_id_fields: ClassVar[Any] = ("contract", "configuration", "source_url", "source_ref", "external_id")
        fields: ClassVar[Any] = (
            *("contract", "configuration", "value", "stderr", "n", "observed_on"),
            *("source_url", "source_ref", "external_id", "notes"),
        )

    def before_import(self, dataset: tablib.Dataset, **kwargs: Any) -> None:
        self.source, self.batch = _source_and_batch()

    def before_save_instance(self, instance: models.Result, row: Any, **kwargs: Any) -> None:
        instance.source, instance.batch, instance.line = self.source, self.batch, kwargs.get("row_number", 0)


class _Tuned(_Plain):
    """In bulk, with foreign keys from memory, rows that are stored already skipped, and no diff made."""

    contract = Field("contract", "contract", CachedForeignKeyWidget(models.MetricContract, "key"))
    configuration = Field("configuration", "configuration", CachedForeignKeyWidget(models.Configuration, "key"))

    class Meta(_Plain.Meta):
        use_bulk = True
        batch_size = 1_000
        skip_unchanged = True
        skip_diff = True
        report_skipped = False


class _Told(_Tuned):
    """And told that every row is new: it looks for none of them, and a second time would store them again."""

    class Meta(_Tuned.Meta):
        force_init_instance = True


def _source_and_batch() -> tuple[models.Source, models.ImportBatch]:
    now = timezone.now()
    source = models.Source.objects.create(sha256="f" * 64, filename="f", size=0, uploaded_by="b", uploaded_at=now)
    return source, models.ImportBatch.objects.create(source=source, created_by="b", created_at=now)


def import_export(path: str, rows: int, resource: ModelResource) -> Cost:
    data = tablib.Dataset(headers=None)
    read = _records(path)
    data.headers = next(read)
    for _, cells in zip(range(rows), read, strict=False):
        data.append(cells)

    def act() -> None:
        found = resource.import_data(data, dry_run=False, raise_errors=True, use_transactions=True)
        assert not found.has_errors()

    found = cost(act)
    assert models.Result.objects.count() == rows
    return found


def _records(path: str) -> Iterator[list[str]]:
    with Path(path).open(encoding="utf-8", newline="") as file:
        yield from csv.reader(file)


def both_tables(kind: str) -> Cost:
    return bare_load(kind, both=True)


def one_table(kind: str) -> Cost:
    return bare_load(kind, both=False)


def default_import_export(path: str, rows: int) -> Cost:
    return import_export(path, rows, _Plain())


def tuned_import_export(path: str, rows: int) -> Cost:
    return import_export(path, rows, _Tuned())


def told_import_export(path: str, rows: int) -> Cost:
    return import_export(path, rows, _Told())
