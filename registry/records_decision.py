"""The decision behind a file of curated records: what it would add and change, before it does."""

from dataclasses import dataclass, replace
from typing import ClassVar

from django.contrib.auth.models import AbstractUser

from registry.actions.changes import ADD
from registry.changes_decision import ChangeRecords
from registry.confirm import Outcome, Plan, decision


@decision
@dataclass(frozen=True)
class ImportRecords(ChangeRecords):
    """Carry out the edits that a file of one table comes to. Nothing is removed."""

    name: ClassVar[str] = "import-records"

    same: int
    """Records of the file that are stored as it says."""

    def plan(self, by: AbstractUser) -> Plan:
        plan = super().plan(by)
        asked = [told for told in plan.consequences if self.collections or told.heading != "Gates"]
        added = sum(operation["op"] == ADD for operation in self.operations)
        changed = len(self.operations) - added
        return replace(
            plan,
            verb="Import records",
            total=f"Records of the file: {added} would be added, {changed} changed, {self.same} stay as they are.",
            consequences=asked,
            stays="Records that the file does not name. Public pages stay as they are until a person publishes.",
        )

    def execute(self, by: AbstractUser, reason: str) -> Outcome:
        done = super().execute(by, reason)
        return done | {"message": f"{self.title}: {len(self.operations)} records are written."}
