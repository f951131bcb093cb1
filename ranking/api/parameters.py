"""Query parameters: each address declares its own, and any other is refused by name."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import TextChoices
from django.http import QueryDict

from ranking.api.problems import BadParameter
from ranking.api.rows import Row, Rows
from ranking.api.shapes.base import Shape


@dataclass(frozen=True)
class Filter:
    """Keeps the rows whose field of this name has the value, or holds it where the field is a list."""

    name: str
    meaning: str
    choices: type[TextChoices] | None = None

    @property
    def values(self) -> list[str]:
        return list(self.choices.values) if self.choices else []

    def check(self, value: str) -> None:
        if self.choices and value not in self.values:
            raise BadParameter(self.name, f"Parameter {self.name}: {value!r} is not one of: {', '.join(self.values)}.")

    def keeps(self, row: Row, value: str, shape: Shape) -> bool:
        declared = shape.fields[self.name]
        found: Any = declared.get_attribute(row)
        found = None if found is None else declared.to_representation(found)
        return value in found if isinstance(found, list) else found == value


@dataclass(frozen=True)
class Query:
    """The query string of one request, in which everything is declared."""

    values: Mapping[str, str]
    filters: Sequence[Filter]

    @classmethod
    def of(cls, given: QueryDict, filters: Sequence[Filter], others: Sequence[str]) -> "Query":
        """Raises BadParameter for what the address does not declare; `others` are parameters that are no filters."""
        known = [declared.name for declared in filters] + list(others)
        for name, values in given.lists():
            if name not in known:
                raise BadParameter(name, f"There is no parameter {name!r} here. There are: {', '.join(known)}.")
            if len(values) > 1:
                raise BadParameter(name, f"Parameter {name} is given {len(values)} times.")
        chosen = tuple(declared for declared in filters if declared.name in given)
        query = cls({name: str(given[name]) for name in given}, chosen)
        for declared in chosen:
            declared.check(query.values[declared.name])
        return query

    def apply(self, rows: Rows, shape: Shape) -> Rows:
        """The rows that every filter keeps."""
        for declared in self.filters:
            value = self.values[declared.name]
            rows = {key: row for key, row in rows.items() if declared.keeps(row, value, shape)}
        return rows
