"""Files that unpack or unfold to far more than they are: how fast and in how much memory each is refused.

Each is read in a process of its own; `MB` is what reading added to the peak of one that had loaded the readers and the
file. Beside them what openpyxl, streaming, takes to read the workbook through.
"""

import io
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import openpyxl

from benchmarks.report import Figures

FOLD = 300
UNPACKED = 8 * 1024 * 1024

# Not ru_maxrss, which a process has from the one that started it.
_PEAK = """
import sys, time
from pathlib import Path
def peak():
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) / 1024
"""
_REFUSE = (
    _PEAK
    + """
from benchmarks.importing import world
world.set_up()
from registry.importing.formats import recognised
from registry.importing.problems import NotATable, Unreadable
content = Path(sys.argv[1]).read_bytes()
before, started = peak(), time.perf_counter()
try:
    recognised("x", content).read(content, "x")
    said = "read"
except Unreadable as refusal:
    said = refusal.problems[0].reason
except NotATable as refusal:
    said = "no table"
seconds = time.perf_counter() - started
print(f"{seconds} {peak() - before} {said}")
"""
)
_READ_THROUGH = (
    _PEAK
    + """
import openpyxl
before, started = peak(), time.perf_counter()
sheet = openpyxl.load_workbook(sys.argv[1], read_only=True).worksheets[0]
rows = sum(1 for _ in sheet.iter_rows())
seconds = time.perf_counter() - started
print(f"{seconds} {peak() - before} {rows} rows")
"""
)


def measure() -> Figures:
    figures: dict[str, dict[str, float | str]] = {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bomb.xlsx"
        for name, content in _bombs():
            path.write_bytes(content)
            figures[name] = {"KB": len(content) / 1024, **_measured(_REFUSE, path)}
            if name.startswith("XLSX, 300"):
                figures["the same, read by openpyxl"] = {"KB": len(content) / 1024, **_measured(_READ_THROUGH, path)}
    return figures


def _measured(script: str, path: Path) -> dict[str, float | str]:
    run = [sys.executable, "-c", script, str(path)]
    said = subprocess.run(run, capture_output=True, check=True, text=True).stdout.split(maxsplit=2)
    return {"seconds": float(said[0]), "MB": float(said[1]), "said": said[2].strip()}


def _bombs() -> Iterator[tuple[str, bytes]]:
    yield f"XLSX, {FOLD}-fold", _workbook(_sheet(UNPACKED))
    yield "XLSX, 1000-fold", _workbook(b" " * (16 * UNPACKED))
    yield "XLSX, a plain one of as many rows", _workbook(_varied_sheet())
    yield "XLSX, entities within entities", _workbook(_entities() + b"<worksheet>&j;</worksheet>")
    yield "ZIP, 100,000 files", _zip({f"{number}.json": b"" for number in range(100_000)})
    yield "YAML, aliases of aliases", _aliases()
    yield "JSON, a million levels", b"[" * 1_000_000
    yield "JSON, ten million values", b"[" + b"0," * 10_000_000 + b"0]"


def _workbook(sheet: bytes) -> bytes:
    made = io.BytesIO()
    openpyxl.Workbook().save(made)
    parts = {}
    with zipfile.ZipFile(made) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    return _zip(parts | {"xl/worksheets/sheet1.xml": sheet})


def _zip(parts: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return made.getvalue()


_HEAD = b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
_TAIL = b"</sheetData></worksheet>"


def _sheet(size: int) -> bytes:
    """Rows of equal numbers."""
    row = b"<row>" + b"<c><v>0</v></c>" * 50 + b"</row>"
    return _HEAD + row * (size // len(row)) + _TAIL


def _varied_sheet() -> bytes:
    rows = (b"<row><c><v>%d</v></c><c><v>0.%d</v></c></row>" % (row, row * 7919 % 100_003) for row in range(40_000))
    return _HEAD + b"".join(rows) + _TAIL


def _entities() -> bytes:
    levels = "".join(
        f'<!ENTITY {name} "{f"&{inner};" * 10}">' for inner, name in zip("abcdefghi", "bcdefghij", strict=True)
    )
    return f'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">{levels}]>'.encode()


def _aliases() -> bytes:
    levels = [
        f"- &{name} [{', '.join([f'*{inner}'] * 10)}]" for inner, name in zip("abcdefgh", "bcdefghi", strict=True)
    ]
    return "\n".join(["- &a {dataset: 1, task_id: 1, value: 1}", *levels]).encode()
