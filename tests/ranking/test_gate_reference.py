"""The gate against an independent implementation, on a thousand random evidence sets."""

import random
from collections import Counter
from decimal import Decimal

from ranking import canonical, gate
from ranking.evidence import (
    Alignment,
    Candidate,
    ComparisonCount,
    Evidence,
    FacetPlan,
    LineageGroup,
    ResultRecord,
    TaskPlan,
)
from tests.ranking import reference_gate
from tests.ranking.method import human

SETS = 1000
WEIGHTS = ((50, 50, 0), (40, 35, 25), (60, 40, 0), (50, 49, 0))


def policy(chance: random.Random) -> dict[str, object]:
    """Thresholds around which small evidence sets fall on both sides."""
    return human.policy(
        headline_rows=chance.choice([2, 3, 4, 8]),
        group_headline_rows=chance.choice([1, 2, 3]),
        independence_groups=chance.choice([1, 2]),
        task_coverage=chance.choice([40, 50, 80]),
        units_per_task=chance.choice([1, 1, 2]),
        first_party_comparisons=chance.choice([1, 30]),
        external_results=chance.choice([1, 30]),
        group_weight_share=chance.choice([40, 60]),
    )


def evidence(chance: random.Random) -> Evidence:
    size, full = chance.randrange(2, 9), chance.random()
    names = [f"m{number}" for number in range(size)]
    tasks = [f"t{number}" for number in range(chance.randrange(1, 5))]
    facets = tuple(
        FacetPlan(
            slug,
            Decimal(weight),
            chance.choice(["external", "pairwise", "hybrid"]),
            tuple(TaskPlan(task, chance.random() < 0.8) for task in tasks),
        )
        for slug, weight in zip(("f1", "f2", "f3"), chance.choice(WEIGHTS), strict=True)
    )
    lineages = ("l1", "l2", "l3")
    results = [
        _result(chance, name, facet.slug, lineage)
        for name in names
        for facet in facets
        for lineage in lineages
        if chance.random() < 0.4 + 0.6 * full
    ]
    comparisons = [
        ComparisonCount(facet.slug, task, a, b, "a", "judge", "ab", chance.randrange(1, 3))
        for facet in facets
        for task in tasks
        for a, b in zip(names, names[1:] + names[:1], strict=True)
        if a != b and chance.random() < 0.4 + 0.6 * full
    ]
    return Evidence(
        collection="c",
        edition="v3",
        subject_kind="model",
        facets=facets,
        alignments=tuple(
            Alignment(f"c/s/{lineage}", facet.slug, task, Decimal(chance.choice([30, 50, 85])))
            for lineage in lineages
            for facet in facets
            for task in tasks
            if chance.random() < 0.5
        ),
        groups=tuple(LineageGroup(lineage, chance.choice(["g1", "g2"])) for lineage in lineages),
        contracts=(),
        judges=(),
        candidates=tuple(
            Candidate(
                name,
                f"maker/{name}",
                "maker",
                chance.choice(["model"] * 9 + ["product"]),
                chance.choice(["available"] * 9 + ["unknown"]),
                chance.random() < 0.1,
            )
            for name in names
        ),
        results=tuple(results),
        comparisons=tuple(comparisons),
    )


def _result(chance: random.Random, name: str, facet: str, lineage: str) -> ResultRecord:
    refused = chance.random() < 0.1
    return ResultRecord(
        mapping=f"c/s/{lineage}",
        contract=f"{lineage}.{facet}",
        configuration=name,
        source=chance.choice(["1", "2"]) * 64,
        source_url="https://example.org/",
        source_ref="",
        external_id=name,
        lineage=lineage,
        facet="" if chance.random() < 0.05 else facet,
        value=None if refused else 0.5,
        absence="",
        stderr=None,
        n=100,
        n_assumed=False,
        reasons=(("excluded", "Because."),) if refused else (),
        rights=(
            ("rank", "allowed"),
            ("show", "attribute"),
            ("export", chance.choice(["allowed"] * 99 + ["unreviewed"])),
        ),
    )


def test_a_thousand_random_evidence_sets_are_judged_alike() -> None:
    seen: Counter[tuple[str, str]] = Counter()
    for seed in range(SETS):
        chance = random.Random(seed)
        found, thresholds = evidence(chance), policy(chance)
        expected = reference_gate.verdicts(canonical.plain(found), thresholds)
        answers = {row.code: row.verdict for row in gate.evaluate(found, thresholds).criteria}
        assert {code: answers[code] for code in expected} == expected, seed
        seen.update(expected.items())
    # A referee that always says the same would agree with anything.
    for code in reference_gate.verdicts(canonical.plain(evidence(random.Random(0))), policy(random.Random(0))):
        assert min(seen[code, "passed"], seen[code, "failed"]) >= 10, (code, seen)
