"""Canonical JSON back into the dataclasses it was written from. Pure."""

from dataclasses import fields, is_dataclass
from decimal import Decimal
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

Record = TypeVar("Record")


def read(kind: type[Record], told: Any) -> Record:
    """The inverse of `canonical.plain` for `kind`. Members that it does not have are passed over.

    Raises KeyError, TypeError, ValueError or ArithmeticError where `told` is nothing of the kind.
    """
    record: Record = _value(kind, told)
    return record


def _value(kind: Any, told: Any) -> Any:
    if isinstance(kind, type) and is_dataclass(kind):
        return kind(**{name: _value(hint, told[name]) for name, hint in _members(kind)})
    if get_origin(kind) is tuple:
        return _tuple(get_args(kind), told)
    if isinstance(kind, UnionType):
        return None if told is None else _value(next(one for one in get_args(kind) if one is not NoneType), told)
    return _plain(kind, told)


@cache
def _members(kind: type[Any]) -> tuple[tuple[str, Any], ...]:
    hints = get_type_hints(kind)
    return tuple((field.name, hints[field.name]) for field in fields(kind))


def _tuple(kinds: tuple[Any, ...], told: Any) -> tuple[Any, ...]:
    if len(kinds) == 2 and kinds[1] is Ellipsis:
        return tuple(_value(kinds[0], one) for one in told)
    return tuple(_value(kind, one) for kind, one in zip(kinds, told, strict=True))


def _plain(kind: Any, told: Any) -> Any:
    if kind is Decimal:
        return Decimal(told)
    allowed = (int, float) if kind is float else kind
    if not isinstance(told, allowed) or (isinstance(told, bool) and kind is not bool):
        raise TypeError(f"{told!r} is no {kind.__name__}")
    return told
