"""Results and comparisons as tables, in the columns that their files are imported by. They come in as batches only."""

from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet
from import_export.resources import ModelResource

from registry.exchange.tables import Row, Table, file_stem
from registry.importing.columns import declared

# Rows read at a time: they come by the million.
CHUNK = 2_000


def table_of(resource: type[ModelResource], among: QuerySet[Any]) -> Table:
    """What of `among` the resource exports, in the order in which it came in."""
    model = among.model
    chosen = model._base_manager.filter(pk__in=among.order_by().values("pk")).order_by("pk")
    return Table(file_stem(model), list(declared(resource)), _rows(resource, chosen))


def _rows(resource: type[ModelResource], chosen: QuerySet[Any]) -> Iterator[Row]:
    columns = list(declared(resource).values())
    for record in resource().filter_export(chosen).iterator(chunk_size=CHUNK):
        yield [column.plain(record) for column in columns]
