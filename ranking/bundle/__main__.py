"""`python check.pyz BUNDLE`: the check as a program, for whoever has no copy of the site."""

import sys
from collections.abc import Sequence
from pathlib import Path

from ranking.bundle.verification import Fault, verify

USAGE = "usage: check.pyz BUNDLE.zip (or the directory that it was extracted to)\n"


def main(arguments: Sequence[str]) -> int:
    if len(arguments) != 1:
        sys.stderr.write(USAGE)
        return 2
    try:
        faults = verify(Path(arguments[0]))
    except OSError as error:
        sys.stderr.write(f"{error.filename}: {error.strerror}\n")
        return 2
    sys.stdout.write(told(faults))
    return 1 if faults else 0


def told(faults: Sequence[Fault]) -> str:
    if not faults:
        return "Everything agrees: bytes, names, gate and figures.\n"
    return "".join(f"{fault}\n" for fault in faults)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
