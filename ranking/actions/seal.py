"""Sealing a candidate: freezing what a page would say, under one digest."""

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.utils import timezone

from ranking import canonical, gate, snapshot
from ranking.actions.recompute import stored
from ranking.content import Content, status_content
from ranking.models import GateEvaluation, Release
from ranking.models.releases import ReleaseKind
from ranking.policies import in_force, values
from registry import audit
from registry.actions.base import Refused, action
from registry.models import Collection
from registry.rules import weights_missing


@action("ranking.seal_release")
def seal(*, collection: Collection, by: AbstractUser) -> Release:
    """Seal the evidence-status page of `collection` as it would read now.

    The same content sealed again is the same candidate. Raises Refused where the collection is not defined enough to
    say anything: no facets, weights that are not 100 %, no policy in force.
    """
    locked = Collection.objects.select_for_update(of=("self",)).select_related("edition").get(pk=collection.pk)
    evaluation, content = present(locked)
    body = canonical.text(content)
    digest = release_digest(ReleaseKind.STATUS, body)
    waiting = Release.objects.filter(collection=locked, digest=digest, publication__isnull=True).first()
    if waiting is not None:
        return waiting
    release = Release.objects.create(
        kind=ReleaseKind.STATUS,
        collection=locked,
        evaluation=evaluation,
        content=body,
        digest=digest,
        sealed_by=by.get_username(),
        sealed_at=timezone.now(),
    )
    audit.record("seal", release, by=by, after={"collection": locked.slug, "kind": release.kind, "digest": digest})
    return release


def present(collection: Collection) -> tuple[GateEvaluation, Content]:
    """The evaluation and content of the page as it would read now. Needs a transaction."""
    check_defined(collection)
    policy = in_force(collection)
    evidence = snapshot.take(collection)
    content = status_content(collection, evidence, policy, gate.evaluate(evidence, values(policy)))
    return stored(collection, evidence, policy), content


def present_content(collection: Collection) -> Content:
    """The same for looking only."""
    with transaction.atomic():
        return present(collection)[1]


def check_defined(collection: Collection) -> None:
    weights = list(collection.facets.values_list("weight", flat=True))
    if not weights:
        raise Refused("no-facets", f"{collection} has no facets yet: there is nothing to say about it.")
    if missing := weights_missing(weights):
        raise Refused("weights-not-100", f"The facet weights of {collection} are {missing} % short of 100 %.")


def release_digest(kind: str, body: str) -> str:
    """Of content alone: no who, when or number in it."""
    return canonical.sha256(f"{kind}\n{body}")
