"""Decisions about the names of configurations: what a review makes of files, and what is left when it is withdrawn."""

from dataclasses import dataclass
from typing import ClassVar

from django.contrib.auth.models import AbstractUser
from django.db.models import QuerySet

from registry.actions import names
from registry.actions.base import Refused
from registry.confirm import Consequence, Decision, Facts, Outcome, Plan, decision
from registry.importing import uses
from registry.models import Configuration, ConfigurationAlias
from registry.wording import counted

# A person reads each of them beside what it would mean.
MOST_AT_ONCE = 100


@decision
@dataclass(frozen=True)
class ReviewAliases(Decision):
    """Let proposed names resolve: one, or several that are looked at side by side."""

    name: ClassVar[str] = "review-aliases"
    level: ClassVar[int] = 1
    permission: ClassVar[str] = names.REVIEW

    aliases: list[int]

    @property
    def object_key(self) -> str:
        return f"aliases {','.join(map(str, self.aliases))}"

    def lock(self) -> None:
        list(ConfigurationAlias.objects.select_for_update().filter(pk__in=self.aliases).order_by("pk"))

    def plan(self, by: AbstractUser) -> Plan:
        aliases = self._proposed()
        waiting = uses.waiting_for([alias.name for alias in aliases])
        one = len(aliases) == 1
        rows = sum(waiting.values())
        return Plan(
            verb="Review alias" if one else "Review aliases",
            object=aliases[0].name if one else counted(len(aliases), "name"),
            total=f"{counted(rows, 'row')} of waiting files {'gives' if rows == 1 else 'give'} "
            f"{'this name' if one else 'one of these names'}.",
            consequences=[_would_mean(aliases), *_in_files("Waiting for it" if one else "Waiting for them", waiting)],
            stays="What is imported already. Waiting batches stay as they are until somebody judges them again.",
            undo="Each review can be withdrawn, with a reason.",
            facts=_facts(aliases),
        )

    def facts(self, by: AbstractUser) -> Facts:
        """Looking for what waits once more decides nothing."""
        return _facts(self._proposed())

    def execute(self, by: AbstractUser, reason: str) -> Outcome:
        aliases = [names.review_alias(alias=alias, by=by, reason=reason) for alias in self._proposed()]
        waiting = [batch.pk for batch in uses.waiting_for([alias.name for alias in aliases])]
        told = f"{counted(len(aliases), 'name')} resolve from now on."
        if len(aliases) == 1:
            told = f"{aliases[0].name} means {aliases[0].configuration.key} from now on."
        return {"message": told, "aliases": [alias.pk for alias in aliases], "batches": waiting}

    def _proposed(self) -> list[ConfigurationAlias]:
        """In the order of their names."""
        if len(self.aliases) > MOST_AT_ONCE:
            raise Refused("too-many-aliases", f"Up to {MOST_AT_ONCE} names are reviewed together.")
        found = list(_every_part().filter(pk__in=self.aliases).order_by("name"))
        if missing := set(self.aliases).difference(alias.pk for alias in found):
            raise Refused("no-such-alias", f"There is no alias {min(missing)}.")
        for alias in found:
            if alias.reviewed_by:
                raise Refused("already-reviewed", f"{alias.name} was reviewed by {alias.reviewed_by} already.")
        return found


@decision
@dataclass(frozen=True)
class WithdrawReview(Decision):
    """Let a reviewed name resolve nothing any more."""

    name: ClassVar[str] = "withdraw-alias-review"
    level: ClassVar[int] = 1
    permission: ClassVar[str] = names.REVIEW
    needs_reason: ClassVar[bool] = True  # level 1, but kept with the name

    alias: int

    @property
    def object_key(self) -> str:
        return f"alias-{self.alias}"

    def lock(self) -> None:
        ConfigurationAlias.objects.select_for_update().filter(pk=self.alias).first()

    def plan(self, by: AbstractUser) -> Plan:
        alias = self._found()
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

    def facts(self, by: AbstractUser) -> Facts:
        """Looking for its uses once more would find the same."""
        return _facts([self._found()])

    def execute(self, by: AbstractUser, reason: str) -> Outcome:
        alias = names.withdraw_review(alias=self._found(), by=by, reason=reason)
        return {"message": f"{alias.name} resolves nothing any more.", "aliases": [alias.pk]}

    def _found(self) -> ConfigurationAlias:
        found = _every_part().filter(pk=self.alias).first()
        if found is None:
            raise Refused("no-such-alias", f"There is no alias {self.alias}.")
        return found


def _every_part() -> QuerySet[ConfigurationAlias]:
    return ConfigurationAlias.objects.select_related("configuration__model__organization")


def _facts(aliases: list[ConfigurationAlias]) -> Facts:
    """The versions hold all that an alias and its configuration say."""
    return {alias.name: f"version {alias.version} of {alias.configuration.version}" for alias in aliases}


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


def _would_mean(aliases: list[ConfigurationAlias]) -> Consequence:
    """Of one all its parts; of several a line each, to be read one below the other."""
    if len(aliases) == 1:
        return Consequence("What it would mean in every file", _meaning(aliases[0]), ("Part", "Says", ""))
    rows = [(alias.name, _in_a_line(alias.configuration), alias.reason) for alias in aliases]
    columns = ("Name in files", "Would mean", "Proposed because")
    return Consequence("What they would mean in every file", rows, columns)


def _in_a_line(meant: Configuration) -> str:
    model = f"{meant.model.organization.name}, {meant.model.name}"
    parts = f"harness {meant.harness}, effort {meant.effort}, settings {meant.settings}"
    return f"{meant.key}: {model}; {meant.get_subject_kind_display()}; {parts}"


def _in_files(heading: str, rows: uses.Rows) -> list[Consequence]:
    told = [(str(batch), batch.get_status_display(), str(count)) for batch, count in rows.items()]
    return [Consequence(heading, told, ("Batch", "State", "Rows"))] if told else []
