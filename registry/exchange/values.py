"""One value between YAML and a field, both ways.

YAML guesses types (`0.8` is a number, `no` is false, `2026-07-01` a date); a guess that is not what the field holds is
refused with the advice to quote, never converted.
"""

import math
from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

from django.db import models
from django.utils.dateparse import parse_date, parse_datetime

from registry.exchange.places import AnyField
from registry.exchange.problems import Bad


def read(field: AnyField, raw: Any) -> Any:
    """What `field` holds for `raw`; raises `Bad`. Bounds, choices and lengths are left to the model's validation."""
    if raw is None:
        if not field.null:
            raise Bad("null", "This field cannot be empty: leave it out for its default value.")
        return None
    for kind, convert in _READERS:
        if isinstance(field, kind):
            return convert(raw)
    raise TypeError(f"no reader for {field}")


def write(value: Any) -> Any:
    """The plain form of a stored value: what YAML shows and `read` takes back."""
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, datetime):
        return value.astimezone(UTC)
    return value


def _boolean(raw: Any) -> bool:
    if not isinstance(raw, bool):
        raise Bad("not-a-boolean", "Must be true or false.")
    return raw


def _integer(raw: Any) -> int:
    if isinstance(raw, bool) or not isinstance(raw, int):
        raise Bad("not-an-integer", "Must be a whole number.")
    return raw


def _number(raw: Any) -> float:
    if isinstance(raw, bool) or not isinstance(raw, int | float) or not math.isfinite(raw):
        raise Bad("not-a-number", "Must be a finite number.")
    return float(raw)


def _decimal(raw: Any) -> Decimal:
    _number(raw)
    return Decimal(repr(raw))  # the shortest text of a float is what the file said


def text(raw: Any) -> str:
    if not isinstance(raw, str):
        raise Bad("not-text", f"Must be text, and this is {_kind(raw)}: put it in quotes.")
    if "\0" in raw or not _encodable(raw):
        raise Bad("not-text", "Holds a character that cannot be stored: NUL or half of a surrogate pair.")
    return raw


def _encodable(raw: str) -> bool:
    try:
        raw.encode()
    except UnicodeEncodeError:
        return False
    return True


def _date(raw: Any) -> date:
    value = _parsed(raw, parse_date)
    if not isinstance(value, date) or isinstance(value, datetime):
        raise Bad("not-a-date", "Must be a date such as 2026-07-01.")
    return value


def _datetime(raw: Any) -> datetime:
    value = _parsed(raw, parse_datetime)
    if not isinstance(value, datetime) or value.tzinfo is None:
        raise Bad("not-a-time", "Must be a date and time with its zone, such as 2026-07-01T09:00:00Z.")
    return value


def _parsed(raw: Any, parse: Callable[[str], Any]) -> Any:
    try:
        return parse(raw) if isinstance(raw, str) else raw
    except ValueError:
        return None


def _json(raw: Any) -> Any:
    if isinstance(raw, dict):
        for name, item in raw.items():
            text(name)
            _json(item)
    elif isinstance(raw, list):
        for item in raw:
            _json(item)
    elif isinstance(raw, str):
        text(raw)
    elif isinstance(raw, float):
        _number(raw)
    elif not (raw is None or isinstance(raw, int)):
        raise Bad("not-json", "May hold only lists, names with values, text, numbers, true, false and null.")
    return raw


def _kind(raw: Any) -> str:
    names = {bool: "true or false", int: "a number", float: "a number", list: "a list", dict: "names with values"}
    return names.get(type(raw), "a date")


_READERS: tuple[tuple[type[AnyField], Callable[[Any], Any]], ...] = (
    (models.BooleanField, _boolean),
    (models.IntegerField, _integer),
    (models.FloatField, _number),
    (models.DecimalField, _decimal),
    (models.DateTimeField, _datetime),
    (models.DateField, _date),
    (models.JSONField, _json),
    (models.CharField, text),
    (models.TextField, text),
)
