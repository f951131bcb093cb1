"""How keys, aliases and names may be spelled: what looks the same is the same, or is refused by name."""

import unicodedata
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from hypothesis import given
from hypothesis import strategies as st

from registry import exchange
from registry.actions import curate
from registry.models import Configuration, ConfigurationAlias, Organization
from registry.models.base import validate_key
from registry.spelling import composed, fault_of_alias, fault_of_name, fault_of_text

COMPOSED, DECOMPOSED = "Modèle 9", "Mode\u0300le 9"


@pytest.mark.parametrize(
    "name",
    [
        "GPT-9 high",
        "τ²-bench",
        "β-VAE",
        "Qwen千问 2",
        "クロード3",
        "naïve",
        "GPT\u20114",
        "½ size",
        "Яндекс-GPT",
        "µTransfer",
        "™",
    ],
)
def test_names_as_people_write_them_are_taken(name: str) -> None:
    assert fault_of_alias(name) == ""


@pytest.mark.parametrize(
    ("name", "named"),
    [
        (
            "g\u0440t-9",
            "The word g\u0440t mixes letters of two scripts that look alike: U+0440 CYRILLIC SMALL LETTER ER.",
        ),
        ("\u03b1Bench", "U+03B1 GREEK SMALL LETTER ALPHA"),
        ("p\u0338\u0430q", "U+0430 CYRILLIC SMALL LETTER A"),
        ("\uff27PT", "U+FF27 FULLWIDTH LATIN CAPITAL LETTER G"),
        ("\U0001d406PT", "only look like plain letters or digits: U+1D406 MATHEMATICAL BOLD CAPITAL G"),
        ("model \uff14", "U+FF14 FULLWIDTH DIGIT FOUR"),
        ("GPT\u200b9", "cannot be seen: U+200B ZERO WIDTH SPACE"),
        ("GPT\u00a09", "cannot be seen: U+00A0 NO-BREAK SPACE"),
        ("GPT\u202e9", "U+202E RIGHT-TO-LEFT OVERRIDE"),
        ("GPT\u3164", "U+3164 HANGUL FILLER"),
        ("GPT9\ufe0f", "U+FE0F VARIATION SELECTOR-16"),
    ],
)
def test_look_alikes_and_what_nobody_sees_are_named(name: str, named: str) -> None:
    assert named in fault_of_alias(name)


@pytest.mark.parametrize("hidden", ["\0", "\x08", "\x1b", "\x85", "\ud800", "\u202e", "\u2066"])
def test_a_text_holds_no_control_character_and_turns_nothing_about(hidden: str) -> None:
    assert "U+" in fault_of_text(f"one{hidden}two")
    assert fault_of_text("one\ttwo\r\nthree — נו, 一\u200f") == ""


def test_a_name_for_people_may_mix_scripts_and_hide_nothing() -> None:
    assert fault_of_name("ЯndexGPT") == ""
    assert "U+200D ZERO WIDTH JOINER" in fault_of_name("Ya\u200dndex")


@given(st.text(alphabet=st.characters(min_codepoint=32, max_codepoint=126)))
def test_plain_text_is_never_at_fault(text: str) -> None:
    assert fault_of_alias(text) == ""


@given(st.text())
def test_a_name_without_fault_hides_nothing(text: str) -> None:
    if fault_of_alias(composed(text)) == "":
        assert not any(unicodedata.category(character) in ("Cc", "Cf") for character in text)


def test_a_key_names_the_character_that_is_none_of_its_own() -> None:
    with pytest.raises(ValidationError, match=r"lower-case ASCII.* This holds U\+0430 CYRILLIC SMALL LETTER A\."):
        validate_key("gpt-\u0430")
    with pytest.raises(ValidationError) as plain:
        validate_key("GPT")
    assert "This holds" not in plain.value.messages[0]
    validate_key("openai/gpt-9@high")


def alias_of(configuration: Configuration, name: str, editor: User) -> ConfigurationAlias:
    return curate.save(obj=ConfigurationAlias(configuration=configuration, name=name), by=editor)


@pytest.fixture
def registry(editor: User) -> None:
    exchange.load(Path(__file__).parents[1] / "cases_registry", by=editor)


@pytest.mark.django_db
def test_names_are_kept_composed_so_that_equal_ones_are_one(registry: None, editor: User) -> None:
    configuration = Configuration.objects.all()[0]
    assert alias_of(configuration, DECOMPOSED, editor).name == COMPOSED
    with pytest.raises(ValidationError, match="already exists"):
        alias_of(configuration, COMPOSED, editor)
    maker = curate.save(obj=Organization(key="maker-9", name=DECOMPOSED), by=editor)
    assert Organization.objects.get(pk=maker.pk).name == COMPOSED


@pytest.mark.django_db
def test_an_alias_that_only_looks_like_another_is_not_stored(registry: None, editor: User) -> None:
    with pytest.raises(ValidationError, match="CYRILLIC SMALL LETTER ER"):
        alias_of(Configuration.objects.all()[0], "g\u0440t-9", editor)
    assert not ConfigurationAlias.objects.filter(name="g\u0440t-9").exists()
