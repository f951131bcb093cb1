"""How a key, an alias or a name may be spelled, so that two names that look the same are the same.

A key is lower-case ASCII. An alias is what a file writes, in Unicode's composed form (NFC), and is refused where it
holds what cannot be seen, a letter or digit that only looks like one of ASCII, or a word in letters of two scripts.
Scripts that are written together are no mixture: Latin with Chinese, Japanese or Korean.
"""

import unicodedata
from collections.abc import Iterator

_UNSEEN = {"Cc", "Cf", "Zl", "Zp", "Co", "Cn"}
# Characters that are drawn as nothing though their category says otherwise: fillers, joiners, variation selectors.
_DRAWN_AS_NOTHING = frozenset(map(chr, (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0)))
_SELECTORS = (range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0))
# Written beside Latin in one word, and mistaken for it by nobody.
_BESIDE_LATIN = frozenset({"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "HANGUL", "BOPOMOFO", "IDEOGRAPHIC"})
# Letters of no script of their own.
_SHARED = frozenset({"MODIFIER", "MICRO", "FEMININE", "MASCULINE", "DOUBLE-STRUCK", "MATHEMATICAL", "FULLWIDTH"})


def composed(text: str) -> str:
    """In NFC: one spelling for what Unicode calls equal."""
    return unicodedata.normalize("NFC", text)


def character_name(character: str) -> str:
    """For example `U+2010 HYPHEN`."""
    return f"U+{ord(character):04X} {unicodedata.name(character, '(no name)')}"


def unseen(text: str) -> str:
    """The first character by whose category nobody sees it; empty where there is none."""
    for character in text:
        category = unicodedata.category(character)
        if category in _UNSEEN or (category == "Zs" and character != " "):
            return character
    return ""


_BREAKS = frozenset("\t\n\r")
# They turn the writing around them about, so that what is read is not what stands there.
_TURNING = frozenset(map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A))))


def fault_of_text(text: str) -> str:
    """Why a text of any length cannot stand on a page or in a feed, as a sentence; empty where it can."""
    controls = (character for character in text if unicodedata.category(character) in ("Cc", "Cs"))
    found = next((character for character in controls if character not in _BREAKS), "")
    found = found or next((character for character in text if character in _TURNING), "")
    return f"Holds a character that is no text: {character_name(found)}." if found else ""


def is_number(text: str) -> bool:
    """Plain digits only, and no more than a column holds: Python reads `1_0` and full-width digits as numbers too."""
    return text.isascii() and text.isdigit() and len(text) < 19


def fault_of_name(text: str) -> str:
    """Why a name that people read cannot be spelled so, as a sentence; empty where it can."""
    hidden = unseen(text) or next(filter(_is_drawn_as_nothing, text), "")
    return f"Holds a character that cannot be seen: {character_name(hidden)}." if hidden else ""


def fault_of_alias(text: str) -> str:
    """The same for a name by which files are resolved."""
    if fault := fault_of_name(text):
        return fault
    if posing := _named(character for character in text if _poses_as_ascii(character)):
        return f"Holds characters that only look like plain letters or digits: {posing}."
    for word in _words(text):
        if foreign := _named(_foreign(word)):
            return f"The word {word} mixes letters of two scripts that look alike: {foreign}."
    return ""


def _is_drawn_as_nothing(character: str) -> bool:
    return character in _DRAWN_AS_NOTHING or any(ord(character) in selectors for selectors in _SELECTORS)


def _poses_as_ascii(character: str) -> bool:
    """Such as a full-width or mathematical letter; a superscript or a trade mark is no letter."""
    if character.isascii() or unicodedata.category(character)[0] not in "LN" or unicodedata.category(character) == "No":
        return False
    plain = unicodedata.normalize("NFKC", character)
    return plain != character and plain.isascii()


def _words(text: str) -> Iterator[str]:
    """Runs of letters, digits and the marks on them."""
    word = ""
    for character in f"{text} ":
        if character.isalnum() or unicodedata.category(character)[0] == "M":
            word += character
        elif word:
            yield word
            word = ""


def _foreign(word: str) -> Iterator[str]:
    """The letters of a mixed word that are not of its commonest script."""
    scripts = {character: script for character in word if (script := _script(character))}
    if len(set(scripts.values())) > 1:
        found = [scripts[character] for character in word if character in scripts]
        commonest = max(dict.fromkeys(found), key=found.count)
        yield from (character for character in word if scripts.get(character, commonest) != commonest)


def _script(character: str) -> str:
    """The first word of a letter's name is its script; empty for what belongs to all of them."""
    if unicodedata.category(character)[0] != "L":
        return ""
    first = unicodedata.name(character, "").partition(" ")[0]
    return "" if first in _SHARED or first in _BESIDE_LATIN else first


def _named(characters: Iterator[str]) -> str:
    return ", ".join(map(character_name, dict.fromkeys(characters)))
