"""What a file of one curated table would change, as the edits that would do it. Nothing is written.

The file is tried out: its records go the way of `load`, in a transaction that is undone. What they wrote there comes
back as operations of `registry.actions.changes`, to be looked at and then carried out as any other edit.
"""

import json
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.db.models import Model

from registry import audit
from registry.actions.changes import ADD, CHANGE, Operation
from registry.actions.evidence_changed import affected_by
from registry.exchange import files
from registry.exchange.dumping import Record, whole_records
from registry.exchange.loading import Loading, Written
from registry.exchange.places import key_fields
from registry.exchange.problems import shortened
from registry.importing.problems import Problem, Unreadable
from registry.models import Curated, Exclusion

# Each edit is tried out twice before it is done, some 20 queries and 16 ms of CPU each time, holding SQLite's one write
# lock; and it waits in the form of the confirm page meanwhile.
MOST_EDITS = 200
# A record that is refused takes as long as one that is not, under the same lock: 20,000 of them held it for 26 seconds.
# Nobody reads more than a page of problems.
MOST_PROBLEMS = 200
LARGEST_EDITS = 1024 * 1024
"""Bytes of JSON."""


@dataclass(slots=True)
class Edits:
    """`same`: how many records say what is stored."""

    operations: list[Operation] = field(default_factory=list)
    reached: set[str] = field(default_factory=set)
    """Slugs of the collections whose gates a guarded edit may reach."""
    size: int = 0
    """Of the operations, in bytes of JSON."""
    same: int = 0


def edits_of(model: type[Curated], content: bytes, filename: str = "", *, by: AbstractUser) -> Edits:
    """Raises `Unreadable` with the problems found, `NotATable`, and PermissionDenied where `by` may not write.

    Of more than `MOST_PROBLEMS` problems, there may be some in the rest of the file that nobody has looked for.
    """
    found = files.read(model, content, filename)
    same = _stored_so(model, found)
    if model is Exclusion:
        _refuse(found.problems + _decided_elsewhere(found, same))
    edits = _tried_out(model, found, same, by)
    edits.same = len(found.records) - len(edits.operations)
    return edits


def _tried_out(model: type[Curated], found: files.Records, same: set[int], by: AbstractUser) -> Edits:
    loading, edits = Loading(by, "tried out"), Edits()
    with _undone():
        for number, record in enumerate(found.records, 1):
            if len(found.problems) + len(loading.problems) > MOST_PROBLEMS:
                break
            if number not in same and loading.take(model, number, record, found.unread.get(number, frozenset())):
                _add(edits, loading.written)
                _refuse_too_many(edits)
    _refuse(found.problems + [_problem(found.lines, told) for told in loading.problems])
    return edits


def _refuse(problems: list[Problem]) -> None:
    if problems:
        raise Unreadable(*sorted(problems, key=lambda problem: problem.line))


def _decided_elsewhere(found: files.Records, same: set[int]) -> list[Problem]:
    """An exclusion is made and lifted by decisions that ask the gates first; of a file it can only be as it is."""
    told = (
        "No exclusion is added, changed or lifted by a file, since the gates are asked first. Exclude on the page "
        "Exclude evidence (Exclusions, Add exclusion); lift it on the page of the exclusion."
    )
    return [
        Problem(line, "target", f"{record.get('scope')} {record.get('target')}", "decided-elsewhere", told)
        for number, (line, record) in enumerate(zip(found.lines, found.records, strict=True), 1)
        if number not in same
    ]


@contextmanager
def _undone() -> Iterator[None]:
    with audit.one_action(), transaction.atomic():
        yield
        transaction.set_rollback(True)


def _stored_so(model: type[Curated], found: files.Records) -> set[int]:
    """Numbers of the records that need no look: all that the file says of their key is all that the registry says."""
    stored: dict[str, list[str]] = defaultdict(list)
    given: dict[str, list[str]] = defaultdict(list)
    numbers: dict[str, list[int]] = defaultdict(list)
    for record in whole_records(model):
        stored[_key(model, record)].append(_canonical(record))
    for number, record in found.whole():
        given[_key(model, record)].append(_canonical(record))
        numbers[_key(model, record)].append(number)
    same = (key for key, said in given.items() if sorted(said) == sorted(stored.get(key, [])))
    return {number for key in same for number in numbers[key]}


def _key(model: type[Curated], record: Record) -> str:
    return _canonical([record[name] for name in key_fields(model)])


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, default=_plain)


def _add(edits: Edits, written: list[Written]) -> None:
    """The newest of what was written, as an operation, while its record is there to be asked about."""
    last = written[-1]
    operation = _operation(last, written)
    edits.operations.append(operation)
    edits.size += len(json.dumps(operation.values))
    if operation.is_guarded:
        edits.reached.update(affected_by(last.record))


def _operation(edit: Written, written: list[Written]) -> Operation:
    label = edit.record._meta.label_lower
    values = {name: _told(value, written) for name, value in edit.values.items()}
    plain = json.loads(json.dumps(values, default=_plain))
    if edit.version is None:
        return Operation(ADD, label, values=plain)
    return Operation(CHANGE, label, pk=edit.record.pk, version=edit.version, values=plain)


def _told(value: Any, written: list[Written]) -> Any:
    """References by number: of the record, or of the operation that adds it."""
    if isinstance(value, Model):
        added = (index for index, edit in enumerate(written) if edit.version is None and edit.record == value)
        return next(({"added": index} for index in added), value.pk)
    if isinstance(value, list) and value and isinstance(value[0], Model):
        return [member.pk for member in value]
    return value


def _plain(value: Any) -> str:
    """With microseconds, which are part of what tells exclusions apart."""
    return value.isoformat() if isinstance(value, date) else str(value)


def _refuse_too_many(edits: Edits) -> None:
    if len(edits.operations) > MOST_EDITS or edits.size > LARGEST_EDITS:
        told = f"A file may change {MOST_EDITS} records at once, and {LARGEST_EDITS // 2**20} MiB of text. Split it."
        raise Unreadable(Problem(1, "", "", "too-many-changes", told))


def _problem(lines: list[int], told: Any) -> Problem:
    value = "" if told.value is None else shortened(told.value)
    return Problem(lines[told.record - 1], told.field, value, told.reason, told.message)
