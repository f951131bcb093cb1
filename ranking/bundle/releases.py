"""The bundle of a publication, and the chain of all publications, out of the database."""

import json
from collections.abc import Iterator

from ranking.actions.overall import categories_of
from ranking.bundle import members
from ranking.bundle.archive import with_manifest, zipped
from ranking.bundle.members import Files, Named
from ranking.bundle.verification import Fault, moved, verify_files
from ranking.identity import identifier, release_digest
from ranking.models import Publication
from ranking.models.releases import PublicationState, ReleaseKind
from ranking.overall import SLUG
from registry.actions.base import Refused

SHORTEST = 12
"""Digits of an identifier that name a release."""


def publication(beginning: str) -> Publication:
    """The publication whose identifier begins so. Raises Refused where there is not exactly one."""
    if len(beginning) < SHORTEST:
        raise Refused("too-short", f"Name a release by {SHORTEST} digits of its identifier, or more.")
    rows = Publication.objects.select_related("release__evaluation__snapshot", "collection", "predecessor")
    found = list(rows.filter(identifier__startswith=beginning)[:2])
    if len(found) != 1:
        raise Refused("no-such-release", f"{len(found) or 'No'} releases begin with {beginning}.")
    return found[0]


def bundle(row: Publication) -> bytes:
    """The same bytes whenever and wherever it is made.

    Raises Refused for what was withdrawn, and for an average over what was: it is not public.
    """
    if row.state == PublicationState.WITHDRAWN:
        raise Refused("withdrawn", f"Number {row.number} was withdrawn: {row.withdrawal_reason}")
    return zipped(files(row))


def files(row: Publication) -> Files:
    named = _named(row)
    if row.release.kind == ReleaseKind.OVERALL:
        content = row.release.content
        averaged = members.of_overall(content, categories_of(json.loads(content)), members.readme(named))
        return with_manifest(named, averaged)
    snapshot = snapshot_of(row) if row.release.kind == ReleaseKind.RANKING else None
    return with_manifest(named, members.files(row.release.content, snapshot, members.readme(named)))


def snapshot_of(row: Publication) -> str:
    evaluation = row.release.evaluation
    assert evaluation is not None, "the database has no release of a collection without one"
    return evaluation.snapshot.body


def _named(row: Publication) -> Named:
    return Named(
        collection=row.collection.slug if row.collection else SLUG,
        kind=row.release.kind,
        number=row.number,
        identifier=row.identifier,
        digest=row.release.digest,
        predecessor=row.predecessor.identifier if row.predecessor else "",
    )


def faults(row: Publication) -> list[Fault]:
    """Of the bundle of a release; here the evidence of a status can be looked at too."""
    found = verify_files(files(row))
    if found or row.release.kind != ReleaseKind.STATUS:
        return found
    return list(moved(json.loads(row.release.content), json.loads(snapshot_of(row))))


def chain(collection: str | None = None) -> Iterator[Fault]:
    """Every publication, in order: its digest, its name, and that it follows the one before it without a gap."""
    rows = Publication.objects.select_related("release", "collection", "predecessor").order_by(
        "collection_id", "number"
    )
    before: dict[int | None, Publication] = {}
    for row in rows if collection is None else rows.filter(collection__slug=collection):
        yield from _link(row, before.get(row.collection_id))
        before[row.collection_id] = row


def _link(row: Publication, before: Publication | None) -> Iterator[Fault]:
    where = f"{row.collection.slug if row.collection else 'overall'} number {row.number}"
    release = row.release
    if release_digest(release.kind, release.content) != release.digest:
        yield Fault(where, "The digest of its content is another.")
    if identifier(release.digest, row.number, row.predecessor.identifier if row.predecessor else "") != row.identifier:
        yield Fault(where, "Digest, number and predecessor do not give its name.")
    if row.predecessor_id != (before.pk if before else None):
        yield Fault(where, "It does not name the publication before it.")
    if row.number != (before.number if before else 0) + 1:
        yield Fault(where, "Its number does not follow the one before it.")
