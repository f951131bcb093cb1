"""Asking the gate again: one evaluation a snapshot and policy, however often it is asked."""

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.utils import timezone

from ranking import canonical, gate, snapshot
from ranking.evidence import Evidence
from ranking.gate import GateAnswer
from ranking.models import GateEvaluation, GatePolicy, PresentGate, Snapshot
from ranking.policies import in_force, values
from registry import jobs
from registry.actions.base import permit
from registry.models import Collection, Job

ASK = "ranking.add_gateevaluation"


def recompute(*, collection: Collection) -> GateEvaluation:
    """Evaluate the gate on the evidence as it stands; unchanged evidence gives the evaluation already stored.

    Level 0: it changes nothing that anybody decided, so it asks for no permission of its own.
    """
    with transaction.atomic():
        # Two evaluations of one collection at a time would race for one row.
        locked = Collection.objects.select_for_update().get(pk=collection.pk)
        evidence = snapshot.take(locked)
        evaluation = stored(locked, evidence, in_force(locked))
        PresentGate.objects.update_or_create(
            collection=locked, defaults={"evaluation": evaluation, "asked_at": timezone.now()}
        )
        return evaluation


def stored(
    collection: Collection, evidence: Evidence, policy: GatePolicy, answer: GateAnswer | None = None
) -> GateEvaluation:
    """The evaluation of this very evidence under this policy, made where it does not exist. Needs a transaction.

    `answer` is what the gate says of them, where somebody has asked it already.
    """
    body = canonical.text(evidence)
    now = timezone.now()
    taken, _ = Snapshot.objects.get_or_create(
        digest=canonical.sha256(body), defaults={"collection": collection, "body": body, "taken_at": now}
    )
    found = GateEvaluation.objects.filter(snapshot=taken, policy=policy).first()
    if found is not None:
        return found
    answer = answer or gate.evaluate(evidence, values(policy))
    return GateEvaluation.objects.create(
        collection=collection,
        snapshot=taken,
        policy=policy,
        verdict=answer.verdict,
        criteria=canonical.plain(answer.criteria),
        facets=canonical.plain(answer.facets),
        evaluated_at=now,
    )


def request(*, collection: Collection, by: AbstractUser) -> Job:
    """Queue a recompute, as the button in the admin does. Whoever only looks queues no work."""
    permit(by, ASK)
    with transaction.atomic():
        return jobs.enqueue(jobs.RECOMPUTE_GATE, collection.slug)
