"""The decision behind a guarded edit: weight, rights, contract use, measurement or alignment of a live page."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any, ClassVar

from django.contrib.auth.models import AbstractUser
from django.db.models import Sum

from registry import audit
from registry.actions import changes
from registry.actions.base import Refused
from registry.actions.changes import Operation
from registry.confirm import Consequence, Decision, Outcome, Plan, decision, rehearse
from registry.models import AuditEvent, Collection, Curated, Facet
from registry.wording import counted

Rows = list[tuple[str, str, str]]


@decision
@dataclass(frozen=True)
class ChangeRecords(Decision):
    """Carry out the edits of one form."""

    name: ClassVar[str] = "change-records"
    level: ClassVar[int] = 1
    permission: ClassVar[str] = "registry.view_collection"
    """To look at the plan; each edit asks for its own permission, in the rehearsal already."""

    operations: list[dict[str, Any]]
    title: str
    """What is edited, in the words of the form."""
    url: str
    """Where it is edited."""
    collections: list[str]
    """Whose gates the edit may reach."""

    @property
    def object_key(self) -> str:
        return self.title

    def lock(self) -> None:
        """Each record is locked by the edit itself, which compares versions."""

    def plan(self, by: AbstractUser) -> Plan:
        edits: Rows = []
        before = _weights(self.collections)
        weights: Rows = []

        def act() -> None:
            edits.extend(self._rehearsed(by))
            after = _weights(self.collections)
            weights.extend((slug, f"{was} %", f"{after[slug]} %") for slug, was in before.items())

        foreseen = rehearse(act, self.collections)
        flips = foreseen.flips
        touched = len({_of(index, operation) for index, operation in enumerate(self.operations)})
        return Plan(
            verb="Save changes",
            object=self.title,
            total=f"{counted(touched, 'record')} would change; {counted(len(flips), 'gate')} would answer otherwise.",
            consequences=[
                Consequence("What you changed", edits),
                *([Consequence("Total of the facet weights", weights)] if self._touches(Facet) else []),
                *(flips or [Consequence("Gates", [("every collection", "unchanged", "unchanged")])]),
            ],
            stays="Public pages stay as they are until a person publishes; they will be shown as behind.",
            undo="Change it back: the history keeps both.",
            facts=foreseen.facts,
        )

    def execute(self, by: AbstractUser, reason: str) -> Outcome:
        self._carry_out(by, reason)
        return {"message": f"{self.title} is saved.", "url": self.url}

    def _carry_out(self, by: AbstractUser, reason: str) -> list[Curated]:
        edits = [Operation(**operation) for operation in self.operations]
        try:
            return changes.carry_out(operations=edits, by=by, reason=reason, asked=True)
        except changes.Failed as failed:
            code = failed.error.code if isinstance(failed.error, Refused) else "invalid"
            raise Refused(code, failed.sentence) from failed

    def _rehearsed(self, by: AbstractUser) -> Rows:
        """What the history would say of it."""
        with audit.one_action() as action_id:
            self._carry_out(by, "rehearsal")
            events = AuditEvent.objects.filter(action_id=action_id).order_by("pk")
            return [row for event in events for row in _told(event)]

    def _touches(self, model: type[Curated]) -> bool:
        return any(operation["model"] == model._meta.label_lower for operation in self.operations)


def _of(index: int, operation: dict[str, Any]) -> tuple[str, int]:
    """What tells one record from the others: two models may both have a number 1, and a new record has none."""
    pk = operation.get("pk")
    return ("added", index) if pk is None else (operation["model"], pk)


def _told(event: AuditEvent) -> Rows:
    what = f"{event.kind} {event.object_key}"
    if event.before is None or event.after is None:
        there, gone = ("", "added") if event.before is None else ("there", "removed")
        return [(what, there, gone)]
    return [(f"{what}: {name}", _text(event.before.get(name)), _text(value)) for name, value in event.after.items()]


def _text(value: Any) -> str:
    if value is None or value == "":
        return "nothing"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _weights(slugs: list[str]) -> dict[str, Decimal]:
    totals = Collection.objects.filter(slug__in=slugs).annotate(total=Sum("facets__weight")).order_by("slug")
    return {slug: total or Decimal(0) for slug, total in totals.values_list("slug", "total")}
