import sys
from argparse import ArgumentParser
from typing import Any

from django.core.exceptions import PermissionDenied
from django.core.management.base import BaseCommand, CommandError

from registry import jobs
from registry.actions import imports
from registry.actions.base import Refused
from registry.models import ImportBatch
from registry.people import acting_user


class Command(BaseCommand):
    help = "Take back all that an applied import batch stored; what it corrected counts again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("batch", type=int, metavar="ID", help="number of the batch")
        parser.add_argument("--by", metavar="USER", help="act as this user; the command-line account without it")
        parser.add_argument("--reason", required=True, metavar="TEXT", help="why; kept with the batch")
        parser.add_argument("--confirm", action="store_true", help="do not ask at a terminal")

    def handle(self, *_: Any, **options: Any) -> None:
        try:
            by = acting_user(options["by"])
            batch = self._batch(options["batch"])
            plan = imports.reach(batch)
            told = f"{plan.taken_back} are taken back"
            if plan.restored:
                told += f", {plan.restored} corrected ones count again"
            self._confirm(batch, told, sure=options["confirm"])
            imports.revert(batch=batch, by=by, reason=options["reason"])
        except Refused as refused:
            raise CommandError(refused.sentence, returncode=1) from refused
        except PermissionDenied as error:
            raise CommandError(str(error), returncode=2) from error
        jobs.run_waiting()
        self.stdout.write(f"Batch {batch.pk} is reverted: {told}.")

    def _batch(self, number: int) -> ImportBatch:
        batch = ImportBatch.objects.filter(pk=number).first()
        if batch is None:
            raise CommandError(f"There is no import batch {number}.", returncode=2)
        return batch

    def _confirm(self, batch: ImportBatch, told: str, *, sure: bool) -> None:
        """A script has said what it wants by giving the number; a person at a terminal is asked once more."""
        if sure or not sys.stdin.isatty():
            return
        answer = input(f"Revert {batch}: {told}. Type {batch.pk} to do it: ")
        if answer.strip() != str(batch.pk):
            raise CommandError("Nothing was changed.", returncode=1)
