"""Saving that did not go through: why, and the same request answered once more with what was typed."""

from django.core.exceptions import ValidationError
from django.http import HttpRequest

from registry.actions import changes
from registry.actions.base import Refused
from registry.admin.forms import OPENED
from registry.changes_decision import ChangeRecords
from registry.models import Curated


class Attempt(HttpRequest):
    """A request that is answered a second time, with what the action said about the first try."""

    problems: dict[str, ValidationError]


class NotSaved(Exception):  # noqa: N818
    """Leaves the transaction of the admin's own view, so that nothing of the attempt stays."""

    def __init__(self, prefix: str, operation: changes.Operation, failed: changes.Failed) -> None:
        super().__init__(failed.sentence)
        self.prefix = prefix
        self.operation = operation
        self.error = failed.error
        self.sentence = failed.sentence

    @property
    def is_conflict(self) -> bool:
        return isinstance(self.error, Refused) and self.error.code in ("stale", "gone", "taken")

    def problem(self) -> ValidationError:
        return ValidationError(self.sentence) if isinstance(self.error, Refused) else self.error


class ToConfirm(Exception):  # noqa: N818
    """As above, on the way to the confirm page."""

    def __init__(self, operations: list[changes.Operation], title: str, collections: list[str]) -> None:
        super().__init__(title)
        self.operations, self.title, self.collections = operations, title, collections

    def decision(self, url: str) -> ChangeRecords:
        operations = [changes.as_json(operation) for operation in self.operations]
        return ChangeRecords(operations=operations, title=self.title, url=url, collections=self.collections)


def take_present_version(request: HttpRequest, error: NotSaved) -> None:
    """Whoever saves again after reading what changed means it."""
    record = error.operation.model_class._base_manager.filter(pk=error.operation.pk).first()
    if isinstance(record, Curated):
        posted = request.POST.copy()
        posted[f"{error.prefix}-{OPENED}" if error.prefix else OPENED] = str(record.version)
        request.POST = posted  # type: ignore[assignment]  # a QueryDict too
