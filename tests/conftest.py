"""For every test; what they run against is in tests/services.py, loaded before this."""

import os
from pathlib import Path

import pytest
from django.conf import settings


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
