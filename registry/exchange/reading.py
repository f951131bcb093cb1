"""A YAML file as a list of records. The file may come from anywhere, so that nothing in it is believed.

Only plain data is constructed. Size and depth are bounded and aliases refused, because a few lines of aliases unfold
into gigabytes; a name given twice is refused, because YAML would keep the last one without a word.
"""

from pathlib import Path
from typing import Any

import yaml

from registry.exchange.problems import Problem, shortened

LARGEST_FILE = 8 * 1024 * 1024
DEEPEST = 20

Record = dict[str, Any]
Fault = tuple[str, str]


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]  # C where PyYAML was built with it
    """The safe loader, which also refuses a name given twice in one mapping."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:  # noqa: FBT001, FBT002
        seen: set[str] = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode) and key.value in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"the name {shortened(key.value)!r} is given twice", key.start_mark
                )
            seen.add(str(key.value))
        return super().construct_mapping(node, deep)  # type: ignore[no-any-return]


def records(path: Path) -> tuple[list[Record], list[Problem]]:
    """The records of `path` in order, and what is wrong with it; no records where anything is. No file, no records."""
    if not path.exists():
        return [], []
    content, fault = _content(path)
    if fault is not None:
        return [], [Problem(path.name, 0, "", None, *fault)]
    if content is None:
        return [], []
    if not isinstance(content, list):
        return [], [Problem(path.name, 0, "", content, "not-a-list", "The file must be a list of records.")]
    problems = [
        Problem(path.name, number, "", record, "not-a-record", "A record must be names with values.")
        for number, record in enumerate(content, 1)
        if not (isinstance(record, dict) and all(isinstance(name, str) for name in record))
    ]
    return [] if problems else content, problems


def _content(path: Path) -> tuple[Any, Fault | None]:
    try:
        if path.stat().st_size > LARGEST_FILE:
            return None, ("too-large", f"The file is larger than {LARGEST_FILE // 1024**2} MiB.")
        text = path.read_bytes().decode("utf-8-sig")
        return (None, fault) if (fault := _unfit(text)) else (yaml.load(text, _Loader), None)  # noqa: S506  a safe loader
    except OSError as error:
        return None, ("unreadable", f"The file cannot be read: {error.strerror}.")
    except UnicodeDecodeError as error:
        return None, ("not-utf-8", f"The file is not UTF-8: byte {error.start} does not fit.")
    except yaml.YAMLError as error:
        return None, ("bad-yaml", f"The file is not YAML that can be loaded: {_told(error)}.")
    except (ValueError, OverflowError) as error:  # a date such as 2026-13-45, a number of a million digits
        return None, ("bad-yaml", f"The file holds a value that is none: {shortened(str(error))}.")


def _unfit(text: str) -> Fault | None:
    """Looked for among the events, before anything is built."""
    depth = 0
    for event in yaml.parse(text, _Loader):
        line = event.start_mark.line + 1 if event.start_mark else 0
        if isinstance(event, yaml.AliasEvent):
            return "alias", f"Line {line}: aliases (*name) are not allowed; write the value out."
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > DEEPEST:
            return "too-deep", f"Line {line}: nested deeper than {DEEPEST} levels."
    return None


def _told(error: yaml.YAMLError) -> str:
    mark = getattr(error, "problem_mark", None)
    place = f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
    return place + str(getattr(error, "problem", None) or error)
