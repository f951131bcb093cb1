"""Files to a ZIP of fixed bytes and back, with a manifest of SHA-256. Pure.

Members are stored, not compressed: compressed bytes differ between versions of a library, and a bundle of one release
has one SHA-256 wherever it is made.
"""

import hashlib
import io
import json
import zipfile
from dataclasses import asdict
from typing import Any

from ranking import canonical
from ranking.bundle.members import Files, Named

MANIFEST = "manifest.json"
FORMAT = 1
MADE = (1980, 1, 1, 0, 0, 0)
"""The clock is no part of a bundle; this is the first moment that a ZIP can tell."""
MOST_UNFOLDED = 20
"""Times its own size; a bundle unpacks to less than that, packed again by whatever program."""
DIRECTORY = "the list of files at the end of the ZIP"

Manifest = dict[str, Any]


def with_manifest(named: Named, files: Files) -> Files:
    manifest = {"format": FORMAT, **asdict(named), "files": {name: sha256(body) for name, body in files.items()}}
    manifest["sha256"] = canonical.digest(manifest)
    return {**files, MANIFEST: canonical.text(manifest).encode()}


def manifest_of(files: Files) -> Manifest:
    """Raises ValueError where there is none, or it is not the one that was written."""
    try:
        told: Any = json.loads(files.get(MANIFEST, b""))
    except RecursionError as error:
        raise ValueError("it is nested too deep") from error
    if not isinstance(told, dict) or canonical.text(told).encode() != files[MANIFEST]:
        raise ValueError("it is not canonical JSON")
    if told.get("sha256") != canonical.digest({name: value for name, value in told.items() if name != "sha256"}):
        raise ValueError("its SHA-256 of itself is another")
    return told


def sha256(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()


def zipped(files: Files) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name, body in sorted(files.items()):
            entry = zipfile.ZipInfo(name, MADE)
            entry.create_system, entry.external_attr = 3, 0o644 << 16
            archive.writestr(entry, body)
    return buffer.getvalue()


def unzipped(body: bytes) -> tuple[Files, list[tuple[str, str]]]:
    """What can be read, and (where, what is wrong) of everything that is not as `zipped` wrote it."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(body))
    except Exception as error:  # noqa: BLE001  a damaged ZIP fails in many ways
        return {}, [(DIRECTORY, f"it cannot be read: {error}")]
    with archive:
        # Members are stored as they are: what unpacks to far more is no bundle, and memory is not filled with it.
        if (size := sum(entry.file_size for entry in archive.infolist())) > MOST_UNFOLDED * len(body):
            return {}, [(DIRECTORY, f"it would unpack to {size} bytes")]
        files, faults = _members(archive)
        if not faults and (place := _difference(zipped(files), body)) is not None:
            faults.append((_where(archive, place), f"byte {place} is not what it was written as"))
    return files, faults


def _members(archive: zipfile.ZipFile) -> tuple[Files, list[tuple[str, str]]]:
    files: Files = {}
    faults = []
    for entry in archive.infolist():
        try:
            files[entry.filename] = archive.read(entry)
        except Exception as error:  # noqa: BLE001  as above
            faults.append((entry.filename, f"it cannot be read: {error}"))
    return files, faults


def _difference(expected: bytes, found: bytes) -> int | None:
    if expected == found:
        return None
    pairs = zip(expected, found, strict=False)
    shorter = min(len(expected), len(found))
    return next((place for place, (a, b) in enumerate(pairs) if a != b), shorter)


def _where(archive: zipfile.ZipFile, place: int) -> str:
    """The member in whose part of the ZIP a byte lies."""
    if place >= archive.start_dir:
        return DIRECTORY
    before = [(entry.header_offset, entry.filename) for entry in archive.infolist() if entry.header_offset <= place]
    return max(before)[1] if before else "the beginning of the ZIP"
