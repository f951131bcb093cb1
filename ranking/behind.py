"""Is a live page behind its evidence, and by what?"""

import json

from django.db import transaction

from ranking.actions.publish import live_of
from ranking.actions.seal import at, rebased
from ranking.content import Content
from ranking.models import Publication, Release
from ranking.otherwise import PAGE, Difference, differences
from registry.actions.base import Refused
from registry.models import Collection


def behind(collection: Collection) -> list[Difference]:
    """What a release sealed now would say otherwise than the live one; empty where nothing is live or behind.

    Evidence that was read anew and says the same leaves a page as it is: only its digest would be another.
    """
    live = live_of(collection)
    if live is None:
        return []
    try:
        with transaction.atomic():
            present = _in_its_place(collection, live)
    except Refused as refusal:
        return _refused("live", refusal)
    return differences(json.loads(live.release.content), present)


@transaction.atomic
def since_sealing(release: Release) -> list[Difference]:
    """What a candidate sealed now would say otherwise than `release`; the overall leaderboard is checked apart."""
    if release.collection is None:
        return []
    try:
        present = at(release.collection, release.kind, rebased=rebased(release))[1]
    except Refused as refusal:
        return _refused("sealed", refusal)
    return differences(json.loads(release.content), present)


def _in_its_place(collection: Collection, live: Publication) -> Content:
    return at(collection, live.release.kind, before=live.number, rebased=rebased(live.release))[1]


def _refused(standing: str, refusal: Refused) -> list[Difference]:
    return [Difference(PAGE, "As it would be sealed now", standing, refusal.sentence)]
