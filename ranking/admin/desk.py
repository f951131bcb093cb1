"""What the collection page shows beside its form: the newest gate evaluation, the live page, the candidate."""

from dataclasses import dataclass
from decimal import Decimal

from django.contrib.auth.models import AbstractUser, AnonymousUser
from django.urls import reverse

from ranking.actions.publish import live_of
from ranking.admin.behind import behind_of
from ranking.admin.waiting import waiting_candidates
from ranking.models import GateEvaluation, PresentGate, Publication, PublishRequest, Release
from ranking.models.releases import PublicationState, ReleaseKind, RequestState
from ranking.otherwise import Difference
from ranking.public import criteria
from ranking.public.criteria import CriterionRow, Tally
from ranking.snapshot import ranked_before
from registry.admin import confirm
from registry.models import Collection


@dataclass(frozen=True, slots=True)
class FacetGate:
    title: str
    criteria: list[CriterionRow]


@dataclass(frozen=True, slots=True)
class Desk:
    weight: Decimal
    evaluation: GateEvaluation | None
    facets: list[FacetGate]
    live: Publication | None
    tombstone: Publication | None
    """The last page, where nothing is live because it was withdrawn."""
    behind: list[Difference]
    candidate: Release | None
    waiting: PublishRequest | None
    seal_url: str
    seal_ranking_url: str
    """Empty where the gate is closed."""
    rebase_url: str
    """Of the page that asks to seal a ranking on a new panel; empty where no ranking has one to keep. The gate may be
    closed: it is where a member of the panel has no evidence any more.
    """
    publish_url: str
    withdraw_url: str

    @property
    def criteria(self) -> list[CriterionRow]:
        return criteria.rows(self.evaluation.criteria) if self.evaluation else []

    @property
    def tally(self) -> Tally:
        return criteria.tally(self.evaluation.criteria if self.evaluation else [])


def present_gate(collection: Collection) -> PresentGate | None:
    found = PresentGate.objects.filter(collection=collection)
    return found.select_related("evaluation__snapshot", "evaluation__policy__edition").first()


def desk_of(collection: Collection, user: AbstractUser | AnonymousUser) -> Desk:
    present = present_gate(collection)
    evaluation = present.evaluation if present else None
    live = live_of(collection)
    candidate = candidate_of(collection)
    waiting = PublishRequest.objects.filter(release__collection=collection, state=RequestState.WAITING).first()
    may_seal = user.has_perm("ranking.seal_release")
    may_withdraw = user.has_perm("ranking.publish_release")
    may_publish = candidate is not None and waiting is None and may_withdraw
    return Desk(
        weight=sum((facet.weight for facet in collection.facets.all()), Decimal(0)),
        evaluation=evaluation,
        facets=facet_gates(evaluation) if evaluation else [],
        live=live,
        tombstone=None if live else tombstone_of(collection),
        behind=behind_of(live) if live else [],
        candidate=candidate,
        waiting=waiting,
        seal_url=confirm.address("seal", collection=collection.slug) if may_seal else "",
        seal_ranking_url=_seal_ranking(collection, evaluation) if may_seal else "",
        rebase_url=reverse("admin:confirm", args=("seal",)) if may_seal and ranked_before(collection) else "",
        withdraw_url=confirm.address("withdraw", publication=live.pk) if live and may_withdraw else "",
        publish_url=confirm.address("publish", release=candidate.pk) if candidate and may_publish else "",
    )


def tombstone_of(collection: Collection) -> Publication | None:
    withdrawn = Publication.objects.filter(collection=collection, state=PublicationState.WITHDRAWN)
    return withdrawn.order_by("-number").first()


def _seal_ranking(collection: Collection, evaluation: GateEvaluation | None) -> str:
    is_open = evaluation is not None and evaluation.verdict == GateEvaluation.OPEN
    return confirm.address("seal", collection=collection.slug, kind=ReleaseKind.RANKING.value) if is_open else ""


def candidate_of(collection: Collection) -> Release | None:
    """The newest sealed page, of whatever kind, that waits for a publisher."""
    return waiting_candidates().filter(collection=collection).first()


def facet_gates(evaluation: GateEvaluation) -> list[FacetGate]:
    """In the words that the public reads."""
    titles = dict(evaluation.collection.facets.values_list("slug", "title"))
    return [
        FacetGate(titles.get(answer["facet"], answer["facet"]), criteria.rows(answer["criteria"], of_facet=True))
        for answer in evaluation.facets
    ]
