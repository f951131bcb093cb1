"""Field types and querysets that more than one concept needs."""

import re
from collections.abc import Collection
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar
from urllib.parse import urlsplit

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q

from registry.spelling import character_name, composed, fault_of_alias, fault_of_name, fault_of_text

KEY = re.compile(r"^[a-z0-9][a-z0-9._@+-]*(/[a-z0-9][a-z0-9._@+-]*)*\Z")
KEY_LENGTH = 120

KEY_SPELLING = "A key is lower-case ASCII: letters, digits and . _ @ + - with single slashes between parts."


def validate_key(key: str) -> None:
    """Raises ValidationError, which names each character that only looks as if it belonged there."""
    if not KEY.match(key):
        others = ", ".join(character_name(character) for character in dict.fromkeys(key) if not character.isascii())
        raise ValidationError(f"{KEY_SPELLING} This holds {others}." if others else KEY_SPELLING, code="bad-key")


if TYPE_CHECKING:
    Text = models.CharField[str, str]
else:
    Text = models.CharField


ADDRESS_WITH_ACCOUNT = (
    "This address holds a user name or password before the @. Addresses are published: leave that part out."
)


def names_an_account(address: str) -> bool:
    """`https://user:password@host/`; an address that cannot be taken apart is refused elsewhere."""
    try:
        return "@" in urlsplit(address).netloc
    except ValueError:
        return False


def validate_address(address: str) -> None:
    if names_an_account(address):
        raise ValidationError(ADDRESS_WITH_ACCOUNT, code="address-with-account")


class KeyField(Text):
    """A stable, human-readable identity: lower-case ASCII, so that look-alikes cannot exist."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("max_length", KEY_LENGTH)
        kwargs.setdefault("help_text", "Stable name used in files, addresses and releases; it never changes.")
        super().__init__(*args, **kwargs)
        self.validators = [*self.validators, validate_key]


class NameField(Text):
    """What people read, in Unicode's composed form and without characters that nobody sees.

    To the database it is a CharField.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.validators = [*self.validators, validate_name]

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        return composed(text) if isinstance(text, str) else text

    def deconstruct(self) -> Any:
        name, _, args, kwargs = super().deconstruct()
        return name, "django.db.models.CharField", args, kwargs


class AliasField(NameField):
    """A name by which files are resolved: look-alikes are refused as well."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.validators = [*self.validators, validate_alias]


def validate_name(name: str) -> None:
    """Raises ValidationError."""
    if fault := fault_of_name(name):
        raise ValidationError(fault, code="invisible-character")


def validate_alias(name: str) -> None:
    """Raises ValidationError."""
    if fault := fault_of_alias(name):
        raise ValidationError(fault, code="look-alike")


Row = TypeVar("Row", bound=models.Model, covariant=True)


class KeptQuerySet(models.QuerySet[Row]):
    """Rows that are history: they are ended by an action and never deleted."""

    def delete(self) -> Any:
        raise TypeError(f"{self.model.__name__} rows are kept: end them with an action instead of deleting.")


# Made once by name: `as_manager()` in each model is what the type checker loses track of.
KeptManager = models.Manager.from_queryset(KeptQuerySet)


class Curated(models.Model):
    """A record that editors curate. It changes only through `registry.actions.curate`.

    `version` is raised at every save, so that a form opened on an older version is refused.
    """

    version = models.PositiveIntegerField(default=1, editable=False)

    class Meta:
        abstract = True

    natural_key_fields: ClassVar[tuple[str, ...]] = ("key",)

    def clean_fields(self, exclude: Collection[str] | None = None) -> None:
        """Of every text too: it stands on pages, in feeds and in files."""
        super().clean_fields(exclude)
        faults = {
            field.name: fault_of_text(getattr(self, field.attname) or "")
            for field in self._meta.concrete_fields
            if isinstance(field, models.CharField | models.TextField) and field.name not in (exclude or ())
        }
        if found := {name: fault for name, fault in faults.items() if fault}:
            raise ValidationError(found)

    @classmethod
    def permanent_fields(cls) -> tuple[str, ...]:
        """What addresses, files and releases know the record by: it never changes once the record is stored.

        A record that only joins others has no name of its own, and nothing of it is permanent.
        """
        last = cls._meta.get_field(cls.natural_key_fields[-1])
        return cls.natural_key_fields if isinstance(last, KeyField | models.SlugField) else ()


def choice_check(field: str, choices: type[models.TextChoices], name: str) -> models.CheckConstraint:
    """The database refuses a word outside the vocabulary, whoever writes."""
    return models.CheckConstraint(condition=Q(**{f"{field}__in": choices.values}), name=name)


def check_words(field: str, words: Any, choices: type[models.TextChoices]) -> None:
    """A JSON field that lists words of a vocabulary: each once, and none outside it. Raises ValidationError."""
    if not isinstance(words, list) or any(word not in choices.values for word in words):
        raise ValidationError({field: f"Must be a list of: {', '.join(choices.values)}."})
    if len(set(words)) != len(words):
        raise ValidationError({field: "Must name each word once."})


def paired_check(who: str, when: str, name: str, sentence: str | None = None) -> models.CheckConstraint:
    """Who and when are recorded together or not at all; `sentence` is for those whom a form lets break it."""
    condition = (Q(**{who: ""}) & Q(**{f"{when}__isnull": True})) | (~Q(**{who: ""}) & Q(**{f"{when}__isnull": False}))
    return models.CheckConstraint(condition=condition, name=name, violation_error_message=sentence)
