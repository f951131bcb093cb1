"""What the commands that import files of any kind share."""

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any, ClassVar

from django.contrib.auth.models import AbstractUser
from django.core.exceptions import PermissionDenied
from django.core.management.base import BaseCommand, CommandError

from registry import jobs
from registry.actions import imports
from registry.actions.base import Refused, permit
from registry.actions.reading import READ_IMPORT, no_table
from registry.importing.contents import Content, Held, OnDisk
from registry.importing.formats import FORMATS
from registry.importing.formats.archives import packed
from registry.importing.problems import Problem, Unreadable
from registry.importing.report import Report, report, report_of_no_table, skip_reasons
from registry.importing.suggestions import did_you_mean
from registry.models import ImportBatch, MappingProfile
from registry.people import acting_user
from registry.vocabulary import BatchMode, ImportKind, Verdict

SHOWN = 50


class ImportCommand(BaseCommand):
    """Stage a file and, with --apply, store it. Exit 0: done or would be done; 1: something in the file stands in the
    way, and it is named; 2: wrong usage, or no table at all.
    """

    kind: ClassVar[ImportKind]

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="CSV in UTF-8, or another format that is known; a folder is packed")
        parser.add_argument("--format", choices=FORMATS, metavar="F", help="read it as this and nothing else")
        parser.add_argument("--profile", metavar="P", help="key of the mapping profile of a foreign layout")
        parser.add_argument("--source-url", default="", metavar="U", help="where it was published; a row's own wins")
        parser.add_argument("--source-ref", default="", metavar="R", help="commit, page or version; a row's own wins")
        parser.add_argument("--apply", action="store_true", help="store the rows; without it they are only staged")
        parser.add_argument("--quarantine", action="store_true", help="apply the good rows, keep the others staged")
        parser.add_argument("--json", action="store_true", help="report as JSON")
        parser.add_argument("--by", metavar="USER", help="act as this user; the command-line account without it")
        parser.add_argument("--reason", default="", metavar="TEXT", help="why; needed where stored results change")

    def handle(self, *_: Any, **options: Any) -> None:
        try:
            by = acting_user(options["by"])
            if options["apply"]:
                permit(by, "registry.apply_importbatch")
            batch = self._stage(by, options)
        except OSError as error:
            raise CommandError(f"{options['file']} cannot be read: {error.strerror}.", returncode=2) from error
        except Refused as refused:
            raise CommandError(refused.sentence, returncode=2) from refused
        except PermissionDenied as error:
            raise CommandError(str(error), returncode=2) from error
        jobs.do(READ_IMPORT, str(batch.pk))
        batch.refresh_from_db()
        hindrance = self._apply(batch, by, options["reason"]) if options["apply"] else imports.hindrance(batch)
        self._report(batch, hindrance, as_json=options["json"])
        if hindrance is not None:
            sys.exit(2 if _is_none(batch) else 1)

    def _content(self, path: Path) -> Content:
        try:
            return Held(packed(path)) if path.is_dir() else OnDisk(path)
        except Unreadable as error:
            raise CommandError(str(error), returncode=2) from error
        except UnicodeEncodeError as error:
            named = error.object.encode(errors="backslashreplace").decode()
            raise CommandError(f"A file in {path} has a name that is not UTF-8: {named}.", returncode=2) from error

    def _stage(self, by: AbstractUser, options: dict[str, Any]) -> ImportBatch:
        path, content = options["file"].resolve(), self._content(options["file"])
        try:
            return imports.stage(
                kind=self.kind,
                form=options["format"] or "",
                content=content,
                filename=f"{path.name}.zip" if path.is_dir() else path.name,
                profile=self._profile(options["profile"]),
                source_url=options["source_url"],
                source_ref=options["source_ref"],
                mode=BatchMode.QUARANTINE if options["quarantine"] else BatchMode.ALL_OR_NOTHING,
                by=by,
            )
        except Refused as refused:
            if options["json"] and refused.code == no_table(self.kind):
                self._write(report_of_no_table(content, refused.code, refused.sentence))
            raise

    def _profile(self, key: str | None) -> MappingProfile | None:
        profile = MappingProfile.objects.filter(key=key).first()
        if key is not None and profile is None:
            hint = did_you_mean(key, MappingProfile.objects.values_list("key", flat=True))
            raise Refused("unknown-profile", f"There is no mapping profile {key}.{hint}")
        return profile

    def _apply(self, batch: ImportBatch, by: AbstractUser, reason: str) -> Refused | None:
        try:
            imports.apply(batch=batch, by=by, reason=reason)
        except Refused as refused:
            return refused
        except PermissionDenied as error:
            raise CommandError(f"Batch {batch.pk} is staged. {error}", returncode=2) from error
        jobs.run_waiting()
        return None

    def _report(self, batch: ImportBatch, hindrance: Refused | None, *, as_json: bool) -> None:
        batch.refresh_from_db(fields=("status",))
        found = report(batch)
        if hindrance is not None and not found["problems"]:
            # Of the batch, and of no line of the file.
            found["problems"].append(Problem(0, "", "", hindrance.code, hindrance.sentence).as_json())
        if as_json:
            self._write(found)
        else:
            self._tell(batch, found)

    def _write(self, found: Report) -> None:
        self.stdout.write(json.dumps(found, ensure_ascii=False))

    def _tell(self, batch: ImportBatch, found: Report) -> None:
        counts = ", ".join(f"{count} {verdict}" for verdict, count in batch.counts.items() if count)
        self.stdout.write(f"Batch {batch.pk}: {batch.rows} rows ({counts}); {batch.get_status_display()}.")
        if batch.rows and batch.counts[Verdict.SAME] == batch.rows:
            self.stdout.write("Every row is stored already: there is nothing to do.")
        for reason, count in skip_reasons(batch).items():
            self.stdout.write(f"{count} rows skipped: {reason}")
        for problem in found["problems"][:SHOWN]:
            line = f"line {problem['line']}" if problem["line"] else ""
            place = ", ".join(filter(None, (line, problem["column"])))
            said = f"{place}: {problem['message']} (value: {problem['value']!r})" if place else problem["message"]
            self.stderr.write(said)
        if (more := len(found["problems"]) - SHOWN) > 0:
            self.stderr.write(f"… and {more} more problems; --json lists all.")


def _is_none(batch: ImportBatch) -> bool:
    """No table at all, as only opening a large document could tell."""
    return any(problem["reason"] == no_table(batch.kind) for problem in batch.problems)
