"""A public installation with an unsafe default does not start, and says which."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import connection

SAFE = {
    "SITE_URL": "https://assay.example",
    "ALLOWED_HOSTS": "assay.example",
    "REQUIRE_OTP": "1",
    "DATABASE_URL": "postgres://assay@db/assay",
    "CELERY_BROKER_URL": "redis://redis/0",
}


def start(directory: Path, **environment: str) -> str:
    """What `gunicorn config.wsgi` would say on standard error; empty when it starts."""
    done = subprocess.run(
        [sys.executable, "-c", "import config.wsgi"],
        env={"PATH": os.environ["PATH"], "DATA_DIR": str(directory), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stderr.strip().splitlines()[-1] if done.returncode else ""


def test_starts_with_nothing_set_on_loopback(tmp_path):
    assert start(tmp_path) == ""


def test_starts_in_public_when_everything_is_set(tmp_path):
    assert start(tmp_path, **SAFE) == ""


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"DEBUG": "1"}, "DEBUG"),
        ({"SECRET_KEY": "secret"}, "SECRET_KEY"),
        ({"ALLOWED_HOSTS": "*"}, "ALLOWED_HOSTS"),
        ({"SITE_URL": "http://assay.example"}, "SITE_URL"),
        ({"REQUIRE_OTP": "0"}, "REQUIRE_OTP"),
        ({"DATABASE_URL": "sqlite:////nowhere/assay.sqlite3"}, "DATABASE_URL"),
    ],
)
def test_one_unsafe_setting_is_refused_by_name(tmp_path, change, named):
    said = start(tmp_path, **{**SAFE, **change})
    assert f"Not started. {named} " in said
    assert [name for name in [*SAFE, "DEBUG", "SECRET_KEY"] if f" {name} " in said] == [named]


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "127.8.8.8", "desk.localhost"])
def test_loopback(host):
    from config.checks import is_loopback

    assert is_loopback(host)


@pytest.mark.parametrize("host", ["*", "", "0.0.0.0", "assay.example", "10.0.0.1", "localhost.example"])
def test_not_loopback(host):
    from config.checks import is_loopback

    assert not is_loopback(host)


@pytest.mark.postgres
@pytest.mark.django_db
def test_a_cursor_on_the_server_is_planned_to_be_read_to_its_end() -> None:
    """Else judging a hundred thousand rows takes the plan for the first of them, and hours."""
    with connection.cursor() as cursor:
        cursor.execute("SHOW cursor_tuple_fraction")
        assert cursor.fetchone() == ("1",)
