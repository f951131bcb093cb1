"""Rows that the database itself refuses to change, whoever asks: ORM, queryset, admin or raw SQL.

Used by migrations. A migration that rebuilds one of these tables on SQLite drops its triggers with the old table and
must call `seal` again; `tests/registry/test_triggers.py` finds out.
"""

from collections.abc import Sequence
from typing import Any

from django.db.backends.base.schema import BaseDatabaseSchemaEditor

# 23001 is restrict_violation: Django raises IntegrityError on both databases.
_POSTGRESQL_FUNCTION = """
CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is sealed: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = '23001';
END $$
"""


def seal(schema_editor: BaseDatabaseSchemaEditor, table: str, columns: Sequence[str] = ()) -> None:
    """Refuse DELETE on `table`, and UPDATE of `columns` (of every column where none is named)."""
    for statement in statements(schema_editor.connection.vendor, table, columns):
        schema_editor.execute(statement, params=None)


def unseal(schema_editor: BaseDatabaseSchemaEditor, table: str) -> None:
    for name in ("update", "delete"):
        on = f" ON {table}" if schema_editor.connection.vendor == "postgresql" else ""
        schema_editor.execute(f"DROP TRIGGER IF EXISTS {table}_no_{name}{on}", params=None)


def statements(vendor: str, table: str, columns: Sequence[str]) -> list[str]:
    of = f" OF {', '.join(columns)}" if columns else ""
    events = {"update": f"UPDATE{of}", "delete": "DELETE"}
    if vendor == "postgresql":
        return [_POSTGRESQL_FUNCTION, *(_postgresql(table, name, event) for name, event in events.items())]
    return [_sqlite(table, name, event) for name, event in events.items()]


def _postgresql(table: str, name: str, event: str) -> str:
    return (
        f"CREATE OR REPLACE TRIGGER {table}_no_{name} BEFORE {event} ON {table} "
        "FOR EACH ROW EXECUTE FUNCTION refuse_change()"
    )


def _sqlite(table: str, name: str, event: str) -> str:
    return (
        f"CREATE TRIGGER IF NOT EXISTS {table}_no_{name} BEFORE {event} ON {table} "
        f"BEGIN SELECT RAISE(ABORT, '{table} is sealed: {name} refused'); END"
    )


def operations(tables: dict[str, Sequence[str]]) -> Any:
    """The two callables of a RunPython that seals `tables` (name -> columns that may not change)."""

    def forwards(apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
        for table, columns in tables.items():
            seal(schema_editor, table, columns)

    def backwards(apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
        for table in tables:
            unseal(schema_editor, table)

    return forwards, backwards
