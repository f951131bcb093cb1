"""What a release says: one JSON document with all that its collection's public pages need.

It carries no who, when or number of its own publication, so that equal evidence gives equal content. An evidence status
carries no score, no value and no order of subjects either; a ranking adds them under `ranking`. Lists are in order of
key unless a table has an order; percentages are decimal text ("25").
"""

from collections import Counter
from typing import Any

from ranking import canonical, provenance, records, refusals, table
from ranking.evidence import Evidence
from ranking.gate import Assessment, Criterion, GateAnswer
from ranking.looks import changes_since_first_look
from ranking.models import GatePolicy
from ranking.policies import reference_for
from registry.models import Collection

FORMAT = 1

Content = dict[str, Any]


def status_content(collection: Collection, evidence: Evidence, policy: GatePolicy, answer: GateAnswer) -> Content:
    """The content of an evidence-status release; the caller holds the transaction that read `evidence`."""
    mappings = [records.mapping(mapping) for mapping in records.mappings_of(collection)]
    for mapping in mappings:
        mapping["evidence"] = _counted(evidence, mapping)
    lineages = records.lineages_for(mappings)
    in_force, lifted = refusals.touching(mappings, lineages, evidence)
    content = {
        "format": FORMAT,
        "kind": "status",
        "collection": records.collection(collection),
        "facets": [_facet(facet, answer, mappings) for facet in records.facets_of(collection)],
        "policy": records.policy(policy),
        "gate": gate(policy, canonical.digest(evidence), answer),
        "mappings": mappings,
        "lineages": lineages,
        "protocols": records.protocols_for(mappings),
        "exclusions": in_force,
        "lifted_exclusions": lifted,
        "evidence": _counted(evidence, None),
    }
    plain: Content = canonical.plain(content)
    return plain


def ranking_content(collection: Collection, evidence: Evidence, policy: GatePolicy, assessment: Assessment) -> Content:
    """The same with the table; the caller knows that the gate is open."""
    content = status_content(collection, evidence, policy, assessment.answer)
    told = table.table(assessment)
    named = provenance.subjects(row["configuration"] for row in (*told["rows"], *told["apart"]))
    reference = reference_for(policy)
    content["kind"] = "ranking"
    content["collection"]["planning"] = False
    content["ranking"] = told | {
        "rows": [named[row["configuration"]] | row for row in told["rows"]],
        "apart": [named[row["configuration"]] | row for row in told["apart"]],
        "evidence": provenance.with_lines(told["evidence"]),
        "compared_with": records.policy(reference) if reference else None,
        "dates": provenance.dates(collection, told["evidence"]),
        "changes_since_first_look": changes_since_first_look(collection),
    }
    content["ranking"] |= table.against(evidence, content["policy"], content["ranking"]["compared_with"])
    plain: Content = canonical.plain(content)
    return plain


def gate(policy: GatePolicy, snapshot: str, answer: GateAnswer) -> Content:
    return {
        "policy": policy.name,
        "snapshot": snapshot,
        "verdict": answer.verdict,
        "criteria": list(answer.criteria),
        "facets": list(answer.facets),
    }


def _facet(facet: Content, answer: GateAnswer, mappings: list[Content]) -> Content:
    criteria = next(entry.criteria for entry in answer.facets if entry.facet == facet["slug"])
    speaking = [mapping for mapping in mappings if any(row["slug"] == facet["slug"] for row in mapping["facets"])]
    atoms = {atom["key"]: atom for mapping in speaking for atom in mapping["atoms"]}
    return facet | {
        "criteria": list(criteria),
        "status": _facet_status(criteria),
        "mappings": [mapping["key"] for mapping in speaking],
        "atoms": [atoms[key] for key in sorted(atoms)],
    }


def _facet_status(criteria: tuple[Criterion, ...]) -> Content:
    """The evidence status of a facet, in a code and a sentence."""
    unmet = [criterion for criterion in criteria if criterion.verdict != "passed"]
    if not unmet:
        return {"code": "evidenced", "message": "It has evidence in every kind its mode asks for."}
    if all(not criterion.observed for criterion in criteria if criterion.code != "coverage"):
        return {"code": "no-evidence", "message": "No eligible evidence speaks for it yet."}
    return {"code": "incomplete", "message": " ".join(criterion.message for criterion in unmet)}


def _counted(evidence: Evidence, mapping: Content | None) -> Content:
    """How many results are recorded and count, why the others do not, and how many comparisons count.

    Of one mapping, or of all that the collection has. Counts only: never names or values.
    """
    results = [result for result in evidence.results if mapping is None or result.mapping == mapping["key"]]
    streams = {usable["lineage"] for usable in mapping["usable_lineages"]} if mapping else None
    why: Counter[tuple[str, str]] = Counter(
        (code, message) for result in results for code, message in set(result.reasons)
    )
    return {
        "results": len(results),
        "eligible": sum(result.eligible for result in results),
        "reasons": [
            {"code": code, "message": message, "results": count} for (code, message), count in sorted(why.items())
        ],
        "comparisons": sum(
            read.comparisons for read in evidence.comparison_sources if streams is None or read.lineage in streams
        ),
    }
