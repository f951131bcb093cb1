"""Numbers with their nouns."""


def counted(number: int, one: str, many: str = "") -> str:
    """`1 record`, `2 records`, `0 categories`; `many` where an s does not make the plural."""
    return f"{number} {one if number == 1 else many or f'{one}s'}"
