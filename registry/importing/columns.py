"""How a column of an own layout is declared: the validator parses by it, the export writes it, the docs list it."""

import itertools
from collections.abc import Callable
from datetime import date
from typing import Any

from django.db.models import Model
from import_export.fields import Field
from import_export.resources import ModelResource

from registry.importing.escaping import neutralised

Parser = Callable[[str], Any]


class Column(Field):
    """One column: how a cell is read and how long it may be.

    `states` is what of the contract it must repeat; `blank` is the stored value that a blank cell stands for.
    """

    _positions = itertools.count()

    def __init__(
        self,
        attribute: str,
        parse: Parser,
        *,
        help: str,  # noqa: A002  the word Django uses
        required: bool = False,
        limit: int | None = None,
        states: str = "",
        blank: str | None = None,
    ) -> None:
        super().__init__(attribute=attribute, readonly=True)
        self.position = next(self._positions)
        self.parse = parse
        self.help = help
        self.required = required
        self.limit = limit
        self.states = states
        self.blank = blank

    def plain(self, instance: Model) -> Any:
        """Text as it is and numbers as numbers; None for what stands in a blank cell."""
        value = self.get_value(instance)
        if value is None or value == self.blank:
            return None
        return value.isoformat() if isinstance(value, date) else value

    def export(self, instance: Model, **kwargs: Any) -> Any:
        """For a spreadsheet: text that it would run is prefixed."""
        value = self.plain(instance)
        if value is None:
            return ""
        return neutralised(value) if isinstance(value, str) else value


def declared(resource: type[ModelResource]) -> dict[str, Column]:
    """By name, as declared: the library puts the model's own fields first."""
    return dict(sorted(resource.fields.items(), key=lambda item: item[1].position))
