"""Sealing the overall leaderboard. It is published and withdrawn as any ranking is, at level 3."""

from dataclasses import dataclass
from typing import ClassVar

from django.contrib.auth.models import AbstractUser

from ranking import canonical, overall
from ranking.actions import publish
from ranking.actions.overall import present_overall, seal_overall
from ranking.identity import release_digest
from ranking.models.releases import ReleaseKind
from registry.confirm import Consequence, Decision, Outcome, Plan, decision


@decision
@dataclass(frozen=True)
class SealOverall(Decision):
    """Freeze the average over the live rankings, as a candidate."""

    name: ClassVar[str] = "seal-overall"
    level: ClassVar[int] = 1
    permission: ClassVar[str] = "ranking.seal_release"

    @property
    def object_key(self) -> str:
        return overall.SLUG

    def lock(self) -> None:
        publish.lock(None)

    def plan(self, by: AbstractUser) -> Plan:
        content = present_overall()
        categories = [(facet["title"], "", f"{facet['weight']} %") for facet in content["facets"]]
        missing = [(row["title"], "", row["message"]) for row in content["missing"]]
        return Plan(
            verb="Seal a candidate",
            object="the overall leaderboard",
            total=f"{len(content['ranking']['rows'])} configurations rank in all of {len(categories)} categories.",
            consequences=[Consequence("Categories", categories), Consequence("Contribute nothing", missing)],
            stays="Public pages stay as they are: a publisher decides about the candidate.",
            undo="A candidate is never published by itself; a newer one replaces it.",
            facts={"digest": release_digest(ReleaseKind.OVERALL, canonical.text(content))},
        )

    def execute(self, by: AbstractUser, reason: str) -> Outcome:
        release = seal_overall(by=by)
        return {"message": f"Candidate {release.digest[:12]} is sealed.", "release": release.pk}
