"""Results and comparisons as tables, in the columns that their files are imported by. They come in as batches only."""

from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Any

from django.db.models import Count, QuerySet
from import_export.resources import ModelResource

from registry.exchange.tables import Row, Table, file_stem
from registry.importing.columns import declared
from registry.vocabulary import ResultState

# Rows read at a time: they come by the million.
CHUNK = 2_000
COUNTED = 10_000
WHY = "Those that do not stand stay behind, for imported again they would undo what came after them"


def table_of(resource: type[ModelResource], among: QuerySet[Any]) -> Table:
    """What of `among` the resource exports, in the order in which it came in."""
    model = among.model
    chosen = model._base_manager.filter(pk__in=among.order_by().values("pk")).order_by("pk")
    rows = _rows(resource, chosen)
    return Table(file_stem(model), list(declared(resource)), rows, partial(_left_out, resource, among))


def _left_out(resource: type[ModelResource], among: QuerySet[Any]) -> str:
    """How many of the listed rows go out, and which do not and why; blank where all of them do.

    A list may be of a million rows, so that no more are counted than people can turn pages for.
    """
    listed = among.model._base_manager.filter(pk__in=among.order_by().values("pk")[:COUNTED])
    states, out = _states(listed), _states(resource().filter_export(listed))
    left, total = states - out, states.total()
    if not left and total < COUNTED:
        return ""
    which = f"{COUNTED:,} listed rows that were counted" if total == COUNTED else f"{total:,} listed rows"
    held = ", ".join(f"{ResultState(state).label} ({count:,})" for state, count in sorted(left.items()))
    return f"Of {which}, {out.total():,} go into a file. {WHY}{': ' if held else ''}{held}."


def _states(rows: QuerySet[Any]) -> Counter[str]:
    return Counter(dict(rows.order_by().values_list("state").annotate(Count("pk"))))


def _rows(resource: type[ModelResource], chosen: QuerySet[Any]) -> Iterator[Row]:
    columns = list(declared(resource).values())
    for record in resource().filter_export(chosen).iterator(chunk_size=CHUNK):
        yield [column.plain(record) for column in columns]
