"""The gate of a release as tables and pictures: every number with its unit, every absence with its kind."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from ranking.catalogue import Record
from ranking.public import words


@dataclass(frozen=True, slots=True)
class CriterionRow:
    """One criterion in words. `verdict` is for people, `code` and `mark` for machines and style."""

    code: str
    name: str
    required: str
    observed: str
    missing: str
    verdict: str
    mark: str
    message: str
    beside: Sequence[tuple[str, Any]]
    remedy: str
    parts: Sequence[tuple[str, str]]
    """Verdict and sentence of each statistic that it is made of."""

    @property
    def met(self) -> bool:
        return self.mark == "passed"


def rows(criteria: Iterable[Record], *, of_facet: bool = False) -> list[CriterionRow]:
    return [_row(criterion, of_facet=of_facet) for criterion in criteria]


def _row(criterion: Record, *, of_facet: bool) -> CriterionRow:
    said = words.criterion(criterion["code"], of_facet=of_facet)
    missing = criterion["missing"]
    return CriterionRow(
        code=criterion["code"],
        name=said.name,
        required=said.count(criterion["required"]) if criterion["required"] else f"every {said.one}",
        observed="not measured" if criterion["observed"] is None else said.number(criterion["observed"]),
        missing="cannot be told" if missing is None else said.number(missing) if missing else "nothing",
        verdict=words.VERDICTS[criterion["verdict"]],
        mark=criterion["verdict"],
        message=criterion["message"],
        beside=sorted(criterion["beside"].items()),
        remedy=said.remedy.format(missing=said.count(missing or 1)),
        parts=[(words.VERDICTS[part["verdict"]], part["message"]) for part in criterion.get("parts", ())],
    )


def names(rows: Iterable[CriterionRow], mark: str) -> list[str]:
    """Of the criteria that came out so, as they stand in a sentence."""
    return [row.name.lower() for row in rows if row.mark == mark]


@dataclass(frozen=True, slots=True)
class Tally:
    """How many criteria came out how."""

    asked: int
    met: int
    not_met: int
    cannot_be_tested: int


def tally(criteria: Sequence[Record]) -> Tally:
    verdicts = [criterion["verdict"] for criterion in criteria]
    return Tally(len(verdicts), *(verdicts.count(verdict) for verdict in words.VERDICTS))


@dataclass(frozen=True, slots=True)
class WeightBar:
    """A facet's part of the bar that shows how the weight is shared out, in per cent of its width."""

    facet: Record
    start: str
    width: str


def weight_bars(facets: Iterable[Record]) -> list[WeightBar]:
    bars, start = [], Decimal(0)
    for facet in facets:
        weight = Decimal(facet["weight"])
        bars.append(WeightBar(facet, str(start), str(weight)))
        start += weight
    return bars
