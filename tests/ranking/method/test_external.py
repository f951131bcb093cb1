"""External values to log-odds, by the kind of their contract."""

from math import log

import pytest

from ranking.method.external import log_odds
from ranking.method.inputs import ExternalValue

FACTOR = 2.6


def value(**terms: object) -> ExternalValue:
    base: dict[str, object] = {
        "facet": "f",
        "lineage": "l",
        "group": "g",
        "contract": "c",
        "protocol": "p",
        "source": "s",
        "configuration": "A",
        "subject_kind": "model",
        "kind": "rate",
        "direction": "higher",
        "unit": "percent",
        "lower": 0.0,
        "upper": 100.0,
    }
    return ExternalValue(**(base | terms))  # type: ignore[arg-type]


def test_a_rate_with_its_number_of_tasks() -> None:
    x, variance = log_odds(value(value=30.0, n=50), FACTOR)
    assert x == pytest.approx(log(15.5 / 35.5))
    assert variance == pytest.approx(1 / 15.5 + 1 / 35.5)


def test_the_count_behind_a_rate_may_be_fractional() -> None:
    """pass@1 over five runs of 50 tasks."""
    x, variance = log_odds(value(value=47.2, n=50), FACTOR)
    assert (x, variance) == pytest.approx((log(24.1 / 26.9), 1 / 24.1 + 1 / 26.9))


@pytest.mark.parametrize(("share", "k"), [(0.0, 0), (100.0, 50)])
def test_none_and_all_stay_finite(share: float, k: int) -> None:
    assert log_odds(value(value=share, n=50), FACTOR)[0] == pytest.approx(log((k + 0.5) / (50 - k + 0.5)))


def test_a_published_error_takes_precedence() -> None:
    q = (15 + 0.5) / 51
    assert log_odds(value(value=30.0, n=50, stderr=4.0), FACTOR)[1] == pytest.approx((0.04 / (q * (1 - q))) ** 2)


def test_a_rate_with_an_error_but_no_number_of_tasks() -> None:
    assert log_odds(value(value=30.0, stderr=4.0), FACTOR) == pytest.approx((log(0.3 / 0.7), (0.04 / 0.21) ** 2))


def test_an_error_over_rows_is_widened() -> None:
    plain, widened = (log_odds(value(value=30.0, stderr=4.0, over_rows=over), FACTOR) for over in (False, True))
    assert widened == pytest.approx((plain[0], plain[1] * FACTOR**2))


def test_the_number_of_tasks_needs_no_widening() -> None:
    """n counts tasks, so that what it implies is over tasks already."""
    assert log_odds(value(value=30.0, n=50, over_rows=True), FACTOR) == log_odds(value(value=30.0, n=50), FACTOR)


def test_a_bounded_score() -> None:
    found = log_odds(value(kind="bounded", value=4.0, lower=1.0, upper=5.0, stderr=0.2, unit="score"), FACTOR)
    assert found == pytest.approx((log(3.0), (0.05 / 0.1875) ** 2))


def test_a_rating() -> None:
    found = log_odds(value(kind="rating", value=1200.0, lower=None, upper=None, stderr=5.0, unit="elo"), FACTOR)
    assert found == pytest.approx((1200 * log(10) / 400, (5 * log(10) / 400) ** 2))


def test_lower_is_better_turns_the_sign() -> None:
    higher, lower = (log_odds(value(value=30.0, n=50, direction=one), FACTOR) for one in ("higher", "lower"))
    assert lower == (-higher[0], higher[1])
