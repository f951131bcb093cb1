"""What a mapping record shows, taken apart for its page."""

from collections.abc import Sequence
from dataclasses import dataclass

from ranking.catalogue import Catalogue, Entry, Published, Record, address_of
from registry.vocabulary import ContractUse, ExclusionScope

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
