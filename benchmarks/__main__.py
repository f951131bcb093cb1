"""`python -m benchmarks [ROOM ...]`: every measurement, or those of some rooms, one after the other.

Each runs in a process of its own, on one thread of linear algebra, so that CPU time and peak memory are its own.
"""

import os
import pkgutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


def modules(rooms: list[str]) -> list[str]:
    found = pkgutil.walk_packages([str(HERE)], "benchmarks.")
    names = [module.name for module in found if not module.ispkg and module.name.count(".") > 1]
    return sorted(name for name in names if not rooms or name.split(".")[1] in rooms)


def main(rooms: list[str]) -> int:
    failed = 0
    for module in modules(rooms):
        print(f"\n{module.removeprefix('benchmarks.').replace('.', ': ')}", flush=True)
        script = f"from benchmarks import report; from {module} import measure; report.write({module!r}, measure())"
        ended = subprocess.run(
            [sys.executable, "-c", script], cwd=HERE.parent, env=os.environ | ONE_THREAD, check=False
        )
        failed += ended.returncode != 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
