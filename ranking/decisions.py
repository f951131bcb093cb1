"""The decisions of `ranking`: sealing a candidate, publishing and withdrawing it (DOMAIN 6)."""

import json
from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar

from django.contrib.auth.models import AbstractUser

from ranking import canonical, diff, reach
from ranking.actions import publish, seal, withdraw
from ranking.behind import since_sealing
from ranking.consequences import criteria_in_words
from ranking.content import Content
from ranking.identity import release_digest
from ranking.models import Publication, Release
from ranking.models.releases import PublicationState, ReleaseKind
from ranking.otherwise import GATE, Difference, differences
from registry.actions.base import Refused
from registry.confirm import Consequence, Decision, Outcome, Plan, decision
from registry.models import Collection
from registry.wording import counted


def _collection(slug: str) -> Collection:
    found = Collection.objects.filter(slug=slug).select_related("edition").first()
    if found is None:
        raise Refused("no-such-collection", f"There is no collection {slug!r}.")
    return found


def _against_live(content: Content, live: Publication | None) -> list[Difference]:
    """Never with names or scores: ranks are seen on the sealed candidate, not before."""
    return differences(json.loads(live.release.content), content) if live else []


def _by_part(found: list[Difference], heading: str, columns: tuple[str, str, str]) -> list[Consequence]:
    """A table for each part of the page, with all of it."""
    return [
        Consequence(f"{heading}: {part.lower()}", [(row.what, row.published, row.present) for row in rows], columns)
        for part, rows in groupby(found, key=lambda difference: difference.part)
    ]


def _beside_the_gate(changed: list[Difference]) -> list[Difference]:
    """What the gate does not tell for itself."""
    return [found for found in changed if found.part != GATE]


def _otherwise(changed: list[Difference]) -> list[Consequence]:
    return _by_part(_beside_the_gate(changed), "Would read otherwise", ("What", "Now", "Would be"))


def _in_a_line(found: list[Difference]) -> dict[str, str]:
    """By what differs, so that a plan that is stale says in which places."""
    return {f"{row.part}, {row.what}": f"{row.published}, now {row.present}" for row in found}


def _compared(collection: Collection, live: Publication | None, content: Content, changed: list[Difference]) -> str:
    if live is not None:
        return _against(live, content, changed)
    if Publication.objects.filter(collection=collection, state=PublicationState.WITHDRAWN).exists():
        return "Nothing is live since the last page of the category was withdrawn."
    return "Nothing is live yet: this would be the first page of the category."


def _against(live: Publication, content: Content, changed: list[Difference]) -> str:
    if changed:
        return f"The candidate would read otherwise than the live page in {counted(len(changed), 'place')}."
    if canonical.text(content) == live.release.content:
        return "The candidate would say exactly what the live page says."
    return "The evidence was read anew; nothing that a reader sees differs from the live page."


def _gate(content: Content, live: Publication | None, changed: list[Difference]) -> Consequence:
    """What each criterion says on the live page, and what it would say."""
    published = _answers(json.loads(live.release.content)) if live else {}
    otherwise = {found.what: found.present for found in changed if found.part == GATE}
    answers = _answers(content) | otherwise
    return Consequence("Gate", [(name, published.get(name, "nothing live"), said) for name, said in answers.items()])


def _answers(content: Content) -> dict[str, str]:
    """Of its own gate; the overall leaderboard has none."""
    return criteria_in_words(content.get("gate", {}).get("criteria", []))


def _rebased(content: Content) -> list[Consequence]:
    """That the scale is another, and why."""
    why = content.get("ranking", {}).get("rebased")
    rows = [
        ("Why", "", why),
        ("Panel, pool and scale", "of the ranking before", "found anew on this evidence"),
        ("Scores", "on the scale of the ranking before", "not comparable with earlier ones"),
    ]
    return [Consequence("Re-based", rows)] if why else []


@decision
@dataclass(frozen=True)
class Seal(Decision):
    """Freeze what the page would say now, as a candidate."""

    name: ClassVar[str] = "seal"
    level: ClassVar[int] = 1
    permission: ClassVar[str] = "ranking.seal_release"

    collection: str
    kind: str = ReleaseKind.STATUS.value
    rebase: str | None = None
    """Why the panel is found anew; None: it is kept."""

    @property
    def object_key(self) -> str:
        return self.collection

    def lock(self) -> None:
        publish.lock(_collection(self.collection))

    def plan(self, by: AbstractUser) -> Plan:
        collection = _collection(self.collection)
        content = seal.present(collection, self.kind, self.rebase)[1]
        live = publish.live_of(collection)
        changed = _against_live(content, live)
        return Plan(
            verb="Seal a candidate",
            object=f"{collection.title}: {ReleaseKind(self.kind).label}",
            total=_compared(collection, live, content, changed),
            consequences=[
                *_rebased(content),
                _gate(content, live, changed),
                *_otherwise(changed),
            ],
            stays="Public pages stay as they are: a publisher decides about the candidate.",
            undo="A candidate is never published by itself; a newer one replaces it.",
            facts={
                "digest": release_digest(self.kind, canonical.text(content)),
                "gate": _answers(content),
                "otherwise than the live page": _in_a_line(_beside_the_gate(changed)),
            },
        )

    def execute(self, by: AbstractUser, reason: str) -> Outcome:
        release = seal.seal(collection=_collection(self.collection), by=by, kind=self.kind, rebase=self.rebase)
        return {"message": f"Candidate {release.digest[:12]} is sealed.", "release": release.pk}


