"""Decisions about the names of configurations: what a review makes of files, and what is left when it is withdrawn."""

from dataclasses import dataclass
from typing import ClassVar

from django.contrib.auth.models import AbstractUser

from registry.actions import names
from registry.actions.base import Refused
from registry.confirm import Consequence, Decision, Facts, Outcome, Plan, decision
from registry.importing import uses
from registry.models import ConfigurationAlias
from registry.wording import counted


@dataclass(frozen=True)
class AliasDecision(Decision):
    """About one alias, locked by its row."""

    level: ClassVar[int] = 1
    permission: ClassVar[str] = names.REVIEW

    alias: int

    @property
    def object_key(self) -> str:
        return f"alias-{self.alias}"

    def lock(self) -> None:
        ConfigurationAlias.objects.select_for_update().filter(pk=self.alias).first()

    def found(self) -> ConfigurationAlias:
        try:
            return ConfigurationAlias.objects.select_related("configuration__model__organization").get(pk=self.alias)
        except (ConfigurationAlias.DoesNotExist, ValueError, TypeError, OverflowError) as error:
            raise Refused("no-such-alias", f"There is no alias {self.alias}.") from error

    def facts(self, by: AbstractUser) -> Facts:
        """The version holds all that the alias says."""
        found = self.found()
        return {"version": found.version, "configuration": found.configuration.version}


@decision
@dataclass(frozen=True)
class ReviewAlias(AliasDecision):
    """Let a proposed name resolve."""

    name: ClassVar[str] = "review-alias"

    def plan(self, by: AbstractUser) -> Plan:
        alias = self.found()
        if alias.reviewed_by:
            raise Refused("already-reviewed", f"{alias.name} was reviewed by {alias.reviewed_by} already.")
        waiting = uses.waiting_for(alias.name)
        return Plan(
            verb="Review alias",
            object=alias.name,
            total=f"{counted(sum(waiting.values()), 'row')} of waiting files give this name.",
            consequences=[
                Consequence("What it would mean in every file", _meaning(alias), ("Part", "Says", "")),
                *_in_files("Waiting for it", waiting),
            ],
            stays="What is imported already. Waiting batches stay as they are until somebody judges them again.",
            undo="The review can be withdrawn, with a reason.",
            facts=self.facts(by),
        )

    def execute(self, by: AbstractUser, reason: str) -> Outcome:
        alias = names.review_alias(alias=self.found(), by=by, reason=reason)
        waiting = [batch.pk for batch in uses.waiting_for(alias.name)]
        told = f"{alias.name} means {alias.configuration.key} from now on."
        return {"message": told, "alias": alias.pk, "batches": waiting}


@decision
@dataclass(frozen=True)
class WithdrawReview(AliasDecision):
    """Let a reviewed name resolve nothing any more."""

    name: ClassVar[str] = "withdraw-alias-review"

    def plan(self, by: AbstractUser) -> Plan:
        alias = self.found()
        if not alias.reviewed_by:
            raise Refused("not-reviewed", f"Nobody has reviewed {alias.name}: it resolves nothing.")
        used = uses.read_by(alias)
        least = "" if used.is_whole and not used.unsure else "At least "
        return Plan(
            verb="Withdraw the review of alias",
            object=alias.name,
            total=f"{least}{counted(sum(used.named.values()), 'row')} came in, or wait, under this name.",
            consequences=[
                Consequence("What it means until then", _meaning(alias), ("Part", "Says", "")),
                *_in_files("Read by this name", used.named),
                *_in_files("By this or another name: their profile has changed since", used.unsure),
            ],
            stays=(
                f"Results that came in under it stay with {alias.configuration.key}: revert their batches to take them "
                "back. Waiting batches that use it are refused as stale when they are applied."
            ),
            undo="It can be reviewed again, or point to another configuration first.",
            facts=self.facts(by),
        )

    @property
    def needs_reason(self) -> bool:
        return True

    def execute(self, by: AbstractUser, reason: str) -> Outcome:
        alias = names.withdraw_review(alias=self.found(), by=by, reason=reason)
        return {"message": f"{alias.name} resolves nothing any more.", "alias": alias.pk}


def _meaning(alias: ConfigurationAlias) -> list[tuple[str, str, str]]:
    meant = alias.configuration
    parts = {
        "name in files": alias.name,
        "configuration": meant.key,
        "organization": meant.model.organization.name,
        "model": meant.model.name,
        "subject kind": meant.get_subject_kind_display(),
        "harness": meant.harness,
        "effort": meant.effort,
        "settings": meant.settings,
        "proposed because": alias.reason,
    }
    return [(part, says, "") for part, says in parts.items() if says]


def _in_files(heading: str, rows: uses.Rows) -> list[Consequence]:
    told = [(str(batch), batch.get_status_display(), str(count)) for batch, count in rows.items()]
    return [Consequence(heading, told, ("Batch", "State", "Rows"))] if told else []
