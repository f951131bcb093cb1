"""The decisions about a drafted gate policy: to put it in force (DOMAIN 6, level 3), or to discard it."""

from dataclasses import dataclass
from typing import ClassVar

from django.contrib.auth.models import AbstractUser

from ranking.actions import policies
from ranking.models import GatePolicy
from ranking.policies import active, values
from ranking.public import words
from ranking.public.rules import value_in_words
from registry.actions.base import Refused
from registry.confirm import Consequence, Decision, Outcome, Plan, decision, rehearse
from registry.wording import counted


@dataclass(frozen=True)
class PolicyDecision(Decision):
    """About one version of a policy, locked by its row."""

    policy: int

    @property
    def object_key(self) -> str:
        return self.found().name

    def lock(self) -> None:
        GatePolicy.objects.select_for_update().get(pk=self.found().pk)

    def found(self) -> GatePolicy:
        found = GatePolicy.objects.select_related("edition").filter(pk=self.policy).first()
        if found is None:
            raise Refused("no-such-policy", f"There is no policy {self.policy}.")
        return found


@decision
@dataclass(frozen=True)
class ApprovePolicy(PolicyDecision):
    """Put a drafted version of a gate policy in force."""

    name: ClassVar[str] = "approve-policy"
    permission: ClassVar[str] = "ranking.publish_release"
    level: ClassVar[int] = 3

    def plan(self, by: AbstractUser) -> Plan:
        draft = self.found()
        policies.check_approval(draft, by)
        old = active(draft.edition)
        changed = _thresholds(old, draft)
        slugs = list(draft.edition.collections.order_by("slug").values_list("slug", flat=True))
        foreseen = rehearse(lambda: policies.approve_policy(policy=draft, by=by, reason="A rehearsal."), slugs)
        return Plan(
            verb="Put in force",
            object=f"gate policy {draft.name}, drafted by {draft.drafted_by}",
            total=f"{counted(len(changed), 'threshold')} would differ, for {counted(len(slugs), 'gate')}.",
            consequences=[
                Consequence("Thresholds", changed),
                *foreseen.flips,
            ],
            stays="Evaluations and releases under the policy before stay as they were.",
            undo="By a further version.",
            facts={**foreseen.facts, "policy": draft.pk, "state": draft.state, "in force": old.name if old else None},
        )

    def execute(self, by: AbstractUser, reason: str) -> Outcome:
        policy = policies.approve_policy(policy=self.found(), by=by, reason=reason)
        return {"message": f"Policy {policy.name} is in force.", "policy": policy.pk}


@decision
@dataclass(frozen=True)
class DiscardPolicy(PolicyDecision):
    """Let a draft go that was never in force."""

    name: ClassVar[str] = "discard-policy"
    permission: ClassVar[str] = "ranking.add_gatepolicy"
    level: ClassVar[int] = 1
    needs_reason: ClassVar[bool] = True  # level 1, but kept in the history

    def plan(self, by: AbstractUser) -> Plan:
        draft = self.found()
        policies.check_draft(draft)
        return Plan(
            verb="Discard",
            object=f"draft {draft.name} of the gate policy, drafted by {draft.drafted_by}",
            total="No gate would answer otherwise: a draft judges nothing.",
            consequences=[Consequence("The draft", [("Why it exists", draft.reason, "")], ("What", "Says", ""))],
            stays="The draft stays on record as discarded, and its number is not given again.",
            undo="The next version can be drafted from it.",
            facts={"policy": draft.pk, "state": draft.state},
        )

    def execute(self, by: AbstractUser, reason: str) -> Outcome:
        policy = policies.discard_policy(policy=self.found(), by=by, reason=reason)
        return {"message": f"The draft {policy.name} is discarded.", "policy": policy.pk}


def _thresholds(old: GatePolicy | None, new: GatePolicy) -> list[tuple[str, str, str]]:
    before, after = values(old) if old else {}, values(new)
    return [
        (words.threshold(name), value_in_words(before.get(name)), value_in_words(after.get(name)))
        for name in sorted(before.keys() | after.keys())
        if before.get(name) != after.get(name)
    ]
