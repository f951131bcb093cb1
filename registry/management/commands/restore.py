from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from registry import keeping
from registry.actions.base import Refused
from registry.management.acting import REFUSED, USAGE


class Command(BaseCommand):
    help = "Fill an empty, migrated database from a file that backup wrote."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE")
        parser.add_argument("--replace", action="store_true", help="remove everything that is in the database first")

    def handle(self, *_: Any, **options: Any) -> None:
        try:
            counts = keeping.restore(options["file"], replace=options["replace"])
        except Refused as refused:
            raise CommandError(f"{refused.sentence} ({refused.code})", returncode=REFUSED) from refused
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}", returncode=USAGE) from error
        self.stdout.write(f"{sum(counts.values())} rows of {len(counts)} tables are restored.")
