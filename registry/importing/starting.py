"""What a file is to look like, and what a profile for one that looks otherwise starts from."""

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from registry.importing.formats import FORMATS, SHEETS
from registry.importing.kinds import KINDS
from registry.vocabulary import ImportKind


@dataclass(frozen=True, slots=True)
class Told:
    """One column of the own layout, for people."""

    name: str
    required: str
    help: str
    limit: int | None


def columns(kind: str) -> Iterator[Told]:
    own = KINDS[kind].own.header
    first, *others = own.alternatives or (frozenset(),)
    instead = ", or ".join(" and ".join(name for name in KINDS[kind].columns if name in each) for each in others)
    for name, column in KINDS[kind].columns.items():
        required = "required" if name in own.needs else f"required, or {instead}" if name in first else ""
        yield Told(name, required, column.help.replace("`", ""), column.limit)


def template(kind: str) -> str:
    """A file with a header and no row."""
    output = io.StringIO()
    csv.writer(output).writerow(KINDS[kind].columns)
    return output.getvalue()


def skeleton(kind: str = ImportKind.RESULTS, header: Sequence[str] = (), form: str = "") -> dict[str, Any]:
    """A valid spec for a file with this header: columns of the own names are taken, what is required and is not there
    is left blank, and what else the file has is ignored until somebody makes something of it."""
    own = KINDS[kind].own.header
    asked = own.needs.union(*own.alternatives[:1], header)
    spec: dict[str, Any] = {"format": form} if form in FORMATS and form not in SHEETS else {}
    names = [name or "unnamed" for name in dict.fromkeys(header)]
    if "" in header:
        spec["unnamed"] = "unnamed"
    taken = [name for name in KINDS[kind].columns if name in asked]
    spec["columns"] = {name: f"{{{name}}}" if name in names else "" for name in taken}
    if ignored := [name for name in names if name not in taken]:
        spec["ignored"] = ignored
    return spec
