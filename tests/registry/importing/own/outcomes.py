"""What each file is expected to give, and how docs/imports.md tells it."""

from collections.abc import Iterator
from typing import Any

import yaml

from tests.registry.importing.usual import CASES

Outcome = dict[str, Any]
OUTCOMES: dict[str, Outcome] = yaml.safe_load((CASES / "outcomes_own.yaml").read_text())


def table_of(outcomes: dict[str, Outcome]) -> Iterator[str]:
    """A row of Markdown for each file."""
    for name, told in outcomes.items():
        rows = ", ".join(f"{count} {verdict}" for verdict, count in told["verdicts"].items()) or "none"
        stored = f"{told['stored']} / {told['stored_in_quarantine']}"
        cells = [f"`{name}`", str(told["exit"]), rows, stored, "; ".join(_problems(told))]
        yield f"| {' | '.join(cells)} |".replace("|  |", "| |")


def _problems(told: Outcome) -> Iterator[str]:
    lines: dict[str, dict[str, None]] = {}
    for line, _, reason in told.get("problems", []):
        lines.setdefault(reason, {})[str(line)] = None
    for reason, those in lines.items():
        yield f"`{reason}`" if "0" in those else f"`{reason}`, line{'s' * (len(those) > 1)} {', '.join(those)}"
