"""Every string of a list as the notes and as the id of a result: stored as it is, or refused with a reason.

    python -m tests.registry.importing.naughty blns.json

What was stored is exported, and the export imported again has to change nothing.
"""

import json
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.registry.importing.outside import prepare


def main(file: str) -> None:
    strings = list(dict.fromkeys(json.loads(Path(file).read_text())))
    with tempfile.TemporaryDirectory() as data:
        os.environ |= {"DATABASE_URL": f"sqlite:///{data}/assay.sqlite3", "DATA_DIR": data}
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
        prepare()
        for column in ("notes", "external_id"):
            print(len(strings), "strings as", column, _outcome(column, strings))


def _outcome(column: str, strings: list[str]) -> dict[str, object]:
    from registry.actions import imports
    from registry.importing.escaping import neutralised
    from registry.importing.report import report
    from registry.importing.results.resource import ResultResource
    from registry.models import Result
    from registry.people import acting_user
    from registry.vocabulary import BatchMode
    from tests.registry.importing.own.rows import table

    by = acting_user(None)
    content = table(*({column: neutralised(text)} for text in strings))
    batch = imports.stage(content=content, filename="strings.csv", by=by, mode=BatchMode.QUARANTINE)
    imports.apply(batch=batch, by=by)
    stored = {result.source_ref: getattr(result, column) for result in Result.objects.filter(batch=batch)}
    given = {f"row {number}": text for number, text in enumerate(strings, 1)}
    problems = report(batch)["problems"]
    exported = ResultResource().export(Result.objects.all()).csv.encode()
    again = imports.stage(content=exported, filename="again.csv", by=by)
    return {
        "stored": len(stored),
        "stored otherwise": sum(given[place] != text for place, text in stored.items()),
        "refused": dict(Counter(problem["reason"] for problem in problems)),
        "lost": len(strings) - len(stored) - len({problem["line"] for problem in problems}),
        "same again": again.counts["same"],
        "not the same": again.rows - again.counts["same"],
    }


if __name__ == "__main__":
    main(sys.argv[1])
