import json
from pathlib import Path
from typing import Any

from django.core.exceptions import PermissionDenied
from django.core.management.base import BaseCommand, CommandError, CommandParser

from ranking import registry_files
from registry.actions.base import Refused
from registry.exchange import LoadRefused, Problem
from registry.people import acting_user


class Command(BaseCommand):
    help = "Load a directory of registry files: all of it or, where anything is wrong, nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("directory", type=Path, help="holds editions.yaml, collections.yaml and so on")
        parser.add_argument("--by", metavar="USER", help="act as this user and with that user's permissions")
        parser.add_argument("--reason", default="", metavar="TEXT", help="why; kept with every change")
        parser.add_argument("--json", action="store_true", help="report as JSON")

    def handle(self, *_: Any, **options: Any) -> None:
        report = self._report_json if options["json"] else self._report
        try:
            by = acting_user(options["by"])
            written = registry_files.load(options["directory"], by=by, reason=options["reason"])
        except LoadRefused as refused:
            report({}, refused.problems)
            raise CommandError(f"{len(refused.problems)} problem(s); nothing was stored.", returncode=1) from refused
        except (Refused, PermissionDenied) as error:
            raise CommandError(str(error), returncode=2) from error
        report(written, [])

    def _report(self, written: dict[str, int], problems: list[Problem]) -> None:
        for problem in problems:
            self.stderr.write(str(problem))
        for name, count in written.items():
            self.stdout.write(f"{name}: {count} written")

    def _report_json(self, written: dict[str, int], problems: list[Problem]) -> None:
        answer = {"written": written, "problems": [problem.as_dict() for problem in problems]}
        self.stdout.write(json.dumps(answer, ensure_ascii=False))
