"""Values against a JSON Schema, and what is wrong in sentences that name the place."""

import json
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from jsonschema import Draft7Validator, ValidationError

from registry.importing.formats.json_text import text_of
from registry.importing.problems import Problem, Unreadable

HERE = Path(__file__).parent / "schemas"
MOST_TOLD = 20

Schema = Mapping[str, Any]


@cache
def stored(name: str) -> Schema:
    """One of schemas/, which others publish."""
    schema: Schema = json.loads((HERE / f"{name}.json").read_text(encoding="utf-8"))
    return schema


def check(value: Any, schema: Schema) -> None:
    """Raises `Unreadable` with up to 20 of the places where the value breaks the schema."""
    errors = list(islice(Draft7Validator(schema).iter_errors(value), MOST_TOLD))
    if errors:
        raise Unreadable(*(_problem(_within(error)) for error in errors))


def object_of(required: Iterable[str] = (), **properties: Schema) -> Schema:
    """A schema of objects that may hold more than is named here."""
    return {"type": "object", "required": list(required), "properties": properties}


def list_of(items: Schema, *, least: int = 0) -> Schema:
    return {"type": "array", "items": items, "minItems": least}


def map_of(values: Schema) -> Schema:
    return {"type": "object", "additionalProperties": values}


TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "number"}
NUMBER_OR_NULL: Schema = {"type": ["number", "null"]}


def _within(error: ValidationError) -> ValidationError:
    """What is wrong within the one form that a value may have beside null."""
    while error.validator in ("anyOf", "oneOf"):
        others = [each for each in error.context if each.validator_value != "null"]
        if len({each.schema_path[0] for each in others}) != 1:
            break
        error = max(others, key=lambda each: len(each.absolute_path))
    return error


def _problem(error: ValidationError) -> Problem:
    place = "".join(f"[{part + 1}]" if isinstance(part, int) else f".{part}" for part in error.absolute_path)
    shown = "" if isinstance(error.instance, (dict, list)) else text_of(error.instance)
    return Problem(1, place.lstrip("."), shown, "schema", f"{place.lstrip('.') or 'The file'}: {_told(error)}")


def _told(error: ValidationError) -> str:
    sentence = _SENTENCES.get(str(error.validator))
    return sentence(error) if sentence else f"has none of the forms that the schema allows here ({error.validator})."


def _missing(error: ValidationError) -> str:
    """The library tells of each missing name by itself, and only in its message."""
    return f"{error.message.split(' is a required')[0].strip(chr(39))} is missing."


def _wrong_type(error: ValidationError) -> str:
    wanted: Any = error.validator_value
    return f"must be {' or '.join(_TYPES[name] for name in ([wanted] if isinstance(wanted, str) else wanted))}."


def _unknown(error: ValidationError) -> str:
    known = error.schema.get("properties", {}) if isinstance(error.schema, Mapping) else {}
    return f"the schema knows no {', '.join(sorted(name for name in error.instance if name not in known))}."


_SENTENCES: dict[str, Callable[[ValidationError], str]] = {
    "required": _missing,
    "type": _wrong_type,
    "additionalProperties": _unknown,
    "enum": lambda error: f"must be one of {', '.join(map(str, error.validator_value))}.",
    "const": lambda error: f"must be {error.validator_value}.",
    "minimum": lambda error: f"must be at least {error.validator_value}.",
    "maximum": lambda error: f"must be at most {error.validator_value}.",
    "minItems": lambda error: f"must have at least {error.validator_value}.",
}
_TYPES = {
    "string": "text",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "null": "null",
    "object": "an object",
    "array": "a list",
}
