"""A ranking as plain data, the part of a release that anybody recomputes from its snapshot. Pure."""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from ranking import canonical
from ranking.evidence import Candidate, Evidence, Sealed
from ranking.field import AVAILABLE, Field
from ranking.gate import PASSED, Assessment, evaluate
from ranking.method.inputs import CellScale
from ranking.method.results import Apart, Ranking, Row
from ranking.reading import read

Record = dict[str, Any]


def table(assessment: Assessment) -> Record:
    """Rows, who is listed apart, scale and figures; the caller knows that there is a ranking."""
    ranking, standing = assessment.scoring.ranking, assessment.standing
    assert ranking is not None, "only a ranking makes a table"
    sealed = standing.evidence.sealed
    return {
        "rows": [_row(row, standing) for row in ranking.rows],
        "apart": _apart(ranking, standing),
        "context": [{"key": one.key, "code": one.code, "message": one.sentence} for one in ranking.context],
        "panel": list(ranking.panel.members),
        "pool": list(ranking.panel.pool),
        "constants": list(ranking.constants),
        "figures": canonical.plain(assessment.scoring.shown),
        "evidence": evidence_rows(standing),
        "comparisons": _comparisons(standing.evidence),
        "previous": sealed.release if sealed else None,
        "rebased": sealed.rebased if sealed else "",
    }


def _row(row: Row, standing: Field) -> Record:
    told: Record = canonical.plain(row)
    told["configuration"] = told.pop("key")
    told["coverage"] = standing.coverage[row.key]
    told["notes"] = [{"code": note.code, "message": note.sentence} for note in row.notes]
    return told


def _row_of(told: Record) -> Row:
    """The inverse of `_row`."""
    key = told["configuration"]
    notes = [{"key": key, "code": note["code"], "sentence": note["message"]} for note in told["notes"]]
    return read(Row, told | {"key": key, "notes": notes})


def sealed_by(release: str, content: Mapping[str, Any], new: tuple[str, ...]) -> Sealed:
    """What the ranking with this digest and content sealed, for the one that follows it."""
    ranking = content["ranking"]
    return Sealed(
        release=release,
        panel=tuple(ranking["panel"]),
        pool=tuple(ranking["pool"]),
        constants=tuple(read(CellScale, one) for one in ranking["constants"]),
        rows=tuple(_row_of(row) for row in ranking["rows"]),
        new=new,
    )


# Listed apart -------------------------------------------------------------------------------------------------------


def _apart(ranking: Ranking, standing: Field) -> list[Record]:
    """Everybody with evidence who is neither ranked nor a reference opponent, and why."""
    ranked = {row.key for row in ranking.rows}
    without_cell = {one.key: one for one in ranking.apart}
    found = []
    for candidate in standing.evidence.candidates:
        if candidate.key not in ranked and not candidate.reference:
            faults = list(_faults(candidate, standing, without_cell.get(candidate.key)))
            coverage = standing.coverage[candidate.key] if standing.required_tasks else None
            message = " ".join(fault.sentence for fault in faults)
            found.append(
                {"configuration": candidate.key, "coverage": coverage, "code": faults[0].code, "message": message}
            )
    return found


def _faults(candidate: Candidate, standing: Field, without_cell: Apart | None) -> Iterable[Apart]:
    """All of them; the first gives the code."""
    key, kind = candidate.key, standing.evidence.subject_kind
    if candidate.subject_kind != kind:
        yield Apart(key, "subject-kind", f"It is a {candidate.subject_kind}; this table ranks each {kind}.")
    if candidate.availability != AVAILABLE:
        yield Apart(key, "not-available", f"Its availability to the public is: {candidate.availability}.")
    if lacking := [facet.slug for facet in standing.evidence.weighted_facets if not standing.fills(key, facet)]:
        yield Apart(key, "no-eligible-evidence", f"No evidence that counts, of every kind, in: {', '.join(lacking)}.")
    required = standing.policy["task_coverage"]
    if (covered := standing.coverage[key]) < required:
        yield Apart(key, "coverage-too-low", f"It covers {covered} % of the required tasks; {required} % are asked.")
    if without_cell is not None:
        yield without_cell


# Evidence -----------------------------------------------------------------------------------------------------------


def evidence_rows(standing: Field) -> list[Record]:
    """Every external value that counts, with where it came from."""
    names = (
        *("configuration", "contract", "lineage", "facet", "value", "stderr", "n", "n_assumed"),
        *("source", "source_url", "source_ref", "external_id"),
    )
    rows = [{name: getattr(result, name) for name in names} for result in standing.external]
    return sorted(rows, key=lambda row: tuple(str(row[name]) for name in ("facet", "lineage", "configuration")))


def _comparisons(evidence: Evidence) -> Record:
    rows = evidence.comparisons
    return {
        "verdicts": sum(row.count for row in rows),
        "units": len({(row.facet, row.task, *sorted((row.a, row.b))) for row in rows}),
        "judges": len({row.judge for row in rows}),
        "tasks": len({(row.facet, row.task) for row in rows}),
    }


# Against the policy of reference ------------------------------------------------------------------------------------

LIMITS = frozenset({"group_weight_limit", "external_group_weight_limit", "later_reversals"})
"""Thresholds that allow more the higher they are; all others ask more."""


def against(evidence: Evidence, policy: Record, reference: Record | None) -> Record:
    """Where a policy asks less than the one of reference, and what the same evidence fails under that one."""
    if reference is None:
        return {"weakened": [], "fails_v3": []}
    asked = {name: threshold["value"] for name, threshold in reference["thresholds"].items()}
    return {"weakened": weakened(policy, reference), "fails_v3": failures(evidence, asked)}


def failures(evidence: Evidence, thresholds: Mapping[str, Any]) -> list[Record]:
    """The criteria that the same evidence fails under other thresholds."""
    names = ("code", "required", "observed", "message")
    return [
        {name: getattr(criterion, name) for name in names}
        for criterion in evaluate(evidence, thresholds).criteria
        if criterion.verdict != PASSED
    ]


def weakened(policy: Record, reference: Record) -> list[Record]:
    """Where `policy` asks less than `reference`: two policies as releases carry them."""
    here, there = policy["thresholds"], reference["thresholds"]
    return [
        {
            "threshold": name,
            "required_by": reference["name"],
            reference["name"]: there.get(name, {}).get("value"),
            "here": here.get(name, {}).get("value"),
            "reason": here.get(name, {}).get("reason", "This policy does not ask for it."),
        }
        for name in sorted(here.keys() | there.keys())
        if _weaker(name, here.get(name), there.get(name))
    ]


def _weaker(name: str, here: Record | None, there: Record | None) -> bool:
    """A threshold left out asks nothing; one that only this policy has stands in place of a stricter one."""
    if here is None or there is None:
        return True
    own, other = here["value"], there["value"]
    if isinstance(own, dict | list) or isinstance(other, dict | list):
        return not (isinstance(own, list) and isinstance(other, list) and set(own) >= set(other))
    a, b = Decimal(str(own)), Decimal(str(other))
    return a > b if name in LIMITS else a < b
