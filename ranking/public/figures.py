"""The one way in which a number of a ranking is written in a page: one decimal, half to even.

Data and pages share the sealed number; only here is it shortened.
"""

from decimal import ROUND_HALF_EVEN, Decimal

TENTH = Decimal("0.1")
MINUS = "\N{MINUS SIGN}"


def one(number: float | str) -> str:
    """`52.4`. Rounded as the decimal that the data shows, of which a percentage is text."""
    rounded = Decimal(str(number)).quantize(TENTH, rounding=ROUND_HALF_EVEN)
    return str(rounded + 0 if rounded else abs(rounded)).replace("-", MINUS)


def signed(number: float) -> str:
    """`+1.2`, `−0.4`, `0.0`."""
    said = one(number)
    return said if said.startswith(MINUS) or said == "0.0" else f"+{said}"


def interval(low: float | None, high: float | None) -> str:
    """Of 95 %; one side may be open, and where both are there is none."""
    if low is None:
        return "none" if high is None else f"below {one(high)}"
    return f"above {one(low)}" if high is None else f"{one(low)} to {one(high)}"


def span(first: int, last: int) -> str:
    """`2 to 5`, and `2` where nothing else is possible."""
    return str(first) if first == last else f"{first} to {last}"


def percent(number: float | str | None) -> str:
    """Coverage; a configuration that has none says so."""
    return "not measured" if number is None else f"{one(number).removesuffix('.0')}%"
