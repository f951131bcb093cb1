"""The pure modules in one file that a reader can run: `python check.pyz BUNDLE.zip`."""

from pathlib import Path

from ranking.bundle.archive import zipped

ROOT = Path(__file__).parents[1]
MODULES = (
    *("__init__", "canonical", "criteria", "evidence", "field", "gate", "identity", "overall", "reading"),
    *("bundle/__init__", "bundle/__main__", "bundle/archive", "bundle/members", "bundle/verification"),
    *("scoring", "table"),
)
MAIN = "import sys\n\nfrom ranking.bundle.__main__ import main\n\nraise SystemExit(main(sys.argv[1:]))\n"


NAME = "check.pyz"


def content() -> bytes:
    """The same source gives the same bytes."""
    return zipped(_sources())


def _sources() -> dict[str, bytes]:
    files = [*(ROOT / f"{name}.py" for name in MODULES), *sorted((ROOT / "method").rglob("*.py"))]
    sources = {f"ranking/{file.relative_to(ROOT).as_posix()}": file.read_bytes() for file in files}
    return sources | {"__main__.py": MAIN.encode()}