def _each(pages: list[reach.Row]) -> list[Consequence]:
    """The addresses behind the kinds, last: there may be hundreds."""
    return [] if reach.by_kind(pages) == pages else [Consequence("Each page", pages)]


def _table_changes(content: Content, live: Publication | None) -> list[Consequence]:
    """What becomes of the table, of a sealed candidate."""
    if content["kind"] == ReleaseKind.STATUS:
        return []
    before = json.loads(live.release.content) if live else {}
    changed = diff.between(before, content)
    return [
        Consequence("Rows", [(row["configuration"], *row["ranks"]) for row in diff.rows(changed)]),
        Consequence("Evidence, policy, weights", diff.counts(changed)),
    ]


@decision
@dataclass(frozen=True)
class Publish(Decision):
    """Put a sealed candidate before the public."""

    name: ClassVar[str] = "publish"
    permission: ClassVar[str] = "ranking.publish_release"

    release: int

    @property
    def level(self) -> int:  # type: ignore[override]
        """3, which takes a person other than the one who sealed it, for all but an evidence status."""
        return 2 if self._release().kind == ReleaseKind.STATUS else 3

    @property
    def object_key(self) -> str:
        collection = self._release().collection
        return collection.slug if collection else "overall"

    def lock(self) -> None:
        publish.lock(self._release().collection)

    def plan(self, by: AbstractUser) -> Plan:
        release = self._release()
        publish.check(release, by)
        live = publish.live_of(release.collection)
        content = json.loads(release.content)
        changed = _against_live(content, live)
        pages = reach.of_publishing(release)
        moved = since_sealing(release)
        return Plan(
            verb="Publish",
            object=f"{release.get_kind_display()} of {_whose(release)}, candidate {release.digest[:12]}",
            total=reach.total(pages),
            consequences=[
                Consequence("Pages", reach.by_kind(pages)),
                *_by_part(moved, "The registry says otherwise by now", _SEALED),
                _gate(content, live, changed),
                *_rebased(content),
                *_table_changes(content, live),
                *_otherwise(changed),
                *_each(pages),
            ],
            stays=f"Release number {live.number} stays at its permanent address, marked as superseded."
            if live
            else "Nothing else changes.",
            undo="No page disappears in silence: a newer release supersedes it, or a withdrawal leaves a tombstone.",
            facts={
                "digest": release.digest,
                "live": live.identifier if live else None,
                "since sealing": _in_a_line(moved),
            },
        )

    def execute(self, by: AbstractUser, reason: str) -> Outcome:
        wish = publish.request(release=self._release(), by=by, reason=reason)
        return {"message": "The request is recorded; the page is being published.", "request": wish.pk}

    def _release(self) -> Release:
        found = Release.objects.select_related("collection").filter(pk=self.release).first()
        if found is None:
            raise Refused("no-such-candidate", f"There is no sealed candidate {self.release}.")
        return found


@decision
@dataclass(frozen=True)
class Withdraw(Decision):
    """Take the live page of a category back and leave a tombstone."""

    name: ClassVar[str] = "withdraw"
    permission: ClassVar[str] = "ranking.publish_release"

    publication: int

    @property
    def level(self) -> int:  # type: ignore[override]
        """As of publishing it."""
        return 2 if self._publication().release.kind == ReleaseKind.STATUS else 3

    @property
    def object_key(self) -> str:
        collection = self._publication().collection
        return collection.slug if collection else "overall"

    def lock(self) -> None:
        publish.lock(self._publication().collection)

    def plan(self, by: AbstractUser) -> Plan:
        publication = self._publication()
        withdraw.check(publication, by)
        release = publication.release
        pages = reach.of_withdrawing(publication)
        return Plan(
            verb="Withdraw",
            object=f"{release.get_kind_display()} of {_whose(release)}, number {publication.number}",
            total=reach.total(pages),
            consequences=[Consequence("Pages", reach.by_kind(pages)), *_each(pages)],
            stays="The sealed release, its number and the history. Its permanent address tells why it is gone.",
            undo="A withdrawal stays. A new release can be published after it.",
            facts={"identifier": publication.identifier, "state": publication.state},
        )

    def execute(self, by: AbstractUser, reason: str) -> Outcome:
        gone = withdraw.withdraw(publication=self._publication(), by=by, reason=reason)
        return {"message": f"Number {gone.number} is withdrawn.", "publication": gone.pk}

    def _publication(self) -> Publication:
        found = Publication.objects.select_related("collection", "release").filter(pk=self.publication).first()
        if found is None:
            raise Refused("no-such-publication", f"There is no publication {self.publication}.")
        return found


_SEALED = ("What", "Sealed", "Now")


def _whose(release: Release) -> str:
    return str(release.collection or "the categories that rank")
