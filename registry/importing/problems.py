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
        told = asdict(self) | {"value": shortened(self.value)}
        return {name: part if name == "line" else writable(part) for name, part in told.items()}


class Bad(Exception):  # noqa: N818  a refusal is an answer, not a fault
    """One cell cannot be taken; who reads the row adds where it stands."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message


class Unreadable(Exception):  # noqa: N818
    """The file cannot be read as a whole, but far enough to name why."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__(writable(problems[0].message))
        self.problems = list(problems)


class NotATable(Exception):  # noqa: N818
    """The bytes are no table at all; `why` goes on after a colon."""

    def __init__(self, why: str) -> None:
        self.why = writable(why)
        super().__init__(f"This is not a table of rows: {self.why}")

    def told(self, kind: str) -> str:
        return f"This is not a table of {kind}: {self.why}"


def writable(text: str) -> str:
    """As every page and database takes it: NUL and half a character, which escapes in JSON bring, are spelled out."""
    if text.isascii() and "\0" not in text:
        return text
    return text.replace("\0", "\\u0000").encode(errors="backslashreplace").decode()


def shortened(text: str) -> str:
    return text if len(text) <= LONGEST_VALUE_SHOWN else f"{text[:LONGEST_VALUE_SHOWN]}…"
