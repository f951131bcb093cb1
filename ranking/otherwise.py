"""What one content of a page says otherwise than another, in the words of the public pages. Pure.

It never reads the table of a ranking: what evidence is decided on shows criteria and counts, never names, scores or
order (DOMAIN 6). What follows from something else that is told here is not told twice, and digests are not told.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from ranking import canonical, diff
from ranking.content import Content
from ranking.models.releases import ReleaseKind
from ranking.public import words
from ranking.public.rules import value_in_words
from registry.vocabulary import ExclusionScope
from registry.wording import counted

Record = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that the page would say otherwise, under the heading `part`."""

    part: str
    what: str
    published: str
    present: str


@dataclass(frozen=True, slots=True)
class Told:
    """A line of the page, with what stands beneath it; `again` is said where nothing but that is another."""

    text: str
    beneath: str = ""
    again: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """A record of the page by its name; `text` is said where the other page has none, or another text."""

    name: str
    lines: "Lines"
    text: str = "there"


Lines = Mapping[str, Told | Entry]
"""By what is compared: the words before a line, or the key of a record."""

PAGE = "The category"
GATE = "Criteria of the gate"
FACETS = "Facets"
EVIDENCE = "Evidence"
MAPPED = "Benchmarks that are mapped"
STREAMS = "Lineages and protocols"
EXCLUDED = "Exclusions"
POLICY = "Gate policy"


def differences(published: Content, present: Content) -> list[Difference]:
    """By part of the page, in its order."""
    was, now = _parts(published), _parts(present)
    return [found for part in now for found in _compared(part, "", was[part], now[part])]


def _compared(part: str, within: str, was: Lines, now: Lines) -> Iterator[Difference]:
    for key in [*now, *(gone for gone in was if gone not in now)]:
        a, b = was.get(key), now.get(key)
        if a != b:
            yield from _otherwise(part, within, key, a, b)


def _otherwise(
    part: str, within: str, key: str, a: Told | Entry | None, b: Told | Entry | None
) -> Iterator[Difference]:
    newest = b or a
    name = newest.name if isinstance(newest, Entry) else key
    what = f"{within}: {name}" if within else name
    if isinstance(a, Entry) and isinstance(b, Entry):
        yield from _compared(part, what, a.lines, b.lines)
        if a.text == b.text:
            return
    absent = "not there" if isinstance(newest, Entry) else "nothing"
    published, present = (told.text if told else absent for told in (a, b))
    yield Difference(part, what, published, b.again if isinstance(b, Told) and published == present else present)


# The parts of a page --------------------------------------------------------------------------------------------------


def _parts(content: Content) -> dict[str, Lines]:
    return {
        PAGE: _page(content),
        GATE: dict(_criteria(content.get("gate", {}).get("criteria", ()), words.criterion)),
        FACETS: {facet["slug"]: _facet(facet) for facet in content.get("facets", ())},
        EVIDENCE: dict(_evidence(content)),
        MAPPED: {mapping["key"]: _mapping(mapping) for mapping in content.get("mappings", ())},
        STREAMS: {
            f"{kind} {record['key']}": Entry(record["title"], _lines(record, _OF_STREAM))
            for kind in ("lineages", "protocols")
            for record in content.get(kind, ())
        },
        EXCLUDED: dict(_exclusions(content)),
        POLICY: dict(_policy(content.get("policy") or {})),
    }


_OTHER_PARTS = frozenset(
    {"facets", "gate", "evidence", "mappings", "lineages", "protocols", "exclusions", "lifted_exclusions", "policy"}
)
_NAMED = frozenset({"key", "slug"})
_OF_STREAM = _NAMED | {"suite"}


def _page(content: Content) -> Lines:
    """What it is, its question and words, and whatever a later format may add."""
    said = {"What it is": Told(words.KINDS.get(content.get("kind", ""), ""))}
    own = _lines(content.get("collection", {}), _NAMED)
    lines = own | _lines(content, _OTHER_PARTS | {"kind", "collection", "ranking", "categories"}) | _averaged(content)
    return said | {label[:1].upper() + label[1:]: line for label, line in lines.items()}


def _averaged(content: Content) -> dict[str, Told | Entry]:
    """The rankings that an overall leaderboard averages: its facets are their categories."""
    titles = {facet["slug"]: facet["title"] for facet in content.get("facets", ())}
    return {
        f"categories {row['collection']}": Entry(
            titles.get(row["collection"], row["collection"]), {}, f"release {row['digest'][:12]}"
        )
        for row in content.get("categories", ())
    }


def _criteria(criteria: Iterable[Record], known: Callable[[str], words.CriterionWords]) -> Iterator[tuple[str, Told]]:
    for row in criteria:
        criterion = known(row["code"])
        text = criterion.told(row)
        yield criterion.name, Told(text, canonical.text(row), f"{text}, with other figures beside it")


# The benchmarks and atoms of a facet follow from the mappings, the sentence of its status from its criteria.
_OF_FACET = _NAMED | {"weight", "criteria", "status", "mappings", "atoms"}


