"""Publishing: a confirmed request with its job, and the worker's part, which checks once more.

The worker's part is once-only by state: a request that is answered is never answered again, whatever the number of
deliveries, and number, predecessor and live state move in one transaction under the collection's lock.
"""

import json

from django.contrib.auth.models import AbstractUser
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from ranking import gate
from ranking.actions.seal import check_open, rebased
from ranking.identity import identifier
from ranking.models import Publication, PublishRequest, Release
from ranking.models.releases import PublicationState, ReleaseKind, RequestState
from ranking.policies import in_force, values
from ranking.snapshot import digest, ranked_before, take
from registry import audit, jobs
from registry.actions.base import Refused, action, says_something
from registry.models import Collection
from registry.people import acting_user

PUBLISH = "publish-release"


def check(release: Release, by: AbstractUser) -> None:
    """Raise Refused where `by` may not publish `release` now. No permission passes this, a superuser's included."""
    if release.kind != ReleaseKind.STATUS and release.sealed_by == by.get_username():
        raise Refused("own-seal", "You sealed this ranking; another person must publish it.")
    published = Publication.objects.filter(release=release).first()
    if published is not None:
        raise Refused("already-published", f"This release is published already, as number {published.number}.")
    newer = Release.objects.filter(collection=release.collection, kind=release.kind, pk__gt=release.pk)
    if newer.exists():
        raise Refused("newer-candidate", "A newer candidate was sealed since; publish that one.")
    live = live_of(release.collection)
    if live is not None and live.release.digest == release.digest:
        raise Refused("nothing-new", "The live page says exactly this already.")
    if release.kind == ReleaseKind.RANKING:
        _check_ranking(release)
    if release.kind == ReleaseKind.OVERALL:
        _check_overall(release)


def _check_ranking(release: Release) -> None:
    """What was true when it was sealed must be so still: gate, policy, and the ranking that it follows."""
    evaluation, collection = release.evaluation, release.collection
    assert evaluation is not None, "the database has no ranking without an evaluation"
    assert collection is not None, "nor one without a collection"
    if evaluation.verdict != gate.OPEN:
        raise Refused("gate-closed", "The gate of the evidence that it seals is closed.")
    if in_force(collection) != evaluation.policy:
        raise Refused("policy-changed", f"Policy {evaluation.policy} is not in force any more; seal anew.")
    previous = ranked_before(collection)
    if json.loads(release.content)["ranking"]["previous"] != (previous.release.digest if previous else None):
        raise Refused("other-predecessor", "It was sealed to follow another ranking than the last one; seal anew.")
    evidence = take(collection, rebased=rebased(release))
    if digest(evidence) != evaluation.snapshot.digest:
        # An exclusion made or a right refused since then: what closes the gate keeps the candidate from the public.
        check_open(gate.assess(evidence, values(evaluation.policy)), "on the evidence as it stands now")


def _check_overall(release: Release) -> None:
    rows = Publication.objects.filter(state=PublicationState.LIVE, release__kind=ReleaseKind.RANKING)
    present = dict(rows.values_list("collection__slug", "release__digest"))
    sealed = {one["collection"]: one["digest"] for one in json.loads(release.content)["categories"]}
    if sealed != present:
        raise Refused("other-categories", "The live rankings are not those that it averages any more; seal anew.")


def live_of(collection: Collection | None) -> Publication | None:
    return (
        Publication.objects.filter(collection=collection, state=PublicationState.LIVE).select_related("release").first()
    )


def lock(collection: Collection | None) -> None:
    """Publications of one collection happen one after the other; those of the overall leaderboard, of all of them."""
    rows = Collection.objects.order_by("pk") if collection is None else Collection.objects.filter(pk=collection.pk)
    list(rows.select_for_update().values_list("pk", flat=True))


@action("ranking.publish_release")
def request(*, release: Release, by: AbstractUser, reason: str) -> PublishRequest:
    """Record the wish to publish, with its job, in one transaction; the worker does the rest."""
    lock(release.collection)
    check(release, by)
    if not says_something(reason):
        raise Refused("no-reason", "Say why it is published: the reason stays with the release.")
    wish, new = PublishRequest.objects.get_or_create(
        release=release,
        state=RequestState.WAITING,
        defaults={"requested_by": by.get_username(), "requested_at": timezone.now(), "reason": reason, "facts": {}},
    )
    if new:
        audit.record("request-publish", release, by=by, after={"request": wish.pk}, reason=reason)
    jobs.enqueue(PUBLISH, str(wish.pk))
    return wish


def answer(*, wish: PublishRequest) -> PublishRequest:
    """The worker's part: publish, or refuse with the sentence that says why. Safe to run twice."""
    try:
        return _publish(wish=wish, by=acting_user(wish.requested_by))
    except Refused as refusal:
        return _refuse(wish, refusal.sentence)
    except PermissionDenied as denial:
        return _refuse(wish, str(denial))


@action("ranking.publish_release")
def _publish(*, wish: PublishRequest, by: AbstractUser) -> PublishRequest:
    lock(wish.release.collection)
    wish = PublishRequest.objects.select_for_update(of=("self",)).select_related("release__collection").get(pk=wish.pk)
    if wish.state != RequestState.WAITING:
        return wish
    check(wish.release, by)
    wish.publication = _make_live(wish, by)
    wish.state, wish.answered_at = RequestState.PUBLISHED, timezone.now()
    wish.save(update_fields=("publication", "state", "answered_at"))
    return wish


@transaction.atomic
def _refuse(wish: PublishRequest, sentence: str) -> PublishRequest:
    """On behalf of no role: whoever asked may have lost theirs since."""
    wish = PublishRequest.objects.select_for_update().get(pk=wish.pk)
    if wish.state == RequestState.WAITING:
        wish.state, wish.answer, wish.answered_at = RequestState.REFUSED, sentence, timezone.now()
        wish.save(update_fields=("state", "answer", "answered_at"))
        audit.record("refuse-publish", wish.release, by=acting_user(None), after={"request": wish.pk}, reason=sentence)
    return wish


def _make_live(wish: PublishRequest, by: AbstractUser) -> Publication:
    release = wish.release
    live = live_of(release.collection)
    earlier = Publication.objects.filter(collection=release.collection)
    number = (earlier.aggregate(last=Max("number"))["last"] or 0) + 1
    predecessor = earlier.order_by("-number").first()
    if live is not None:
        live.state = PublicationState.SUPERSEDED
        live.save(update_fields=("state",))
    publication = Publication.objects.create(
        release=release,
        collection=release.collection,
        number=number,
        identifier=identifier(release.digest, number, predecessor.identifier if predecessor else ""),
        predecessor=predecessor,
        published_by=by.get_username(),
        published_at=timezone.now(),
        reason=wish.reason,
    )
    if release.kind == ReleaseKind.RANKING:
        _end_planning(publication, by)
    after = {"number": number, "identifier": publication.identifier, "supersedes": live.number if live else None}
    audit.record("publish", release, by=by, after=after, reason=wish.reason)
    return publication


def _end_planning(publication: Publication, by: AbstractUser) -> None:
    """A collection is in planning while no release of it has ranked."""
    assert publication.collection is not None, "a ranking is of a collection"
    collection = Collection.objects.select_for_update().get(pk=publication.collection.pk)
    if collection.planning:
        collection.planning = False
        collection.version += 1
        collection.save(update_fields=("planning", "version"))
        reason = f"Release number {publication.number} ranks."
        audit.record("change", collection, by=by, before={"planning": True}, after={"planning": False}, reason=reason)
