"""Is a live page behind its evidence, and by what?"""

import json
import re
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from ranking.actions.publish import live_of
from ranking.actions.seal import at, rebased
from ranking.content import Content
from ranking.models import Publication, Release
from registry.actions.base import Refused
from registry.models import Collection
from registry.wording import counted


@dataclass(frozen=True, slots=True)
class Difference:
    """One place where the page would read otherwise."""

    where: str
    published: str
    present: str


def behind(collection: Collection) -> list[Difference]:
    """What a release sealed now would say otherwise than the live one; empty where nothing is live or behind."""
    live = live_of(collection)
    if live is None:
        return []
    try:
        with transaction.atomic():
            present = _in_its_place(collection, live)
    except Refused as refusal:
        return [Difference("the page", "live", refusal.sentence)]
    return differences(told_before_sealing(json.loads(live.release.content)), told_before_sealing(present))


@transaction.atomic
def since_sealing(release: Release) -> list[Difference]:
    """What a candidate sealed now would say otherwise than `release`; the overall leaderboard is checked apart."""
    if release.collection is None:
        return []
    sealed = told_before_sealing(json.loads(release.content))
    try:
        present = at(release.collection, release.kind, rebased=rebased(release))[1]
    except Refused as refusal:
        return [Difference("the page", "sealed", refusal.sentence)]
    return differences(sealed, told_before_sealing(present))


def _in_its_place(collection: Collection, live: Publication) -> Content:
    return at(collection, live.release.kind, before=live.number, rebased=rebased(live.release))[1]


def told_before_sealing(content: Content) -> Content:
    """Without the table: what evidence is decided on shows criteria and counts, never names, scores or order."""
    return {name: value for name, value in content.items() if name != "ranking"}


def differences(published: Content, present: Content) -> list[Difference]:
    """Leaf by leaf; members of a list are matched by what names them. Digests, which follow from it, come last."""
    found = _walk("", published, present)
    return sorted(found, key=lambda difference: difference.where.endswith("snapshot"))


def _walk(where: str, a: Any, b: Any) -> list[Difference]:
    if isinstance(a, dict) and isinstance(b, dict):
        names = sorted(a.keys() | b.keys())
        nested = [_walk(f"{where} / {name}" if where else name, a.get(name), b.get(name)) for name in names]
        return [entry for found in nested for entry in found]
    if isinstance(a, list) and isinstance(b, list) and (_named(a) or _named(b)):
        return _walk(where, _by_name(a), _by_name(b))
    return [] if a == b else [Difference(where, _words(a), _words(b))]


_NAMES = ("key", "slug", "code")
# What names a member that has no name of its own: an alignment, a link, an exclusion, a usable lineage, a right.
_TOGETHER = ("scope", "target", "type", "with", "kind", "lineage", "subject_kind", "facet", "task", "use", "contract")


def _name(entry: Any) -> str | None:
    if not isinstance(entry, dict):
        return None
    own = next((entry[name] for name in _NAMES if entry.get(name)), None)
    return own or " ".join(str(entry[name]) for name in _TOGETHER if entry.get(name)) or None


def _named(entries: list[Any]) -> bool:
    names = [_name(entry) for entry in entries]
    return bool(names) and None not in names and len(set(names)) == len(names)


def _by_name(entries: list[Any]) -> dict[str, Any]:
    return {str(_name(entry) or number): entry for number, entry in enumerate(entries)}


_DIGEST = re.compile(r"[0-9a-f]{64}")


def _words(value: Any) -> str:
    if value is None or value == "":
        return "nothing"
    if isinstance(value, dict | list):
        return counted(len(value), "entry", "entries") if isinstance(value, list) else str(_name(value) or "an entry")
    return str(value)[:12] if isinstance(value, str) and _DIGEST.fullmatch(value) else str(value)
