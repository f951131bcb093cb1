"""Text that a spreadsheet would run as a formula, and its way back.

An exported text that begins with one of = + - @ TAB CR gets an apostrophe in front, by which spreadsheets know text.
A text that already looks so prefixed gets one more, so that taking one away restores every text exactly.
"""

import re

_RISKY = re.compile(r"'*[=+\-@\t\r]")
_PREFIXED = re.compile(r"'+[=+\-@\t\r]")


def neutralised(text: str) -> str:
    return f"'{text}" if _RISKY.match(text) else text


def restored(text: str) -> str:
    return text[1:] if _PREFIXED.match(text) else text
