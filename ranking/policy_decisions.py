"""The decision that puts a drafted gate policy in force (DOMAIN 6, level 3)."""

from dataclasses import dataclass
from typing import ClassVar

from django.contrib.auth.models import AbstractUser

from ranking.actions import policies
from ranking.models import GatePolicy
from ranking.policies import values
from registry.actions.base import Refused
from registry.confirm import Consequence, Decision, Outcome, Plan, decision, rehearse
from registry.wording import counted


@decision
@dataclass(frozen=True)
class ApprovePolicy(Decision):
    """Put a drafted version of a gate policy in force."""

    name: ClassVar[str] = "approve-policy"
    permission: ClassVar[str] = "ranking.publish_release"
    level: ClassVar[int] = 3

    policy: int

    @property
    def object_key(self) -> str:
        return self._policy().name

    def lock(self) -> None:
        GatePolicy.objects.select_for_update().get(pk=self._policy().pk)

    def plan(self, by: AbstractUser) -> Plan:
        draft = self._policy()
        policies.check_approval(draft, by)
        old = GatePolicy.objects.filter(edition=draft.edition, state="active").first()
        changed = _thresholds(old, draft)
        slugs = list(draft.edition.collections.order_by("slug").values_list("slug", flat=True))
        return Plan(
            verb="Put in force",
            object=f"gate policy {draft.name}, drafted by {draft.drafted_by}",
            total=f"{counted(len(changed), 'threshold')} would differ, for {counted(len(slugs), 'gate')}.",
            consequences=[
                Consequence("Thresholds", changed),
                *rehearse(lambda: policies.approve_policy(policy=draft, by=by, reason="A rehearsal."), slugs),
            ],
            stays="Evaluations and releases under the policy before stay as they were.",
            undo="By a further version.",
            facts={"policy": draft.pk, "state": draft.state, "in force": old.name if old else None},
        )

    def execute(self, by: AbstractUser, reason: str) -> Outcome:
        policy = policies.approve_policy(policy=self._policy(), by=by, reason=reason)
        return {"message": f"Policy {policy.name} is in force.", "policy": policy.pk}

    def _policy(self) -> GatePolicy:
        found = GatePolicy.objects.select_related("edition").filter(pk=self.policy).first()
        if found is None:
            raise Refused("no-such-policy", f"There is no policy {self.policy}.")
        return found


def _thresholds(old: GatePolicy | None, new: GatePolicy) -> list[tuple[str, str, str]]:
    before, after = values(old) if old else {}, values(new)
    return [
        (name, str(before.get(name, "not asked")), str(after.get(name, "not asked")))
        for name in sorted(before.keys() | after.keys())
        if before.get(name) != after.get(name)
    ]
