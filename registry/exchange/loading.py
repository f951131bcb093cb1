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
from registry.importing.suggestions import Hints, did_you_mean
from registry.models import Curated, Exclusion

Values = dict[str, Any]
Key = tuple[Any, ...]
Faults = list[tuple[str, Bad]]
"""Each with its field; blank for the record as a whole."""

# A hint compares with every name of a table, 50 ms and more where there are thousands; a transaction is open meanwhile.
MOST_HINTS = 20


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
        self._hints = Hints(MOST_HINTS)

    def take(self, model: type[Curated], number: int, record: Record, unread: frozenset[str] = frozenset()) -> bool:
        """Store one record; True when something was written. Fields that are `unread` were complained about before.

        A record that cannot be stored is looked at in full, so that nobody mends one fault to be told the next.
        """
        before = len(self.problems)
        values = self._values(model, number, record, unread)
        faults = exclusions.faults(values) if model is Exclusion else []
        try:
            if not (unread or faults or len(self.problems) > before):
                return self._store(model, number, values)
            faults += _faults_of(model, values)
        except Bad as bad:
            faults = [("", bad), *_faults_of(model, values)]
        except ValidationError as error:
            faults = list(_told(model, error))
        for field, told in faults:
            self._refuse(model, number, field, record.get(field), told)
        self._refused.add(model)
        return False

    def _refuse(self, model: type[Model], number: int, field: str, value: Any, bad: Bad) -> None:
        self.problems.append(Problem(file_name(model), number, field, value, bad.reason, bad.message))

    def _values(self, model: type[Curated], number: int, record: Record, unread: frozenset[str]) -> Values:
        """What every field will hold that could be read, defaults included; each fault is noted."""
        fields = {field.name: field for field in fields_of(model)}
        for name in sorted(record.keys() - fields.keys()):
            self._refuse(model, number, name, record[name], _unknown_field(name, list(fields)))
        values: Values = {}
        for name, field in fields.items():
            if name in unread:
                continue
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
                raise Bad("unknown-reference", self._no_such(target, parts))
            self._found[target, parts] = obj
        return self._found[target, parts]

    def _no_such(self, target: type[Model], parts: tuple[str, ...]) -> str:
        also = f" (records of {file_name(target)} were refused)" if target in self._refused else ""
        hint = self._hint(target, parts)
        return f"There is no such {_name(target)}, neither in the files nor in the registry{also}.{hint}"

    def _hint(self, target: type[Model], parts: tuple[str, ...]) -> str:
        def make() -> str:
            known = target._base_manager.values_list(*natural_paths(target)).iterator()
            return did_you_mean(_shown(parts), map(_shown, known))

        return self._hints.of((target, parts), make)

    def _store(self, model: type[Curated], number: int, values: Values) -> bool:
        if model is Exclusion:
            exclusions.complete(values, by=self.by)
        key = _key(model, values)
        if (first := self._numbers.setdefault((model, key), number)) != number:
            raise Bad("duplicate", f"Record {first} of this file has the same {_key_text(model)}.")
        obj = _stored(model, key)
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


def _shown(parts: Key) -> str:
    """A reference as it stands in a file."""
    return str(parts[0]) if len(parts) == 1 else f"[{', '.join(map(str, parts))}]"


def _key(model: type[Curated], values: Values) -> Key:
    return tuple(values[name] for name in key_fields(model))


def _stored(model: type[Curated], key: Key) -> Curated:
    """The stored record of that key, or a new one."""
    return model._base_manager.filter(**dict(zip(key_fields(model), key, strict=True))).first() or model()


def _faults_of(model: type[Curated], values: Values) -> Faults:
    """What is wrong with the fields that could be read, of a record of which others may be missing."""
    said = exclusions.given(values) if model is Exclusion else values
    obj = _stored(model, _key(model, said)) if said.keys() >= {*key_fields(model)} else model()
    unread = {field.name for field in model._meta.concrete_fields} - said.keys()
    for name in said.keys() - {field.name for field in model._meta.many_to_many}:
        setattr(obj, name, said[name])
    try:
        obj.full_clean(exclude=unread)
    except ValidationError as error:
        return [(name, bad) for name, bad in _told(model, error) if name not in unread]
    return []


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


def _told(model: type[Model], error: ValidationError) -> Iterator[tuple[str, Bad]]:
    """Each message of the model's validation with the field it is about; blank for the record as a whole."""
    for field, errors in error.error_dict.items():
        for single in errors:
            told = _choices(model, field, single) or " ".join(single.messages)
            yield "" if field == NON_FIELD_ERRORS else field, Bad(single.code or "invalid", told)


def _choices(model: type[Model], name: str, error: ValidationError) -> str:
    """The words of a vocabulary, for who wrote another one."""
    if error.code != "invalid_choice" or not error.params:
        return ""
    words = [str(word) for word, _ in getattr(model._meta.get_field(name), "flatchoices", ())]
    return f"Must be one of: {', '.join(words)}.{did_you_mean(str(error.params['value']), words)}" if words else ""


def _name(model: type[Model]) -> str:
    return str(model._meta.verbose_name)


def _key_text(model: type[Model]) -> str:
    return ", ".join(key_fields(model))
