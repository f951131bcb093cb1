"""The files of a bundle, from what a release sealed. Pure."""

import csv
import io
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from ranking import canonical
from ranking.evidence import Evidence
from ranking.overall import Ranked
from ranking.reading import read

Files = dict[str, bytes]
Record = dict[str, Any]

CONTENT = "content.json"
SNAPSHOT = "snapshot.json"
TABLES = (
    *("facets", "alignments", "groups", "contracts", "judges", "candidates", "results"),
    *("comparisons", "comparison_sources"),
)
"""The parts of a snapshot that are tables, each a CSV beside it."""


@dataclass(frozen=True, slots=True)
class Named:
    """A publication: what its identifier is made of, and what it is about."""

    collection: str
    kind: str
    number: int
    identifier: str
    digest: str
    predecessor: str
    """Identifier of the publication before; empty for a first one."""


def files(content: str, snapshot: str | None, readme: str) -> Files:
    """Of the canonical `content` and `snapshot` of a release; a status keeps its snapshot to itself."""
    told: Record = json.loads(content)
    found = {CONTENT: content, **_parts(told), "README.txt": readme}
    if snapshot is not None:
        found |= {SNAPSHOT: snapshot, **_tables(read(Evidence, json.loads(snapshot)))}
    return {name: text.encode() for name, text in sorted(found.items())}


def of_overall(content: str, categories: Mapping[str, Ranked], readme: str) -> Files:
    """The average, and what each of its categories sealed."""
    told: Record = json.loads(content)
    found = {CONTENT: content, "README.txt": readme}
    found |= {f"{name}.json": canonical.text(told[name]) for name in ("policy", "ranking")}
    for slug, category in categories.items():
        found |= {f"{slug}/{CONTENT}": category.content, f"{slug}/{SNAPSHOT}": category.snapshot}
    return {name: text.encode() for name, text in sorted(found.items())}


def _parts(content: Record) -> dict[str, str]:
    """Members of the content as files of their own; for people, and held against the content."""
    parts = {"policy.json": content["policy"], "gate.json": content["gate"]}
    if content["kind"] == "ranking":
        ranking = content["ranking"]
        parts |= {f"{name}.json": ranking[name] for name in ("panel", "pool", "constants")}
        parts["ranking.json"] = ranking
    return {name: canonical.text(part) for name, part in parts.items()}


def _tables(evidence: Evidence) -> dict[str, str]:
    found = {f"snapshot/{name}.csv": _csv(getattr(evidence, name)) for name in TABLES}
    rows = evidence.sealed.rows if evidence.sealed else ()
    return found | {"predecessor.json": canonical.text(rows)}


def _csv(rows: Iterable[Any]) -> str:
    """A column a field; lists within a cell are JSON, and an empty cell is null."""
    rows, file = tuple(rows), io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    if rows:
        writer.writerow([field.name for field in fields(rows[0])])
    for row in rows:
        writer.writerow([_cell(value) for value in canonical.plain(row).values()])
    return file.getvalue()


def _cell(value: Any) -> Any:
    if isinstance(value, bool | list | dict):
        return canonical.text(value)
    return value


README = """\
A sealed release of {collection}: {kind}, number {number}.

Release      {identifier}
Digest       {digest}
Predecessor  {predecessor}

Each file's SHA-256 is in manifest.json. The digest is the SHA-256 of "{kind}", a line feed and content.json. The
release is named by the SHA-256 of the canonical JSON of digest, number and predecessor; so every release names the one
before it, and none can be changed without changing the names of all that follow.

{evidence}

To check everything:

    pip install numpy scipy evalica
    python check.pyz THIS.zip

check.pyz is at /check.pyz of the site that published this release; a copy of its source makes the same bytes:
python manage.py verify --write-checker check.pyz. It needs no database and no network. It tells every file whose bytes
are not those of the manifest, and every figure that the evidence does not give. It ends with 0 where all agrees, with 1
otherwise.
"""
RANKED = """\
snapshot.json is the evidence, snapshot/*.csv the same as tables; predecessor.json holds the rows of the ranking before.
From these and policy.json the gate, the panel, the pool, the constants and the ranking are computed anew and compared
at 6 digits. Values that do not count are not in the snapshot; why each does not is."""
WITHHELD = """\
The evidence is not in this bundle. This release is an evidence status: it ranks nothing, and a value is shown in public
only as part of a ranking. The digest of the evidence is in gate.json, so that it can be held against it later."""

AVERAGED = """\
It averages the rankings of the categories beside it: each directory holds what one of them sealed, content.json with
its panel and constants and snapshot.json, the evidence. From these the average is computed anew and compared at 6
digits. Each ranking has a bundle of its own, which checks it in full."""


def readme(named: Named) -> str:
    evidence = {"ranking": RANKED, "overall": AVERAGED}.get(named.kind, WITHHELD)
    said = {name: getattr(named, name) for name in ("collection", "kind", "number", "identifier", "digest")}
    return README.format(evidence=evidence, predecessor=named.predecessor or "none", **said)
