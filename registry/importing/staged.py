"""Checked rows as the staging tables hold them: plain values for the database, without a model in between."""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, ClassVar, Generic

from django.db import connection

from registry.importing.checking import Checked, Identity, Said
from registry.models import StagedRow
from registry.vocabulary import Verdict

Values = tuple[Any, ...]

_json = json.JSONEncoder().encode  # `json.dumps` makes an encoder a call
_SHARED = ("batch_id", "line", "raw", "verdict", "values", "problems")


class Staging(ABC, Generic[Identity, Said]):
    """How the rows of one kind of file are staged; the order of `own` is that of `fields`."""

    model: ClassVar[type[StagedRow]]
    own: ClassVar[tuple[str, ...]]
    """Columns beside those that every staged row has."""
    moment: ClassVar[int]
    """Where among them the date or time is, which databases are given in different forms."""

    @property
    def columns(self) -> Sequence[str]:
        return (*_SHARED, *self.own)

    @abstractmethod
    def fields(self, row: Checked[Identity, Said]) -> Values:
        """As much of `own` as the row gives."""

    def kept(self, row: StagedRow) -> Values:
        """The same of a row that is staged."""
        return tuple(getattr(row, name) for name in self.own)

    def rows(self, batch: int, checked: Iterable[Checked[Identity, Said]]) -> Iterator[Values]:
        """The values of `columns`. A good row is new until it is judged beside the others."""
        adapted = self._adapting()
        for row in checked:
            told = row.told()
            yield (
                batch,
                row.line,
                _json(row.raw),
                verdict_of(row),
                _json(row.texts()) if row.problems else None,
                _json([problem.as_json() for problem in told]) if told else None,
                *adapted(self.fields(row)),
            )

    def _adapting(self) -> Callable[[Values], Values]:
        """The date or time among some fields in the form that this database is given it in."""
        moment, operations = self.moment, connection.ops  # looked up once: the connection is a thread's own

        def adapted(values: Values) -> Values:
            value = values[moment]
            if value is None:
                return values
            is_day = not isinstance(value, datetime)
            adapt = operations.adapt_datefield_value if is_day else operations.adapt_datetimefield_value
            return (*values[:moment], adapt(value), *values[moment + 1 :])

        return adapted


def verdict_of(row: Checked[Any, Any]) -> str:
    """By itself alone."""
    if row.reading.skipped:
        return Verdict.SKIPPED.value
    return Verdict.REFUSED.value if row.problems else Verdict.NEW.value
