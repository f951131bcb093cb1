"""Numbers with their nouns, and lists as a sentence has them."""

from collections.abc import Sequence


def counted(number: int, one: str, many: str = "") -> str:
    """`1 record`, `2 records`, `0 categories`; `many` where an s does not make the plural."""
    return f"{number} {one if number == 1 else many or f'{one}s'}"


def joined(parts: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))
