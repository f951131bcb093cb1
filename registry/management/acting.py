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
NAMES_NOTHING = ("no-such-", "unknown-")
"""How the codes of refusals begin that say: there is nobody and nothing of that name."""


def exit_code(refused: Refused) -> int:
    """2 where the command names what does not exist; 1 where it was understood and cannot be done."""
    return USAGE if refused.code.startswith(NAMES_NOTHING) else REFUSED


class ActingCommand(BaseCommand):
    """Acts as a user and with that user's permissions.

    Exit 0: done; 1: refused, with the reason; 2: usage, which is also a name that nobody and nothing has, and a user
    who may not do this.
    """

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--by", metavar="USER", help="act as this user and with that user's permissions")
        parser.add_argument("--reason", default="", metavar="TEXT", help="why; kept with the change")
        parser.add_argument("--json", action="store_true", help="answer as JSON")

    def handle(self, *_: Any, **options: Any) -> None:
        try:
            answer = self.act(acting_user(options["by"]), options)
        except Refused as refused:
            raise CommandError(f"{refused.sentence} ({refused.code})", returncode=exit_code(refused)) from refused
        except PermissionDenied as error:
            raise CommandError(str(error), returncode=USAGE) from error
        except ValidationError as error:
            raise CommandError(" ".join(error.messages), returncode=REFUSED) from error
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
