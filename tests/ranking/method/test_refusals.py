"""What the method refuses (METHOD 7), each with its code; and that the gate then names it."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest

from ranking.method.bradley_terry import fit
from ranking.method.evaluation import CODES, evaluate
from ranking.method.inputs import ExternalValue, Inputs, Judge, Panel, Verdicts
from ranking.method.method import rank
from ranking.method.refusal import Refusal
from ranking.method.results import NOT_TESTABLE
from tests.ranking.method import human, worlds

POLICY = human.policy()
GOOD = worlds.inputs(worlds.World(size=10, tasks=30), 5)


def values(change: Callable[[ExternalValue], ExternalValue]) -> Inputs:
    """With the first external value changed."""
    first, *others = GOOD.values
    return replace(GOOD, values=(change(first), *others))


def verdicts(**columns: object) -> Inputs:
    (table,) = GOOD.verdicts
    return replace(GOOD, verdicts=(replace(table, **columns),))  # type: ignore[arg-type]


def verdict_table() -> Verdicts:
    (table,) = GOOD.verdicts
    return table


def moved(**change: object) -> Callable[[ExternalValue], ExternalValue]:
    return lambda value: replace(value, **change)  # type: ignore[arg-type]


def another(**change: object) -> Inputs:
    """With a changed copy of the first external value beside it."""
    return replace(GOOD, values=(*GOOD.values, moved(**change)(GOOD.values[0])))


def contradicting() -> Inputs:
    table = verdict_table()
    columns = {name: getattr(table, name) for name in ("task", "a", "b", "judge", "order", "count")}
    doubled = {name: np.append(column, column[0]) for name, column in columns.items()}
    return verdicts(**doubled, outcome=np.append(table.outcome, 1 - min(int(table.outcome[0]), 1)))


def self_comparison() -> Inputs:
    b = verdict_table().b.copy()
    b[3] = verdict_table().a[3]
    return verdicts(b=b)


def islands() -> Inputs:
    """Only pairs within two halves, which never meet; both have their ups and downs."""
    table = verdict_table()
    kept = (table.a < 5) == (table.b < 5)
    names = ("task", "a", "b", "judge", "outcome", "order", "count")
    return verdicts(**{name: getattr(table, name)[kept] for name in names})


REFUSED: dict[str, tuple[str, Callable[[], Inputs]]] = {
    "weights": ("weights-not-100", lambda: replace(GOOD, facets=(replace(GOOD.facets[0], weight=Decimal(99)),))),
    "subject kind of a value": ("two-subject-kinds", lambda: values(moved(subject_kind="product"))),
    "subject kind of a row": (
        "two-subject-kinds",
        lambda: replace(
            GOOD,
            configurations=(replace(GOOD.configurations[0], subject_kind="product"), *GOOD.configurations[1:]),
        ),
    ),
    "above its bound": ("out-of-contract", lambda: values(moved(value=1.01))),
    "no number": ("out-of-contract", lambda: values(moved(value=float("nan")))),
    "error below zero": ("out-of-contract", lambda: values(moved(stderr=-0.1))),
    "no tasks": ("out-of-contract", lambda: values(moved(n=0, stderr=0.1))),
    "no direction": ("metric-incomplete", lambda: values(moved(direction=""))),
    "no unit": ("metric-incomplete", lambda: values(moved(unit=""))),
    "no kind": ("metric-incomplete", lambda: values(moved(kind="unbounded"))),
    "no bounds": ("metric-incomplete", lambda: values(moved(upper=None))),
    "no uncertainty": ("no-uncertainty", lambda: values(moved(n=None))),
    "bounded without error": ("no-uncertainty", lambda: values(moved(kind="bounded"))),
    "at a bound": ("value-at-bound", lambda: values(moved(value=1.0, n=None, stderr=0.1))),
    "two protocols": ("two-protocols", lambda: another(protocol="other", configuration="c009")),
    "contract in two facets": ("contract-in-two-facets", lambda: another(facet="other")),
    "lineage in two groups": ("two-groups", lambda: another(group="other")),
    "two values": ("contradicting-duplicates", lambda: another(value=0.123)),
    "two snapshots": (
        "two-snapshots",
        lambda: replace(
            GOOD,
            values=tuple(
                replace(value, kind="rating", value=1000.0 + place, stderr=5.0, source=f"day {place}")
                for place, value in enumerate(GOOD.values)
            ),
        ),
    ),
    "two verdicts of one judge": ("contradicting-duplicates", contradicting),
    "against itself": ("self-comparison", self_comparison),
    "adaptive": ("adaptive-pairing", lambda: verdicts(adaptive=True)),
    "two tables": ("two-tables", lambda: replace(GOOD, verdicts=(verdict_table(), verdict_table()))),
    "islands": ("islands", islands),
    "all ties": ("no-spread", lambda: verdicts(outcome=np.full_like(verdict_table().outcome, 2))),
    "too few rows": ("panel-too-small", lambda: replace(GOOD, configurations=GOOD.configurations[:7])),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused_with_its_code(case: str) -> None:
    code, build = REFUSED[case]
    with pytest.raises(Refusal) as refusal:
        rank(build(), POLICY)
    assert refusal.value.code == code
    assert refusal.value.sentence.endswith(".")


@pytest.mark.parametrize("case", REFUSED)
def test_an_evaluation_never_raises_and_names_the_refusal(case: str) -> None:
    code, build = REFUSED[case]
    answer = evaluate(build(), POLICY)
    assert answer.ranking is None
    assert answer.refusal is not None
    assert answer.refusal.code == code
    assert tuple(check.code for check in answer.checks) == CODES
    for check in answer.checks[-2:]:
        assert (check.verdict, check.reason) == (NOT_TESTABLE, code)


def test_what_is_not_refused() -> None:
    assert len(rank(GOOD, POLICY).rows) == 10


@pytest.mark.parametrize("member", ["panel", "pool"])
def test_a_sealed_panel_or_pool_must_be_there(member: str) -> None:
    first = rank(GOOD, POLICY)
    gone = (*first.panel.members, "gone")
    panel = Panel(gone, gone) if member == "panel" else Panel(first.panel.members, gone)
    with pytest.raises(Refusal, match="gone") as refusal:
        rank(GOOD, POLICY, panel, first.constants)
    assert refusal.value.code == f"{member}-changed"


def test_a_table_can_lose_all_of_its_rows() -> None:
    first = rank(GOOD, POLICY)
    with pytest.raises(Refusal) as refusal:
        rank(replace(GOOD, values=()), POLICY, first.panel, first.constants)
    assert refusal.value.code == "no-rows"


def test_an_unknown_outcome_is_never_a_tie() -> None:
    with pytest.raises(Refusal, match="draw") as refusal:
        Verdicts.of("f", [("t", "a", "b", "draw", "j", "ab", 1)], [Judge("j")])
    assert refusal.value.code == "unknown-outcome"


def test_equations_that_evalica_leaves_unsolved_are_not_accepted() -> None:
    """It gives a configuration without a loss, and two islands, finite worths without a word."""
    unbeaten = np.array([[0, 5, 5], [0, 0, 3], [0, 3, 0]], dtype=float)
    with pytest.raises(Refusal) as refusal:
        fit(unbeaten, ghost=0.0)
    assert refusal.value.code == "unsolved-equations"


def test_islands_are_named() -> None:
    with pytest.raises(Refusal, match=r"\{c000, c001, c002, c003, c004\}; \{c005, c006, c007, c008, c009\}"):
        rank(islands(), POLICY)
