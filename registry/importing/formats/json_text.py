"""JSON read strictly and with every number as it was written."""

import codecs
import json
from collections import Counter
from typing import Any, Self

from registry.importing.formats.flat import whole
from registry.importing.problems import Problem, Unreadable

LARGEST = 64 * 1024 * 1024
# A value takes some 150 bytes once it is read: this many take 300 MB.
MOST_VALUES = 2_000_000
DEEPEST = 100


class Number(float):
    """A number that remembers its digits, so that `0.10`, `1e-3` and 20 digits stay what they were."""

    __slots__ = ("text",)
    text: str

    def __new__(cls, text: str) -> Self:
        number = super().__new__(cls, text)
        number.text = text
        return number


def read_json(content: bytes) -> Any:
    """One JSON value. NaN and infinities stay as their words, to be refused where a number is asked for.

    Raises `Unreadable` for what is not JSON, ambiguous (a key twice), nested too deep or too large.
    """
    return parsed(decoded(content))


def decoded(content: bytes) -> str:
    if len(content) > LARGEST:
        raise whole("too-large", f"A file of this format may hold {LARGEST // 2**20} MiB.")
    if content.count(b",") > MOST_VALUES:
        raise whole("too-many-values", f"A file of this format may hold {MOST_VALUES:,} values.")
    return decoded_text(content)


def decoded_text(content: bytes) -> str:
    """UTF-8 with or without a byte order mark. Raises `Unreadable` with the line of what is not."""
    try:
        return content.removeprefix(codecs.BOM_UTF8).decode()
    except UnicodeDecodeError as error:
        line = 1 + content.count(b"\n", 0, error.start)
        message = f"The byte 0x{error.object[error.start]:02X} here is not UTF-8. Save the file as UTF-8."
        raise Unreadable(Problem(line, "", "", "encoding", message)) from error


def parsed(text: str, line: int = 1) -> Any:
    """`line` is where the text begins in its file."""
    try:
        value = json.loads(text, object_pairs_hook=_object, parse_float=Number, parse_int=Number, parse_constant=Number)
    except json.JSONDecodeError as error:
        message = f"This is not JSON, from character {error.colno} of the line on: {error.msg}."
        raise Unreadable(Problem(line + error.lineno - 1, "", "", "not-json", message)) from error
    except RecursionError:
        raise _too_deep() from None
    _refuse_depth(value)
    return value


def text_of(value: Any) -> str:
    """A value as a cell: null is blank, text stays as it is, lists and objects are compact JSON."""
    if value is None:
        return ""
    return value if isinstance(value, str) else _compact(value)


def _compact(value: Any) -> str:
    if isinstance(value, Number):
        return value.text
    if isinstance(value, dict):
        return "{" + ",".join(f"{_compact(name)}:{_compact(part)}" for name, part in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_compact, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        name = next(name for name, times in Counter(name for name, _ in pairs).items() if times > 1)
        raise whole("repeated-key", f"The key {name} stands twice in one object: which counts?", column=name)
    return made


def _refuse_depth(value: Any) -> None:
    level, depth = [value], 0
    while level:
        if depth > DEEPEST:
            raise _too_deep()
        depth += 1
        level = [child for each in level if isinstance(each, (dict, list)) for child in _children(each)]


def _children(value: dict[str, Any] | list[Any]) -> list[Any]:
    return list(value.values()) if isinstance(value, dict) else value


def _too_deep() -> Unreadable:
    return whole("too-deep", f"The file is nested more than {DEEPEST} levels deep.")
