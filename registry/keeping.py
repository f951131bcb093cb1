"""The whole database in one file, and back: for an operator's night, a move to another machine or another database.

A ZIP holds `manifest.json` (the format, the migrations it was made under, each member's rows and SHA-256) and one
member a table, a row a line, in order of primary key; uploads are rows and so inside. Left out is what a new
installation makes itself: content types, permissions and roles, which are named instead of numbered, and sessions.
"""

import hashlib
import json
import os
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedIOBase
from itertools import islice
from pathlib import Path
from typing import IO, Any, cast

from django.apps import apps
from django.core import serializers
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import connection, transaction
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Model

from registry.actions.base import Refused
from registry.people import COMMAND_LINE

FORMAT = 1
MANIFEST = "manifest.json"
MADE_ANEW = frozenset(
    {"contenttypes.contenttype", "auth.permission", "auth.group", "sessions.session", "admin.logentry"}
)
OURS = ("registry", "ranking")
AT_ONCE = 500
"""Rows written by one statement."""


def tables() -> list[type[Model]]:
    """What is kept, each after what it refers to."""
    models = serializers.sort_dependencies([(config, None) for config in apps.get_app_configs()])
    return [model for model in models if model._meta.managed and model._meta.label_lower not in MADE_ANEW]


def migrations() -> list[str]:
    """Those of our own tables, which say what columns a row has."""
    applied = MigrationRecorder(connection).applied_migrations()
    return sorted(f"{app}.{name}" for app, name in applied if app in OURS)


# Out ------------------------------------------------------------------------------------------------------------------


def backup(path: Path) -> dict[str, int]:
    """Write the file, whole or not at all; the rows of each table. Others wait or see nothing of it: one reading."""
    partial = path.with_name(f"{path.name}.partial")
    try:
        # It holds password hashes: nobody but its owner reads it.
        with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            counts = _write(file)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
    return counts


def _write(file: IO[bytes]) -> dict[str, int]:
    members: dict[str, Any] = {}
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive, _one_reading():
        for model in tables():
            members[model._meta.label_lower] = _write_table(archive, model)
        told = {"format": FORMAT, "migrations": migrations(), "members": members}
        archive.writestr(MANIFEST, json.dumps(told, indent=1, sort_keys=True))
    return {name: member["rows"] for name, member in members.items()}


@contextmanager
def _one_reading() -> Iterator[None]:
    """What is written meanwhile is not seen: on SQLite it waits, PostgreSQL must be asked to keep one view."""
    outermost = not connection.in_atomic_block
    with transaction.atomic():
        if outermost and connection.vendor == "postgresql":
            connection.cursor().execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        yield


def _write_table(archive: zipfile.ZipFile, model: type[Model]) -> dict[str, Any]:
    rows, digest = 0, hashlib.sha256()
    found = model._base_manager.order_by("pk").iterator(chunk_size=AT_ONCE)
    with archive.open(f"{model._meta.label_lower}.jsonl", "w", force_zip64=True) as member:
        while batch := list(islice(found, AT_ONCE)):
            lines = serializers.serialize("jsonl", batch, use_natural_foreign_keys=True).encode()
            member.write(lines)
            digest.update(lines)
            rows += len(batch)
    return {"rows": rows, "sha256": digest.hexdigest()}


# Back -----------------------------------------------------------------------------------------------------------------


def restore(path: Path, *, replace: bool = False) -> dict[str, int]:
    """Fill an empty, migrated database from the file; the rows of each table.

    With `replace` everything that is in the database goes first. Raises Refused where the file is no whole backup of
    this version, or where the database holds something and nobody said that it may go.
    """
    with _opened(path) as archive:
        manifest = _manifest(archive)
        _check(archive, manifest)
        if replace:
            _start_anew()
        elif not is_empty():
            raise Refused("not-empty", "The database is not empty. --replace removes everything in it first.")
        if manifest["migrations"] != migrations():
            raise Refused("other-version", _version_sentence(manifest["migrations"]))
        with transaction.atomic():
            apps.get_model("auth.user").objects.filter(username=COMMAND_LINE).delete()
            for model in tables():
                _read_table(archive, model)
        _let_sequences_follow()
    return {name: member["rows"] for name, member in manifest["members"].items()}


def is_empty() -> bool:
    """Nothing is in it but what `migrate` makes."""
    people = apps.get_model("auth.user").objects.exclude(username=COMMAND_LINE)
    kept = (model for model in tables() if model._meta.app_label in OURS)
    return not people.exists() and not any(model._base_manager.exists() for model in kept)


def _opened(path: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(path)
    except zipfile.BadZipFile as error:
        raise Refused("no-backup", f"{path} is no backup: {error}.") from error


def _manifest(archive: zipfile.ZipFile) -> dict[str, Any]:
    try:
        manifest: dict[str, Any] = json.loads(archive.read(MANIFEST))
        if manifest["format"] != FORMAT:
            raise Refused("other-format", f"The backup has format {manifest['format']}; this reads {FORMAT}.")
    except (KeyError, TypeError, ValueError, zipfile.BadZipFile) as error:
        raise Refused("no-backup", "The file is no backup: it has no manifest that can be read.") from error
    return manifest


def _check(archive: zipfile.ZipFile, manifest: dict[str, Any]) -> None:
    """Every member is there with the bytes that were written, before anything is touched."""
    wanted = {model._meta.label_lower for model in tables()}
    if wanted != set(manifest["members"]):
        names = ", ".join(sorted(wanted ^ set(manifest["members"])))
        raise Refused("other-version", f"The backup is of another version of the site. It differs in: {names}.")
    for name, member in manifest["members"].items():
        try:
            with archive.open(f"{name}.jsonl") as file:
                sound = hashlib.file_digest(cast("BufferedIOBase", file), "sha256").hexdigest() == member["sha256"]
        except (KeyError, zipfile.BadZipFile, EOFError):
            sound = False
        if not sound:
            raise Refused("damaged", f"The backup is damaged at {name}. Nothing was done.")


def _version_sentence(made_under: list[str]) -> str:
    names = ", ".join(sorted(set(made_under) ^ set(migrations())))
    return (
        f"The backup was made under other migrations ({names}). Restore it with the code it was made by, then upgrade."
    )


def _start_anew() -> None:
    """Drop every table, whoever made it, and migrate. Sealed rows cannot be deleted one by one, and should not be."""
    cascade = " CASCADE" if connection.vendor == "postgresql" else ""
    with connection.constraint_checks_disabled(), connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"DROP TABLE {connection.ops.quote_name(table)}{cascade}")
    call_command("migrate", verbosity=0, interactive=False)


def _read_table(archive: zipfile.ZipFile, model: type[Model]) -> None:
    """In its own order; references forward are checked when the transaction ends."""
    with archive.open(f"{model._meta.label_lower}.jsonl") as member:
        rows = serializers.deserialize("jsonl", (line.decode() for line in member))
        while batch := list(islice(rows, AT_ONCE)):
            model._base_manager.bulk_create([row.object for row in batch])
            for row in batch:
                for name, members in (row.m2m_data or {}).items():
                    getattr(row.object, name).set(members)


def _let_sequences_follow() -> None:
    """On PostgreSQL the next row would otherwise take a number that is in use."""
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), tables()):
            cursor.execute(statement)