def _facet(facet: Record) -> Entry:
    status = facet.get("status", {}).get("code", "")
    lines = {
        "weight": Told(f"{facet['weight']}%"),
        "evidence": Told(words.FACET_STATUSES.get(status, status)),
        **_lines(facet, _OF_FACET),
        **dict(_criteria(facet.get("criteria", ()), partial(words.criterion, of_facet=True))),
    }
    return Entry(facet["title"], lines)


def _evidence(content: Content) -> Iterator[tuple[str, Told]]:
    """How much there is, why the rest does not count, and whether a table would rest on the same values."""
    for name, count in diff.counted(content).items():
        yield name.capitalize(), Told(str(count))
    for reason in content.get("evidence", {}).get("reasons", ()):
        yield f"Results that do not count: {reason['message']}", Told(str(reason["results"]))
    if content.get("kind") == ReleaseKind.RANKING:
        yield "What the table is computed from", Told("as it was read", content["gate"]["snapshot"], "read anew")


# Its category, and the exclusions, are told for themselves; the greatest directness is that of an alignment.
_OF_MAPPING = _NAMED | {
    *("collection", "collection_title", "collection_question", "exclusions", "maximum_directness", "evidence", "role")
}


def _mapping(mapping: Record) -> Entry:
    evidence = mapping["evidence"]
    text = f"{evidence['eligible']} of {evidence['results']}"
    lines = {
        "results that count": Told(text, canonical.text(evidence["reasons"]), f"{text}, the others for other reasons"),
        "comparisons that count": Told(str(evidence["comparisons"])),
        **_lines(mapping, _OF_MAPPING),
    }
    return Entry(mapping["benchmark"]["title"], lines, f"{mapping['role']} evidence")


def _exclusions(content: Content) -> Iterator[tuple[str, Entry]]:
    """Each by what it is about; of configurations and their results no name is told."""
    for row in content.get("exclusions", ()):
        yield _exclusion(row), Entry(_refused(row), {}, f"refused, {row['type']}: {row['reason']}")
    for row in content.get("lifted_exclusions", ()):
        yield _exclusion(row), Entry(_refused(row), {}, f"lifted: {row['lift_reason']}")


def _exclusion(row: Record) -> str:
    """What makes it another one, lifted or not."""
    return canonical.text([row[name] for name in ("scope", "target", "mapping", "type", "reason", "since")])


_UNNAMED = frozenset({ExclusionScope.CONFIGURATION, ExclusionScope.RESULT})


def _refused(row: Record) -> str:
    within = f" within {row['mapping']}" if row["mapping"] else ""
    if row["scope"] in _UNNAMED:
        return f"One {row['scope']}{within}"
    return f"{row['scope'].capitalize()} {row.get('about') or row['target']}{within}"


def _policy(policy: Record) -> Iterator[tuple[str, Told]]:
    for name in ("name", "title", "reason"):
        yield name.capitalize(), Told(str(policy.get(name, "")))
    for name, threshold in policy.get("thresholds", {}).items():
        yield words.threshold(name), Told(value_in_words(threshold["value"]))
        yield f"{words.threshold(name)}: the reason", Told(threshold["reason"])


# The fields of a record -----------------------------------------------------------------------------------------------

# What an entry repeats of a record that is told for itself.
_REPEATED = {
    "facets": frozenset({"title", "description", "weight", "mode"}),
    "contracts": frozenset({"measures"}),
    "alignments": frozenset({"facet", "task"}),
}
_KEYS = ("key", "slug", "collection", "facet", "task", "with", "kind", "lineage", "subject_kind", "use", "contract")


def _lines(record: Record, without: frozenset[str]) -> dict[str, Told | Entry]:
    found: dict[str, Told | Entry] = {}
    for name, value in record.items():
        if name not in without and value not in (None, "", []):
            found |= _field(name, value)
    return found


def _field(name: str, value: Any) -> dict[str, Told | Entry]:
    label = words.field(name)
    if isinstance(value, Mapping):
        return {f"{inner} of the {label}": said for inner, said in _lines(value, frozenset()).items()}
    if isinstance(value, list) and isinstance(value[0], Mapping):
        return {f"{name} {_key(entry)}": _entry(name, entry) for entry in value}
    if name == "samples":
        text = counted(len(value), "saved output")
        return {label: Told(text, canonical.text(value), f"{text}, with other words")}
    return {label: Told(_text(value))}


def _key(entry: Record) -> str:
    """What makes it another one of its list."""
    known = ("key",) if "key" in entry else ("slug",) if "slug" in entry else _KEYS
    return " ".join(str(entry[name]) for name in known if name in entry)


def _entry(name: str, entry: Record) -> Entry:
    title = entry.get("title") or _key(entry)
    return Entry(f"{words.entry(name)} {title}", _lines(entry, _NAMED | _REPEATED.get(name, frozenset())))


_DIGEST = re.compile(r"[0-9a-f]{64}")


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value[:12] if isinstance(value, str) and _DIGEST.fullmatch(value) else value_in_words(value)
