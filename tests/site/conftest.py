"""The example site as `make demo` makes it, once for all the tests that only read it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction

from ranking import demo

EXAMPLES = Path(settings.BASE_DIR) / "examples"


@pytest.fixture(scope="module")
def people(django_db_setup: None, django_db_blocker: Any, tmp_path_factory: Any) -> Iterator[dict[str, User]]:
    """Made in a transaction around the module; each test has a savepoint of its own in it."""
    with django_db_blocker.unblock(), transaction.atomic():
        made = demo.people(tmp_path_factory.mktemp("demo") / "accounts.txt")
        list(demo.prepare(made, EXAMPLES))
        yield made
        transaction.set_rollback(True)


@pytest.fixture
def site(people: dict[str, User], db: None) -> dict[str, User]:
    return people
