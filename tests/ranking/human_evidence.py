"""The real human evidence (tests/data/human) as a snapshot, without a database, and a release content of it."""

import re
from collections import Counter
from decimal import Decimal
from functools import cache
from typing import Any

from ranking import canonical
from ranking.bundle import members
from ranking.bundle.archive import with_manifest
from ranking.bundle.members import Files, Named
from ranking.evidence import (
    Candidate,
    ComparisonCount,
    ComparisonSource,
    Evidence,
    FacetPlan,
    JudgedBy,
    LineageGroup,
    MeasuredBy,
    ResultRecord,
    TaskPlan,
)
from ranking.gate import assess
from ranking.identity import identifier, release_digest
from ranking.table import against, table
from tests.ranking.method import human

SLUG = "helpfulness-demo"
EDITION = "demonstration"
ADDRESS = "https://example.org/"
SOURCE = "5" * 64
RIGHTS = (("rank", "allowed"), ("show", "allowed"), ("export", "allowed"))


def key(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def maker(one: Any) -> str:
    return one.maker or "others"


@cache
def subjects() -> dict[str, str]:
    """The key of each configuration by the name in the data."""
    return {one.key: f"{maker(one)}/{key(one.key)}" for one in human.inputs().configurations}


@cache
def evidence() -> Evidence:
    inputs, rows = human.inputs(), human.table("llmfao.csv")
    tasks = sorted({row["prompt"] for row in rows})
    return Evidence(
        collection=SLUG,
        edition=EDITION,
        subject_kind=human.KIND,
        facets=(
            FacetPlan(human.FACET, Decimal(100), "hybrid", tuple(sorted(TaskPlan(key(one), True) for one in tasks))),
        ),
        alignments=(),
        groups=tuple(sorted({LineageGroup(value.lineage, value.lineage) for value in inputs.values})),
        contracts=tuple(sorted({_contract(value) for value in inputs.values}, key=lambda one: one.key)),
        judges=tuple(
            sorted(JudgedBy(f"person-{key(name)}", "", "", person=True) for name in {row["worker"] for row in rows})
        ),
        candidates=tuple(
            sorted(
                Candidate(
                    key=subjects()[one.key],
                    model=subjects()[one.key],
                    maker=maker(one),
                    subject_kind=human.KIND,
                    availability="available",
                    reference=one.role == "reference",
                )
                for one in inputs.configurations
            )
        ),
        results=tuple(sorted((_result(value) for value in inputs.values), key=canonical.text)),
        comparisons=_comparisons(rows),
        comparison_sources=(ComparisonSource(SOURCE, "", len(rows), RIGHTS),),
    )


def _contract(value: Any) -> MeasuredBy:
    return MeasuredBy(
        key=value.contract,
        lineage=value.lineage,
        protocol=value.protocol,
        subject_kind=human.KIND,
        kind=value.kind,
        direction=value.direction,
        unit=value.unit,
        lower=value.lower,
        upper=value.upper,
        stderr_over_rows=value.over_rows,
    )


def _result(value: Any) -> ResultRecord:
    return ResultRecord(
        mapping=f"{SLUG}/{value.group}/{value.lineage}",
        contract=value.contract,
        configuration=subjects()[value.configuration],
        source=SOURCE,
        source_url=ADDRESS,
        source_ref="",
        external_id=value.configuration,
        lineage=value.lineage,
        facet=value.facet,
        value=canonical.rounded(value.value),
        absence="",
        stderr=canonical.rounded(value.stderr),
        n=value.n,
        n_assumed=False,
        reasons=(),
        rights=RIGHTS,
    )


def _comparisons(rows: list[dict[str, str]]) -> tuple[ComparisonCount, ...]:
    found = Counter(
        (
            *(human.FACET, key(row["prompt"]), subjects()[row["left"]], subjects()[row["right"]]),
            *(human.OUTCOMES[row["winner"]], f"person-{key(row['worker'])}", "ab"),
        )
        for row in rows
    )
    return tuple(sorted(ComparisonCount(*row, count=count) for row, count in found.items()))


def policy(**changes: object) -> dict[str, Any]:
    """As a release carries it."""
    values = human.policy(**human.DEMONSTRATION) | changes
    return _carried(EDITION, values)


def _carried(edition: str, values: dict[str, Any]) -> dict[str, Any]:
    thresholds = {name: {"value": value, "reason": f"Why {name}."} for name, value in values.items()}
    return {"name": edition, "edition": edition, "version": 1, "title": "-", "reason": "-", "thresholds": thresholds}


def content(found: Evidence, carried: dict[str, Any]) -> dict[str, Any]:
    """What a release of this evidence says, as far as anybody recomputes it."""
    reference = _carried("v3", human.policy())
    assessment = assess(found, {name: one["value"] for name, one in carried["thresholds"].items()})
    answer = assessment.answer
    told: dict[str, Any] = canonical.plain(
        {
            "kind": "ranking",
            "policy": carried,
            "gate": {
                "snapshot": canonical.digest(found),
                "verdict": answer.verdict,
                "criteria": answer.criteria,
                "facets": answer.facets,
            },
            "ranking": table(assessment) | {"compared_with": reference} | against(found, carried, reference),
        }
    )
    return told


def bundle(said: dict[str, Any], found: Evidence) -> Files:
    """A bundle of such a content, whatever it says."""
    text = canonical.text(said)
    digest = release_digest("ranking", text)
    named = Named(SLUG, "ranking", 1, identifier(digest, 1, ""), digest, "")
    return with_manifest(named, members.files(text, canonical.text(found), members.readme(named)))
