"""Pages of a list that is composed in memory.

A cursor names the last row of the page before it, not a position, so that a publication between two requests neither
repeats nor skips a row that stands in both.
"""

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from ranking.api.problems import BadCursor, BadParameter
from ranking.api.rows import Row, Rows

DEFAULT_SIZE = 50
LARGEST_SIZE = 100
PARAMETERS = ("cursor", "page_size")

_MARK = "after:"
"""Begins what a cursor encodes, so that other text is no cursor."""


@dataclass(frozen=True)
class Page:
    count: int
    """Rows on all pages together."""
    rows: list[Row]
    following: str | None
    """The query string of the next page."""


def page(rows: Rows, given: Mapping[str, str]) -> Page:
    """The page that `given` asks for of `rows`, which are in order of key."""
    after = read_cursor(given["cursor"]) if "cursor" in given else None
    rest = [key for key in rows if after is None or key > after]
    shown = rest[: size(given)]
    more = len(rest) > len(shown)
    following = urlencode({**given, "cursor": cursor(shown[-1])}) if more else None
    return Page(len(rows), [rows[key] for key in shown], following)


def size(given: Mapping[str, str]) -> int:
    """Rows a page: what is asked for. Raises BadParameter beyond the hard maximum, which would be cut in silence."""
    asked = given.get("page_size", str(DEFAULT_SIZE))
    digits = asked.lstrip("0")
    # int() refuses thousands of digits, so a long number is not read at all.
    sound = digits.isascii() and digits.isdigit() and len(digits) <= len(str(LARGEST_SIZE))
    if not (sound and int(digits) <= LARGEST_SIZE):
        told = f"Parameter page_size: {asked[:40]!r} is not a whole number from 1 to {LARGEST_SIZE}."
        raise BadParameter("page_size", told)
    return int(digits)


def cursor(key: str) -> str:
    return base64.urlsafe_b64encode(f"{_MARK}{key}".encode()).rstrip(b"=").decode()


def read_cursor(text: str) -> str:
    """The key in a cursor; raises BadCursor for whatever `cursor` would not have written."""
    try:
        decoded = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True).decode()
    except (binascii.Error, ValueError):
        decoded = ""
    key = decoded.removeprefix(_MARK)
    if key == decoded or cursor(key) != text:
        raise BadCursor("cursor", "Parameter cursor was not made by this list. Follow next as it stands.")
    return key
