"""Many rows into a table as fast as the database takes them: COPY on PostgreSQL, one prepared statement elsewhere.

The rows are already what the columns hold; no field, default or signal of the model comes between.
"""

from collections.abc import Sequence
from typing import Any

from django.db import connection, models


def load(model: type[models.Model], columns: Sequence[str], rows: Any) -> None:
    """Insert `rows`, any iterable of sequences with a value for every one of `columns` (names in the database)."""
    table, names = _quoted(model._meta.db_table), ", ".join(map(_quoted, columns))
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {table} ({names}) FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
        else:
            places = ", ".join(["%s"] * len(columns))
            sql = f"INSERT INTO {table} ({names}) VALUES ({places})"  # noqa: S608  names of ours
            cursor.executemany(sql, rows)


def analyze(model: type[models.Model]) -> None:
    """Tell the planner how many rows there are: after a load it still believes the table to be as it was."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"ANALYZE {_quoted(model._meta.db_table)}")


def _quoted(name: str) -> str:
    return str(connection.ops.quote_name(name))
