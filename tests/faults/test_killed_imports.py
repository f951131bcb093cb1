"""A worker killed while it applies an import leaves all of it or nothing, and the job is done after all."""

import pytest

from benchmarks.importing.killed import killed


@pytest.mark.parametrize("database", [pytest.param("SQLite"), pytest.param("PostgreSQL", marks=pytest.mark.postgres)])
def test_a_killed_import_is_whole_or_not_there(database: str) -> None:
    found = killed(database, kills=8, rows=4_000)
    assert (found["kills"], found["partial"], found["damaged"], found["not resumed"]) == (8, 0, 0, 0)
    assert found.get("applied", 0) + found.get("untouched", 0) == 8
