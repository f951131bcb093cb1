"""One way to write data as bytes, so that equal data has equal digests on every machine."""

import hashlib
import json
import math
from dataclasses import fields, is_dataclass
from decimal import ROUND_HALF_EVEN, Decimal
from functools import cache
from typing import Any

SIX = Decimal("0.000001")
WHOLE_FROM = 2.0**53
"""From here on a double has no fraction to round."""


def plain(data: Any) -> Any:
    """`data` as JSON types: dataclasses become objects, floats are rounded half-even to 6 digits.

    Raises ValueError on NaN and the infinities, which no reader of JSON agrees on.
    """
    if data is None or isinstance(data, str | int):  # Most of what there is; bool is an int.
        return data
    if isinstance(data, float):
        return rounded(data)
    if isinstance(data, list | tuple):
        return [plain(item) for item in data]
    if isinstance(data, dict):
        return {str(key): plain(value) for key, value in data.items()}
    if isinstance(data, Decimal):
        return format(data.normalize(), "f")
    names = _fields(type(data))  # type: ignore[arg-type]  # a class is hashable
    return {name: plain(getattr(data, name)) for name in names} if names else data


@cache
def _fields(kind: type) -> tuple[str, ...]:
    """Of a dataclass; nothing has more rows than evidence, and these are asked for with each."""
    return tuple(field.name for field in fields(kind)) if is_dataclass(kind) else ()


def rounded(number: float) -> float:
    if not math.isfinite(number):
        raise ValueError(f"{number} has no place in a canonical form")
    if abs(number) >= WHOLE_FROM:
        return number
    # `+ 0.0` makes of minus zero a zero.
    return float(Decimal(repr(number)).quantize(SIX, rounding=ROUND_HALF_EVEN)) + 0.0


def text(data: Any) -> str:
    """Canonical JSON: sorted keys, no spaces, UTF-8 as it is."""
    return json.dumps(plain(data), sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def digest(data: Any) -> str:
    """SHA-256, in hexadecimal, of the canonical JSON."""
    return sha256(text(data))


def sha256(body: str) -> str:
    return hashlib.sha256(body.encode()).hexdigest()
