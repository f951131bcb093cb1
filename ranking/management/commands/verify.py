from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ranking.bundle import checker, releases
from ranking.bundle.verification import Fault, verify
from registry.actions.base import Refused
from registry.models import Collection

USAGE = 2


class Command(BaseCommand):
    help = "Recompute a release from its bundle alone, or walk the chain of publications. Exit 1 names what differs."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("what", nargs="?", help="a bundle, the directory it was extracted to, or a release")
        parser.add_argument("--chain", action="store_true", help="check every publication, or those of collection WHAT")
        parser.add_argument("--write-checker", type=Path, metavar="OUT.pyz", help="write the check as one file")

    def handle(self, *_: Any, **options: Any) -> None:
        what, checker_path = options["what"], options["write_checker"]
        if checker_path is not None:
            self._write_checker(checker_path)
        elif options["chain"]:
            self._say(list(self._chain(what)), "The chain is whole.")
        elif what is None:
            raise CommandError("Name a bundle or a release, or ask for --chain.", returncode=USAGE)
        else:
            self._say(_faults(what), "Everything agrees: bytes, names, gate and figures.")

    def _write_checker(self, path: Path) -> None:
        try:
            path.write_bytes(checker.content())
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}", returncode=USAGE) from error
        self.stdout.write(f"{path}: run it with python after pip install numpy scipy evalica.")

    def _chain(self, collection: str | None) -> list[Fault]:
        if collection is not None and not Collection.objects.filter(slug=collection).exists():
            raise CommandError(f"There is no collection {collection!r}.", returncode=USAGE)
        return list(releases.chain(collection))

    def _say(self, faults: list[Fault], well: str) -> None:
        for fault in faults:
            self.stderr.write(str(fault))
        if faults:
            raise CommandError(f"{len(faults)} difference(s).", returncode=1)
        self.stdout.write(well)


def _faults(what: str) -> list[Fault]:
    path = Path(what)
    try:
        return verify(path) if path.exists() else releases.faults(releases.publication(what))
    except OSError as error:
        raise CommandError(f"{error.filename}: {error.strerror}", returncode=USAGE) from error
    except Refused as refused:
        raise CommandError(f"{refused.sentence} ({refused.code})", returncode=USAGE) from refused
