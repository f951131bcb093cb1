"""Named patterns: the closed list of ways in which a profile may take several values out of one cell.

Each takes the text of a cell that is not blank and gives its parts as text, unchanged; the columns parse them.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from registry.importing import cells
from registry.importing.problems import Bad

Parts = dict[str, str]

_NUMBER = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?"
# Half the width of a 95 % interval, in standard errors.
_HALF_WIDTH = 1.96


@dataclass(frozen=True, slots=True)
class Pattern:
    """`parts` names what `read` gives; no names: whatever the cell states."""

    read: Callable[[str], Parts]
    parts: tuple[str, ...]
    help: str


def _by(expression: str, form: str) -> Callable[[str], Parts]:
    compiled = re.compile(expression, re.ASCII)

    def read(cell: str) -> Parts:
        match = compiled.fullmatch(cell)
        if match is None:
            raise Bad("pattern", f"Must have the form {form}.")
        return match.groupdict()

    return read


def _with_unit(read: Callable[[str], Parts], unit: str) -> Callable[[str], Parts]:
    return lambda cell: read(cell) | {"unit": unit}


def _interval(cell: str) -> Parts:
    """The larger half-width counts, so that an uneven interval never looks narrower than it is."""
    widths = [abs(cells.number(width)) for width in _offsets(cell).values()]
    return {"stderr": repr(max(widths) / _HALF_WIDTH)}


_offsets = _by(rf"[(\[]?(?P<a>{_NUMBER})\s*[/,]\s*(?P<b>{_NUMBER})[)\]]?", "+5/-5 or (-2.2, 2.4)")


def _statements(cell: str) -> Parts:
    pairs = (part.split("=", 1) for part in cell.split(";") if "=" in part)
    return {key.strip(): value.strip() for key, value in pairs}


PATTERNS: dict[str, Pattern] = {
    "plus-minus": Pattern(
        _by(rf"(?P<value>{_NUMBER})\s*(?:±|\+/-)\s*(?P<spread>{_NUMBER})", "0.85±0.02"),
        ("value", "spread"),
        "`0.85±0.02`: a value and what the profile says the spread is, stderr or sd",
    ),
    "percent": Pattern(
        _with_unit(_by(rf"(?P<value>{_NUMBER})\s?%", "85%"), "percent"),
        ("value", "unit"),
        "`85%`: the value stays 85, and its unit must be the contract's",
    ),
    "sd-across-runs": Pattern(
        _with_unit(_by(rf"sd_across_runs_pp=(?P<sd>{_NUMBER})", "sd_across_runs_pp=1.9"), "percent"),
        ("sd", "unit"),
        "`sd_across_runs_pp=1.9`: a standard deviation over runs in percentage points",
    ),
    "interval-95": Pattern(
        _interval,
        ("stderr",),
        "`+5/-5` or `(-2.2, 2.4)`: the distances to a 95 % interval; the larger over 1.96 is the standard error",
    ),
    "path-fragment": Pattern(
        _by(r"(?P<path>[^#\s:?]+)#(?P<fragment>[^#\s]+)", "path#fragment"),
        ("path", "fragment"),
        "`board.js#main-01`: a path within a repository and the entry within the file",
    ),
    "statements": Pattern(
        _statements,
        (),
        "`metric=wer;direction=lower`: what free text states by name; text without statements gives none",
    ),
}
