import pytest
from hypothesis import given
from hypothesis import strategies as st

from registry.importing.escaping import neutralised, restored


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1+1", "@SUM(1)", "\t=1", "\r=1"])
def test_what_a_spreadsheet_would_run_gets_an_apostrophe(text: str) -> None:
    assert neutralised(text) == f"'{text}"


@pytest.mark.parametrize("text", ["", "abc", "'tis", "a=1", "'"])
def test_other_text_stays_as_it_is(text: str) -> None:
    assert (neutralised(text), restored(text)) == (text, text)


@given(st.text(st.sampled_from("'=+-@\t\ra"), max_size=6))
def test_every_text_comes_back_and_none_is_run(text: str) -> None:
    assert restored(neutralised(text)) == text
    assert not neutralised(text).startswith(("=", "+", "-", "@", "\t", "\r"))
