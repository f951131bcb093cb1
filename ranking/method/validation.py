"""What the method refuses to read (METHOD 7), each with a code. Pure."""

from collections import defaultdict
from collections.abc import Iterable
from decimal import Decimal
from math import isfinite

import numpy as np

from ranking.method.inputs import ExternalValue, Inputs, Verdicts
from ranking.method.refusal import Refusal

WHOLE = Decimal(100)
KINDS = frozenset({"rate", "bounded", "rating"})
DIRECTIONS = frozenset({"higher", "lower"})


def validate(inputs: Inputs) -> None:
    """Raise Refusal for the first thing that no ranking may rest on; the verdicts are read later, table by table."""
    _weights(inputs)
    _subject_kinds(inputs)
    for value in inputs.values:
        _external_value(value)
    _one_each(inputs)


def _refuse_if(fault: object, code: str, sentence: str) -> None:
    if fault:
        raise Refusal(code, sentence)


def _weights(inputs: Inputs) -> None:
    total = sum((facet.weight for facet in inputs.facets), Decimal(0))
    _refuse_if(total != WHOLE, "weights-not-100", f"The facet weights sum to {total} %, not to 100 %.")
    negative = [facet.key for facet in inputs.facets if facet.weight < 0]
    _refuse_if(negative, "weights-not-100", f"Weights below zero: {', '.join(negative)}.")


def _subject_kinds(inputs: Inputs) -> None:
    kinds = {configuration.subject_kind for configuration in inputs.configurations}
    kinds |= {value.subject_kind for value in inputs.values}
    others = sorted(kinds - {inputs.subject_kind})
    _refuse_if(others, "two-subject-kinds", f"A table of {inputs.subject_kind} cannot hold: {', '.join(others)}.")


def _external_value(value: ExternalValue) -> None:
    named = f"{value.contract} of {value.configuration}"
    _refuse_if(not isfinite(value.value), "out-of-contract", f"The value of {named} is no number.")
    described = value.kind in KINDS and value.direction in DIRECTIONS and value.unit
    _refuse_if(
        not described,
        "metric-incomplete",
        f"{named}: kind {value.kind!r}, direction {value.direction!r}, unit {value.unit!r}; the method scores "
        f"{', '.join(sorted(KINDS))} with a direction and a unit.",
    )
    _bounds(value, named)
    _uncertainty(value, named)


def _bounds(value: ExternalValue, named: str) -> None:
    if value.kind == "rating":
        return
    if value.lower is None or value.upper is None or value.lower >= value.upper:
        raise Refusal("metric-incomplete", f"{named}: a {value.kind} needs a lower and an upper bound.")
    outside = not value.lower <= value.value <= value.upper
    _refuse_if(outside, "out-of-contract", f"{named} is {value.value}, outside {value.lower} to {value.upper}.")


def _uncertainty(value: ExternalValue, named: str) -> None:
    without = value.stderr is None and not (value.kind == "rate" and value.n)
    _refuse_if(without, "no-uncertainty", f"{named} has neither a standard error nor, for a rate, a number of tasks.")
    wrong = value.stderr is not None and not (isfinite(value.stderr) and value.stderr >= 0)
    _refuse_if(wrong, "out-of-contract", f"The standard error of {named} is {value.stderr}.")
    _refuse_if(value.n is not None and value.n < 1, "out-of-contract", f"{named} rests on {value.n} tasks.")


def _one_each(inputs: Inputs) -> None:
    """What may have only one: a cell its protocol, a contract its facet, a configuration its value."""
    values = inputs.values
    cells = [f"{value.facet} / {value.lineage}" for value in values]
    _only_one(
        "two-protocols",
        "Cell {} would mix the protocols {}.",
        zip(cells, (value.protocol for value in values), strict=True),
    )
    _only_one(
        "two-snapshots",
        "Cell {} would mix ratings of the snapshots {}; a later one is a new protocol.",
        ((cell, value.source) for cell, value in zip(cells, values, strict=True) if value.kind == "rating"),
    )
    _only_one(
        "contract-in-two-facets",
        "Contract {} would fill the facets {}.",
        ((value.contract, value.facet) for value in values),
    )
    _only_one(
        "two-groups",
        "Lineage {} stands in the groups {}.",
        ((value.lineage, value.group) for value in values),
    )
    _only_one(
        "contradicting-duplicates",
        "{} has several values: {}.",
        ((f"{cell} / {value.configuration}", repr(value.value)) for cell, value in zip(cells, values, strict=True)),
    )


def _only_one(code: str, sentence: str, pairs: Iterable[tuple[str, str]]) -> None:
    found: dict[str, set[str]] = defaultdict(set)
    for owner, owned in pairs:
        found[owner].add(owned)
    for owner, several in found.items():
        _refuse_if(len(several) > 1, code, sentence.format(owner, ", ".join(sorted(several))))


def validate_verdicts(verdicts: Verdicts) -> None:
    _refuse_if(
        verdicts.adaptive,
        "adaptive-pairing",
        f"The pairs of facet {verdicts.facet} were chosen by what had been seen; the schedule must be fixed before.",
    )
    itself = np.flatnonzero(verdicts.a == verdicts.b)
    if itself.size:
        name = verdicts.configurations[int(verdicts.a[itself[0]])]
        raise Refusal("self-comparison", f"{name} is compared with itself in facet {verdicts.facet}.")
