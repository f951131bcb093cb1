"""Kinds of field that many answers have. The first argument of each says what the field means."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from django.db.models import TextChoices
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

SHA256 = r"^[0-9a-f]{64}$"

Field = serializers.Field[Any, Any, Any, Any]


class Shape(serializers.Serializer[Mapping[str, Any]]):
    """An object of the API, made from a mapping. Nothing is ever read into one."""


class AsIs(Field):
    """A value that is JSON already; the subclasses say of which type."""

    def __init__(self, meaning: str, **options: Any) -> None:
        super().__init__(help_text=meaning, **options)

    def to_representation(self, value: Any) -> Any:
        return value


@extend_schema_field({"type": "number"})
class Number(AsIs):
    """Whole or not, as it was computed: 2 stays 2."""


@extend_schema_field({"type": "string", "format": "decimal", "pattern": r"^-?[0-9]+(\.[0-9]+)?$"})
class Decimal(AsIs):
    """An exact number as text, so that nobody's floating point changes it."""


@extend_schema_field(
    {
        "oneOf": [
            {"type": "number"},
            {"type": "array", "items": {"type": "string"}},
            {"type": "object", "additionalProperties": {"oneOf": [{"type": "number"}, {"type": "string"}]}},
        ]
    }
)
class NumberOrWords(AsIs):
    """The value of a threshold: a number, words, or a number or word for each name."""


class Text(serializers.CharField):
    def __init__(self, meaning: str, **options: Any) -> None:
        super().__init__(help_text=meaning, **options)


class Digest(serializers.RegexField):
    """A SHA-256 in hexadecimal."""

    def __init__(self, meaning: str, **options: Any) -> None:
        super().__init__(SHA256, help_text=meaning, **options)


class OneOf(serializers.ChoiceField):
    """A code of a vocabulary, which the description lists once, under its own name."""

    def __init__(self, choices: type[TextChoices], meaning: str = "", **options: Any) -> None:
        super().__init__(choices=choices.choices, help_text=meaning or None, **options)
        listed = {"type": "string", "enum": choices.values, "x-enum-descriptions": choices.labels}
        describe: Any = extend_schema_field(listed, component_name=choices.__name__)
        describe(self)


class SomeOf(serializers.ListField):
    """Codes of a vocabulary."""

    def __init__(self, choices: type[TextChoices], meaning: str) -> None:
        super().__init__(child=OneOf(choices), help_text=meaning)


class Texts(serializers.ListField):
    def __init__(self, meaning: str) -> None:
        super().__init__(child=serializers.CharField(trim_whitespace=False), help_text=meaning)


class Keys(serializers.ListField):
    """Keys of other records; `member` names the key where the records themselves are given."""

    def __init__(self, meaning: str, member: str = "") -> None:
        super().__init__(child=serializers.CharField(), help_text=meaning)
        self.member = member

    def to_representation(self, data: Any) -> list[Any]:
        return super().to_representation([item[self.member] for item in data] if self.member else data)


class Count(serializers.IntegerField):
    def __init__(self, meaning: str, **options: Any) -> None:
        super().__init__(min_value=0, help_text=meaning, **options)


class Flag(serializers.BooleanField):
    def __init__(self, meaning: str) -> None:
        super().__init__(help_text=meaning)


class Moment(serializers.DateTimeField):
    def __init__(self, meaning: str, **options: Any) -> None:
        super().__init__(help_text=meaning, **options)


class Day(serializers.DateField):
    def __init__(self, meaning: str, **options: Any) -> None:
        super().__init__(help_text=meaning, **options)


class Told(Shape):
    """What a record composed from the live releases says of its origin."""

    release = Digest("Identifier of the live release whose words these are: the newest that carries the record.")
    differs_in = Keys("Identifiers of live releases that carry the record in other, older words.")

    def get_fields(self) -> dict[str, Field]:
        """After what the record itself says."""
        found: dict[str, Field] = super().get_fields()
        return {name: found[name] for name in sorted(found, key=lambda name: name in Told._declared_fields)}


class Paged(Shape):
    """One page of a list."""

    count = Count("Rows on all pages together.")
    next = serializers.URLField(allow_null=True, help_text="Address of the page after this one; null on the last.")


@cache
def page_of(row: type[Shape]) -> type[Shape]:
    """The page whose rows have the shape `row`."""
    members = {"__doc__": Paged.__doc__, "results": row(many=True, help_text="The rows of this page.")}
    return type(f"{row.__name__}Page", (Paged,), members)


@cache
def columns(row: type[Shape]) -> tuple[str, ...]:
    """The columns of `row` in CSV: an object takes one for each member, a list of objects has none."""
    found: list[str] = []
    for name, field in row().fields.items():
        if isinstance(field, Shape):
            found += [f"{name}.{column}" for column in columns(type(field))]
        elif not isinstance(field, serializers.ListSerializer):
            found.append(name)
    return tuple(found)
