"""The registry into files: the same records give the same bytes, whatever the database and the order of entry."""

from pathlib import Path
from typing import Any

import yaml
from django.db import transaction
from django.db.models import QuerySet

from registry.exchange.exclusions import LOCAL_SCOPES
from registry.exchange.places import MODELS, AnyField, fields_of, file_name, key_fields, lookups, target_of
from registry.exchange.values import write
from registry.models import Curated, Exclusion

Record = dict[str, Any]


class _Flow(list[Any]):
    """A list that stays on its line."""


class _Dumper(yaml.SafeDumper):
    def ignore_aliases(self, data: Any) -> bool:
        return True


def _on_its_line(dumper: yaml.SafeDumper, data: _Flow) -> yaml.Node:
    return dumper.represent_sequence("tag:yaml.org,2002:seq", data, flow_style=True)


def _text(dumper: yaml.SafeDumper, data: str) -> yaml.Node:
    """Quoted and escaped where it holds what YAML takes for the end of a line and would fold."""
    return dumper.represent_scalar("tag:yaml.org,2002:str", data, style='"' if _FOLDED & set(data) else None)


_FOLDED = set("\r\x85\u2028\u2029")
_Dumper.add_representer(_Flow, _on_its_line)
_Dumper.add_representer(str, _text)


def dump(directory: Path) -> dict[str, int]:
    """Write every model that has records and remove the file of one that has none; records by file."""
    directory.mkdir(parents=True, exist_ok=True)
    counts: dict[str, int] = {}
    with transaction.atomic():
        for model in MODELS:
            counts |= write_file(directory / file_name(model), records_of(model))
    return counts


def write_file(path: Path, records: list[Record]) -> dict[str, int]:
    if not records:
        path.unlink(missing_ok=True)
        return {}
    path.write_text(as_yaml(records), encoding="utf-8", newline="\n")
    return {path.stem: len(records)}


def as_yaml(records: list[Record]) -> str:
    """Records in YAML with their lists on a line each. PyYAML's own emitter: libyaml breaks lines elsewhere."""
    shown = [{name: _shown(value) for name, value in record.items()} for record in records]
    return yaml.dump(shown, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=116)


def value_as_yaml(value: Any) -> str:
    """One value in the same form."""
    return yaml.dump(_shown(value), Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=116)


def _shown(value: Any) -> Any:
    """Names within a value in alphabetical order, since PostgreSQL keeps none; lists of plain items on their line."""
    if isinstance(value, dict):
        return {name: _shown(value[name]) for name in sorted(value)}
    if isinstance(value, list):
        plain = not any(isinstance(item, dict) for item in value)
        return _Flow(value) if plain else [_shown(item) for item in value]
    return value


def records_of(model: type[Curated]) -> list[Record]:
    """All records of `model` as files hold them: default values, and what names this installation, left out."""
    among = None
    if model is Exclusion:
        among = Exclusion.objects.exclude(scope__in=LOCAL_SCOPES)
    return [_without_defaults(model, record) for record in whole_records(model, among)]


def whole_records(model: type[Curated], among: QuerySet[Any] | None = None) -> list[Record]:
    """All records of `model`, or those `among` a queryset, with every field in plain form.

    Ordered by natural key in Python: databases collate differently.
    """
    fields = fields_of(model)
    columns = [path for field in fields if not field.many_to_many for path in lookups(field)]
    rows = model._base_manager.values("pk", *columns)
    if among is not None:
        rows = rows.filter(pk__in=among.order_by().values("pk"))
    members = {field.name: _members(model, field) for field in fields if field.many_to_many}
    records = [_record(fields, row | {name: by.get(row["pk"], []) for name, by in members.items()}) for row in rows]
    return sorted(records, key=lambda record: [_order(record[name]) for name in key_fields(model)])


def _members(model: type[Curated], field: AnyField) -> dict[int, list[Any]]:
    """The members of one many-to-many field, by primary key."""
    found: dict[int, list[Any]] = {}
    for pk, *parts in model._base_manager.exclude(**{field.name: None}).values_list("pk", *lookups(field)):
        found.setdefault(pk, []).append(_reference(parts))
    return {pk: sorted(references, key=_order) for pk, references in found.items()}


def _record(fields: tuple[AnyField, ...], row: dict[str, Any]) -> Record:
    return {field.name: _plain(field, row) for field in fields}


def _without_defaults(model: type[Curated], record: Record) -> Record:
    return {field.name: record[field.name] for field in fields_of(model) if not _is_default(field, record[field.name])}


def _plain(field: AnyField, row: dict[str, Any]) -> Any:
    if field.many_to_many or target_of(field) is None:
        return write(row[field.name])
    return _reference([row[path] for path in lookups(field)])


def _reference(parts: list[Any]) -> Any:
    if parts[0] is None:
        return None
    return parts[0] if len(parts) == 1 else parts


def _is_default(field: AnyField, value: Any) -> bool:
    default: Any = [] if field.many_to_many else field.get_default()
    return bool(value == default)


def _order(value: Any) -> list[str]:
    return [str(part) for part in value] if isinstance(value, list) else ["" if value is None else str(value)]
