"""Equal data, equal bytes."""

import json
import math
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking import canonical

LEAVES = st.none() | st.booleans() | st.integers() | st.text() | st.floats(allow_nan=False, allow_infinity=False)
DATA = st.recursive(LEAVES, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20)


@given(DATA)
def test_writing_what_was_read_gives_the_same_bytes(data: object) -> None:
    once = canonical.text(data)
    assert canonical.text(json.loads(once)) == once


@given(st.dictionaries(st.text(), st.integers(), min_size=2))
def test_key_order_does_not_matter(data: dict[str, int]) -> None:
    assert canonical.digest(data) == canonical.digest(dict(reversed(data.items())))


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_what_no_reader_agrees_on_is_refused(number: float) -> None:
    with pytest.raises(ValueError, match="no place in a canonical form"):
        canonical.text({"value": number})


def test_floats_are_rounded_half_even_at_six_digits() -> None:
    assert canonical.text([0.1234565, 0.1234575, -0.0, 57.6]) == "[0.123456,0.123458,0.0,57.6]"


def test_a_percentage_is_written_without_padding() -> None:
    assert canonical.text([Decimal("25.00"), Decimal(100), Decimal("33.30")]) == '["25","100","33.3"]'
