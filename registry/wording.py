"""Numbers with their nouns, and names one after another."""

from collections.abc import Sequence


def counted(number: int, one: str, many: str = "") -> str:
    """`1 record`, `2 records`, `0 categories`; `many` where an s does not make the plural."""
    return f"{number} {one if number == 1 else many or f'{one}s'}"


def listed(names: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`, in their order."""
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last
