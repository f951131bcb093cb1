"""Named patterns: the closed list of ways in which a profile may take several values out of one cell.

Each takes the text of a cell that is not blank and gives its parts as text; the columns parse them. Digits never
change: where a unit is another, as the profile says, the decimal point moves.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal

from registry.importing import cells
from registry.importing.cells import IS_NUMBER, NUMBER
from registry.importing.problems import Bad

Parts = dict[str, str]

# What is longer is no number of a result, and Decimal need not look; nor need it write out a thousand zeros.
_LONGEST_NUMBER = 60
_LARGEST_EXPONENT = 400
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


def _shifted(places: int) -> Callable[[str], Parts]:
    """Moves the decimal point; no digit changes, whatever a double would make of it."""

    def read(cell: str) -> Parts:
        if len(cell) > _LONGEST_NUMBER or not IS_NUMBER.fullmatch(cell):
            raise Bad("pattern", "Must have the form 0.749.")
        sign, digits, exponent = Decimal(cell).as_tuple()
        if not isinstance(exponent, int) or abs(exponent) > _LARGEST_EXPONENT:
            raise Bad("pattern", "Must have the form 0.749.")
        return {"value": f"{Decimal((sign, digits, exponent + places)):f}"}

    return read


def _day(cell: str) -> Parts:
    """In UTC where a zone or seconds since 1970 are given; otherwise the day that is written."""
    for form, read in _DAYS:
        if form.fullmatch(cell):
            try:
                return {"day": read(cell).isoformat()}
            except (ValueError, OverflowError, OSError):
                break
    raise Bad("pattern", "Must have the form 1750000000, 2025-05-12T20:28:13-04:00 or 17 November 2025 4:28pm.")


def _of_moment(cell: str) -> date:
    moment = datetime.fromisoformat(cell)
    return (moment.astimezone(UTC) if moment.tzinfo else moment).date()


def _in_english(cell: str) -> date:
    day, month, year = cell.split()[:3]
    return date(int(year), _MONTHS.index(month) + 1, int(day))


_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
_DAYS: tuple[tuple[re.Pattern[str], Callable[[str], date]], ...] = (
    (re.compile(r"\d{9,10}(?:\.\d+)?", re.ASCII), lambda cell: datetime.fromtimestamp(float(cell), UTC).date()),
    (re.compile(r"\d{4}-\d\d-\d\d", re.ASCII), date.fromisoformat),
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:\d\d)?", re.ASCII), _of_moment),
    (re.compile(r"\d{1,2} [A-Z][a-z]+ \d{4}(?: \d{1,2}:\d\d[ap]m)?", re.ASCII), _in_english),
)


def _scores(cell: str) -> Parts:
    """Each scorer's value under its name, and its spread under the name and ` ±`."""
    parts: Parts = {}
    for scored in cell.split(","):
        found = _scored(scored)
        if found["scorer"] in parts:
            raise Bad("pattern", f"The scorer {found['scorer']} stands here twice: which counts?")
        parts |= {found["scorer"]: found["value"], f"{found['scorer']} ±": found["spread"]}
    return parts


_scored = _by(
    rf"(?P<scorer>[A-Za-z_][\w.-]*):(?P<value>{NUMBER})±(?P<spread>{NUMBER})",
    "choice:0.85±0.02,model_graded:0.8±0.02",
)


def _interval(cell: str) -> Parts:
    """The larger half-width counts, so that an uneven interval never looks narrower than it is."""
    widths = [abs(cells.number(width)) for width in _offsets(cell).values()]
    return {"stderr": repr(max(widths) / _HALF_WIDTH)}


_offsets = _by(rf"[(\[]?(?P<a>{NUMBER})\s*[/,]\s*(?P<b>{NUMBER})[)\]]?", "+5/-5 or (-2.2, 2.4)")


def _statements(cell: str) -> Parts:
    pairs = (part.split("=", 1) for part in cell.split(";") if "=" in part)
    return {key.strip(): value.strip() for key, value in pairs}


PATTERNS: dict[str, Pattern] = {
    "plus-minus": Pattern(
        _by(rf"(?P<value>{NUMBER})\s*(?:±|\+/-)\s*(?P<spread>{NUMBER})", "0.85±0.02"),
        ("value", "spread"),
        "`0.85±0.02`: a value and what the profile says the spread is, stderr or sd",
    ),
    "percent-plus-minus": Pattern(
        _with_unit(
            _by(rf"(?P<value>{NUMBER})\s?%?\s*(?:±|\+/-)\s*(?P<spread>{NUMBER})\s?%", "83.1% ± 1.9%"), "percent"
        ),
        ("value", "spread", "unit"),
        "`83.1% ± 1.9%`: the same in percent, and its unit must be the contract's",
    ),
    "percent": Pattern(
        _with_unit(_by(rf"(?P<value>{NUMBER})\s?%", "85%"), "percent"),
        ("value", "unit"),
        "`85%`: the value stays 85, and its unit must be the contract's",
    ),
    "fraction-to-percent": Pattern(
        _with_unit(_shifted(2), "percent"),
        ("value", "unit"),
        "`0.749`: becomes 74.9 by moving the decimal point, and its unit must be the contract's",
    ),
    "percent-to-fraction": Pattern(
        _with_unit(_shifted(-2), "fraction"),
        ("value", "unit"),
        "`74.9`: becomes 0.749 by moving the decimal point, and its unit must be the contract's",
    ),
    "sd-across-runs": Pattern(
        _with_unit(_by(rf"sd_across_runs_pp=(?P<sd>{NUMBER})", "sd_across_runs_pp=1.9"), "percent"),
        ("sd", "unit"),
        "`sd_across_runs_pp=1.9`: a standard deviation over runs in percentage points",
    ),
    "interval-95": Pattern(
        _interval,
        ("stderr",),
        "`+5/-5` or `(-2.2, 2.4)`: the distances to a 95 % interval; the larger over 1.96 is the standard error",
    ),
    "scores": Pattern(
        _scores,
        (),
        "`choice:0.85±0.02,graded:0.8±0.02`: each scorer's value by its name, its spread by `choice ±`",
    ),
    "day": Pattern(
        _day,
        ("day",),
        "`1750000000`, `2025-05-12T20:28:13-04:00`, `17 November 2025 4:28pm`: the day, in UTC where a zone is known",
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
