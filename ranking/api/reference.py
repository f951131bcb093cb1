"""What the docs page shows, taken from the OpenAPI description alone, so that the two cannot disagree. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ranking.api.problems import KINDS
from ranking.api.shapes.base import SHA256

Described = Mapping[str, Any]

WORDS = {"string": "text", "array": "list", "boolean": "true or false", "integer": "whole number", "object": "object"}
ARCHIVE = {"type": "string", "format": "binary"}
FORMATS = {
    "binary": "an archive",
    "date": "date",
    "date-time": "date and time",
    "uri": "address",
    "decimal": "exact number, as text",
}


@dataclass(frozen=True)
class Kind:
    """The type of a value in words; `shape` is the component in the middle of them, which has a place on the page."""

    before: str
    shape: str = ""
    after: str = ""

    def within(self, before: str, after: str = "") -> "Kind":
        return Kind(before + self.before, self.shape, self.after + after)


def page(document: Described) -> dict[str, Any]:
    """The context of the template."""
    components: Described = document["components"]["schemas"]
    return {
        "title": "Data for programs",
        "description": document["info"]["description"],
        "data": "/api/v1/schema/?format=json",
        "version": document["info"]["version"],
        "groups": _groups(document["paths"]),
        "problems": KINDS.items(),
        "shapes": [_shape(name, schema) for name, schema in components.items() if "properties" in schema],
        "vocabularies": [
            {"name": name, "words": list(zip(schema["enum"], schema["x-enum-descriptions"], strict=True))}
            for name, schema in components.items()
            if "enum" in schema
        ],
    }


def _groups(paths: Described) -> list[dict[str, Any]]:
    groups: dict[str, list[dict[str, Any]]] = {}
    for path, methods in paths.items():
        operation = methods["get"]
        groups.setdefault(operation.get("tags", [""])[0], []).append(_operation(path, operation))
    return [{"name": name, "operations": operations} for name, operations in groups.items()]


def _operation(path: str, operation: Described) -> dict[str, Any]:
    answers = operation["responses"]["200"]["content"]
    return {
        "id": operation["operationId"],
        "path": path,
        "summary": operation["summary"],
        "description": operation["description"],
        "parameters": [_parameter(declared) for declared in operation.get("parameters", [])],
        "answer": kind(answers.get("application/json", {"schema": ARCHIVE})["schema"]),
        "media_types": list(answers),
        "refusals": [status for status in ("404", "410") if status in operation["responses"]],
    }


def _parameter(declared: Described) -> dict[str, Any]:
    schema = declared["schema"]
    return {
        "name": declared["name"],
        "where": declared["in"],
        "kind": kind(schema),
        "choices": schema.get("enum", []),
        "default": schema.get("default", ""),
        "meaning": declared.get("description", ""),
    }


def _shape(name: str, schema: Described) -> dict[str, Any]:
    always = schema.get("required", [])
    fields = [
        {"name": field, "kind": kind(told), "meaning": told.get("description", ""), "always": field in always}
        for field, told in schema["properties"].items()
    ]
    return {"name": name, "description": schema.get("description", ""), "fields": fields}


def kind(schema: Described) -> Kind:
    """The type that a JSON schema allows, in words."""
    if "$ref" in schema:
        return Kind("", schema["$ref"].rsplit("/", 1)[1])
    if "allOf" in schema:
        return kind(schema["allOf"][0])
    if "oneOf" in schema:
        first, *others = (kind(one) for one in schema["oneOf"])
        return first.within("", "".join(f" or {other.before}{other.shape}{other.after}" for other in others))
    types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    named = _of_type(types[0], schema)
    return named.within("", " or null") if "null" in types[1:] else named


def _of_type(name: str, schema: Described) -> Kind:
    if name == "null":
        return Kind("null")
    if name == "array":
        return kind(schema["items"]).within("list of ")
    if name == "object" and schema.get("additionalProperties"):
        return kind(schema["additionalProperties"]).within("object of ")
    if schema.get("pattern") == SHA256:
        return Kind("SHA-256")
    return Kind(FORMATS.get(schema.get("format", ""), WORDS.get(name, name)))
