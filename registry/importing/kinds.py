"""The kinds of files, and what differs: columns, own layout, what rows are checked by and weighed against."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from registry.importing import judging, lookups, rows, verdicts
from registry.importing.checking import Validator
from registry.importing.comparisons import lookups as comparison_lookups
from registry.importing.comparisons import resource as comparison_resource
from registry.importing.comparisons import rows as comparison_rows
from registry.importing.comparisons import verdicts as comparison_verdicts
from registry.importing.layouts import Layout, OwnLayout
from registry.importing.resources import COLUMNS, Column
from registry.vocabulary import ImportKind


@dataclass(frozen=True, slots=True)
class File:
    """A file about to be examined."""

    columns: list[str]
    layout: Layout
    sha256: str
    source_url: str
    source_ref: str


class Weighing(ABC):
    """One file while it is examined: its rows are checked, then claimed, then judged."""

    validator: Validator[Any, Any]
    claims: judging.Claims[Any, Any]

    @abstractmethod
    def __init__(self, file: File) -> None:
        """Reads from the registry what rows are checked against."""

    @abstractmethod
    def judge(self) -> judging.RowJudge[Any, Any]:
        """Once all claims are in; reads what is stored."""


@dataclass(frozen=True, slots=True)
class Kind:
    name: ImportKind
    columns: Mapping[str, Column]
    own: OwnLayout
    weighing: type[Weighing]
    parts: frozenset[str] = frozenset()
    """What a profile of this kind may hold beside what every profile may."""


class _Results(Weighing):
    claims: verdicts.Claims

    def __init__(self, file: File) -> None:
        self.claims = verdicts.Claims()
        self.validator = rows.Validator(
            file.columns, file.layout, lookups.Known.load(), source_url=file.source_url, source_ref=file.source_ref
        )

    def judge(self) -> verdicts.Judge:
        return verdicts.Judge(self.claims, lookups.stored_results(self.claims.contracts(), self.claims.addresses()))


class _Comparisons(Weighing):
    claims: comparison_verdicts.Claims

    def __init__(self, file: File) -> None:
        self.claims = comparison_verdicts.Claims()
        self._known = comparison_lookups.Known.load()
        self._source = file.sha256
        self.validator = comparison_rows.Validator(
            file.columns, file.layout, self._known, new_people=file.layout.new_people
        )

    def judge(self) -> comparison_verdicts.Judge:
        stored = comparison_lookups.stored_comparisons(self.claims.tasks())
        return comparison_verdicts.Judge(self.claims, stored, source=self._source, judges=self._known.judges)


KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind(ImportKind.RESULTS, COLUMNS, OwnLayout(), _Results, parts=frozenset({"absences"})),
        Kind(
            ImportKind.COMPARISONS,
            comparison_resource.COLUMNS,
            comparison_resource.LAYOUT,
            _Comparisons,
            parts=frozenset({"judge_kind"}),
        ),
    )
}
