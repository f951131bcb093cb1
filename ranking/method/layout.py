"""Who is ranked by which cells, who sets the scale and who is the pool (METHOD 1 and 2). No fit yet. Pure.

At the first ranking release panel, pool and cells are found here; afterwards they are sealed and only looked up.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ranking.method.arrays import Booleans, Floats
from ranking.method.cells import FEWEST_ROWS, Cell, external_cells, filled, pairwise_cells, settle
from ranking.method.inputs import (
    HEADLINE,
    REFERENCE,
    Configuration,
    Constants,
    Facet,
    Inputs,
    Panel,
    Policy,
)
from ranking.method.refusal import Refusal
from ranking.method.results import Apart
from ranking.method.units import Judged, judged
from ranking.method.validation import validate, validate_verdicts


@dataclass(frozen=True, eq=False)
class Layout:
    """Arrays are over the (n,) configurations."""

    facets: tuple[Facet, ...]
    """Those with weight, by key."""
    configurations: tuple[Configuration, ...]
    """By key."""
    judged: tuple[Judged | None, ...]
    """Of each facet."""
    declared: Booleans
    """Named as headline rows."""
    rows: Booleans
    """Those of them with a cell of every kind that every facet asks for."""
    panel: Booleans
    pool: Booleans
    cells: tuple[Cell, ...]
    """By facet, then lineage."""
    apart: tuple[Apart, ...]
    """Headline rows that have no place in the table."""
    context: tuple[Apart, ...]
    """Lineages that are no cell."""

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(configuration.key for configuration in self.configurations)

    @property
    def weights(self) -> Floats:
        """(facets,) sum 1."""
        return np.array([float(facet.weight) / 100 for facet in self.facets])

    @property
    def sealed(self) -> Panel:
        return Panel(*(tuple(np.array(self.names)[mask].tolist()) for mask in (self.panel, self.pool)))


def lay_out(inputs: Inputs, policy: Policy, panel: Panel | None = None, constants: Constants | None = None) -> Layout:
    """Raises Refusal for evidence that the method does not read, and for a sealed panel or pool that is incomplete."""
    validate(inputs)
    facets = tuple(sorted(facet for facet in inputs.facets if facet.weight > 0))
    configurations = tuple(sorted(inputs.configurations))
    judgments = _judgments(inputs, facets, configurations)
    external = external_cells(inputs, facets, configurations, policy["interval_row_factor"])
    declared = _having(configurations, HEADLINE)
    if panel is None:
        members, pool = _first(configurations, facets, judgments, external)
    else:
        members, pool = (_sealed(configurations, keys, code) for keys, code in _parts(panel))
    candidates = sorted((*external, *pairwise_cells(judgments, pool)), key=lambda cell: (cell.facet, cell.lineage))
    known = {(scale.facet, scale.lineage) for scale in constants or ()}
    settable = [cell for cell in candidates if _on_scale(cell, facets, members, known)]
    rows, cells = settle(declared, settable, facets)
    return Layout(
        facets=facets,
        configurations=configurations,
        judged=judgments,
        declared=declared,
        rows=rows,
        panel=members,
        pool=pool,
        cells=cells,
        apart=tuple(_apart(int(row), configurations, facets, cells) for row in np.flatnonzero(declared & ~rows)),
        context=tuple(_context(cell, facets, rows) for cell in candidates if cell not in cells),
    )


def _judgments(
    inputs: Inputs, facets: Sequence[Facet], configurations: Sequence[Configuration]
) -> tuple[Judged | None, ...]:
    """Of each facet, in order."""
    found: dict[str, Judged] = {}
    for verdicts in inputs.verdicts:
        validate_verdicts(verdicts)
        if verdicts.facet in found:
            raise Refusal("two-tables", f"Facet {verdicts.facet} has two tables of verdicts.")
        found[verdicts.facet] = judged(verdicts, configurations)
    return tuple(found.get(facet.key) for facet in facets)


def _having(configurations: Sequence[Configuration], role: str) -> Booleans:
    return np.array([configuration.role == role for configuration in configurations], dtype=np.bool_)


def _first(
    configurations: Sequence[Configuration],
    facets: Sequence[Facet],
    judgments: Sequence[Judged | None],
    external: Sequence[Cell],
) -> tuple[Booleans, Booleans]:
    """Panel and pool of a first ranking: the headline rows with a value in every cell, one per model release (the first
    by key), and with them the reference opponents. Who was only judged against rows that stay outside leaves again. A
    panel that is too small leaves everyone in the pool, so that the counts of the gate can be told.
    """
    declared, references = _having(configurations, HEADLINE), _having(configurations, REFERENCE)

    def whole(pool: Booleans) -> Booleans:
        """Headline rows with a value in every cell when these are the pool."""
        rows, cells = settle(declared, (*external, *pairwise_cells(judgments, pool)), facets)
        for cell in cells:
            rows = rows & cell.has
        return rows

    panel = _one_per_release(configurations, whole(declared | references))
    while (left := panel & ~whole(panel | references)).any():
        panel &= ~left
    return panel, references | (panel if panel.sum() >= FEWEST_ROWS else declared)


def _one_per_release(configurations: Sequence[Configuration], rows: Booleans) -> Booleans:
    seen: set[str] = set()
    chosen = np.zeros_like(rows)
    for row in np.flatnonzero(rows):
        release = configurations[int(row)].model_release
        chosen[row] = release not in seen
        seen.add(release)
    return chosen


def _parts(panel: Panel) -> tuple[tuple[tuple[str, ...], str], ...]:
    return (panel.members, "panel-changed"), (panel.pool, "pool-changed")


def _sealed(configurations: Sequence[Configuration], keys: Iterable[str], code: str) -> Booleans:
    wanted = set(keys)
    missing = wanted - {configuration.key for configuration in configurations}
    if missing:
        named = ", ".join(sorted(missing))
        raise Refusal(code, f"The sealed scale rests on {named}, of which there is no evidence now; re-base it.")
    return np.array([configuration.key in wanted for configuration in configurations], dtype=np.bool_)


def _on_scale(cell: Cell, facets: Sequence[Facet], panel: Booleans, known: set[tuple[str, str]]) -> bool:
    """A new cell needs enough of the panel to set its scale, so that nobody outside the panel can bring it about."""
    sealed = (facets[cell.facet].key, cell.lineage) in known
    return sealed or panel.sum() < FEWEST_ROWS or (cell.has & panel).sum() >= FEWEST_ROWS


def _apart(row: int, configurations: Sequence[Configuration], facets: Sequence[Facet], cells: Sequence[Cell]) -> Apart:
    lacking = []
    for number, facet in enumerate(facets):
        external, pairwise = filled(cells, number, len(configurations))
        lacking += [f"{facet.key} (external)"] if facet.wants_external and not external[row] else []
        lacking += [f"{facet.key} (comparisons)"] if facet.wants_pairwise and not pairwise[row] else []
    return Apart(configurations[row].key, "no-cell", f"No value that counts in: {', '.join(lacking)}.")


def _context(cell: Cell, facets: Sequence[Facet], rows: Booleans) -> Apart:
    count = int((cell.has & rows).sum())
    return Apart(
        f"{facets[cell.facet].key} / {cell.lineage}",
        "too-few-rows",
        f"Values for {count} headline rows or for too few of the panel; below {FEWEST_ROWS} a lineage is shown as "
        "context and counts in no score, panel, weight or check.",
    )
