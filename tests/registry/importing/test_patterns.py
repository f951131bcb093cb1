from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from registry.importing.patterns import PATTERNS
from registry.importing.problems import Bad


@pytest.mark.parametrize(
    ("pattern", "cell", "parts"),
    [
        ("plus-minus", "0.85±0.02", {"value": "0.85", "spread": "0.02"}),
        ("plus-minus", "-3.5 +/- 1e-2", {"value": "-3.5", "spread": "1e-2"}),
        ("percent", "85%", {"value": "85", "unit": "percent"}),
        ("percent", "8.5 %", {"value": "8.5", "unit": "percent"}),
        ("sd-across-runs", "sd_across_runs_pp=1.9", {"sd": "1.9", "unit": "percent"}),
        ("interval-95", "+5/-5", {"stderr": repr(5 / 1.96)}),
        ("interval-95", "(-2.2, 2.4)", {"stderr": repr(2.4 / 1.96)}),
        ("path-fragment", ".leaderboard/a.js#main-01", {"path": ".leaderboard/a.js", "fragment": "main-01"}),
        ("fraction-to-percent", "0.749", {"value": "74.9", "unit": "percent"}),
        ("fraction-to-percent", "0.10", {"value": "10", "unit": "percent"}),
        ("fraction-to-percent", "1e-3", {"value": "0.1", "unit": "percent"}),
        ("fraction-to-percent", "-.29", {"value": "-29", "unit": "percent"}),
        # A double would make 28.999999999999996 of it.
        ("fraction-to-percent", "0.29", {"value": "29", "unit": "percent"}),
        ("fraction-to-percent", "1", {"value": "100", "unit": "percent"}),
        ("percent-to-fraction", "48.71134020618557", {"value": "0.4871134020618557", "unit": "fraction"}),
        ("percent-to-fraction", "7", {"value": "0.07", "unit": "fraction"}),
        ("percent-to-fraction", "1.10", {"value": "0.0110", "unit": "fraction"}),
        ("scores", "choice:0.85±0.02", {"choice": "0.85", "choice ±": "0.02"}),
        ("scores", "a:0.9±0,b_2:0.91±0.01", {"a": "0.9", "a ±": "0", "b_2": "0.91", "b_2 ±": "0.01"}),
        ("day", "1770682486.623709", {"day": "2026-02-10"}),
        ("day", "2025-05-12T20:28:13-04:00", {"day": "2025-05-13"}),
        ("day", "2026-01-21T23:44:18.458309", {"day": "2026-01-21"}),
        ("day", "2026-01-21", {"day": "2026-01-21"}),
        ("day", "17 November 2025 4:28pm", {"day": "2025-11-17"}),
        ("statements", "metric=wer; direction=lower", {"metric": "wer", "direction": "lower"}),
        ("statements", "no statement at all", {}),
    ],
)
def test_a_pattern_takes_a_cell_apart(pattern: str, cell: str, parts: dict[str, str]) -> None:
    assert PATTERNS[pattern].read(cell) == parts


@pytest.mark.parametrize(
    ("pattern", "cell"),
    [
        ("plus-minus", "0.85"),
        ("plus-minus", "0.85±"),
        ("percent", "85"),
        ("percent", "%"),
        ("sd-across-runs", "sd=1.9"),
        ("sd-across-runs", "sd_across_runs_pp=1.9 x"),
        ("interval-95", "5"),
        ("interval-95", "a/b"),
        ("fraction-to-percent", "74.9%"),
        ("fraction-to-percent", "NaN"),
        ("fraction-to-percent", "0,5"),
        ("percent-to-fraction", "1e999999999"),
        ("percent-to-fraction", "1" * 61),
        ("scores", "0.85±0.02"),
        ("scores", "choice:0.85"),
        ("scores", "choice:0.85±0.02, other:0.8±0.01"),
        ("day", "2025-13-01"),
        ("day", "31 February 2025"),
        ("day", "17 Brumaire 2025"),
        ("day", "9999999999999"),
        ("day", "yesterday"),
        ("path-fragment", "https://example.org/#a"),
        ("path-fragment", "report.md"),
    ],
)
def test_a_cell_that_does_not_fit_is_refused_with_the_form(pattern: str, cell: str) -> None:
    with pytest.raises(Bad, match="form") as caught:
        PATTERNS[pattern].read(cell)
    assert caught.value.reason == "pattern"


def test_a_scorer_that_stands_twice_is_never_chosen_from() -> None:
    with pytest.raises(Bad, match="The scorer choice stands here twice"):
        PATTERNS["scores"].read("choice:0.77±0.03,choice:0.8±0.02")


@given(st.decimals(allow_nan=False, allow_infinity=False, places=8))
def test_there_and_back_again_is_the_same_number(number: Decimal) -> None:
    percent = PATTERNS["fraction-to-percent"].read(str(number))["value"]
    assert Decimal(PATTERNS["percent-to-fraction"].read(percent)["value"]) == number
