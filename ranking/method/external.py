"""External values to log-odds with a variance, by the kind of their contract (METHOD 2). Pure.

Half an item is added to both sides of a rate, so that 0 and 100 % stay finite.
"""

from math import log

from ranking.method.inputs import ExternalValue
from ranking.method.refusal import Refusal

ELO = log(10) / 400
"""Log-odds in a point of rating."""


def log_odds(value: ExternalValue, row_factor: float) -> tuple[float, float]:
    """Log-odds, higher is better, and their variance.

    `row_factor` widens a standard error that upstream computed over rows instead of tasks. Raises Refusal
    `value-at-bound` where log-odds do not exist.
    """
    stderr = None if value.stderr is None else value.stderr * (row_factor if value.over_rows else 1.0)
    x, variance = _rating(value, stderr) if value.kind == "rating" else _share(value, stderr)
    return (-x if value.direction == "lower" else x), variance


def _rating(value: ExternalValue, stderr: float | None) -> tuple[float, float]:
    assert stderr is not None, "validation asks for one"
    return value.value * ELO, (stderr * ELO) ** 2


def _share(value: ExternalValue, stderr: float | None) -> tuple[float, float]:
    assert value.lower is not None, "validation asks for it"
    assert value.upper is not None, "validation asks for it"
    width = value.upper - value.lower
    share = (value.value - value.lower) / width
    counted = value.n if value.kind == "rate" and value.n else None
    if counted:
        share = (share * counted + 0.5) / (counted + 1)
    elif not 0 < share < 1:
        named = f"{value.contract} of {value.configuration}"
        raise Refusal("value-at-bound", f"{named} stands at a bound of its contract, where log-odds are infinite.")
    return log(share / (1 - share)), _variance(share, counted, None if stderr is None else stderr / width)


def _variance(share: float, counted: int | None, stderr: float | None) -> float:
    """A published standard error takes precedence over what the number of tasks implies."""
    if stderr is not None:
        return (stderr / (share * (1 - share))) ** 2
    assert counted, "validation asks for one of the two"
    return (1 / share + 1 / (1 - share)) / (counted + 1)
