"""The overall leaderboard in the queue: it waits for an editor when it would average other rankings than it does."""

import json

from django.http import HttpRequest

from ranking.actions.publish import live_of
from ranking.admin.waiting import waiting_candidates
from ranking.catalogue import CATEGORIES
from ranking.models import Publication, Release
from ranking.models.releases import PublicationState, ReleaseKind
from registry.admin import confirm
from registry.admin.queue import Cell, Section
from registry.admin.waiting import listing
from registry.wording import counted


def sections(request: HttpRequest) -> list[Section]:
    return [_section(request)] if request.user.has_perm("ranking.view_release") else []


def _section(request: HttpRequest) -> Section:
    """Without asking the method: whether an average can be made of them is told by the page that the link opens."""
    live = _live_rankings()
    row = (
        Cell(_titles(live), confirm.address("seal-overall") if request.user.has_perm("ranking.seal_release") else ""),
        Cell(_state()),
    )
    waits = len(live) >= CATEGORIES and _averaged() != {slug: digest for slug, _, digest in live}
    return Section(
        order=35,
        title="Overall leaderboard to seal",
        columns=("Would average", "Live now"),
        rows=[row] if waits else [],
        total=int(waits),
        url=listing(Release, f"kind__exact={ReleaseKind.OVERALL.value}"),
        empty=_nothing(len(live)),
    )


def _live_rankings() -> list[tuple[str, str, str]]:
    """Slug, title and digest of each."""
    rows = Publication.objects.filter(state=PublicationState.LIVE, release__kind=ReleaseKind.RANKING)
    named = rows.order_by("collection__title").values_list("collection__slug", "collection__title", "release__digest")
    return list(named)


def _titles(live: list[tuple[str, str, str]]) -> str:
    return ", ".join(title for _, title, _ in live)


def _averaged() -> dict[str, str]:
    """What the sealed candidate averages, or the live leaderboard, by slug."""
    candidate = waiting_candidates().filter(kind=ReleaseKind.OVERALL).first()
    live = live_of(None)
    release = candidate or (live.release if live else None)
    return {one["collection"]: one["digest"] for one in json.loads(release.content)["categories"]} if release else {}


def _state() -> str:
    live = live_of(None)
    return f"number {live.number}, of other rankings" if live else "nothing"


def _nothing(rankings: int) -> str:
    if rankings < CATEGORIES:
        return f"It takes {CATEGORIES} live rankings. Live now: {rankings or 'none'}."
    return f"It averages the {counted(rankings, 'live ranking')}, or a candidate that does waits for a publisher."
