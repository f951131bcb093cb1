"""Is a live page behind? Asked on every index, so answered from the cache while no record has changed."""

from django.core.cache import cache

from ranking.behind import behind
from ranking.models import Publication
from ranking.otherwise import Difference
from registry.models import AuditEvent

KEPT_SECONDS = 24 * 3600


def behind_of(live: Publication) -> list[Difference]:
    """As `ranking.behind.behind`; one computation a change of the registry, however often it is asked."""
    if live.collection is None:
        return []
    key = f"otherwise:{live.identifier}:{newest_change()}"
    found: list[Difference] | None = cache.get(key)
    if found is None:
        found = behind(live.collection)
        cache.set(key, found, KEPT_SECONDS)
    return found


def newest_change() -> int:
    """Every change writes an event in its own transaction, so the last one names the state of the registry."""
    return AuditEvent.objects.exclude(object_type="ranking.release").values_list("pk", flat=True).first() or 0
