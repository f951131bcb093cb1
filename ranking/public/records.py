"""What a mapping record shows, taken apart for its page."""

from collections.abc import Sequence
from dataclasses import dataclass

from ranking.catalogue import Catalogue, Entry, Published, Record, address_of
from ranking.public import words
from registry.vocabulary import ContractUse, ExclusionScope
from registry.wording import counted, listed

WIDE = (ExclusionScope.SOURCE, ExclusionScope.BATCH, ExclusionScope.RESULT)
"""Refused wherever they are used, so that they concern every mapping."""


@dataclass(frozen=True, slots=True)
class MappingRecord:
    """One evidence mapping as a release carries it. No model, no score, no order of models."""

    record: Record
    release: Published
    anchor: str
    """Prefix of the ids on a page that shows several records."""

    @property
    def address(self) -> str:
        return address_of(self.record["benchmark"])

    @property
    def usable(self) -> list[Record]:
        return [row for row in self.record["contracts"] if row["use"] == ContractUse.USABLE]

    @property
    def others(self) -> list[Record]:
        return [row for row in self.record["contracts"] if row["use"] != ContractUse.USABLE]

    @property
    def comes_to(self) -> str:
        """In a few words: what it is for, what of it counts, what blocks it."""
        role = words.ROLES.get(self.record["role"], self.record["role"])
        told = [f"It is {role}.", self._contracts_in_words, self._comparisons_in_words, self._blocked_in_words]
        return " ".join(filter(None, told))

    @property
    def _measuring(self) -> list[Record]:
        """A usable contract that measures no facet is catalogued."""
        return [row for row in self.usable if row["measures"]]

    @property
    def _contracts_in_words(self) -> str:
        number, measuring = len(self.record["contracts"]), len(self._measuring)
        blocked = sum(row["use"] == ContractUse.BLOCKED for row in self.record["contracts"])
        told = [
            (measuring, "measures a facet", "measure a facet"),
            (number - measuring - blocked, "is catalogued", "are catalogued"),
            (blocked, "is blocked", "are blocked"),
        ]
        if number == 1:
            return f"Its only contract {next(one for count, one, _ in told if count)}."
        counts = [f"{count} {one if count == 1 else many}" for count, one, many in told if count]
        return f"Of its {number} contracts {listed(counts)}." if number else "It has no contract."

    @property
    def _comparisons_in_words(self) -> str:
        number = self.record["evidence"]["comparisons"]
        return (
            f"{counted(number, 'comparison')} of its lineages {'counts' if number == 1 else 'count'}." if number else ""
        )

    @property
    def _blocked_in_words(self) -> str:
        blocking = len(self._blocking)
        if not blocking:
            return "No exclusion blocks the benchmark, a lineage usable here or a contract that measures."
        return f"{counted(blocking, 'exclusion')} {'blocks' if blocking == 1 else 'block'} it or a part of it."

    @property
    def _blocking(self) -> list[Record]:
        """Exclusions of the whole benchmark, of a lineage that is usable here or of a contract that measures."""
        whole = {
            ExclusionScope.BENCHMARK: {self.record["benchmark"]["key"]},
            ExclusionScope.LINEAGE: {row["lineage"] for row in self.record["usable_lineages"]},
            ExclusionScope.CONTRACT: {row["key"] for row in self._measuring},
        }
        reaching = [*self.record["exclusions"], *self._reaching]
        return [row for row in reaching if row["target"] in whole.get(row["scope"], ())]

    @property
    def uncounted(self) -> int:
        return int(self.record["evidence"]["results"] - self.record["evidence"]["eligible"])

    @property
    def unevidenced(self) -> list[Record]:
        """The facets that it speaks to without measuring them."""
        return [facet for facet in self.record["facets"] if not facet["measured_by"]]

    @property
    def alignments(self) -> list[Record]:
        """Each with its facet's title; a task of a facet that the release does not have goes by the facet's key."""
        titles = {facet["slug"]: facet["title"] for facet in self.release.content["facets"]}
        return [row | {"facet": titles.get(row["facet"], row["facet"])} for row in self.record["alignments"]]

    @property
    def refused_lineages(self) -> list[Record]:
        """Streams of its suite that may not be used, and why."""
        suite = self.record["benchmark"]["suite"]["key"]
        return [
            row
            for row in self.release.content["lineages"]
            if row["suite"] == suite and row["use"] != ContractUse.USABLE
        ]

    @property
    def wider_exclusions(self) -> list[Record]:
        """Refusals that reach it from outside; those of configurations are counted apart, not named."""
        return [row for row in self._reaching if row["scope"] != ExclusionScope.CONFIGURATION]

    @property
    def excluded_configurations(self) -> int:
        return len(self._reaching) - len(self.wider_exclusions)

    @property
    def _reaching(self) -> list[Record]:
        named = {
            ExclusionScope.BENCHMARK: {self.record["benchmark"]["key"]},
            ExclusionScope.LINEAGE: {row["key"] for row in self.release.content["lineages"]},
            ExclusionScope.CONTRACT: {row["key"] for row in self.record["contracts"]},
        }
        return [
            row
            for row in self.release.content["exclusions"]
            if row["mapping"] is None
            and (row["scope"] in WIDE or row["target"] in named.get(row["scope"], {row["target"]}))
        ]


def of_release(release: Published) -> list[MappingRecord]:
    return [
        MappingRecord(record, release, f"record-{number}")
        for number, record in enumerate(release.content["mappings"], start=1)
    ]


def of_entries(entries: Sequence[Entry]) -> list[MappingRecord]:
    return [
        MappingRecord(entry.record, entry.release, f"record-{number}") for number, entry in enumerate(entries, start=1)
    ]


def siblings(catalogue: Catalogue, mapping: MappingRecord) -> list[Record]:
    """Every record of the same benchmark, this one among them."""
    return [entry.record for entry in catalogue.mappings_of(mapping.address)]
