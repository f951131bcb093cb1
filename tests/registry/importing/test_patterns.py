import pytest

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
        ("path-fragment", "https://example.org/#a"),
        ("path-fragment", "report.md"),
    ],
)
def test_a_cell_that_does_not_fit_is_refused_with_the_form(pattern: str, cell: str) -> None:
    with pytest.raises(Bad, match="form") as caught:
        PATTERNS[pattern].read(cell)
    assert caught.value.reason == "pattern"
