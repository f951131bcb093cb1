"""What the confirm pages of either package are told about gates: criteria and counts, never names or order."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.core.cache import cache

from ranking import canonical, gate, snapshot
from ranking.evidence import Evidence
from ranking.models import GateEvaluation, GatePolicy, Publication
from ranking.policies import active, values
from ranking.public import words
from registry.confirm import Observation
from registry.models import Collection


def gate_consequences(slugs: Iterable[str]) -> Observation:
    """What each collection's gate would answer on the evidence as it stands in this transaction."""
    found = Collection.objects.filter(slug__in=list(slugs)).select_related("edition").order_by("slug")
    return {collection.slug: _answers(collection) for collection in found}


def published(slugs: Iterable[str]) -> set[str]:
    """The collections whose live page rests on the records; changing those asks first."""
    live = Publication.objects.filter(state="live", collection__slug__in=list(slugs))
    return set(live.values_list("collection__slug", flat=True))


def _answers(collection: Collection) -> dict[str, str]:
    policy = active(collection.edition)
    if policy is None:
        return {"Policy": "none in force"}
    evidence = snapshot.take(collection)
    return _asked(policy, evidence) | _counts(evidence)


def _asked(policy: GatePolicy, evidence: Evidence) -> dict[str, str]:
    """The gate on this evidence: as it was answered before, for which evidence and policy are enough, else now.

    A page that shows consequences asks once for what is and once for what would be, and its confirmation both again;
    the whole method takes seconds where there are thousands of comparisons.
    """
    digest = canonical.sha256(canonical.text(evidence))
    stored = GateEvaluation.objects.filter(snapshot__digest=digest, policy=policy).values("verdict", "criteria").first()
    if stored is not None:
        return _told(stored["verdict"], stored["criteria"])
    thresholds = values(policy)
    key = f"answered-{canonical.digest(thresholds)}-{digest}"
    found: dict[str, str] | None = cache.get(key)
    if found is None:
        answer = gate.evaluate(evidence, thresholds)
        found = _told(answer.verdict, canonical.plain(answer.criteria))
        cache.set(key, found)
    return found


def _told(verdict: str, criteria: list[dict[str, Any]]) -> dict[str, str]:
    return {"The whole gate": verdict} | criteria_in_words(criteria)


def criteria_in_words(criteria: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """By name, each verdict with its numbers, where there are any."""
    known = [(words.criterion(row["code"]), row) for row in criteria]
    return {criterion.name: criterion.told(row) for criterion, row in known}


def _counts(evidence: Evidence) -> dict[str, str]:
    return {"Results that count": f"{len(evidence.eligible_results)} of {len(evidence.results)}"}
