"""Files to read, and what was said of them."""

import json
from pathlib import Path
from typing import Any

import yaml

from registry.importing.formats import FORMATS, archives, recognised
from registry.importing.problems import NotATable, Problem, Unreadable
from registry.importing.tables import Table

HERE = Path(__file__).parent
ROOT = HERE.parents[3]
DATA = ROOT / "tests" / "data" / "formats"
SUBMISSIONS = ROOT / "examples" / "data" / "tau2_bench" / "submissions"

SAMPLES: dict[str, dict[str, Any]] = yaml.safe_load((HERE / "samples.yaml").read_text())


def content_of(path: Path) -> bytes:
    return archives.packed(path) if path.is_dir() else path.read_bytes()


def table(content: bytes, filename: str = "") -> Table:
    return recognised(filename, content).read(content, filename)


def rows(content: bytes, filename: str = "") -> list[dict[str, str]]:
    read = table(content, filename)
    return [dict(zip(read.header, record.cells, strict=True)) for record in read]


def faults(content: bytes, key: str = "") -> list[Problem]:
    """What is wrong with a file, read as what it was recognised as, or as a given format."""
    try:
        (FORMATS[key] if key else recognised("", content)).read(content, "")
    except Unreadable as unreadable:
        return unreadable.problems
    raise AssertionError("it was read")


def reasons(content: bytes, key: str = "") -> list[str]:
    return [problem.reason for problem in faults(content, key)]


def why_not(content: bytes, key: str = "") -> str:
    """Why there are no results in it."""
    try:
        (FORMATS[key] if key else recognised("", content)).read(content, "")
    except NotATable as nothing:
        return nothing.why
    raise AssertionError("it was read")


def altered(path: Path, change: str, value: Any = None) -> bytes:
    """A JSON file with another value at `a/0/b`, or without it where the value is `...`."""
    document = json.loads(path.read_bytes())
    *parents, last = (int(part) if part.isdigit() else part for part in change.split("/"))
    place = document
    for part in parents:
        place = place[part]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return json.dumps(document).encode()


def zipped(files: dict[str, bytes]) -> bytes:
    import io
    import zipfile

    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return made.getvalue()
