"""The registry's decisions: what asks before it is done (DOMAIN 6)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from django.contrib.auth.models import AbstractUser
from django.db import connection

from registry.actions import exclusions, imports, reading
from registry.actions.base import Refused
from registry.actions.evidence_changed import affected_by
from registry.confirm import Consequence, Decision, Foreseen, Outcome, Plan, as_json, decision, observe, rehearse
from registry.models import Collection, EvidenceMapping, Exclusion, ImportBatch
from registry.standing import Standing, of_batch
from registry.vocabulary import BatchStatus, Verdict
from registry.wording import counted


def _every_collection() -> list[str]:
    return list(Collection.objects.values_list("slug", flat=True))


def _asked(foreseen: Foreseen) -> str:
    asked = f"{counted(len(foreseen.before), 'gate')} {'was' if len(foreseen.before) == 1 else 'were'} asked"
    return f"{asked}; {len(foreseen.flips)} would answer otherwise."


def _flips_or_none(flips: list[Consequence]) -> list[Consequence]:
    return flips or [Consequence("Gates", [("every collection", "unchanged", "unchanged")])]


# Trying a batch out writes all its rows, asks the gates and takes the rows back. On SQLite that holds the one write
# lock, for which everybody else waits 20 seconds at most: 30,000 rows in four categories were more than that.
TRIED_BY_A_WORKER = {"sqlite": 10_000, "postgresql": 200_000}
# Told on a page, of why results would not count.
MOST_REASONS = 20


@dataclass(frozen=True)
class BatchDecision(Decision):
    """About one import batch, locked by its row."""

    batch: int

    @property
    def object_key(self) -> str:
        return f"batch-{self.batch}"

    def lock(self) -> None:
        ImportBatch.objects.select_for_update().filter(pk=self.batch).first()

    def found(self) -> ImportBatch:
        try:
            return ImportBatch.objects.select_related("source").get(pk=self.batch)
        except (ImportBatch.DoesNotExist, ValueError, TypeError) as error:
            raise Refused("no-such-batch", f"There is no import batch {self.batch}.") from error

    def tried(self, batch: ImportBatch, act: Callable[[], object]) -> Foreseen:
        """What the gates would answer, as far as that is found out beforehand."""
        slugs = imports.reached(batch)
        if batch.rows <= reading.TRIED_ROWS:
            return rehearse(act, slugs)
        before, kept = observe(slugs), batch.foreseen if batch.status == BatchStatus.STAGED else None
        return Foreseen(before, kept["after"] if kept and kept["before"] == before else None)


def _gates(foreseen: Foreseen, batch: ImportBatch) -> list[Consequence]:
    if foreseen.after is not None:
        return _flips_or_none(foreseen.flips)
    why = (
        "the gates have moved since it was tried out" if batch.foreseen else "so many rows are not tried out beforehand"
    )
    return [Consequence("Gates", [("every collection", "as they are", f"asked afterwards: {why}")])]


def foresee_apply(batch: ImportBatch, by: AbstractUser) -> None:
    """Try a large batch out, and keep what the gates would answer for whoever decides about it."""
    if reading.TRIED_ROWS < batch.rows <= TRIED_BY_A_WORKER[connection.vendor] and imports.hindrance(batch) is None:
        seen = rehearse(lambda: imports.apply(batch=batch, by=by, reason="rehearsal"), imports.reached(batch))
        kept = as_json({"before": seen.before, "after": seen.after})
        ImportBatch.objects.filter(pk=batch.pk).update(foreseen=kept)


@decision
@dataclass(frozen=True)
class ApplyImport(BatchDecision):
    """Store the rows of a staged batch."""

    name: ClassVar[str] = "apply-import"
    level: ClassVar[int] = 1
    permission: ClassVar[str] = "registry.apply_importbatch"

    @property
    def needs_reason(self) -> bool:
        """A correction is recorded with its reason."""
        return bool(self.found().counts.get(Verdict.CHANGED))

    def plan(self, by: AbstractUser) -> Plan:
        batch = self.found()
        if hindrance := imports.hindrance(batch):
            raise hindrance
        counts = _counts(batch)
        written = counts[Verdict.NEW] + counts[Verdict.CHANGED]
        rows = [(Verdict(verdict).label, str(count), "") for verdict, count in counts.items() if count]
        standing: list[Standing] = []

        def act() -> None:
            standing.extend(of_batch(imports.apply(batch=batch, by=by, reason="rehearsal")))

        foreseen = self.tried(batch, act)
        return Plan(
            verb="Apply import",
            object=f"{batch.source.filename}, batch {batch.pk}",
            total=f"{written} of {counted(batch.rows, 'row')} would be written.",
            consequences=[
                Consequence("Rows by verdict", rows, ("Verdict", "Rows", "")),
                Consequence("Whether its results would count", _standing(standing), ("Category", "Results", "Why")),
                *_gates(foreseen, batch),
            ],
            stays="Public pages stay as they are until a person publishes.",
            undo="The batch can be reverted as a whole.",
            facts={
                **foreseen.facts,
                "status": batch.status,
                "read": _read_as(batch),
                "counts": counts,
                "results": {f"{each.collection}: {each.told}": each.results for each in standing},
            },
        )

    def execute(self, by: AbstractUser, reason: str) -> Outcome:
        batch = self.found()
        if batch.rows > imports.AT_ONCE_ROWS:
            batch = imports.request_apply(batch=batch, by=by, reason=reason)
        else:
            batch = imports.apply(batch=batch, by=by, reason=reason)
        told = f"Batch {batch.pk} is {batch.get_status_display()}."
        return {"message": told, "batch": batch.pk, "counts": batch.counts}


def _read_as(batch: ImportBatch) -> dict[str, object]:
    """Judged again, it is another batch, though as many rows should have each verdict."""
    return {name: getattr(batch, name) for name in ("mode", "profile_key", "profile_version", "basis")}


def _standing(found: list[Standing]) -> list[tuple[str, str, str]]:
    rows = [(each.collection, str(each.results), each.told) for each in found[:MOST_REASONS]]
    more = len(found) - MOST_REASONS
    return [*rows, ("and others", "", f"for {counted(more, 'further reason')}")] if more > 0 else rows


def _counts(batch: ImportBatch) -> dict[str, int]:
    return {verdict.value: batch.counts.get(verdict.value, 0) for verdict in Verdict}


@decision
@dataclass(frozen=True)
class RevertBatch(BatchDecision):
    """Take back all that a batch wrote."""

    name: ClassVar[str] = "revert-batch"
    level: ClassVar[int] = 2
    permission: ClassVar[str] = "registry.revert_importbatch"

    def plan(self, by: AbstractUser) -> Plan:
        batch = self.found()
        reach = imports.reach(batch)
        foreseen = self.tried(batch, lambda: imports.revert(batch=batch, by=by, reason="rehearsal"))
        again = f" {counted(reach.restored, 'result')} that they corrected would count again." if reach.restored else ""
        return Plan(
            verb="Revert import",
            object=f"{batch.source.filename}, batch {batch.pk}",
            total=f"{reach.taken_back} would be taken back.{again}",
            consequences=[
                Consequence(
                    "Batches that count on it",
                    [
                        (f"batch {number}", "says that rows are stored already", "they are not")
                        for number in reach.leaning
                    ],
                ),
                *_gates(foreseen, batch),
            ],
            stays="The file, its rows and the history stay. Public pages stay until a person publishes.",
            undo="The same file can be imported again.",
            facts={
                **foreseen.facts,
                "status": batch.status,
                "taken back": reach.taken_back,
                "restored": reach.restored,
                "leaning": reach.leaning,
            },
        )

    def execute(self, by: AbstractUser, reason: str) -> Outcome:
        batch = imports.revert(batch=self.found(), by=by, reason=reason)
        return {"message": f"Batch {batch.pk} is reverted.", "batch": batch.pk}


@decision
@dataclass(frozen=True)
class Exclude(Decision):
    """Refuse evidence. The reason and the rule are fixed before the consequences are shown."""

    name: ClassVar[str] = "exclude"
    level: ClassVar[int] = 1
    permission: ClassVar[str] = "registry.add_exclusion"

    scope: str
    target: str
    type: str
    reason: str
    lift_condition: str
    mapping: int | None = None

    @property
    def object_key(self) -> str:
        return f"{self.scope} {self.target}"

    def lock(self) -> None:
        """The unique rule is checked in the action; nothing exists yet that could be locked."""

    def plan(self, by: AbstractUser) -> Plan:
        foreseen = rehearse(lambda: self._exclude(by), self._slugs())
        return Plan(
            verb="Exclude",
            object=f"{exclusions.named(self.scope, self.target)}{self._where()}",
            total=_asked(foreseen),
            consequences=[
                Consequence("The rule", [("type", self.type, ""), ("reason", self.reason, "")], ("What", "Says", "")),
                *_flips_or_none(foreseen.flips),
            ],
            stays="The results stay stored. Public pages stay as they are until a person publishes.",
            undo=f"It can be lifted: {self.lift_condition}",
            facts=foreseen.facts,
        )

    def execute(self, by: AbstractUser, reason: str) -> Outcome:
        excluded = self._exclude(by)
        return {"message": f"The {self.scope} {self.target} is excluded.", "exclusion": excluded.pk}

    def _exclude(self, by: AbstractUser) -> Exclusion:
        return exclusions.exclude(
            scope=self.scope,
            target=self.target,
            type=self.type,
            reason=self.reason,
            lift_condition=self.lift_condition,
            mapping=self._mapping(),
            by=by,
        )

    def _mapping(self) -> EvidenceMapping | None:
        if self.mapping is None:
            return None
        mapping = (
            EvidenceMapping.objects.filter(pk=self.mapping).select_related("collection", "benchmark__suite").first()
        )
        if mapping is None:
            raise Refused("no-such-mapping", f"There is no mapping {self.mapping}.")
        return mapping

    def _where(self) -> str:
        return f" within {self._mapping()}" if self.mapping else ", everywhere"

    def _slugs(self) -> list[str]:
        mapping = self._mapping()
        return [mapping.collection.slug] if mapping else _every_collection()


@decision
@dataclass(frozen=True)
class LiftExclusion(Decision):
    """End an exclusion."""

    name: ClassVar[str] = "lift-exclusion"
    level: ClassVar[int] = 1
    permission: ClassVar[str] = "registry.lift_exclusion"
    needs_reason: ClassVar[bool] = True  # level 1, but kept with the exclusion

    exclusion: int

    @property
    def object_key(self) -> str:
        return f"exclusion-{self.exclusion}"

    def lock(self) -> None:
        Exclusion.objects.select_for_update().filter(pk=self.exclusion).first()

    def plan(self, by: AbstractUser) -> Plan:
        found = self._exclusion()
        foreseen = rehearse(lambda: exclusions.lift(exclusion=found, by=by, reason="rehearsal"), affected_by(found))
        return Plan(
            verb="Lift exclusion",
            object=f"{exclusions.named(found.scope, found.target)}: {found.type}",
            total=_asked(foreseen),
            consequences=[
                Consequence("What would lift it", [("condition", found.lift_condition, "")], ("What", "Says", "")),
                *_flips_or_none(foreseen.flips),
            ],
            stays="The exclusion stays in the ledger as lifted. Public pages stay until a person publishes.",
            undo="The same can be excluded again.",
            facts={**foreseen.facts, "lifted": found.lifted_at is not None},
        )

    def execute(self, by: AbstractUser, reason: str) -> Outcome:
        lifted = exclusions.lift(exclusion=self._exclusion(), by=by, reason=reason)
        return {"message": f"The exclusion of {lifted.scope} {lifted.target} is lifted.", "exclusion": lifted.pk}

    def _exclusion(self) -> Exclusion:
        found = Exclusion.objects.filter(pk=self.exclusion).first()
        if found is None:
            raise Refused("no-such-exclusion", f"There is no exclusion {self.exclusion}.")
        return found
