"""What a mapping profile can do, and nothing else: the grammar of `MappingProfile.spec`.

`columns`: each column of results.csv, or comparisons.csv, from a template over `{names}`. One name renames a column;
text without a name is a constant; several names build a value, and for what is looked up the key or alias to look up.
`format`: the format that is read; CSV, XLSX or JSON rows, whichever comes, where it is left out.
`vocabularies`: a new name whose words are translated; a word outside the list is refused.
`patterns`: several names out of one cell, by one of the named patterns.
`one_hot`: a new name from several columns of which exactly one is 1, each with its word.
`blanks`: words in a column that say nothing, as blank cells do.
`absences`: words in a column that stand for a missing value, with the reason. For results only.
`skip`: rows that are left out, by a condition, with the reason.
`ignored`: columns that may be there and are not read.
`unknown_columns`: `refuse` (the default) or `ignore`.
`unnamed`: the name that the one column without a name is known by.
`judge_kind`: `person` where unknown judges are people, who are recorded on applying. For comparisons only.

Names are the file's columns and what patterns, one-hot columns and vocabularies make. A row is read in the order: skip,
absences, blanks, patterns (each reads what those before it made), one_hot, vocabularies, columns.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from django.core.exceptions import ValidationError

from registry.importing.formats import FORMATS
from registry.importing.kinds import KINDS, Kind
from registry.importing.layouts import Layout
from registry.importing.patterns import PATTERNS
from registry.importing.suggestions import did_you_mean
from registry.importing.translating import ProfileLayout
from registry.models import MappingProfile
from registry.spelling import fault_of_text
from registry.vocabulary import Absence, ImportKind

Faults = Iterator[str]


def layout_of(profile: MappingProfile | None, kind: str = ImportKind.RESULTS) -> Layout:
    """How files of `kind` are read through `profile`; their own layout without one. Raises ValidationError."""
    if profile is None:
        return KINDS[kind].own
    if profile.kind != kind:
        raise ValidationError(f"it reads {profile.kind}, not {kind}.")
    validate_spec(profile.spec, kind)
    return ProfileLayout(profile.spec)


def validate_spec(spec: Any, kind: str = ImportKind.RESULTS) -> None:
    """Raises ValidationError with every faulty part by name."""
    if faults := list(_unwritable(spec)) or list(_faults(spec, KINDS[kind])) or list(_foreign(spec)):
        raise ValidationError({"spec": faults})


def _unwritable(part: Any) -> Faults:
    """No database stores a NUL."""
    if isinstance(part, str) and (fault := fault_of_text(part)):
        yield fault
    within = [*part, *part.values()] if isinstance(part, dict) else part if isinstance(part, list) else ()
    for each in within:
        yield from _unwritable(each)


def _faults(spec: Any, kind: Kind) -> Faults:
    parts = {name: check for name, check in _PARTS.items() if name not in _SPECIAL or name in kind.parts}
    if not isinstance(spec, dict):
        yield f"A profile is made of named parts: {', '.join(['columns', *parts])}."
        return
    for name in spec:
        if name != "columns" and name not in parts:
            yield f"{name}: there is no such part.{did_you_mean(str(name), ['columns', *parts])}"
    if "columns" not in spec:
        yield "columns: this part is required."
    else:
        yield from (f"columns{fault}" for fault in _columns(spec["columns"], kind))
    for name, check in parts.items():
        if name in spec:
            yield from (f"{name}{fault}" for fault in check(spec[name]))


def _foreign(spec: Any) -> Faults:
    """Columns that a valid spec reads and the format, whose columns are known, never has."""
    if columns := FORMATS[spec["format"]].columns if "format" in spec else ():
        for name in sorted(ProfileLayout(spec).header.needs.difference(columns)):
            yield f"format: {spec['format']} has no column {name}.{did_you_mean(name, columns)}"


def _columns(part: Any, kind: Kind) -> Faults:
    if not _is_words(part):
        yield f": must be columns of {kind.name}.csv, each with a template."
        return
    for name in part:
        if name not in kind.columns:
            yield f".{name}: {kind.name}.csv has no such column.{did_you_mean(name, kind.columns)}"
    own = kind.own.header
    for name in sorted(own.needs - part.keys()):
        yield f".{name}: this column is required."
    if own.alternatives and not any(columns <= part.keys() for columns in own.alternatives):
        first, *others = (" and ".join(name for name in kind.columns if name in each) for each in own.alternatives)
        yield f".{first}: this column is required, or {', or '.join(others)}."


def _vocabularies(part: Any) -> Faults:
    if not isinstance(part, dict):
        yield ": must be new names, each with a column and its words."
        return
    for name, rule in part.items():
        yield from (f".{name}{fault}" for fault in _rule(rule, {"column": _text, "words": _words}))


def _patterns(rule: Any) -> Faults:
    yield from _rule(rule, {"column": _text, "pattern": _pattern, "into": _named_texts})
    if isinstance(rule, dict) and not list(_pattern(rule.get("pattern"))) and _is_words(rule.get("into")):
        known = PATTERNS[rule["pattern"]].parts
        for name, made in rule["into"].items():
            if known and made not in known:
                yield f".into.{name}: the pattern gives {', '.join(known)}, not {made}."


def _format(value: Any) -> Faults:
    if not isinstance(value, str) or value not in FORMATS:
        yield f": must be one of {', '.join(FORMATS)}."


def _one_hot(part: Any) -> Faults:
    if not isinstance(part, dict) or not all(_is_words(words) and len(words) > 1 for words in part.values()):
        yield ": must be new names, each with two columns or more and the word that each stands for."


def _blanks(rule: Any) -> Faults:
    yield from _rule(rule, {"column": _text, "words": _blank_words})


def _blank_words(value: Any) -> Faults:
    if not _are_texts(value) or not value:
        yield ": must be a list of words."


def _absences(rule: Any) -> Faults:
    yield from _rule(
        rule, {"column": _text, "words": _absence_words, "reason": _text, "when": _when}, optional=("when",)
    )


def _skip(rule: Any) -> Faults:
    yield from _rule(rule, {"when": _when, "reason": _text})


Check = Callable[[Any], Faults]


def _rule(rule: Any, fields: dict[str, Check], *, optional: tuple[str, ...] = ()) -> Faults:
    if not isinstance(rule, dict):
        yield f": must hold {', '.join(fields)}."
        return
    for name in rule:
        if name not in fields:
            yield f".{name}: there is no such field; it may hold {', '.join(fields)}."
    for name, check in fields.items():
        if name in rule:
            yield from (f".{name}{fault}" for fault in check(rule[name]))
        elif name not in optional:
            yield f".{name}: this field is required."


def _each(check: Check, part: Any) -> Faults:
    if not isinstance(part, list):
        yield ": must be a list."
        return
    for number, rule in enumerate(part, 1):
        yield from (f"[{number}]{fault}" for fault in check(rule))


def _text(value: Any) -> Faults:
    if not isinstance(value, str) or not value:
        yield ": must be text."


def _words(value: Any) -> Faults:
    if not (_is_words(value) or _are_texts(value)) or not value:
        yield ": must be words with their translations, or a list of words that stay as they are."


def _named_texts(value: Any) -> Faults:
    if not _is_words(value) or not value:
        yield ": must be new names, each with the part it takes."


def _absence_words(value: Any) -> Faults:
    if not _is_words(value) or not value or not set(value.values()) <= set(Absence.values):
        yield f": must be words, each with one of {', '.join(Absence.values)}."


def _pattern(value: Any) -> Faults:
    if not isinstance(value, str) or value not in PATTERNS:
        yield f": must be one of {', '.join(PATTERNS)}."


def _when(value: Any) -> Faults:
    if not isinstance(value, dict) or not value:
        yield ": must be columns, each with the list of its texts, with `not` and a list, or with what it begins with."
        return
    for column, test in value.items():
        if not _is_test(test):
            yield f".{column}: must be a list of texts, `not` with such a list, or `begins` with a text."


def _is_test(test: Any) -> bool:
    if isinstance(test, dict) and test.keys() == {"begins"}:
        return isinstance(test["begins"], str)
    texts = test["not"] if isinstance(test, dict) and test.keys() == {"not"} else test
    return _are_texts(texts) and bool(texts)


def _unknown_columns(value: Any) -> Faults:
    if value not in ("refuse", "ignore"):
        yield ": must be refuse or ignore."


def _judge_kind(value: Any) -> Faults:
    if value != "person":
        yield ": must be person; a judge that is a model is recorded with its family and maker first."


def _ignored(value: Any) -> Faults:
    if not _are_texts(value):
        yield ": must be a list of columns."


def _is_words(value: Any) -> bool:
    return isinstance(value, dict) and _are_texts([*value, *value.values()])


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


# Parts that only some kinds of files have; `Kind.parts` says which.
_SPECIAL = frozenset().union(*(kind.parts for kind in KINDS.values()))
_PARTS: dict[str, Check] = {
    "format": _format,
    "vocabularies": _vocabularies,
    "patterns": partial(_each, _patterns),
    "one_hot": _one_hot,
    "blanks": partial(_each, _blanks),
    "absences": partial(_each, _absences),
    "skip": partial(_each, _skip),
    "ignored": _ignored,
    "unknown_columns": _unknown_columns,
    "unnamed": _text,
    "judge_kind": _judge_kind,
}
