"""The array types of the method, by what they hold, and the one sum that numpy types loosely."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.integer[Any]]
"""Of any width: a column of indexes takes two bytes a row where that is enough."""
Booleans = NDArray[np.bool_]


def tally(index: Integers, weights: Floats, size: int) -> Floats:
    """(size,) the sum of the `weights` at each `index`, taken in order."""
    return np.bincount(index, weights, size).astype(np.float64, copy=False)


def runs(ascending: Integers) -> tuple[Integers, Integers]:
    """The distinct values of an ascending array, and for each entry the number of its value among them."""
    begins = np.ones(len(ascending), dtype=np.bool_)
    begins[1:] = ascending[1:] != ascending[:-1]
    return ascending[begins], np.cumsum(begins) - 1


def grouped(values: Integers) -> tuple[Integers, Integers]:
    """As `runs`, for values in any order; nearly free where they ascend already, as a database returns them."""
    order = np.argsort(values, kind="stable")
    distinct, run = runs(values[order])
    number = np.empty_like(run)
    number[order] = run
    return distinct, number
