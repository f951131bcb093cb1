"""What waits for a person. Each app offers its sections through a callable named in QUEUE_PROVIDERS."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from django.conf import settings
from django.http import HttpRequest
from django.utils.module_loading import import_string

# A queue is worked off from its beginning; the rest is one link away.
SHOWN = 8


@dataclass(frozen=True, slots=True)
class Cell:
    text: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """One table of the index. `rows` are the first of `total`; without any, `empty` says what to do next."""

    order: int
    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    empty: str
    total: int
    url: str = ""
    """All of them."""
    next_step: Cell | None = field(default=None)
    """The link that goes with `empty`."""

    @property
    def named(self) -> list[list[tuple[str, Cell]]]:
        """The rows with the heading of each cell beside it, which stands before it on a narrow screen."""
        return [list(zip(self.columns, row, strict=True)) for row in self.rows]

    @property
    def more(self) -> int:
        return self.total - len(self.rows)


Provider = Callable[[HttpRequest], Sequence[Section]]


def sections(request: HttpRequest) -> list[Section]:
    found: list[Section] = []
    for path in settings.QUEUE_PROVIDERS:
        provider: Provider = import_string(path)
        found.extend(provider(request))
    return sorted(found, key=lambda section: section.order)
