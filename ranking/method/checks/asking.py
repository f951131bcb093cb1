"""How a check answers: required, observed, missing, verdict, reason, sentence. Pure."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ranking.method.results import FAILED, NOT_TESTABLE, PASSED, Check

EXACT = 1e-9
"""Slack of a comparison with a threshold, so that .9 of 10 units is not failed by the last bit."""


def at_least(code: str, required: float, observed: float, what: str, beside: Mapping[str, Any] | None = None) -> Check:
    """`what` names the figure; a failure is `too-low`."""
    short = max(0.0, float(required) - float(observed))
    missing = _plain(short) if short > EXACT else 0
    verdict, reason = (FAILED, "too-low") if missing else (PASSED, "enough")
    message = f"{what}: {_shown(observed)}. Required: at least {_shown(required)}."
    return Check(code, _plain(required), _plain(observed), missing, verdict, reason, message, beside or {})


def at_most(code: str, limit: float, observed: float, what: str, beside: Mapping[str, Any] | None = None) -> Check:
    """A failure is `too-high`; `missing` is the excess."""
    over = max(0.0, float(observed) - float(limit))
    missing = _plain(over) if over > EXACT else 0
    verdict, reason = (FAILED, "too-high") if missing else (PASSED, "enough")
    message = f"{what}: {_shown(observed)}. Allowed: at most {_shown(limit)}."
    return Check(code, _plain(limit), _plain(observed), missing, verdict, reason, message, beside or {})


def not_testable(code: str, required: float, reason: str, message: str) -> Check:
    """What cannot be computed is not passed."""
    return Check(code, _plain(required), None, None, NOT_TESTABLE, reason, message)


def lowest(code: str, required: float, figures: Mapping[str, float], what: str) -> Check:
    """The smallest of several figures decides, all stand beside it."""
    if not figures:
        return not_testable(code, required, "nothing-to-measure", f"{what}: there is nothing to measure it on.")
    return at_least(code, required, min(figures.values()), what, {name: _plain(one) for name, one in figures.items()})


def criterion(code: str, parts: tuple[Check, ...]) -> Check:
    """All of its statistics must pass; the first that does not gives the reason."""
    passed = sum(part.verdict == PASSED for part in parts)
    failing = [part for part in parts if part.verdict != PASSED]
    verdict = PASSED
    if failing:
        verdict = FAILED if any(part.verdict == FAILED for part in failing) else NOT_TESTABLE
    return Check(
        code=code,
        required=len(parts),
        observed=passed,
        missing=len(parts) - passed,
        verdict=verdict,
        reason=failing[0].code if failing else "enough",
        message=" ".join(part.message for part in failing) or f"All {len(parts)} statistics reach what is required.",
        parts=parts,
    )


def untested(code: str, reason: str, message: str) -> Check:
    """A criterion none of whose statistics could be computed."""
    return Check(code, 1, None, None, NOT_TESTABLE, reason, message)


def _plain(number: float) -> float | int:
    """Python's own numbers: counts stay whole."""
    if isinstance(number, int | np.integer):
        return int(number)
    return float(number)


def _shown(number: float) -> str:
    return str(int(number)) if float(number).is_integer() else f"{float(number):.3f}"
