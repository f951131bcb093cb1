"""The counted criteria of the gate once more, written straight from DOMAIN 4 with plain loops over plain records.

An independent referee: it shares no code with `ranking`, and reads the snapshot as JSON.
"""

from fractions import Fraction
from typing import Any

Record = dict[str, Any]


def verdicts(snapshot: Record, policy: Record) -> dict[str, str]:  # noqa: C901  one page, as the definition is
    """passed, failed or not-testable of each counted criterion."""
    counting = [row for row in snapshot["results"] if not row["reasons"] and row["facet"]]
    weighted = [row for row in snapshot["facets"] if Fraction(row["weight"]) > 0]
    weight = {row["slug"]: Fraction(row["weight"]) for row in snapshot["facets"]}
    group = {row["lineage"]: row["group"] for row in snapshot["groups"]}
    required = {(row["slug"], task["key"]) for row in snapshot["facets"] for task in row["tasks"] if task["required"]}

    def external(facet: str, who: str | None = None) -> bool:
        return any(row["facet"] == facet and who in (None, row["configuration"]) for row in counting)

    def pairwise(facet: str, who: str | None = None) -> bool:
        return any(
            row["facet"] == facet and (who is None or who in (row["a"], row["b"])) for row in snapshot["comparisons"]
        )

    def has_mode(facet: Record, who: str | None = None) -> bool:
        wants_external, wants_pairwise = facet["mode"] != "pairwise", facet["mode"] != "external"
        return (not wants_external or external(facet["slug"], who)) and (
            not wants_pairwise or pairwise(facet["slug"], who)
        )

    def covered(who: str) -> Fraction:
        done = 0
        for facet, task in required:
            met = set()
            for row in snapshot["comparisons"]:
                if (row["facet"], row["task"]) == (facet, task) and who in (row["a"], row["b"]):
                    met.add(row["b"] if row["a"] == who else row["a"])
            aligned = any(
                row["mapping"] == line["mapping"]
                and (line["facet"], line["task"]) == (facet, task)
                and Fraction(line["directness"]) >= policy["directness"]
                for row in counting
                if row["configuration"] == who
                for line in snapshot["alignments"]
            )
            done += len(met) >= policy["units_per_task"] or aligned
        return Fraction(100 * done, len(required)) if required else Fraction(0)

    rows = [
        row["key"]
        for row in snapshot["candidates"]
        if row["subject_kind"] == snapshot["subject_kind"]
        and row["availability"] == "available"
        and not row["reference"]
        and weighted
        and all(has_mode(facet, row["key"]) for facet in weighted)
        and covered(row["key"]) >= policy["task_coverage"]
    ]

    def speaks_for(name: str) -> Fraction:
        total = Fraction(0)
        for facet, share in weight.items():
            known = {
                row["configuration"]
                for row in counting
                if row["facet"] == facet and group[row["lineage"]] == name and row["configuration"] in rows
            }
            total += share if len(known) >= policy["group_headline_rows"] else 0
        return total

    groups = [name for name in set(group.values()) if speaks_for(name) >= policy["group_weight_share"]]
    unplanned = [facet for facet in weighted if not any(slug == facet["slug"] for slug, _ in required)]
    refused = {
        row["source"]
        for row in counting
        for use in policy["required_rights"]
        if dict(row["rights"]).get(use) not in ("allowed", "attribute")
    }
    compared = sum(row["count"] for row in snapshot["comparisons"])
    return {
        "external-evidence": told(len(counting) >= policy["external_results"]),
        "first-party-evidence": told(compared >= policy["first_party_comparisons"]),
        "independence": told(len(groups) >= policy["independence_groups"]),
        "field": told(len(rows) >= policy["headline_rows"]),
        "coverage": told(bool(rows) and not unplanned),
        "facets": told(sum(weight.values()) == 100 and bool(weighted) and all(has_mode(facet) for facet in weighted)),
        "rights": told(not refused) if counting else "not-testable",
    }


def told(holds: bool) -> str:
    return "passed" if holds else "failed"
