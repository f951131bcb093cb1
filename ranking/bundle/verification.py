"""Every fault of a bundle: bytes that are not the manifest's, names that do not follow, figures that do not come out.

Pure: reads the bundle and computes; no database, no network.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ranking import canonical
from ranking.bundle.archive import MANIFEST, Manifest, manifest_of, sha256, unzipped
from ranking.bundle.members import CONTENT, SNAPSHOT, Files, Named, files, of_overall, readme
from ranking.evidence import Evidence
from ranking.gate import OPEN, assess
from ranking.identity import identifier, release_digest
from ranking.method.refusal import Refusal
from ranking.overall import Ranked, average
from ranking.reading import read
from ranking.table import against, table


@dataclass(frozen=True, slots=True)
class Fault:
    where: str
    """A file of the bundle, or the path of a figure in it."""
    message: str

    def __str__(self) -> str:
        return f"{self.where}: {self.message}"


def verify(path: Path) -> list[Fault]:
    """Of a ZIP, or of a directory that one was extracted to. Raises OSError where there is nothing to read."""
    if path.is_dir():
        inside = sorted(file for file in path.rglob("*") if file.is_file())
        return verify_files({file.relative_to(path).as_posix(): file.read_bytes() for file in inside})
    return verify_zip(path.read_bytes())


def verify_zip(body: bytes) -> list[Fault]:
    found, faults = unzipped(body)
    damaged = [Fault(*fault) for fault in faults]
    if not found:
        return damaged
    named = {fault.where for fault in damaged}
    return damaged + [fault for fault in verify_files(found) if fault.where not in named]


def verify_files(found: Files) -> list[Fault]:
    """Bytes first: where they are not those that were written, no figure is worth computing."""
    try:
        manifest = manifest_of(found)
    except ValueError as error:
        return [Fault(MANIFEST, f"It is no manifest of a bundle: {error}.")]
    if faults := list(_bytes(manifest, found)):
        return faults
    try:
        return list(_names(manifest, found)) or list(_figures(found))
    except (ArithmeticError, AttributeError, KeyError, Refusal, TypeError, ValueError) as error:
        return [Fault(CONTENT, f"It cannot be read as a release: {type(error).__name__} {error}.")]


def _bytes(manifest: Manifest, found: Files) -> Iterator[Fault]:
    listed = manifest["files"]
    for name in sorted(listed.keys() - found.keys()):
        yield Fault(name, "The manifest lists it, and it is not there.")
    for name in sorted(found.keys() - listed.keys() - {MANIFEST}):
        yield Fault(name, "The manifest does not list it.")
    for name in sorted(listed.keys() & found.keys()):
        if sha256(found[name]) != listed[name]:
            yield Fault(name, "Its bytes are not those that the manifest lists.")


def _names(manifest: Manifest, found: Files) -> Iterator[Fault]:
    """Digest, identifier, snapshot, and the files that repeat parts of others."""
    named = read(Named, manifest)
    content = found[CONTENT].decode()
    if release_digest(named.kind, content) != named.digest:
        yield Fault(CONTENT, "Its digest is not the one of the release.")
    if identifier(named.digest, named.number, named.predecessor) != named.identifier:
        yield Fault(MANIFEST, "Digest, number and predecessor do not give the name of the release.")
    if named.kind == "overall":
        yield from _averaged_names(json.loads(content), named, found)
        return
    snapshot = found[SNAPSHOT].decode() if SNAPSHOT in found else None
    if snapshot is not None and canonical.sha256(snapshot) != json.loads(content)["gate"]["snapshot"]:
        yield Fault(SNAPSHOT, "It is not the evidence that the release names.")
    yield from _repeats(files(content, snapshot, readme(named)), found)


def _averaged_names(content: Mapping[str, Any], named: Named, found: Files) -> Iterator[Fault]:
    """Of an overall leaderboard: each category is the ranking that it names, on the evidence that one names."""
    categories = _categories(content, found)
    for listed in content["categories"]:
        slug = listed["collection"]
        if release_digest("ranking", categories[slug].content) != listed["digest"]:
            yield Fault(f"{slug}/{CONTENT}", "It is not the ranking that the release averages.")
        if canonical.sha256(categories[slug].snapshot) != categories[slug].said["gate"]["snapshot"]:
            yield Fault(f"{slug}/{SNAPSHOT}", "It is not the evidence that the ranking names.")
    yield from _repeats(of_overall(found[CONTENT].decode(), categories, readme(named)), found)


def _categories(content: Mapping[str, Any], found: Files) -> dict[str, Ranked]:
    slugs = [one["collection"] for one in content["categories"]]
    return {slug: Ranked(*(found[f"{slug}/{name}"].decode() for name in (CONTENT, SNAPSHOT))) for slug in slugs}


def _repeats(expected: Files, found: Files) -> Iterator[Fault]:
    for name, body in expected.items():
        if found.get(name) != body:
            yield Fault(name, "It does not say what the release says.")


def _figures(found: Files) -> Iterator[Fault]:
    """Everything that the evidence gives, computed anew and compared at 6 digits."""
    content = json.loads(found[CONTENT])
    if content["kind"] == "overall":
        told = average(_categories(content, found))
        for part in ("facets", "policy", "ranking"):
            yield from _differences(part, told[part], content[part])
        return
    if SNAPSHOT not in found:
        if content["kind"] == "ranking":
            yield Fault(SNAPSHOT, "A ranking comes with its evidence.")
        return
    yield from moved(content, json.loads(found[SNAPSHOT]))


def moved(content: Mapping[str, Any], snapshot: Any) -> Iterator[Fault]:
    """Each figure of `content` that is not what its evidence gives."""
    evidence = read(Evidence, snapshot)
    if canonical.plain(evidence) != snapshot:
        yield Fault(SNAPSHOT, "It holds something that is no evidence.")
    assessment = assess(evidence, _values(content["policy"]))
    answer = assessment.answer
    gate = {"verdict": answer.verdict, "criteria": answer.criteria, "facets": answer.facets}
    yield from _differences("gate", canonical.plain(gate), content["gate"])
    if content["kind"] != "ranking":
        return
    if assessment.scoring.ranking is None or answer.verdict != OPEN:
        yield Fault("ranking", "This evidence does not open the gate, so that there is no ranking.")
        return
    told = table(assessment) | against(evidence, content["policy"], content["ranking"]["compared_with"])
    yield from _differences("ranking", canonical.plain(told), content["ranking"])


def _values(policy: Mapping[str, Any]) -> dict[str, Any]:
    return {name: threshold["value"] for name, threshold in policy["thresholds"].items()}


def _differences(path: str, computed: Any, told: Any) -> Iterator[Fault]:
    """What is told beside what can be computed, such as names, is not looked at."""
    if isinstance(computed, dict) and isinstance(told, dict):
        for name, value in computed.items():
            yield from _differences(f"{path}.{name}", value, told.get(name))
    elif isinstance(computed, list) and isinstance(told, list):
        if len(computed) != len(told):
            yield Fault(path, f"It has {len(told)} entries; the evidence gives {len(computed)}.")
        for number, (value, other) in enumerate(zip(computed, told, strict=False)):
            yield from _differences(f"{path}[{number}]", value, other)
    elif computed != told:
        yield Fault(path, f"It says {told!r}; the evidence gives {computed!r}.")
