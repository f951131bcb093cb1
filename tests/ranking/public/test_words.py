"""A verdict beside its numbers: it reads right where more is observed than asked, and where less is."""

from typing import Any

import pytest

from ranking.gate import CODES
from ranking.public import words


def told(code: str, verdict: str, observed: float | None, required: float) -> str:
    answer: dict[str, Any] = {"verdict": verdict, "observed": observed, "required": required}
    return words.criterion(code).told(answer)


@pytest.mark.parametrize(
    ("code", "answer", "said"),
    [
        ("external-evidence", ("passed", 24, 1), "met: 24, at least 1 asked"),
        ("independence", ("failed", 1, 2), "not met: 1, at least 2 asked"),
        ("coverage", ("passed", 87.5, 80), "met: 87.5%, at least 80% asked"),
        ("facets", ("failed", 0, 4), "not met: 0 of 4"),
        ("rights", ("passed", 2, 2), "met: 2 of 2"),
        ("reliability", ("failed", 3, 4), "not met: 3 of 4"),
        ("judges", ("not-testable", None, 1), "cannot be tested"),
        ("of-a-later-policy", ("passed", 2, 2), "met: 2 of 2"),
    ],
)
def test_a_verdict_stands_beside_its_numbers(code: str, answer: tuple[str, float | None, float], said: str) -> None:
    assert told(code, *answer) == said


@pytest.mark.parametrize("code", CODES)
def test_no_criterion_says_that_there_are_more_than_all(code: str) -> None:
    """Only what has as many as there are can be so many of them: the others are compared with the least."""
    of_all = words.criterion(code).compared == words.OF_ALL
    assert of_all == (code not in ("external-evidence", "first-party-evidence", "independence", "field", "coverage"))
