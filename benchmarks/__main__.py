"""`python -m benchmarks [NAME ...]`: every measurement, or those named, one after the other.

A name is a room, such as `importing`, or one measurement in it, such as `importing.preview`. All of them take hours.

Each runs in a process of its own, on one thread of linear algebra, so that CPU time and peak memory are its own.
"""

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


def modules(chosen: list[str]) -> list[str]:
    """Those that have a measure(); their text is looked at, because importing them takes settings and libraries."""
    files = (file for file in HERE.glob("*/*.py") if "\ndef measure()" in file.read_text(encoding="utf-8"))
    names = (f"benchmarks.{file.parent.name}.{file.stem}" for file in files)
    return sorted(name for name in names if not chosen or any(_is_named(name, by) for by in chosen))


def _is_named(module: str, by: str) -> bool:
    return f"{module}.".startswith(f"benchmarks.{by}.")


def main(chosen: list[str]) -> int:
    if unknown := [by for by in chosen if not modules([by])]:
        print(f"There is no measurement {', '.join(unknown)}.", file=sys.stderr)
        return 2
    failed = 0
    for module in modules(chosen):
        print(f"\n{module.removeprefix('benchmarks.').replace('.', ': ')}", flush=True)
        script = f"from benchmarks import report; from {module} import measure; report.write({module!r}, measure())"
        ended = subprocess.run(
            [sys.executable, "-c", script], cwd=HERE.parent, env=os.environ | ONE_THREAD, check=False
        )
        failed += ended.returncode != 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
