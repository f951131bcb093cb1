from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ranking import registry_files


class Command(BaseCommand):
    help = "Write the registry and its policies as YAML that load_registry reads back to the same."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("directory", type=Path, help="made where there is none; its registry files are replaced")

    def handle(self, *_: Any, **options: Any) -> None:
        try:
            counts = registry_files.dump(options["directory"])
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}", returncode=2) from error
        for name, count in counts.items():
            self.stdout.write(f"{name}: {count}")
