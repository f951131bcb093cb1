"""What a published release is to its readers, and the indexes composed across the live ones. Pure.

Nothing here comes from the registry's tables (DOMAIN 3.8): every word is out of a sealed release.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from ranking import canonical
from ranking.models.releases import PublicationState, ReleaseKind

Record = dict[str, Any]

CATEGORIES = 3
"""An overall leaderboard averages at least so many live rankings."""

IDENTITY = ("model", "model_key", "organization", "organization_key", "harness", "effort", "settings", "availability")
"""What a ranking says of a configuration besides where it stands."""

SHORT = 12
"""Digits of an identifier that name a release in an address. Longer beginnings name it too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """One publication as the list of releases shows it; no word of its content."""

    collection: str
    """Slug; empty for the overall leaderboard."""
    number: int
    identifier: str
    predecessor: str
    """Identifier of the release it superseded; empty for a first one."""
    digest: str
    kind: str
    state: str
    reason: str
    sealed_at: datetime
    published_at: datetime
    withdrawn_at: datetime | None
    withdrawal_reason: str

    @property
    def short(self) -> str:
        return self.identifier[:SHORT]

    @property
    def changed_at(self) -> datetime:
        return self.withdrawn_at or self.published_at


@dataclass(frozen=True, slots=True, kw_only=True)
class Published(Listed):
    """A live or superseded release with what it says."""

    evaluated_at: datetime | None
    """When the gate it carries was evaluated."""
    content: Record

    @property
    def is_live(self) -> bool:
        return self.state == PublicationState.LIVE

    @property
    def is_ranking(self) -> bool:
        return self.kind == ReleaseKind.RANKING

    @property
    def is_overall(self) -> bool:
        return self.kind == ReleaseKind.OVERALL

    @property
    def title(self) -> str:
        return str(self.content["collection"]["title"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Tombstone(Listed):
    """A withdrawn release: that it was there, and why it is not. Of its content only the title is told."""

    title: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One record as live releases carry it. They may have been sealed at different times and then disagree."""

    key: str
    sightings: tuple[tuple[Published, Record], ...]
    """Each release that carries it, with its words; the newest publication first."""

    @property
    def record(self) -> Record:
        """In the words of the newest release."""
        return self.sightings[0][1]

    @property
    def release(self) -> Published:
        """Whose words `record` has."""
        return self.sightings[0][0]

    @property
    def releases(self) -> tuple[Published, ...]:
        return tuple(release for release, _ in self.sightings)

    @property
    def differing(self) -> tuple[Published, ...]:
        """Live releases that still carry other words for it."""
        return tuple(release for release, record in self.sightings if record != self.record)


Entries = Mapping[str, Entry]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a live ranking has a configuration: in its table, or listed apart."""

    release: Published
    row: Record
    ranked: bool


class Catalogue:
    """The records of the live releases, each index by key and in order of key."""

    def __init__(self, releases: Iterable[Published]) -> None:
        self.releases = tuple(releases)
        """Newest publication first."""

    @cached_property
    def categories(self) -> Mapping[str, Published]:
        """The live release of each category, by slug."""
        return {release.collection: release for release in sorted(self.releases, key=lambda found: found.collection)}

    @cached_property
    def mappings(self) -> Entries:
        """By `collection/suite/benchmark`."""
        return self._index(lambda content: ((found["key"], found) for found in content["mappings"]))

    @cached_property
    def benchmarks(self) -> Entries:
        """By `suite/benchmark`."""
        return self._index(lambda content: ((address_of(row), row) for row in _benchmarks(content)))

    @cached_property
    def suites(self) -> Entries:
        return self._index(lambda content: ((row["suite"]["key"], row["suite"]) for row in _benchmarks(content)))

    @cached_property
    def editions(self) -> Entries:
        return self._index(
            lambda content: [(content["collection"]["edition"]["key"], content["collection"]["edition"])]
        )

    @cached_property
    def facets(self) -> Entries:
        """By `collection/facet`."""
        return self._index(
            lambda content: ((f"{content['collection']['slug']}/{row['slug']}", row) for row in content["facets"])
        )

    @cached_property
    def lineages(self) -> Entries:
        return self._index(lambda content: ((row["key"], row) for row in content["lineages"]))

    @cached_property
    def protocols(self) -> Entries:
        return self._index(lambda content: ((row["key"], row) for row in content["protocols"]))

    @cached_property
    def contracts(self) -> Entries:
        """Without what a contract measures: that is each mapping's to say."""
        return self._index(
            lambda content: (
                (row["key"], {name: value for name, value in row.items() if name != "measures"})
                for mapping in content["mappings"]
                for row in mapping["contracts"]
            )
        )

    @cached_property
    def atoms(self) -> Entries:
        return self._index(
            lambda content: ((row["key"], row) for mapping in content["mappings"] for row in mapping["atoms"])
        )

    @cached_property
    def policies(self) -> Entries:
        """The gate policies that live releases were judged by."""
        return self._index(lambda content: [(content["policy"]["name"], content["policy"])])

    @cached_property
    def exclusions(self) -> Entries:
        """Each exclusion once, however many releases it touches; keyed by its own words, in order of target."""
        return self._index(lambda content: ((_exclusion_key(row), row) for row in content["exclusions"]))

    @cached_property
    def lifted_exclusions(self) -> Entries:
        """Those that a live release tells of as lifted, keyed alike. Releases sealed before 2026-12 tell of none."""
        return self._index(lambda content: ((_exclusion_key(row), row) for row in content.get("lifted_exclusions", ())))

    @cached_property
    def rankings(self) -> tuple[Published, ...]:
        """The live releases that rank, in order of category."""
        return tuple(release for release in self.categories.values() if release.is_ranking)

    @cached_property
    def configurations(self) -> Entries:
        """The configurations that live rankings list. No other release names one."""
        return self._index(lambda content: ((row["configuration"], _identity(row)) for row, _ in listed(content)))

    @cached_property
    def models(self) -> Entries:
        """By `organization/model`; of the live rankings alone, as configurations."""
        return self._index(lambda content: ((row["model_key"], _model(row)) for row, _ in listed(content)))

    def configurations_of(self, model: str) -> tuple[Entry, ...]:
        return tuple(entry for entry in self.configurations.values() if entry.record["model_key"] == model)

    def places_of(self, configuration: str) -> tuple[Place, ...]:
        """Where it stands in each live ranking that lists it, in order of category."""
        return tuple(
            Place(release, row, ranked)
            for release in self.rankings
            for row, ranked in listed(release.content)
            if row["configuration"] == configuration
        )

    def mappings_of(self, benchmark: str) -> tuple[Entry, ...]:
        """Every mapping record of one benchmark (`suite/benchmark`)."""
        return self._mappings_where(lambda mapping: address_of(mapping["benchmark"]) == benchmark)

    def mappings_with_lineage(self, key: str) -> tuple[Entry, ...]:
        """The mappings in which results of a lineage may count."""
        return self._mappings_where(lambda mapping: any(row["lineage"] == key for row in mapping["usable_lineages"]))

    def mappings_with_contract(self, key: str) -> tuple[Entry, ...]:
        return self._mappings_where(lambda mapping: any(row["key"] == key for row in mapping["contracts"]))

    def mappings_with_atom(self, key: str) -> tuple[Entry, ...]:
        return self._mappings_where(lambda mapping: any(row["key"] == key for row in mapping["atoms"]))

    def contracts_of(self, lineage: str) -> tuple[Entry, ...]:
        return tuple(entry for entry in self.contracts.values() if entry.record["lineage"] == lineage)

    def _mappings_where(self, wanted: Callable[[Record], bool]) -> tuple[Entry, ...]:
        return tuple(entry for entry in self.mappings.values() if wanted(entry.record))

    def _index(self, records: Callable[[Record], Iterable[tuple[str, Record]]]) -> Entries:
        found: dict[str, list[tuple[Published, Record]]] = {}
        for release in self.releases:
            # A record that a release repeats, as a contract in two mappings, is one sighting.
            for key, record in dict(records(release.content)).items():
                found.setdefault(key, []).append((release, record))
        return {key: Entry(key, tuple(found[key])) for key in sorted(found)}


def address_of(benchmark: Record) -> str:
    """`suite/benchmark`, as addresses name a benchmark."""
    return f"{benchmark['suite']['key']}/{benchmark['key']}"


def listed(content: Record) -> Iterator[tuple[Record, bool]]:
    """The rows of a ranking, and whether each is ranked or listed apart; none of any other release."""
    ranking = content.get("ranking", {})
    for part, ranked in (("rows", True), ("apart", False)):
        yield from ((row, ranked) for row in ranking.get(part, ()))


def _identity(row: Record) -> Record:
    return {"key": row["configuration"]} | {name: row[name] for name in IDENTITY}


def _model(row: Record) -> Record:
    named = {name: row[name] for name in ("organization", "organization_key")}
    return {"key": row["model_key"], "name": row["model"], **named}


def _benchmarks(content: Record) -> Iterator[Record]:
    return (mapping["benchmark"] for mapping in content["mappings"])


def _exclusion_key(row: Record) -> str:
    """What it is about in words is not what makes it another one: releases sealed before 2026-12 do not tell it."""
    return f"{row['scope']}/{row['target']}/{canonical.digest({**row, 'about': ''})[:SHORT]}"
