"""What every command says of arguments that are no use, by its exit code: 2 of usage, 1 where the state refuses."""

import subprocess
import sys
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from registry.models import Collection
from tests.ranking.public import world

WHY = ("--reason", "Because.")


@pytest.fixture
def collection(db: None) -> Collection:
    world.build()
    return Collection.objects.get(slug=world.SLUG)


def code_of(*arguments: str) -> Any:
    with pytest.raises(CommandError) as caught:
        call_command(*arguments)
    return caught.value.returncode


@pytest.mark.parametrize(
    "command",
    [
        ("recompute", world.SLUG),
        ("seal", world.SLUG),
        ("publish", world.SLUG, "--confirm", world.SLUG, *WHY),
        ("supersede", world.SLUG, "--confirm", world.SLUG, *WHY),
        ("withdraw", world.SLUG, "--confirm", world.SLUG, *WHY),
        ("revert_batch", "1", *WHY),
        ("load_registry", "examples/registry", *WHY),
    ],
    ids=lambda command: command[0],
)
def test_somebody_unknown_is_usage(collection: Collection, command: tuple[str, ...]) -> None:
    assert code_of(*command, "--by", "nobody") == 2


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (("seal", world.SLUG, "--by", "viewer"), 2),
        (("seal", "no-such-category"), 2),
        (("recompute", "no-such-category"), 2),
        (("bundle", "0" * 12, "nowhere.zip"), 2),
        (("verify", "0" * 12), 2),
        (("seal", world.SLUG, "--kind", "ranking"), 1),
        (("publish", world.SLUG, "--confirm", world.SLUG, *WHY), 1),
    ],
)
def test_a_name_of_nothing_is_usage_and_a_state_is_a_refusal(
    collection: Collection, viewer: User, command: tuple[str, ...], code: int
) -> None:
    assert code_of(*command) == code


@pytest.mark.parametrize("command", ["seal", "import_results", "verify", "up", "migrate"])
def test_bytes_that_are_no_text_are_named(command: str) -> None:
    """Whatever the command: it is found before Django starts."""
    found = subprocess.run(
        [sys.executable, "manage.py", command, b"caf\xe9"], cwd=settings.BASE_DIR, capture_output=True, check=False
    )
    assert (found.returncode, found.stdout) == (2, b"")
    assert found.stderr.decode() == "Argument 2 is not valid UTF-8: caf\\xe9\n"
