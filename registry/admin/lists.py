"""Lists of millions of rows that open as fast as short ones."""

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

from django.contrib import admin
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest

# Nobody turns two hundred pages: further rows are found by searching. Counting all of a million takes longer than the
# page itself.
COUNTED = 10_000
# What people filter history by is what has happened lately.
RECENT = 5_000


class BoundedPaginator(Paginator):  # type: ignore[type-arg]  # generic only to the type checker
    """Counts no further than it lets people turn."""

    @cached_property
    def count(self) -> int:
        rows = self.object_list
        if isinstance(rows, QuerySet):
            return rows.order_by()[:COUNTED].count()
        return len(rows)

    @property
    def is_bounded(self) -> bool:
        """There may be more."""
        return self.count == COUNTED


class RecentValues(admin.SimpleListFilter):
    """The values of a column among the newest rows; subclasses name it in `parameter_name`."""

    parameter_name: str

    def lookups(self, request: HttpRequest, model_admin: Any) -> Iterable[tuple[str, str]]:
        newest = model_admin.model._default_manager.order_by("-pk").values_list(self.parameter_name, flat=True)[:RECENT]
        return [(value, value) for value in sorted(set(newest))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(**{self.parameter_name: self.value()}) if self.value() else queryset


def entitled(title: str, kind: type[admin.FieldListFilter]) -> type[admin.FieldListFilter]:
    """A filter of a field under words of its own, where the field's name reads badly after "By"."""

    class Entitled(kind):  # type: ignore[misc, valid-type]  # a class made for one field
        def __init__(self, *args: Any, **options: Any) -> None:
            super().__init__(*args, **options)
            self.title = title

    return Entitled


def stamped(title: str, *, empty: str, filled: str) -> type[admin.FieldListFilter]:
    """A filter by whether somebody has done it yet, in words for both."""

    class Stamped(entitled(title, admin.EmptyFieldListFilter)):  # type: ignore[misc]
        def choices(self, changelist: Any) -> Iterator[dict[str, Any]]:
            for choice in super().choices(changelist):
                display = str(choice["display"]).replace("Not empty", filled).replace("Empty", empty)
                yield choice | {"display": display}

    return Stamped


def recent(name: str, title: str) -> type[RecentValues]:
    return type(f"Recent_{name}", (RecentValues,), {"parameter_name": name, "title": title})
