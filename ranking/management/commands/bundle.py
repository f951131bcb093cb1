from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ranking.bundle import releases
from registry.actions.base import Refused
from registry.management.acting import exit_code


class Command(BaseCommand):
    help = "Write the bundle of a release: all that a stranger needs to check it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("release", help="12 digits of its identifier, or more")
        parser.add_argument("out", type=Path, metavar="OUT.zip")

    def handle(self, *_: Any, **options: Any) -> None:
        try:
            body = releases.bundle(releases.publication(options["release"]))
            options["out"].write_bytes(body)
        except Refused as refused:
            raise CommandError(f"{refused.sentence} ({refused.code})", returncode=exit_code(refused)) from refused
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}", returncode=2) from error
        self.stdout.write(f"{options['out']}: {len(body)} bytes.")
