"""How a measurement reports: figures printed side by side, and kept in benchmarks/results/."""

import json
from collections.abc import Mapping
from pathlib import Path

RESULTS = Path(__file__).parent / "results"

Figures = Mapping[str, Mapping[str, float | int | str]]
"""Lines of a table by name; all lines have the same columns or leave some out."""


def write(module: str, figures: Figures) -> None:
    """Print the figures as a table and write them to results/<room>-<name>.json."""
    RESULTS.mkdir(exist_ok=True)
    name = "-".join(module.split(".")[1:])
    (RESULTS / f"{name}.json").write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    columns = list(dict.fromkeys(column for line in figures.values() for column in line))
    table = [
        ["", *columns],
        *([name, *(_cell(line.get(column)) for column in columns)] for name, line in figures.items()),
    ]
    widths = [max(len(row[place]) for row in table) for place in range(len(columns) + 1)]
    for row in table:
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        print("  ".join(cells).rstrip())


def _cell(value: float | str | None) -> str:
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)
