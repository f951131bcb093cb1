"""One cell as a value. Each parser takes the text of a cell that is not blank and raises `Bad` with the reason.

Nothing is repaired: no space is cut off, no comma taken for a point, no digit dropped, no number scaled.
"""

import math
import re
import sys
from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal, InvalidOperation
from urllib.parse import urlsplit

from registry.importing.problems import Bad
from registry.models.base import ADDRESS_WITH_ACCOUNT, names_an_account
from registry.models.evidence import LARGEST
from registry.spelling import character_name, composed, unseen

MOST_TASKS = 10**9
FIRST_DAY = date(2015, 1, 1)

NUMBER = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?"
"""Python reads more as a number, such as 1_000 and digits of other scripts."""
IS_NUMBER = re.compile(NUMBER, re.ASCII)
_COUNT = re.compile(r"\d{1,12}", re.ASCII)
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_MOMENT = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:\d{2})", re.ASCII)
_NO_NUMBERS = {"nan", "inf", "infinity"}
_GROUPED = re.compile(r"[+-]?\d{1,3}([,' \u00a0\u202f]\d{3})+(\.\d+)?", re.ASCII)
_DECIMAL_COMMA = re.compile(r"[+-]?\d*,\d+", re.ASCII)
# A double holds 17 digits; what is longer than this cannot be one, and Decimal need not look.
_LONGEST_NUMBER = 60
# Any decimal of so many digits comes back from a double as it went in.
_DIGITS_KEPT = sys.float_info.dig


def text(cell: str) -> str:
    """Free text: every character is kept."""
    return cell


def visible(cell: str) -> str:
    """Text by which something is found again: what cannot be seen cannot be told apart, and is refused."""
    if cell.isascii() and cell.isprintable() and cell[0] != " " and cell[-1] != " ":
        return cell
    if cell != cell.strip():
        raise Bad("outer-space", "There is a space or line end around this. Remove it: spaces are never cut off here.")
    if hidden := unseen(cell):
        raise Bad("invisible-character", f"Holds a character that cannot be seen: {character_name(hidden)}.")
    return cell


def name(cell: str) -> str:
    """A key or alias; both are compared in Unicode's composed form (NFC)."""
    return composed(visible(cell))


def number(cell: str) -> float:
    """A finite decimal that a double holds exactly as written, up to zeros at its end."""
    bare = visible(cell)
    if bare.lstrip("+-").lower() in _NO_NUMBERS:
        raise Bad("not-finite", "Must be a finite number.")
    if not IS_NUMBER.fullmatch(bare):
        raise Bad("not-a-number", _no_number(bare))
    value = float(bare)
    if not math.isfinite(value) or abs(value) > LARGEST:
        raise Bad("not-finite", "This number is too large to be stored.")
    if not _exact(bare, value):
        raise Bad("too-precise", f"This number would be stored as {value!r}. Round it to 15 digits at the source.")
    return value + 0.0  # minus zero is zero


def _exact(bare: str, value: float) -> bool:
    if len(bare) <= _DIGITS_KEPT and bare.lstrip("+-").replace(".", "", 1).isdigit():
        return True
    try:
        return len(bare) <= _LONGEST_NUMBER and Decimal(bare) == Decimal(repr(value))
    except InvalidOperation:  # an exponent beyond Decimal's own
        return False


def _no_number(bare: str) -> str:
    if _GROUPED.fullmatch(bare):
        return "Must be a number without thousands separators."
    if _DECIMAL_COMMA.fullmatch(bare):
        return "Must be a number with a decimal point, not a comma."
    if bare.endswith("%"):
        return (
            "Must be a number without a percent sign, in the contract's unit; a mapping profile can read percentages."
        )
    return "Must be a number such as 0.81."


def spread(cell: str) -> float:
    """A standard error or standard deviation."""
    value = number(cell)
    if value < 0:
        raise Bad("negative", "A spread is never below zero.")
    return value


def count(cell: str) -> int:
    """A number of tasks or runs."""
    bare = visible(cell)
    if not _COUNT.fullmatch(bare) or not 1 <= int(bare) <= MOST_TASKS:
        raise Bad("not-a-count", f"Must be a whole number from 1 to {MOST_TASKS}.")
    return int(bare)


def day(cell: str) -> date:
    """When it was observed; the present day is the one in UTC."""
    bare = visible(cell)
    try:
        value = date.fromisoformat(bare) if _DATE.fullmatch(bare) else None
    except ValueError:
        value = None
    if value is None:
        raise Bad("not-a-date", "Must be a date such as 2025-03-01.")
    if value < FIRST_DAY:
        raise Bad("date-too-early", f"A result observed before {FIRST_DAY} cannot be right.")
    if value > datetime.now(UTC).date():
        raise Bad("date-in-future", "This day has not come yet.")
    return value


def moment(cell: str) -> datetime:
    """When something happened, in UTC whatever the zone it was written in."""
    bare = visible(cell)
    try:
        value = datetime.fromisoformat(bare).astimezone(UTC) if _MOMENT.fullmatch(bare) else None
    except (ValueError, OverflowError):
        value = None
    if value is None:
        raise Bad("not-a-time", "Must be a date and time with its zone, such as 2025-03-01T12:30:00Z.")
    if value.date() < FIRST_DAY:
        raise Bad("date-too-early", f"What is dated before {FIRST_DAY} cannot be right.")
    if value > datetime.now(UTC):
        raise Bad("date-in-future", "This moment has not come yet.")
    return value


def one_of(*words: str) -> Callable[[str], str]:
    """A word of a closed list."""

    def parse(cell: str) -> str:
        if cell not in words:
            raise Bad("unknown-word", f"Must be one of: {', '.join(words)}.")
        return cell

    return parse


def address(cell: str) -> str:
    """Where it was published: http(s) only. It is a citation and is never fetched."""
    bare = visible(cell)
    if not _is_web_address(bare) or " " in bare:
        raise Bad("bad-address", "Must be a web address that begins with http:// or https://.")
    if names_an_account(bare):
        raise Bad("address-with-account", ADDRESS_WITH_ACCOUNT)
    return bare


def _is_web_address(bare: str) -> bool:
    try:
        parts = urlsplit(bare)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        return False
