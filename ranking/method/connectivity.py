"""Can the comparisons of a pool carry one scale? Who has beaten whom decides (Ford 1957). Pure."""

from collections.abc import Sequence

import numpy as np
from scipy.sparse.csgraph import connected_components

from ranking.method.arrays import Booleans, Floats, Integers
from ranking.method.refusal import Refusal


def components(wins: Floats) -> Integers:
    """(p,) number of the strong component of each, from `wins` (p, p); a tie is half a win each way."""
    _, labels = connected_components(np.asarray(wins > 0, dtype=np.float64), directed=True, connection="strong")
    return np.asarray(labels, dtype=np.int64)


def standing(wins: Floats, names: Sequence[str]) -> Booleans:
    """(p,) the core: strongly connected, without whoever has no loss, or no win, against the others.

    Those are placed against it. Raises Refusal `islands` when more than that is at fault, and names the components.
    """
    core = np.ones(len(wins), dtype=np.bool_)
    while (one_sided := _one_sided(wins, core)).any():
        core &= ~one_sided
    rest = np.flatnonzero(core)
    if len(rest) < 2 or len(np.unique(components(wins[np.ix_(rest, rest)]))) > 1:
        raise Refusal("islands", f"The comparisons fall apart into {_named(components(wins), names)}.")
    return core


def _one_sided(wins: Floats, core: Booleans) -> Booleans:
    """Who of the core has only wins, or only losses, inside it. Who has neither is an island."""
    inside = np.where(core[:, None] & core, wins, 0.0)
    one_sided: Booleans = core & ((inside.sum(axis=0) == 0) ^ (inside.sum(axis=1) == 0))
    return one_sided


def _named(labels: Integers, names: Sequence[str]) -> str:
    islands = [sorted(name for name, label in zip(names, labels, strict=True) if label == one) for one in set(labels)]
    return "; ".join("{" + ", ".join(island) + "}" for island in sorted(islands))
