"""Staged rows into the table that counts, in one statement."""

from django.db import connection, models

from registry.models import ImportBatch, StagedRow
from registry.vocabulary import ResultState

_MOVED = "('new', 'changed')"


def move(
    batch: ImportBatch, staged: type[StagedRow], into: type[models.Model], columns: dict[str, str], joined: str = ""
) -> None:
    """Insert the rows of `batch` that are new or corrected, in the order of the file.

    `columns` gives the expression for each column of `into`, over `staged` under that name and whatever is `joined`.
    """
    every = {"batch_id": "staged.batch_id", "line": "staged.line", "source_id": "%s", "state": "%s"} | columns
    names = ", ".join(connection.ops.quote_name(name) for name in every)
    sql = (
        f"INSERT INTO {into._meta.db_table} ({names}) SELECT {', '.join(every.values())} "
        f"FROM {staged._meta.db_table} AS staged {joined} "
        f"WHERE staged.batch_id = %s AND staged.verdict IN {_MOVED} ORDER BY staged.line"
    )
    with connection.cursor() as cursor:
        cursor.execute(sql, [batch.source_id, ResultState.ACTIVE.value, batch.pk])
