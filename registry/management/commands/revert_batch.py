import sys
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import CommandParser

from registry.actions import imports
from registry.actions.base import Refused
from registry.management.acting import ActingCommand, do_waiting_jobs
from registry.models import ImportBatch


class Command(ActingCommand):
    help = "Take back all that an applied import batch stored; what it corrected counts again."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("batch", type=int, metavar="ID", help="number of the batch")
        parser.add_argument("--confirm", action="store_true", help="do not ask at a terminal")

    def act(self, by: User, options: dict[str, Any]) -> dict[str, Any]:
        batch = _batch(options["batch"])
        plan = imports.reach(batch)
        told = f"{plan.taken_back} taken back"
        if plan.restored:
            told += f", corrected ones that count again: {plan.restored}"
        _confirm(batch, told, sure=options["confirm"])
        imports.revert(batch=batch, by=by, reason=options["reason"])
        do_waiting_jobs()
        return {"message": f"Batch {batch.pk} is reverted: {told}.", "batch": batch.pk}


def _batch(number: int) -> ImportBatch:
    batch = ImportBatch.objects.filter(pk=number).first() if 0 < number < 2**63 else None
    if batch is None:
        raise Refused("no-such-batch", f"There is no import batch {number}.")
    return batch


def _confirm(batch: ImportBatch, told: str, *, sure: bool) -> None:
    """A script has said what it wants by giving the number; a person at a terminal is asked once more."""
    if sure or not sys.stdin.isatty():
        return
    answer = input(f"Revert {batch}: {told}. Type {batch.pk} to do it: ")
    if answer.strip() != str(batch.pk):
        raise Refused("not-typed", "Nothing was changed.")
