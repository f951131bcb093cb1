"""YAML read strictly and as text: no value is guessed to be a number, a date or `no`; null is None.

Nodes are walked here rather than constructed by the library, because a key twice and an alias must be refused, and a
number must keep its digits.
"""

from typing import Any

import yaml

from registry.importing.formats.flat import whole
from registry.importing.formats.json_text import DEEPEST, decoded_text
from registry.importing.problems import Problem, Unreadable

LARGEST = 4 * 1024 * 1024

_NULL = {"", "~", "null", "Null", "NULL"}
# The parser in C is some ten times faster, and not in every installation.
_LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


def read_yaml(content: bytes, first_line: int = 1) -> Any:
    """Dicts, lists, text and None. Raises `Unreadable` for what is not YAML, ambiguous, too deep or too large."""
    if len(content) > LARGEST:
        raise whole("too-large", f"YAML may hold {LARGEST // 2**20} MiB.")
    try:
        node = yaml.compose(decoded_text(content), Loader=_LOADER)
    except yaml.MarkedYAMLError as error:
        line = first_line + (error.problem_mark.line if error.problem_mark else 0)
        message = f"This is not YAML: {error.problem or error.context}."
        raise Unreadable(Problem(line, "", "", "not-yaml", message)) from error
    except yaml.YAMLError as error:
        raise whole("not-yaml", "This is not YAML: it holds characters that YAML does not allow.") from error
    except RecursionError:
        raise _too_deep() from None
    return _Walk(first_line).value(node) if node else None


class _Walk:
    def __init__(self, first_line: int) -> None:
        self._first_line = first_line
        self._seen: set[int] = set()

    def value(self, node: yaml.Node, depth: int = 0) -> Any:
        if depth > DEEPEST:
            raise _too_deep()
        if id(node) in self._seen:
            raise self._refused(node, "alias", "YAML aliases (*name) are not read here: write the value out.")
        self._seen.add(id(node))
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, depth)
        if isinstance(node, yaml.SequenceNode):
            return [self.value(item, depth + 1) for item in node.value]
        return None if _is_null(node) else node.value

    def _mapping(self, node: yaml.MappingNode, depth: int) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for key_node, value_node in node.value:
            key = key_node.value
            if not isinstance(key, str):
                raise self._refused(key_node, "not-yaml", "A key must be text.")
            if key in made:
                raise self._refused(key_node, "repeated-key", f"The key {key} stands twice in one place: which counts?")
            made[key] = self.value(value_node, depth + 1)
        return made

    def _refused(self, node: yaml.Node, reason: str, message: str) -> Unreadable:
        return Unreadable(Problem(self._first_line + node.start_mark.line, "", "", reason, message))


def _is_null(node: yaml.Node) -> bool:
    return isinstance(node, yaml.ScalarNode) and not node.style and node.value in _NULL


def _too_deep() -> Unreadable:
    return whole("too-deep", f"The file is nested more than {DEEPEST} levels deep.")
