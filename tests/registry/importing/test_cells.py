import math
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from registry.importing import cells
from registry.importing.problems import Bad
from registry.models.evidence import LARGEST


def reason(parse: object, cell: str) -> str:
    with pytest.raises(Bad) as caught:
        parse(cell)  # type: ignore[operator]
    return caught.value.reason


@pytest.mark.parametrize(
    ("cell", "value"),
    [("0.81", 0.81), ("-0.35", -0.35), ("+0.10", 0.1), ("-1.5e-3", -0.0015), ("1.", 1.0), (".5", 0.5), ("007", 7.0)],
)
def test_a_decimal_is_read_as_it_is_written(cell: str, value: float) -> None:
    assert cells.number(cell) == value


def test_minus_zero_is_zero() -> None:
    assert math.copysign(1, cells.number("-0.0")) == 1


@pytest.mark.parametrize(
    ("cell", "why"),
    [
        ("NaN", "not-finite"),
        ("inf", "not-finite"),
        ("-Infinity", "not-finite"),
        ("1e999", "not-finite"),
        ("-1e301", "not-finite"),
        ("abc", "not-a-number"),
        ("0,81", "not-a-number"),
        ("1,234.5", "not-a-number"),
        ("1 234", "not-a-number"),
        ("1_000", "not-a-number"),
        ("85%", "not-a-number"),
        ("٣", "not-a-number"),
        ("0x10", "not-a-number"),
        ("0.12345678901234567890", "too-precise"),
        ("9007199254740993", "too-precise"),
        ("1e-400", "too-precise"),
        ("1e-99999999999999999999", "too-precise"),
        ("0" * 5000, "too-precise"),
        (" 0.5", "outer-space"),
        ("0.5\u00a0", "outer-space"),
    ],
)
def test_what_is_no_plain_number_is_refused(cell: str, why: str) -> None:
    assert reason(cells.number, cell) == why


@pytest.mark.parametrize(("cell", "word"), [("0,81", "comma"), ("1,234,567", "thousands")])
def test_the_sentence_says_what_was_seen(cell: str, word: str) -> None:
    with pytest.raises(Bad, match=word):
        cells.number(cell)


@given(st.floats(min_value=-LARGEST, max_value=LARGEST))
def test_the_shortest_text_of_a_double_gives_it_back(value: float) -> None:
    assert cells.number(repr(value)) == value


@given(st.decimals(allow_nan=False, allow_infinity=False, places=4, min_value=-(10**9), max_value=10**9))
def test_a_number_that_is_taken_is_exactly_what_was_written(value: Decimal) -> None:
    assert Decimal(repr(cells.number(str(value)))) == value


def test_a_spread_is_not_negative() -> None:
    assert cells.spread("0.01") == 0.01
    assert reason(cells.spread, "-0.1") == "negative"


@pytest.mark.parametrize("cell", ["0", "-5", "1.0", "1e3", "99999999999999", "1000000001", "²"])
def test_a_count_is_a_whole_number_within_bounds(cell: str) -> None:
    assert cells.count("1000000000") == 10**9
    assert reason(cells.count, cell) == "not-a-count"


@pytest.mark.parametrize(
    ("cell", "why"),
    [
        ("20250301", "not-a-date"),
        ("2025-W09-6", "not-a-date"),
        ("2025-02-30", "not-a-date"),
        ("01.03.2025", "not-a-date"),
        ("2014-12-31", "date-too-early"),
    ],
)
def test_a_day_is_an_iso_date_since_2015(cell: str, why: str) -> None:
    assert cells.day("2015-01-01") == date(2015, 1, 1)
    assert reason(cells.day, cell) == why


def test_tomorrow_has_not_come_yet() -> None:
    today = datetime.now(UTC).date()
    assert cells.day(today.isoformat()) == today
    assert reason(cells.day, (today + timedelta(days=2)).isoformat()) == "date-in-future"


