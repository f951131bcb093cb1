"""Why a record cannot be removed: it is used. Told where the button would be, so that nobody clicks in vain."""

from collections.abc import Iterator

from django.db.models import PROTECT, Model

from registry.models import Curated


def users_of(record: Model) -> list[str]:
    """What kinds of records name it and keep it from being removed, such as `facets`; empty where none does."""
    return sorted(_protecting(record)) if isinstance(record, Curated) else []


def _protecting(record: Model) -> Iterator[str]:
    for relation in record._meta.related_objects:
        if relation.on_delete is not PROTECT:
            continue
        named = relation.related_model._base_manager.filter(**{relation.field.name: record})
        if named.exists():
            yield str(relation.related_model._meta.verbose_name_plural)
