"""What every command that writes shares: who acts, why, and what its exit code says."""

import json
from abc import abstractmethod
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser

from registry import jobs
from registry.actions.base import Refused
from registry.people import acting_user

REFUSED = 1
USAGE = 2


class ActingCommand(BaseCommand):
    """Acts as a user and with that user's permissions. Exit 0: done; 1: refused, with the reason; 2: usage."""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--by", metavar="USER", help="act as this user and with that user's permissions")
        parser.add_argument("--reason", default="", metavar="TEXT", help="why; kept with the change")
        parser.add_argument("--json", action="store_true", help="answer as JSON")

    def handle(self, *_: Any, **options: Any) -> None:
        try:
            by = acting_user(options["by"])
        except Refused as refused:
            raise CommandError(refused.sentence, returncode=USAGE) from refused
        try:
            answer = self.act(by, options)
        except Refused as refused:
            raise CommandError(f"{refused.sentence} ({refused.code})", returncode=REFUSED) from refused
        except (PermissionDenied, ValidationError) as error:
            raise CommandError(str(error), returncode=REFUSED) from error
        self._say(answer, as_json=options["json"])

    @abstractmethod
    def act(self, by: User, options: dict[str, Any]) -> dict[str, Any]:
        """Do it; the answer is printed, `message` first."""

    def _say(self, answer: dict[str, Any], *, as_json: bool) -> None:
        if as_json:
            self.stdout.write(json.dumps(answer, default=str))
            return
        self.stdout.write(str(answer.get("message", "done")))
        for name, value in answer.items():
            if name != "message":
                self.stdout.write(f"  {name}: {value}")


def do_waiting_jobs() -> None:
    """A command does its jobs itself: it must work where no worker runs."""
    jobs.run_waiting()
