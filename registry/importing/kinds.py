"""The kinds of files, and what differs: columns, own layout, what rows are checked by, staged as and judged by."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from registry.importing.checking import Validator
from registry.importing.columns import Column
from registry.importing.comparisons import lookups as comparison_lookups
from registry.importing.comparisons import resource as comparison_resource
from registry.importing.comparisons import rows as comparison_rows
from registry.importing.comparisons import verdicts as comparison_verdicts
from registry.importing.comparisons.staged import StagedComparisons
from registry.importing.judging import Judging
from registry.importing.layouts import Layout, OwnLayout
from registry.importing.results import lookups, rows, verdicts
from registry.importing.results.resource import COLUMNS
from registry.importing.results.staged import StagedResults
from registry.importing.staged import Staging
from registry.vocabulary import ImportKind


@dataclass(frozen=True, slots=True)
class File:
    """A file about to be read."""

    columns: list[str]
    layout: Layout
    source_url: str
    source_ref: str


class Checks(Protocol):
    """Reads from the registry what the rows of a file are checked against."""

    def __call__(self, file: File) -> tuple[Validator[Any, Any], str]:
        """The validator, and a digest of all that it goes by: while that stays the same, so does the reading."""


@dataclass(frozen=True, slots=True)
class Kind:
    name: ImportKind
    columns: Mapping[str, Column]
    own: OwnLayout
    checks: Checks
    staging: Staging[Any, Any]
    judging: Judging
    parts: frozenset[str] = frozenset()
    """What a profile of this kind may hold beside what every profile may."""


def _results(file: File) -> tuple[Validator[Any, Any], str]:
    known = lookups.Known.load()
    validator = rows.Validator(file.columns, file.layout, known, source_url=file.source_url, source_ref=file.source_ref)
    return validator, _digest(known)


def _comparisons(file: File) -> tuple[Validator[Any, Any], str]:
    known = comparison_lookups.Known.load(new_people=file.layout.new_people)
    validator = comparison_rows.Validator(file.columns, file.layout, known, new_people=file.layout.new_people)
    return validator, _digest(known)


def _digest(known: object) -> str:
    """Of dataclasses of plain values, whose text is the same wherever their values are."""
    return hashlib.sha256(repr(known).encode()).hexdigest()


KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind(
            ImportKind.RESULTS,
            COLUMNS,
            OwnLayout(),
            _results,
            StagedResults(),
            verdicts.ResultJudging(),
            parts=frozenset({"absences"}),
        ),
        Kind(
            ImportKind.COMPARISONS,
            comparison_resource.COLUMNS,
            comparison_resource.LAYOUT,
            _comparisons,
            StagedComparisons(),
            comparison_verdicts.ComparisonJudging(),
            parts=frozenset({"judge_kind"}),
        ),
    )
}
