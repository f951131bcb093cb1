"""A directory of registry files with the policies of its editions, in and out."""

from pathlib import Path
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F

from ranking.actions.policies import load_policy
from ranking.models import GatePolicy
from ranking.models.gates import PolicyState
from registry import exchange
from registry.actions.base import Refused
from registry.exchange import LoadRefused, Problem
from registry.models import Edition

POLICIES = "gate_policies.yaml"
FIELDS = ("edition", "version", "title", "reason", "thresholds")

_POLICY_FIELDS = {field.name: field for field in GatePolicy._meta.concrete_fields}

Record = dict[str, Any]
Fault = tuple[str, Any, str, str]


def load(directory: Path, *, by: AbstractUser, reason: str = "") -> dict[str, int]:
    """Everything in `directory` or nothing; how many records were written, by file.

    Raises as `exchange.load` does, and `Refused` where there is nothing to load.
    """
    if problems := _misplaced(directory):
        raise LoadRefused(problems)
    with transaction.atomic():
        return exchange.load(directory, by=by, reason=reason) | _load_policies(directory / POLICIES, by=by)


def dump(directory: Path) -> dict[str, int]:
    """The whole registry and the policies in force; how many records, by file."""
    counts = exchange.dump(directory)
    policies = GatePolicy.objects.filter(state=PolicyState.ACTIVE).values(*FIELDS[1:], edition_key=F("edition__key"))
    records = [{"edition": policy.pop("edition_key"), **policy} for policy in policies]
    return counts | exchange.write_file(directory / POLICIES, sorted(records, key=lambda record: record["edition"]))


def _misplaced(directory: Path) -> list[Problem]:
    """A file that nothing would read is a misspelt name, and its records would be missing without a word."""
    known = {exchange.file_name(model) for model in exchange.MODELS} | {POLICIES}
    if not directory.is_dir():
        raise Refused("no-directory", f"There is no directory {directory}.")
    names = sorted(path.name for path in directory.iterdir() if path.suffix in {".yaml", ".yml"})
    if not names:
        raise Refused("nothing-to-load", f"The directory {directory} holds no YAML file.")
    message = f"No file of that name is read. Files are: {', '.join(sorted(known))}."
    return [Problem(name, 0, "", None, "unknown-file", message) for name in names if name not in known]


def _load_policies(path: Path, *, by: AbstractUser) -> dict[str, int]:
    records, problems = exchange.records(path)
    before = GatePolicy.objects.count()
    for number, record in enumerate(records, 1):
        problems += [Problem(POLICIES, number, *fault) for fault in _faults_of_loading(record, by=by)]
    if problems:
        raise LoadRefused(problems)
    return {path.stem: GatePolicy.objects.count() - before} if records else {}


def _faults_of_loading(record: Record, *, by: AbstractUser) -> list[Fault]:
    """Load one policy; field, value, code and sentence of each fault."""
    if faults := [fault for name in record.keys() | set(FIELDS) if (fault := _fault(name, record))]:
        return sorted(faults, key=lambda fault: fault[0])
    edition = Edition.objects.get(key=record["edition"])
    try:
        load_policy(**record | {"edition": edition}, by=by)
    except Refused as refused:
        return [("", None, refused.code, refused.sentence)]
    except ValidationError as error:
        return [(name, record.get(name), "invalid", " ".join(told)) for name, told in error.message_dict.items()]
    return []


def _fault(name: str, record: Record) -> Fault | None:
    if name not in FIELDS:
        return name, record[name], "unknown-field", f"There is no such field. A policy holds: {', '.join(FIELDS)}."
    if name not in record:
        return name, None, "missing", "This field must be given."
    try:
        if name != "edition":
            exchange.read(_POLICY_FIELDS[name], record[name])
        elif not Edition.objects.filter(key=exchange.text(record[name])).exists():
            raise exchange.Bad("unknown-reference", "There is no such edition.")
    except exchange.Bad as bad:
        return name, record[name], bad.reason, bad.message
    return None
