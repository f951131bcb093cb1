"""Curated records as flat tables: one record a row, one field a column, the same names as in the YAML files.

A field that is no plain value (a reference by several names, a list, JSON) stands as JSON text in its cell. A cell is
read as what its column holds and not as what it looks like, so that the key `001` stays that.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db import models
from django.db.models import QuerySet

from registry.exchange import values
from registry.exchange.dumping import Record, whole_records
from registry.exchange.places import AnyField, fields_of, lookups, target_of
from registry.exchange.problems import Bad
from registry.exchange.reading import DEEPEST
from registry.importing import cells
from registry.importing.problems import Bad as BadCell
from registry.models import Curated

Row = list[Any]
"""Texts, numbers, true or false, lists and what else JSON nests; None where there is nothing."""


@dataclass(frozen=True, slots=True)
class Table:
    """What an export holds. `name` is that of the file, without its ending."""

    name: str
    header: Sequence[str]
    rows: Iterator[Row]
    left_out: Callable[[], str] = str
    """What of the list it does not hold and why; blank where it holds all."""


def columns(model: type[Curated]) -> list[str]:
    return [field.name for field in fields_of(model)]


def file_stem(model: type[models.Model]) -> str:
    return str(model._meta.verbose_name_plural).replace(" ", "_")


def table_of(model: type[Curated], among: QuerySet[Any] | None = None) -> Table:
    """All records, or those `among` a queryset, with every field."""
    fields = fields_of(model)
    rows = ([_plain(record[field.name]) for field in fields] for record in whole_records(model, among))
    return Table(file_stem(model), columns(model), rows)


def record_of(model: type[Curated], row: dict[str, str]) -> tuple[Record, dict[str, Bad]]:
    """The record that the cells of a row say, in plain form, and what is wrong with it by column."""
    record: Record = {}
    faults: dict[str, Bad] = {}
    for field in fields_of(model):
        try:
            record[field.name] = _value(field, row[field.name])
        except Bad as bad:
            faults[field.name] = bad
    return record, faults


def _is_nested(field: AnyField) -> bool:
    return field.many_to_many or isinstance(field, models.JSONField) or len(lookups(field)) > 1


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date) else value


def _value(field: AnyField, cell: str) -> Any:
    if cell == "":
        return _blank(field)
    if isinstance(field, models.JSONField):
        return _normal(field, _from_json(cell))
    if _is_nested(field):
        return _from_json(cell)
    return cell if target_of(field) else _normal(field, _typed(field, cell))


def _blank(field: AnyField) -> Any:
    """Nothing where the field can hold nothing; in a column of text, the text of no length."""
    if field.null:
        return None
    if isinstance(field, models.CharField | models.TextField):
        return ""
    raise Bad("blank", "This cell cannot be blank.")


def _normal(field: AnyField, raw: Any) -> Any:
    """The form in which the same value would be exported."""
    try:
        return values.write(values.read(field, raw))
    except OverflowError as error:
        raise Bad("not-a-time", "This moment is none in UTC.") from error


_WHOLE = re.compile(r"-?\d{1,18}", re.ASCII)


def _typed(field: AnyField, cell: str) -> Any:
    """The text as the kind of value that the column holds; where it is none, `values.read` says so."""
    if isinstance(field, models.BooleanField):
        # Spreadsheets write them in capitals.
        return {"true": True, "false": False}.get(cell.lower(), cell)
    if isinstance(field, models.IntegerField):
        return int(cell) if _WHOLE.fullmatch(cell) else cell
    if isinstance(field, models.FloatField | models.DecimalField):
        return _number(cell)
    return cell


def _number(cell: str) -> float:
    try:
        return cells.number(cell)
    except BadCell as bad:
        raise Bad(bad.reason, bad.message) from bad


def _from_json(cell: str) -> Any:
    try:
        value = json.loads(cell, parse_constant=_refuse_constant, object_pairs_hook=_object)
    except (ValueError, RecursionError) as error:
        raise Bad("not-json", 'Must be JSON, such as ["one", "two"]: see what the export writes here.') from error
    if _is_deeper(value, DEEPEST):
        raise Bad("too-deep", f"Nested deeper than {DEEPEST} levels.")
    return value


def _refuse_constant(word: str) -> Any:
    raise ValueError(f"{word} is no number of JSON")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise ValueError("a name stands twice")
    return made


def _is_deeper(value: Any, levels: int) -> bool:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return levels < 0 or any(_is_deeper(each, levels - 1) for each in inner)
