"""For every test; what they run against is in tests/services.py, loaded before this."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.conf import settings

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def pytest_configure() -> None:
    # The default hasher takes 0.2 s a password, and no test is about its strength.
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    # Look a static file up when it is asked for, instead of listing all of them for every test client.
    settings.WHITENOISE_AUTOREFRESH = True


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """SQLite in a file, not in memory: threads then have a connection each, with the locks and WAL that users have."""
    database = settings.DATABASES["default"]
    if database["ENGINE"].endswith("sqlite3"):
        worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
        database["TEST"]["NAME"] = str(Path(os.environ["DATA_DIR"]) / f"test-{worker}.sqlite3")


@pytest.fixture(autouse=True)
def _no_counts_left() -> None:
    """Throttling counts requests in the cache, across tests."""
    from django.core.cache import cache

    cache.clear()


@pytest.fixture(scope="session", autouse=True)
def _sealed_tables_can_be_emptied() -> None:
    """Between transactional tests SQLite empties tables by DELETE, which is what the triggers refuse.

    They are taken off for the emptying and put back; PostgreSQL truncates, which they do not watch.
    """
    from django.db import connection

    if connection.vendor != "sqlite":
        return
    from django.db.backends.sqlite3.operations import DatabaseOperations

    empty = DatabaseOperations.execute_sql_flush

    def execute_sql_flush(operations: DatabaseOperations, sql_list: list[str]) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
            triggers = cursor.fetchall()
            for name, _ in triggers:
                cursor.execute(f"DROP TRIGGER {name}")
            empty(operations, sql_list)
            for _, sql in triggers:
                cursor.execute(sql)

    DatabaseOperations.execute_sql_flush = execute_sql_flush  # type: ignore[method-assign,assignment]


def _person(name: str) -> "User":
    from django.contrib.auth.models import Group, User

    user = User.objects.create_user(name, password=name, is_staff=True)
    user.groups.add(Group.objects.get(name=name))
    return user


@pytest.fixture
def editor(db: None) -> "User":
    return _person("editor")


@pytest.fixture
def publisher(db: None) -> "User":
    return _person("publisher")


@pytest.fixture
def viewer(db: None) -> "User":
    return _person("viewer")


@pytest.fixture
def admin(db: None) -> "User":
    from django.contrib.auth.models import User

    return User.objects.create_superuser("admin", password="admin")