@pytest.mark.parametrize(
    "cell",
    ["javascript:alert(1)", "ftp://example.org/", "//example.org", "https://", "http://[::1", "https://a:99999/",
     "https://example.org/a b", "example.org", "data:text/html,x"],
)  # fmt: skip
def test_an_address_is_http_or_https(cell: str) -> None:
    assert cells.address("https://example.org/é?a=1#b") == "https://example.org/é?a=1#b"
    assert reason(cells.address, cell) == "bad-address"


@pytest.mark.parametrize("account", ["ada:secret@", "ada@", "@", ":@", "ada%40x:s@"])
def test_an_address_is_published_and_names_no_account(account: str) -> None:
    assert reason(cells.address, f"https://{account}example.org/a") == "address-with-account"
    assert cells.address("https://example.org/@ada?to=a@b.c") == "https://example.org/@ada?to=a@b.c"


@pytest.mark.parametrize(
    ("cell", "why"),
    [
        (" a", "outer-space"),
        ("a\n", "outer-space"),
        ("a\u200bb", "invisible-character"),
        ("a\u00a0b", "invisible-character"),
        ("a\u202eb", "invisible-character"),
        ("\ufeffa", "invisible-character"),
        ("a\tb", "invisible-character"),
    ],
)
def test_names_hold_nothing_that_cannot_be_seen(cell: str, why: str) -> None:
    assert reason(cells.name, cell) == why


def test_names_are_compared_composed() -> None:
    assert cells.name("Mu\u0308ller") == "M\u00fcller"


@pytest.mark.parametrize(
    ("cell", "moment"),
    [
        ("2025-03-01T12:30Z", datetime(2025, 3, 1, 12, 30, tzinfo=UTC)),
        ("2025-03-01T12:30:05+02:00", datetime(2025, 3, 1, 10, 30, 5, tzinfo=UTC)),
        ("2025-03-01T00:30:05.25-05:30", datetime(2025, 3, 1, 6, 0, 5, 250000, tzinfo=UTC)),
        ("2015-01-01T00:00:00Z", datetime(2015, 1, 1, tzinfo=UTC)),
    ],
)
def test_a_moment_is_kept_in_utc(cell: str, moment: datetime) -> None:
    assert cells.moment(cell) == moment
    assert cells.moment(cell).utcoffset() == timedelta(0)


@pytest.mark.parametrize(
    ("cell", "why"),
    [
        ("2025-03-01", "not-a-time"),
        ("2025-03-01T12:30:00", "not-a-time"),
        ("2025-03-01 12:30:00Z", "not-a-time"),
        ("20250301T123000Z", "not-a-time"),
        ("2025-02-29T00:00:00Z", "not-a-time"),
        ("2025-03-01T24:01:00Z", "not-a-time"),
        ("0001-01-01T00:00:00+14:00", "not-a-time"),
        ("1740832200", "not-a-time"),
        ("2014-12-31T23:59:59Z", "date-too-early"),
        ("2015-01-01T00:00:00+00:01", "date-too-early"),
        (" 2025-03-01T12:30:00Z", "outer-space"),
        ("2999-01-01T00:00:00Z", "date-in-future"),
    ],
)
def test_what_is_no_moment_is_refused(cell: str, why: str) -> None:
    assert reason(cells.moment, cell) == why


# Hypothesis takes bounds without a zone and adds one.
EARLIEST, LATEST = datetime(2015, 1, 2), datetime(2025, 12, 30)  # noqa: DTZ001


@given(st.datetimes(EARLIEST, LATEST, timezones=st.timezones()))
def test_any_moment_survives_the_way_out_and_back(moment: datetime) -> None:
    exact = moment.astimezone(UTC)
    assert cells.moment(exact.isoformat()) == exact


def test_a_word_is_one_of_a_list() -> None:
    parse = cells.one_of("ab", "ba")
    assert parse("ab") == "ab"
    assert reason(parse, "AB") == "unknown-word"
