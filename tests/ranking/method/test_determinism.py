"""The same evidence gives the same bytes, whatever computes it; and the method needs nothing of the site."""

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from ranking.canonical import plain, text
from tests.ranking.method.answer import answer

ROOT = Path(__file__).parents[3]


@cache
def here() -> str:
    return text(plain(answer()))


def run(*arguments: str, **environment: str) -> str:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
    ).stdout


@pytest.mark.parametrize(
    "environment",
    [
        {"OPENBLAS_NUM_THREADS": "1", "PYTHONHASHSEED": "1"},
        {"OPENBLAS_NUM_THREADS": "2", "PYTHONHASHSEED": "2", "TZ": "Pacific/Chatham"},
        # evalica's Python solver instead of the compiled one; it warns, once, that it does.
        {"EVALICA_NIJE_BRZO": "1", "PYTHONWARNINGS": "ignore"},
    ],
    ids=["one thread", "two threads", "Python solver"],
)
def test_the_answer_is_the_same_to_six_digits(environment: dict[str, str]) -> None:
    assert run("-m", "tests.ranking.method.answer", **environment) == here()


def test_the_method_loads_neither_django_nor_the_registry() -> None:
    script = (
        "import pkgutil, sys, ranking.method as method\n"
        "for module in pkgutil.walk_packages(method.__path__, 'ranking.method.'): __import__(module.name)\n"
        "print([name for name in sys.modules if name.split('.')[0] in {'django', 'registry', 'config'}])"
    )
    assert run("-c", script).strip() == "[]"
