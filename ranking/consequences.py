"""What the confirm pages of either package are told about gates: criteria and counts, never names or order."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from ranking import gate, snapshot
from ranking.evidence import Evidence
from ranking.models import GatePolicy, Publication
from ranking.policies import values
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
    policy = GatePolicy.objects.filter(edition=collection.edition, state="active").first()
    if policy is None:
        return {"Policy": "none in force"}
    evidence = snapshot.take(collection)
    answer = gate.evaluate(evidence, values(policy))
    criteria = {words.criterion(row.code).name: in_words(asdict(row)) for row in answer.criteria}
    return {"The whole gate": answer.verdict} | criteria | _counts(evidence)


def in_words(criterion: Mapping[str, Any]) -> str:
    """A verdict with its numbers, where there are any."""
    observed = criterion["observed"]
    return words.VERDICTS[criterion["verdict"]] + (
        "" if observed is None else f", {observed} of {criterion['required']}"
    )


def _counts(evidence: Evidence) -> dict[str, str]:
    return {"Results that count": f"{len(evidence.eligible_results)} of {len(evidence.results)}"}
