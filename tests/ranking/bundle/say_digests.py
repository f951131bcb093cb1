"""Prints the SHA-256 of a bundle made from the human evidence; `naive` fits with evalica's solver in pure Python."""

import functools
import sys

import evalica

from ranking.bundle.archive import sha256, zipped
from tests.ranking import human_evidence

if "naive" in sys.argv:
    fit = evalica.bradley_terry
    evalica.bradley_terry = functools.wraps(fit)(functools.partial(fit, solver="naive"))
found = human_evidence.evidence()
files = human_evidence.bundle(human_evidence.content(found, human_evidence.policy()), found)
sys.stdout.write(f"{sha256(zipped(files))} {'django' in sys.modules}\n")
