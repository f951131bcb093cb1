from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from registry import keeping
from registry.management.acting import USAGE


class Command(BaseCommand):
    help = "Write the whole database, uploads included, into one file that restore reads. It holds password hashes."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="is replaced once the new one is whole")

    def handle(self, *_: Any, **options: Any) -> None:
        path: Path = options["file"]
        try:
            counts = keeping.backup(path)
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}", returncode=USAGE) from error
        self.stdout.write(
            f"{sum(counts.values())} rows of {len(counts)} tables, {path.stat().st_size} bytes, in {path}"
        )
