"""The method in five steps: evidence in, a ranking out, or a refusal that says why there is none. Pure.

lay_out     who is ranked by which cells, who sets the scale, who is the pool      cells.py, layout.py
fit         comparisons to log-worths, external values to log-odds                 units.py, pairwise.py, external.py
scale       both to standard deviations of the sealed panel, by weight to a score  solution.py, aggregate.py
doubt       what leaving out each task would change, and the external errors       leave_one_out.py, estimate.py
rank        what the evidence separates, and no finer                              separation.py
"""

from ranking.method.inputs import Constants, Inputs, Panel, Policy
from ranking.method.layout import lay_out
from ranking.method.results import Contribution, Ranking
from ranking.method.rows import Told, rows
from ranking.method.solution import Solution, solve


def rank(inputs: Inputs, policy: Policy, panel: Panel | None = None, constants: Constants | None = None) -> Ranking:
    """Rank the headline rows of one collection.

    `panel` and `constants` are those sealed by the first ranking release, or None for the first. Scores have 50 and 10
    as the panel's mean and standard deviation of a single cell. Raises Refusal.
    """
    return tell(solve(lay_out(inputs, policy, panel, constants), constants))


def tell(solution: Solution) -> Ranking:
    """A solution in plain values."""
    return Ranking(
        rows=rows(solution.names, solution.separation, [_told(solution, row) for row in range(len(solution.names))]),
        panel=solution.layout.sealed,
        constants=solution.constants,
        apart=solution.layout.apart,
        context=solution.layout.context,
    )


def _told(solution: Solution, row: int) -> Told:
    has, z, points = solution.has[row], solution.z[row], solution.contributions[row]
    cells = list(zip(solution.constants, solution.cells, has, strict=True))
    return Told(
        contributions=tuple(
            Contribution(scale.facet, cell.group, cell.lineage, float(z[column]), float(points[column]))
            for column, (scale, cell, present) in enumerate(cells)
            if present
        ),
        assumes=tuple(f"{scale.facet} / {scale.lineage}" for scale, _, present in cells if not present),
    )
