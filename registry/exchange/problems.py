"""What is wrong with the files, told so that the line can be found and mended."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Problem:
    """`record` counts from 1 within the file; 0 is the file as a whole. `reason` is a stable code."""

    file: str
    record: int
    field: str
    value: Any
    reason: str
    message: str

    def __str__(self) -> str:
        place = [self.file] + [f"record {self.record}"] * bool(self.record) + [f"field {self.field}"] * bool(self.field)
        value = "" if self.value is None else f" (value: {shortened(self.value)})"
        return f"{', '.join(place)}: {self.message}{value}"

    def as_dict(self) -> dict[str, Any]:
        return asdict(self) | {"value": None if self.value is None else shortened(self.value)}


class LoadRefused(Exception):  # noqa: N818  a refusal is an answer, not a fault
    """Nothing was stored; `problems` names each reason."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = list(problems)
        super().__init__("\n".join(map(str, self.problems)))


class Bad(Exception):  # noqa: N818
    """One value cannot be taken; who reads the record adds where it stands."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message


def shortened(value: Any, length: int = 120) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= length else f"{text[:length]}…"
