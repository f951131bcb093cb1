"""The whole answer: a ranking or the reason why there is none, and every statistical check of the gate. Pure."""

from collections.abc import Callable
from dataclasses import dataclass

from ranking.method.checks.asking import untested
from ranking.method.checks.dominance import dominance
from ranking.method.checks.halves import halves
from ranking.method.checks.independence import independence
from ranking.method.checks.judges import judges
from ranking.method.checks.minimum_evidence import minimum_evidence
from ranking.method.checks.reliability import reliable
from ranking.method.checks.shown import Shown, shown
from ranking.method.checks.stability import Previous, stable
from ranking.method.inputs import Constants, Inputs, Panel, Policy
from ranking.method.layout import Layout, lay_out
from ranking.method.method import rank, tell
from ranking.method.refusal import Refusal
from ranking.method.results import Apart, Check, Ranking, Row
from ranking.method.solution import Solution, solve

CODES = ("minimum-evidence", "judges", "independence", "dominance", "reliability", "stability")


@dataclass(frozen=True, slots=True)
class Predecessor:
    """The release before this one, on the same scale unless this one is re-based: only orders are compared with it."""

    rows: tuple[Row, ...]
    without_new: Inputs | None = None
    """This release's evidence without what it names as new: is the old leader at the top again?"""


@dataclass(frozen=True, slots=True)
class Evaluation:
    checks: tuple[Check, ...]
    """In the order of CODES."""
    ranking: Ranking | None
    refusal: Apart | None
    """Why there is no ranking; about what, code and sentence."""
    shown: Shown | None


def evaluate(
    inputs: Inputs,
    policy: Policy,
    panel: Panel | None = None,
    constants: Constants | None = None,
    previous: Predecessor | None = None,
) -> Evaluation:
    """Never raises Refusal: what it would say is in the answer, and the checks it touches are not testable."""
    try:
        layout = lay_out(inputs, policy, panel, constants)
    except Refusal as refusal:
        checks = tuple(untested(code, refusal.code, refusal.sentence) for code in CODES)
        return Evaluation(checks, None, _told(refusal), None)
    try:
        solution = solve(layout, constants)
    except Refusal as refusal:
        unsolved = (untested(code, refusal.code, refusal.sentence) for code in CODES[4:])
        return Evaluation((*_counted(layout, None, policy), *unsolved), None, _told(refusal), None)
    before = None if previous is None else Previous(previous.rows, _top(previous.without_new, policy, panel, constants))
    checks = (*_counted(layout, solution, policy), *_computed(solution, policy, before))
    return Evaluation(checks, tell(solution), None, _shown(solution))


def _told(refusal: Refusal) -> Apart:
    return Apart("ranking", refusal.code, refusal.sentence)


def _counted(layout: Layout, solution: Solution | None, policy: Policy) -> tuple[Check, ...]:
    return (
        minimum_evidence(layout, policy),
        _ask("judges", lambda: judges(layout, solution, policy)),
        independence(layout, policy),
        dominance(layout, policy),
    )


def _computed(solution: Solution, policy: Policy, previous: Previous | None) -> tuple[Check, ...]:
    try:
        halved = halves(solution)
    except Refusal as refusal:
        return tuple(untested(code, refusal.code, refusal.sentence) for code in CODES[4:])
    return reliable(solution, halved, policy), stable(solution, halved, policy, previous)


def _ask(code: str, check: Callable[[], Check]) -> Check:
    try:
        return check()
    except Refusal as refusal:
        return untested(code, refusal.code, refusal.sentence)


def _shown(solution: Solution) -> Shown | None:
    try:
        return shown(solution)
    except Refusal:
        return None


def _top(
    inputs: Inputs | None, policy: Policy, panel: Panel | None, constants: Constants | None
) -> frozenset[str] | None:
    if inputs is None:
        return None
    try:
        return frozenset(row.key for row in rank(inputs, policy, panel, constants).rows if row.top)
    except Refusal:
        return None
