"""Staged rows as the batch page shows them."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from registry.models import StagedRow
from registry.vocabulary import ImportKind

# What a reviewed alias would mend.
NAMES = frozenset({"unknown-configuration"})


@dataclass(frozen=True, slots=True)
class Complaint:
    column: str
    value: str
    code: str
    message: str
    alias_url: str


# What tells a person which row it is, by kind of file.
TELLING = {
    ImportKind.RESULTS: ("contract", "configuration"),
    ImportKind.COMPARISONS: ("task", "a", "b"),
}


@dataclass(frozen=True, slots=True)
class Shown:
    row: StagedRow
    told: list[Any]
    complaints: list[Complaint]


def shown(row: StagedRow, columns: Iterable[str]) -> Shown:
    told = [row.values.get(name, "") for name in columns]
    return Shown(row, told, [_complaint(problem) for problem in row.problems])


def _complaint(problem: dict[str, Any]) -> Complaint:
    value = str(problem.get("value", ""))
    alias = f"{reverse('admin:registry_configurationalias_add')}?{urlencode({'name': value})}"
    mendable = problem.get("reason") in NAMES and value
    return Complaint(
        problem.get("column", ""),
        value,
        problem.get("reason", ""),
        problem.get("message", ""),
        alias if mendable else "",
    )
