"""Comparisons to units: what one unit is, and what is on record of how it was judged."""

from collections.abc import Sequence

import numpy as np
import pytest

from ranking.method.inputs import Configuration, Judge, Verdicts
from ranking.method.sittings import sittings
from ranking.method.units import Judged, judged
from tests.ranking.method.worlds import Word

MODELS = [Judge("j1", "north", "north"), Judge("j2", "south", "south"), Judge("j3", "east", "east")]
CONFIGURATIONS = [
    Configuration(name, name, maker, "model") for name, maker in (("A", "north"), ("B", ""), ("C", "east"))
]


def of(*rows: Word, judges: Sequence[Judge] = MODELS) -> Judged:
    return judged(Verdicts.of("f", rows, judges), CONFIGURATIONS)


def outcomes(found: Judged) -> dict[tuple[str, str, str], float]:
    units = found.units
    return {
        (units.tasks[task], CONFIGURATIONS[lo].key, CONFIGURATIONS[hi].key): y
        for task, lo, hi, y in zip(
            units.task.tolist(), units.lo.tolist(), units.hi.tolist(), units.y.tolist(), strict=True
        )
    }


@pytest.mark.parametrize(("outcome", "points"), [("a", 1.0), ("b", 0.0), ("tie", 0.5), ("both-bad", 0.5)])
def test_points_of_an_outcome(outcome: str, points: float) -> None:
    assert outcomes(of(("t", "B", "C", outcome, "j1", "ab", 1))) == {("t", "B", "C"): points}


def test_a_pair_is_the_same_unit_whichever_side_is_named_first() -> None:
    found = of(("t", "B", "C", "a", "j1", "ab", 1), ("t", "C", "B", "a", "j2", "ba", 1))
    assert outcomes(found) == {("t", "B", "C"): 0.5}


def test_orders_are_averaged_before_judges() -> None:
    """One judge saw it both ways round and another once: each counts one half."""
    found = of(
        ("t", "B", "C", "a", "j1", "ab", 1), ("t", "B", "C", "b", "j1", "ba", 1), ("t", "B", "C", "a", "j2", "ab", 1)
    )
    assert outcomes(found) == {("t", "B", "C"): 0.75}


def test_saying_the_same_again_adds_nothing() -> None:
    once = of(("t", "B", "C", "a", "j1", "ab", 1), ("t", "B", "C", "b", "j2", "ab", 1))
    often = of(("t", "B", "C", "a", "j1", "ab", 9), ("t", "B", "C", "b", "j2", "ab", 1))
    assert outcomes(often) == outcomes(once) == {("t", "B", "C"): 0.5}


def test_without_a_recorded_order_a_judge_may_have_said_both() -> None:
    found = of(("t", "B", "C", "a", "j1", "", 1), ("t", "B", "C", "b", "j1", "", 1))
    assert outcomes(found) == {("t", "B", "C"): 0.5}


def test_a_judge_of_the_maker_of_either_side_does_not_count() -> None:
    found = of(
        ("t", "A", "B", "a", "j1", "ab", 1), ("t", "A", "B", "b", "j2", "ab", 1), ("u", "B", "C", "a", "j3", "ab", 1)
    )
    assert outcomes(found) == {("t", "A", "B"): 0.0}
    assert [judge.key for judge in found.active] == ["j2"]


def test_a_configuration_that_is_not_among_the_inputs_is_left_out() -> None:
    assert outcomes(of(("t", "A", "Z", "a", "j2", "ab", 1), ("t", "A", "C", "a", "j2", "ab", 1))) == {
        ("t", "A", "C"): 1.0
    }


def test_no_verdicts_are_no_units() -> None:
    assert outcomes(of()) == {}


def test_the_record() -> None:
    record = of(
        ("t", "B", "C", "a", "j1", "ab", 1),
        ("t", "B", "C", "a", "j1", "ba", 1),
        ("t", "B", "C", "tie", "j2", "ab", 1),
        ("t", "C", "B", "a", "j2", "ab", 1),
        ("u", "A", "B", "a", "j2", "", 2),
    ).record
    assert (record.verdicts, record.ordered, record.both_orders) == (6, 4, 1)
    # j1 said B both ways round; j2 said tie with B first and C with C first.
    assert (record.swaps, record.swaps_kept) == (2, 1)
    assert (record.order_verdicts[1, 2], record.order_verdicts[2, 1]) == (2, 2)
    assert (record.order_points[1, 2], record.order_points[2, 1]) == (1.5, 1.0)


def test_units_as_some_judges_saw_them() -> None:
    found = of(
        ("t", "B", "C", "a", "j1", "ab", 1), ("t", "B", "C", "b", "j2", "ab", 1), ("u", "B", "C", "b", "j2", "ab", 1)
    )
    only = found.units_by(np.array([judge.key == "j1" for judge in found.judges]))
    assert only.y.tolist() == [1.0]
    assert len(found.units) == 2


def test_sittings_ascend() -> None:
    rows = [
        ("t", "C", "B", "a", "j2", "ba", 1),
        ("t", "B", "C", "a", "j1", "ab", 1),
        ("s", "A", "C", "b", "j2", "ab", 1),
    ]
    found = sittings(Verdicts.of("f", rows, MODELS), CONFIGURATIONS)
    assert found.unit.tolist() == sorted(found.unit.tolist())
