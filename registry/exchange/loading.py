"""Files into the registry: everything or nothing, in one transaction, through the action that an editor uses."""

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.db import transaction
from django.db.models import Model

from registry import audit
from registry.actions.curate import save
from registry.exchange import exclusions
from registry.exchange.places import MODELS, AnyField, fields_of, file_name, key_fields, natural_paths, target_of
from registry.exchange.problems import Bad, LoadRefused, Problem
from registry.exchange.reading import Record, records
from registry.exchange.values import read, text
from registry.models import Curated, Exclusion

Values = dict[str, Any]
Key = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Written:
    """One record as it was stored, and what of it is new. References are model instances."""

    record: Curated
    version: int | None
    """The version it had before; None where it was added."""
    values: Values


def load(directory: Path, *, by: AbstractUser, reason: str = "") -> dict[str, int]:
    """Make the registry say what the files say; how many records were written, by file.

    A record is found by its natural key: added when it is new, changed where it differs, left alone otherwise.
    A field that the file leaves out gets its default. Records that no file names stay as they are. Raises
    `LoadRefused` with every problem found, and then nothing is stored; PermissionDenied where `by` may not write.
    """
    files = {model: records(directory / file_name(model)) for model in MODELS}
    if problems := [problem for _, found in files.values() for problem in found]:
        raise LoadRefused(problems)
    with audit.one_action(), transaction.atomic():
        loading = Loading(by, reason)
        counts = {
            Path(file_name(model)).stem: [loading.take(model, *item) for item in enumerate(rows, 1)].count(True)
            for model, (rows, _) in files.items()
            if rows
        }
        if loading.problems:
            raise LoadRefused(loading.problems)
    return counts


class Loading:
    """One load: what was met so far, and what was wrong."""

    def __init__(self, by: AbstractUser, reason: str) -> None:
        self.by = by
        self.reason = reason
        self.problems: list[Problem] = []
        self.written: list[Written] = []
        self._numbers: dict[tuple[type[Model], Key], int] = {}
        self._found: dict[tuple[type[Model], Key], Model] = {}
        # Files in which a record was refused: what then refers to it is no second mistake.
        self._refused: set[type[Model]] = set()

    def take(self, model: type[Curated], number: int, record: Record) -> bool:
        """Store one record; True when something was written."""
        before = len(self.problems)
        values = self._values(model, number, record)
        if len(self.problems) == before:
            try:
                return self._store(model, number, values)
            except Bad as bad:
                self._refuse(model, number, "", None, bad)
            except ValidationError as error:
                for field, told in _told(error):
                    self._refuse(model, number, field, record.get(field), told)
        self._refused.add(model)
        return False

    def _refuse(self, model: type[Model], number: int, field: str, value: Any, bad: Bad) -> None:
        self.problems.append(Problem(file_name(model), number, field, value, bad.reason, bad.message))

    def _values(self, model: type[Curated], number: int, record: Record) -> Values:
        """What every field will hold, defaults included; each fault is noted."""
        fields = {field.name: field for field in fields_of(model)}
        for name in sorted(record.keys() - fields.keys()):
            self._refuse(model, number, name, record[name], _unknown_field(name, list(fields)))
        values: Values = {}
        for name, field in fields.items():
            if name not in record:
                values[name] = [] if field.many_to_many else field.get_default()
                continue
            try:
                values[name] = self._value(field, record[name])
            except Bad as bad:
                self._refuse(model, number, name, record[name], bad)
        return values

    def _value(self, field: AnyField, raw: Any) -> Any:
        target = target_of(field)
        if target is None or raw is None:
            return read(field, raw)
        if not field.many_to_many:
            return self._referred(target, raw)
        if not isinstance(raw, list):
            raise Bad("not-a-list", "Must be a list of references.")
        return [self._referred(target, item) for item in raw]

    def _referred(self, target: type[Model], raw: Any) -> Model:
        parts = _parts(target, raw)
        if (target, parts) not in self._found:
            obj = target._base_manager.filter(**dict(zip(natural_paths(target), parts, strict=True))).first()
            if obj is None:
                raise Bad("unknown-reference", self._no_such(target))
            self._found[target, parts] = obj
        return self._found[target, parts]

    def _no_such(self, target: type[Model]) -> str:
        also = f" (records of {file_name(target)} were refused)" if target in self._refused else ""
        return f"There is no such {_name(target)}, neither in the files nor in the registry{also}."

    def _store(self, model: type[Curated], number: int, values: Values) -> bool:
        if model is Exclusion:
            exclusions.complete(values, by=self.by)
        key = tuple(values[name] for name in key_fields(model))
        if (first := self._numbers.setdefault((model, key), number)) != number:
            raise Bad("duplicate", f"Record {first} of this file has the same {_key_text(model)}.")
        obj = model._base_manager.filter(**dict(zip(key_fields(model), key, strict=True))).first() or model()
        if isinstance(obj, Exclusion):
            exclusions.refuse_to_relapse(obj, values)
        changed = _differences(obj, values) if obj.pk else values
        if not changed:
            return False
        self._save(obj, changed)
        return True

    def _save(self, obj: Curated, changed: Values) -> None:
        version = obj.version if obj.pk else None
        many = {field.name: changed[field.name] for field in obj._meta.many_to_many if field.name in changed}
        for name in changed.keys() - many.keys():
            setattr(obj, name, changed[name])
        save(obj=obj, by=self.by, reason=self.reason, many=many)
        self.written.append(Written(obj, version, changed))


def _parts(target: type[Model], raw: Any) -> tuple[str, ...]:
    """The natural key of `target` that stands in a file: one text, or the list of its parts in order."""
    paths = natural_paths(target)
    parts = raw if isinstance(raw, list) and len(paths) > 1 else [raw]
    if len(parts) != len(paths):
        form = ", ".join(path.replace("__", " ") for path in paths)
        raise Bad("bad-reference", f"Must name one {_name(target)} by the list [{form}].")
    return tuple(text(part) for part in parts)


def _differences(obj: Model, values: Values) -> Values:
    return {name: value for name, value in values.items() if not _says(obj, name, value)}


def _says(obj: Model, name: str, value: Any) -> bool:
    if obj._meta.get_field(name).many_to_many:
        return set(getattr(obj, name).all()) == set(value)
    return bool(getattr(obj, name) == value)


def _unknown_field(name: str, known: list[str]) -> Bad:
    close = difflib.get_close_matches(name, known, n=1)
    hint = f"Did you mean {close[0]}?" if close else f"A record may hold: {', '.join(known)}."
    return Bad("unknown-field", f"There is no such field. {hint}")


def _told(error: ValidationError) -> Iterator[tuple[str, Bad]]:
    """Each message of the model's validation with the field it is about; blank for the record as a whole."""
    for field, errors in error.error_dict.items():
        for single in errors:
            yield "" if field == NON_FIELD_ERRORS else field, Bad(single.code or "invalid", " ".join(single.messages))


def _name(model: type[Model]) -> str:
    return str(model._meta.verbose_name)


def _key_text(model: type[Model]) -> str:
    return ", ".join(key_fields(model))
