"""Canonical JSON back into the dataclasses it was written from. Pure."""

from collections.abc import Callable
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
    record: Record = _reader(kind)(told)  # type: ignore[arg-type]  # a class is hashable
    return record


@cache
def _reader(kind: Any) -> Callable[[Any], Any]:
    """What reads one `kind`, found once: evidence has as many values as comparisons have columns."""
    if isinstance(kind, type) and is_dataclass(kind):
        return _record(kind)
    if get_origin(kind) is tuple:
        return _tuple(get_args(kind))
    if isinstance(kind, UnionType):
        inner = _reader(next(one for one in get_args(kind) if one is not NoneType))
        return lambda told: None if told is None else inner(told)
    return Decimal if kind is Decimal else _plain(kind)


def _record(kind: type[Any]) -> Callable[[Any], Any]:
    hints = get_type_hints(kind)
    members = [(field.name, _reader(hints[field.name])) for field in fields(kind)]
    return lambda told: kind(**{name: member(told[name]) for name, member in members})


def _tuple(kinds: tuple[Any, ...]) -> Callable[[Any], Any]:
    if len(kinds) == 2 and kinds[1] is Ellipsis:
        each = _reader(kinds[0])
        return lambda told: tuple([each(one) for one in told])
    readers = [_reader(one) for one in kinds]
    return lambda told: tuple([member(one) for member, one in zip(readers, told, strict=True)])


def _plain(kind: type[Any]) -> Callable[[Any], Any]:
    allowed = (int, float) if kind is float else kind

    def checked(told: Any) -> Any:
        if not isinstance(told, allowed) or (isinstance(told, bool) and kind is not bool):
            raise TypeError(f"{told!r} is no {kind.__name__}")
        return told

    return checked
