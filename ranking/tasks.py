"""The jobs of `ranking`: each joins a waiting row to an action that is safe to run twice."""

from ranking.actions import publish, recompute
from ranking.models import PublishRequest
from registry import jobs
from registry.actions.base import Refused
from registry.models import Collection, Job


@jobs.handler(jobs.RECOMPUTE_GATE)
def recompute_gate(job: Job) -> jobs.Outcome:
    """Look at one collection's gate again."""
    collection = Collection.objects.filter(slug=job.key).first()
    if collection is None:
        return {"message": f"{job.key} does not exist any more."}
    try:
        evaluation = recompute.recompute(collection=collection)
    except Refused as refused:
        return {"refused": refused.code, "message": refused.sentence}  # a category in the making is no fault
    return {"verdict": evaluation.verdict, "snapshot": evaluation.snapshot.digest}


@jobs.handler(publish.PUBLISH)
def publish_release(job: Job) -> jobs.Outcome:
    """Carry out one confirmed request."""
    wish = publish.answer(wish=PublishRequest.objects.select_related("release__collection").get(pk=job.key))
    number = wish.publication.number if wish.publication else None
    return {"state": wish.state, "number": number, "message": wish.answer}
