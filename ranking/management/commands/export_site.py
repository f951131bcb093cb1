from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ranking import site_copy

USAGE = 2


class Command(BaseCommand):
    help = "Write a static copy of every public page with its assets, and the data and bundle of every release."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("directory", type=Path, metavar="DIR", help="made where there is none; it must be empty")

    def handle(self, *_: Any, **options: Any) -> None:
        directory: Path = options["directory"]
        count = size = 0
        try:
            directory.mkdir(parents=True, exist_ok=True)
            if any(directory.iterdir()):
                raise CommandError(f"{directory} is not empty: files of an older copy would stay.", returncode=USAGE)
            for path, body in site_copy.files():
                target = directory / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(body)
                count, size = count + 1, size + len(body)
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}", returncode=USAGE) from error
        except site_copy.Missing as missing:
            raise CommandError(f"{missing} The copy in {directory} is not whole.", returncode=1) from missing
        self.stdout.write(f"{count} files, {size} bytes, in {directory}")
