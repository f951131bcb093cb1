"""Sealing a candidate: freezing what a page would say, under one digest."""

import json

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.utils import timezone

from ranking import canonical, gate, snapshot
from ranking.actions.recompute import stored
from ranking.content import Content, ranking_content, status_content
from ranking.identity import release_digest
from ranking.models import GateEvaluation, Publication, Release
from ranking.models.releases import PublicationState, ReleaseKind
from ranking.policies import in_force, values
from registry import audit
from registry.actions.base import Refused, action, check_text, says_something
from registry.models import Collection
from registry.rules import weights_missing


@action("ranking.seal_release")
def seal(
    *, collection: Collection, by: AbstractUser, kind: str = ReleaseKind.STATUS, rebase: str | None = None
) -> Release:
    """Seal the page of `collection` as it would read now: its evidence status, or a ranking.

    `rebase` is the reason to find panel, pool and constants anew; without one those of the ranking before stay.

    The same content sealed again is the same candidate. Raises Refused where the collection is not defined enough to
    say anything (no facets, weights that are not 100 %, no policy in force), a ranking where the gate is closed, and a
    re-base without a reason or without a ranking before.
    """
    locked = Collection.objects.select_for_update(of=("self",)).select_related("edition").get(pk=collection.pk)
    evaluation, content = present(locked, kind, rebase)
    body = canonical.text(content)
    digest = release_digest(kind, body)
    waiting = Release.objects.filter(collection=locked, digest=digest, publication__isnull=True).first()
    if waiting is not None:
        return waiting
    release = Release.objects.create(
        kind=kind,
        collection=locked,
        evaluation=evaluation,
        content=body,
        digest=digest,
        sealed_by=by.get_username(),
        sealed_at=timezone.now(),
    )
    after = {"collection": locked.slug, "kind": release.kind, "digest": digest}
    audit.record("seal", release, by=by, after=after, reason=content.get("ranking", {}).get("rebased", ""))
    return release


def present(
    collection: Collection, kind: str = ReleaseKind.STATUS, rebase: str | None = None
) -> tuple[GateEvaluation, Content]:
    """The evaluation and content of the page as it would read now. Needs a transaction.

    A live ranking that would still be said in its own place is not said again as its own successor, unless an editor
    asks for another scale.
    """
    if rebase is not None:
        return at(collection, kind, rebased=_reason(collection, kind, rebase))
    live = live_ranking(collection) if kind == ReleaseKind.RANKING else None
    if live is not None:
        try:
            again = at(collection, kind, before=live.number, rebased=rebased(live.release))
        except Refused:
            return at(collection, kind)
        if canonical.text(again[1]) == live.release.content:
            return again
    return at(collection, kind)


def _reason(collection: Collection, kind: str, rebase: str) -> str:
    """To re-base, in one line: it stands in the release, in public. Raises Refused."""
    if kind != ReleaseKind.RANKING or snapshot.ranked_before(collection) is None:
        raise Refused("nothing-to-rebase", "Only a ranking that follows another has a panel to re-base.")
    reason = " ".join(rebase.split())
    if not says_something(reason):
        raise Refused("no-reason", "Say why the panel is re-based: the reason stays with the release.")
    check_text(reason)
    return reason


def rebased(release: Release) -> str:
    """Why `release` found its scale anew; empty where it did not."""
    why: str = json.loads(release.content).get("ranking", {}).get("rebased", "")
    return why


def live_ranking(collection: Collection) -> Publication | None:
    live = Publication.objects.filter(
        collection=collection, state=PublicationState.LIVE, release__kind=ReleaseKind.RANKING
    )
    return live.select_related("release").first()


def at(
    collection: Collection, kind: str, *, before: int | None = None, rebased: str = ""
) -> tuple[GateEvaluation, Content]:
    """The same in the place of publication `before`, or of the next one. Needs a transaction."""
    check_defined(collection)
    policy = in_force(collection)
    evidence = snapshot.take(collection, before=before, rebased=rebased)
    assessment = gate.assess(evidence, values(policy))
    # Before the content, which counts evaluations: so it is the same when it is asked again.
    evaluation = stored(collection, evidence, policy, assessment.answer)
    if kind == ReleaseKind.STATUS:
        content = status_content(collection, evidence, policy, assessment.answer)
    elif kind == ReleaseKind.RANKING:
        check_open(assessment)
        content = ranking_content(collection, evidence, policy, assessment)
    else:
        raise Refused("no-such-kind", f"A collection has no release of the kind {kind!r}.")
    return evaluation, content


def check_open(assessment: gate.Assessment, where: str = "") -> None:
    """No ranking without the gate (DOMAIN 3.1). Raises Refused, which says `where` it is closed."""
    answer = assessment.answer
    unmet = [criterion.code for criterion in answer.criteria if criterion.verdict != gate.PASSED]
    if answer.verdict != gate.OPEN or unmet or assessment.scoring.ranking is None:
        raise Refused("gate-closed", f"The gate is closed{where and f' {where}'}: {', '.join(unmet) or 'no ranking'}.")


def present_content(collection: Collection, kind: str = ReleaseKind.STATUS) -> Content:
    """The same for looking only."""
    with transaction.atomic():
        return present(collection, kind)[1]


def check_defined(collection: Collection) -> None:
    weights = list(collection.facets.values_list("weight", flat=True))
    if not weights:
        raise Refused("no-facets", f"{collection} has no facets yet: there is nothing to say about it.")
    if missing := weights_missing(weights):
        raise Refused("weights-not-100", f"The facet weights of {collection} come to {100 - missing} %, not to 100 %.")
