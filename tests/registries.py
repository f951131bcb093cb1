"""Registries to test with, each loaded once for the tests of a module."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from pytest_django import DjangoDbBlocker

from ranking import registry_files
from registry import exchange
from registry.people import acting_user

TESTS = Path(__file__).parent


def once_a_module(fill: Callable[[], object], *, autouse: bool = False) -> Any:
    """A fixture: what `fill` writes is there in every test of the module, each of which undoes only its own.

    Its value is what `fill` returns.

    Not for tests with `transaction=True`: other connections see nothing of it.
    """

    @pytest.fixture(scope="module", autouse=autouse)
    def filled(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[object]:
        with django_db_blocker.unblock(), transaction.atomic():
            yield fill()
            transaction.set_rollback(True)

    return filled


def of_cases() -> None:
    """Contracts, configurations and the profile that the case files name."""
    exchange.load(TESTS / "cases_registry", by=acting_user(None))


def of_examples() -> None:
    """As `make demo` has it, before any file is imported."""
    registry_files.load(TESTS.parent / "examples" / "registry", by=acting_user(None))
