"""What is wrong with a file or one of its rows, told so that the cell can be found and mended."""

from dataclasses import asdict, dataclass
from typing import Any

LONGEST_VALUE_SHOWN = 120


@dataclass(frozen=True, slots=True)
class Problem:
    """`column` is the file's own header; `reason` is a stable code, `message` a sentence for people."""

    line: int
    column: str
    value: str
    reason: str
    message: str

    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {"value": shortened(self.value)}


class Bad(Exception):  # noqa: N818  a refusal is an answer, not a fault
    """One cell cannot be taken; who reads the row adds where it stands."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message


class Unreadable(Exception):  # noqa: N818
    """The file cannot be read as a whole, but far enough to name why."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__(problems[0].message)
        self.problems = list(problems)


class NotATable(Exception):  # noqa: N818
    """The bytes are no table at all; `why` goes on after a colon."""

    def __init__(self, why: str) -> None:
        super().__init__(f"This is not a CSV of rows: {why}")
        self.why = why

    def told(self, kind: str) -> str:
        return f"This is not a {kind} CSV: {self.why}"


def shortened(text: str) -> str:
    return text if len(text) <= LONGEST_VALUE_SHOWN else f"{text[:LONGEST_VALUE_SHOWN]}…"
