"""What leaving out each task changes; facets that share a task form one block (METHOD 4). Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ranking.method.arrays import Floats, Integers


@dataclass(frozen=True, eq=False, slots=True)
class Block:
    """Moves of r rows in t tasks."""

    tasks: tuple[str, ...]
    judged: frozenset[str]
    """The tasks on which a pool was judged; their number is C."""
    moves: Floats
    """(t, r)"""

    @property
    def size(self) -> int:
        return len(self.judged)

    @property
    def factor(self) -> float:
        """(C - 1)/C of the delete-one jackknife."""
        return (self.size - 1) / self.size if self.size else 0.0

    def restricted(self, rows: Integers) -> "Block":
        return Block(self.tasks, self.judged, self.moves[:, rows])

    def scaled(self, points: Floats) -> "Block":
        """The moves times the `points` (r,) that one unit of them counts."""
        return Block(self.tasks, self.judged, self.moves * points)


def join(parts: Sequence[Block]) -> tuple[Block, ...]:
    """Blocks without a common task: those that share one, directly or through others, are added task by task."""
    return tuple(_added([parts[place] for place in places]) for places in _linked(parts))


def _linked(parts: Sequence[Block]) -> list[list[int]]:
    blocks: list[tuple[list[int], set[str]]] = []
    for place, part in enumerate(parts):
        places, tasks = [place], set(part.tasks)
        for block in [block for block in blocks if not tasks.isdisjoint(block[1])]:
            blocks.remove(block)
            places, tasks = block[0] + places, tasks | block[1]
        blocks.append((sorted(places), tasks))
    return sorted(places for places, _ in blocks)


def _added(parts: Sequence[Block]) -> Block:
    if len(parts) == 1:
        return parts[0]
    tasks = tuple(sorted({task for part in parts for task in part.tasks}))
    place = {task: number for number, task in enumerate(tasks)}
    total = np.zeros((len(tasks), parts[0].moves.shape[1]))
    for part in parts:
        total[[place[task] for task in part.tasks]] += part.moves
    return Block(tasks, frozenset().union(*(part.judged for part in parts)), total)
