"""The average over categories (METHOD 6): rows ranked in every one, each category on its own scale again. Pure.

It says how a row does on average over these categories; it names no best model. Raw scores are never averaged: 50 is
the mean of a different panel in each category.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ranking.method.aggregate import CENTRE, SPREAD
from ranking.method.arrays import Floats, Integers
from ranking.method.blocks import join
from ranking.method.checks.dominance import group_weights
from ranking.method.estimate import Estimate
from ranking.method.inputs import Policy
from ranking.method.refusal import Refusal
from ranking.method.results import Contribution, Row
from ranking.method.rows import Told, rows
from ranking.method.separation import Reach, Separation
from ranking.method.solution import NO_SPREAD, Solution

FEWEST_CATEGORIES = 3
FEWEST_ROWS = 8


@dataclass(frozen=True, slots=True)
class Overall:
    rows: tuple[Row, ...]
    """Their contributions are by category, which stands in the place of the facet."""
    categories: tuple[str, ...]
    group_weights: tuple[tuple[str, float], ...]
    """Of all weight, by group of evidence."""


def overall(categories: Mapping[str, Solution], policy: Policy) -> Overall:
    """The average of live `categories`, by slug, at equal weights.

    Raises Refusal `too-few-categories`, `too-few-common-rows`, `group-too-heavy` or `no-spread`.
    """
    if len(categories) < FEWEST_CATEGORIES:
        raise Refusal("too-few-categories", f"{len(categories)} categories are live; it takes {FEWEST_CATEGORIES}.")
    slugs = sorted(categories)
    names = sorted(set.intersection(*(set(categories[slug].names) for slug in slugs)))
    if len(names) < FEWEST_ROWS:
        raise Refusal("too-few-common-rows", f"{len(names)} rows are ranked in every category; it takes {FEWEST_ROWS}.")
    weights = _group_weights([categories[slug] for slug in slugs])
    heaviest = max(weights, key=lambda group: weights[group])
    if weights[heaviest] > policy["group_weight_limit"]:
        sentence = (
            f"{heaviest} carries {weights[heaviest]:.3f} of all weight; {policy['group_weight_limit']} is allowed."
        )
        raise Refusal("group-too-heavy", sentence)
    parts = [_Part.of(slug, categories[slug], names, 1 / len(slugs)) for slug in slugs]
    points = np.array([part.points for part in parts])
    separation = Separation(_estimate(parts, points), _reach(parts))
    told = [Told(_contributions(parts, points[:, row], len(parts)), ()) for row in range(len(names))]
    return Overall(rows(names, separation, told), tuple(slugs), tuple(sorted(weights.items())))


def _group_weights(solutions: Sequence[Solution]) -> dict[str, float]:
    total: dict[str, float] = {}
    for solution in solutions:
        for group, weight in group_weights(solution.layout).items():
            total[group] = total.get(group, 0.0) + weight / len(solutions)
    return total


@dataclass(frozen=True, eq=False, slots=True)
class _Part:
    """One category, restricted to the common rows."""

    slug: str
    solution: Solution
    rows: Integers
    """(r,) of the solution."""
    mean: float
    factor: float
    """Points of the average in one point of this category."""

    @classmethod
    def of(cls, slug: str, solution: Solution, names: Sequence[str], weight: float) -> "_Part":
        chosen = np.array([solution.names.index(name) for name in names])
        score = solution.estimate.score[chosen]
        deviation = float(score.std(ddof=1))
        if deviation < NO_SPREAD:
            raise Refusal("no-spread", f"All common rows stand equal in {slug}.")
        return cls(slug, solution, chosen, float(score.mean()), SPREAD * weight / deviation)

    def scaled(self, score: Floats) -> Floats:
        """(r,) what a score of this category adds to the average."""
        points: Floats = self.factor * (score[self.rows] - self.mean)
        return points

    @property
    def points(self) -> Floats:
        return self.scaled(self.solution.estimate.score)

    @property
    def external_errors(self) -> dict[str, Floats]:
        """(r,) by lineage: standard deviation that its values in this category bring into the average."""
        solution, share = self.solution, self.solution.shares(self.solution.every)
        errors: dict[str, Floats] = {}
        for column, cell in enumerate(solution.cells):
            error = SPREAD * share[:, column] * np.sqrt(solution.variance[:, column])
            errors[cell.lineage] = np.hypot(errors.get(cell.lineage, 0.0), self.factor * error[self.rows])
        return errors


def _estimate(parts: Sequence[_Part], points: Floats) -> Estimate:
    """Tasks and lineages that several categories use are added before they are squared: their errors are the same."""
    blocks = [
        block.restricted(part.rows).scaled(np.full(len(part.rows), part.factor))
        for part in parts
        for block in part.solution.estimate.blocks
    ]
    errors: dict[str, Floats] = {}
    for part in parts:
        for lineage, error in part.external_errors.items():
            errors[lineage] = errors.get(lineage, 0.0) + error
    return Estimate(
        score=CENTRE + points.sum(axis=0),
        blocks=join(blocks),
        external=np.sum([error**2 for error in errors.values()], axis=0),
    )


def _reach(parts: Sequence[_Part]) -> Reach:
    """A row reaches as far as it does in each category."""
    reaches = [part.solution.reach for part in parts]
    pairs = list(zip(parts, reaches, strict=True))
    return Reach(
        least=CENTRE + np.sum([part.scaled(reach.least) for part, reach in pairs], axis=0),
        most=CENTRE + np.sum([part.scaled(reach.most) for part, reach in pairs], axis=0),
        open_above=np.any([reach.open_above[part.rows] for part, reach in pairs], axis=0),
        open_below=np.any([reach.open_below[part.rows] for part, reach in pairs], axis=0),
    )


def _contributions(parts: Sequence[_Part], points: Floats, categories: int) -> tuple[Contribution, ...]:
    return tuple(
        Contribution(part.slug, "", "", float(one) * categories / SPREAD, float(one))
        for part, one in zip(parts, points, strict=True)
    )
