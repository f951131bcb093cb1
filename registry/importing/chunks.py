"""Rows in portions, so that a million of them are never held at once."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

AT_A_TIME = 1_000

Item = TypeVar("Item")


def chunks(items: Iterable[Item]) -> Iterator[list[Item]]:
    remaining = iter(items)
    while some := list(islice(remaining, AT_A_TIME)):
        yield some
