"""How often the evidence was changed and looked at after ranks had been seen (DOMAIN 6)."""

import json

from ranking import canonical
from ranking.models import GateEvaluation, Release, Snapshot
from ranking.models.releases import ReleaseKind
from registry.models import Collection


def changes_since_first_look(collection: Collection) -> dict[str, int]:
    """Ranks are seen once a candidate is sealed: what came after the evaluation of the first candidate."""
    rankings = Release.objects.filter(collection=collection, kind=ReleaseKind.RANKING)
    first = rankings.order_by("pk").select_related("evaluation").first()
    if first is None or first.evaluation is None:
        return {"evaluations": 0, "evidence_changes": 0}
    later = GateEvaluation.objects.filter(collection=collection, pk__gt=first.evaluation.pk)
    return {"evaluations": later.count(), "evidence_changes": _states(collection, first.evaluation.snapshot_id) - 1}


def _states(collection: Collection, first: int) -> int:
    """Different states of the evidence among the snapshots from `first` on; a scale that was sealed since is none."""
    bodies = Snapshot.objects.filter(collection=collection, pk__gte=first).values_list("body", flat=True)
    return len({canonical.digest(json.loads(body) | {"sealed": None}) for body in bodies.iterator()})
