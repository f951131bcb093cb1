"""What the page of a ranking says besides its table: what was weakened, what decides nothing, how to cite it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.formats import date_format

from ranking.catalogue import Published, Record
from ranking.public import words
from ranking.public.ranked import Ranked, shown
from ranking.public.rules import value_in_words


@dataclass(frozen=True, slots=True)
class Weakening:
    """A threshold of this policy that asks for less than the policy it is compared with."""

    name: str
    said: str
    there: str
    here: str
    reason: str


@dataclass(frozen=True, slots=True)
class Failing:
    """A criterion of the stricter policy that the same evidence does not meet."""

    code: str
    name: str
    required: str
    observed: str
    message: str


def ranking(release: Published) -> dict[str, Any]:
    """What a ranking's page says, of whatever ranking release."""
    found = Ranked(release.content)
    weakened = list(_weakenings(found.ranking["weakened"]))
    failing = list(_failings(found.ranking["fails_v3"]))
    return {
        "ranked": found,
        "demonstration": bool(weakened),
        "weakened": weakened,
        "compared_with": next((row["required_by"] for row in found.ranking["weakened"]), ""),
        "failing": failing,
        "figures": shown(found.ranking["figures"] or {}),
        "citation": citation(release),
    }


def _weakenings(weakened: Iterable[Record]) -> Iterable[Weakening]:
    for row in weakened:
        there, here = value_in_words(row[row["required_by"]]), value_in_words(row["here"])
        yield Weakening(row["threshold"], words.threshold(row["threshold"]), there, here, row["reason"])


def _failings(failing: Iterable[Record]) -> Iterable[Failing]:
    for row in failing:
        said = words.criterion(row["code"])
        required = said.count(row["required"]) if row["required"] else f"every {said.one}"
        observed = "not measured" if row["observed"] is None else said.number(row["observed"])
        yield Failing(row["code"], said.name, required, observed, row["message"])


def address(release: Published) -> str:
    return str(settings.SITE_URL + reverse("public:release", args=[release.short]))


def citation(release: Published) -> str:
    """For a list of references: everything by which this very release can be found and checked."""
    title = " ".join(f"{release.title}: {words.KINDS[release.kind].lower()}, release {release.number}".split())
    day = date_format(release.published_at, "j F Y")
    fields = {
        "title": title,
        "author": settings.SITE_NAME,
        "year": date_format(release.published_at, "Y"),
        "url": address(release),
        "note": f"Published {day}; release {release.identifier}; SHA-256 of content {release.digest}",
    }
    lines = "".join(f"  {name:<6} = {{{_braced(said)}}},\n" for name, said in fields.items())
    return f"@misc{{{release.collection}-{release.number},\n{lines}}}"


def _braced(said: str) -> str:
    """Braces would end the field early."""
    return said.replace("{", "(").replace("}", ")")
