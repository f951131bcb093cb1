"""Who stands where before any score: cells, task coverage, headline rows and counting groups. Pure.

Every count here only grows with evidence, so that removing evidence never turns a failed count into a pass.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any

from ranking.evidence import Candidate, ComparisonSource, Evidence, FacetPlan, ResultRecord

ALLOWING = frozenset({"allowed", "attribute"})
"""The rights verdicts that let a use go ahead."""
AVAILABLE = "available"
WHOLE = Decimal(100)

Task = tuple[str, str]
"""(facet, task)"""


@dataclass(frozen=True)
class Field:
    """The configurations of one collection under one policy."""

    evidence: Evidence
    policy: Mapping[str, Any]

    @classmethod
    def of(cls, evidence: Evidence, policy: Mapping[str, Any]) -> "Field":
        return cls(evidence, policy)

    @cached_property
    def external(self) -> tuple[ResultRecord, ...]:
        """Eligible results that a measurement assigns to a facet; a catalogued one fills no cell."""
        return tuple(result for result in self.evidence.eligible_results if result.facet)

    @cached_property
    def configurations_with_results(self) -> frozenset[str]:
        return frozenset(result.configuration for result in self.external)

    @cached_property
    def _external_cells(self) -> frozenset[tuple[str, str]]:
        return frozenset((result.configuration, result.facet) for result in self.external)

    @cached_property
    def _pairwise_cells(self) -> frozenset[tuple[str, str]]:
        return frozenset((side, row.facet) for row in self.evidence.comparisons for side in (row.a, row.b))

    def fills(self, configuration: str, facet: FacetPlan) -> bool:
        """Has it an eligible cell of each kind that the facet's mode names?"""
        cell = (configuration, facet.slug)
        return (not facet.wants_external or cell in self._external_cells) and (
            not facet.wants_pairwise or cell in self._pairwise_cells
        )

    def satisfied(self, facet: FacetPlan) -> bool:
        """Has the facet evidence of its own in every kind its mode names?"""
        external = {cell[1] for cell in self._external_cells}
        pairwise = {cell[1] for cell in self._pairwise_cells}
        return (not facet.wants_external or facet.slug in external) and (
            not facet.wants_pairwise or facet.slug in pairwise
        )

    # Coverage ---------------------------------------------------------------------------------------------------------

    @cached_property
    def required_tasks(self) -> frozenset[Task]:
        return frozenset(
            (facet.slug, task.key) for facet in self.evidence.facets for task in facet.tasks if task.required
        )

    @cached_property
    def facets_without_plan(self) -> tuple[str, ...]:
        planned = {facet for facet, _ in self.required_tasks}
        return tuple(facet.slug for facet in self.evidence.weighted_facets if facet.slug not in planned)

    @cached_property
    def _aligned(self) -> Mapping[str, frozenset[Task]]:
        """The tasks that a mapping's benchmark measures directly enough, by mapping."""
        directness = Decimal(str(self.policy["directness"]))
        tasks: dict[str, set[Task]] = defaultdict(set)
        for row in self.evidence.alignments:
            if row.directness >= directness:
                tasks[row.mapping].add((row.facet, row.task))
        return {mapping: frozenset(found) for mapping, found in tasks.items()}

    @cached_property
    def _first_party_tasks(self) -> Mapping[str, frozenset[Task]]:
        """The tasks on which a configuration has the policy's number of units, by configuration.

        A unit is one unordered pair on one task, however many judged it.
        """
        opponents: dict[tuple[str, Task], set[str]] = defaultdict(set)
        for row in self.evidence.comparisons:
            opponents[row.a, (row.facet, row.task)].add(row.b)
            opponents[row.b, (row.facet, row.task)].add(row.a)
        tasks: dict[str, set[Task]] = defaultdict(set)
        for (configuration, task), others in opponents.items():
            if len(others) >= self.policy["units_per_task"]:
                tasks[configuration].add(task)
        return {configuration: frozenset(found) for configuration, found in tasks.items()}

    @cached_property
    def coverage(self) -> Mapping[str, float]:
        """Per cent of the required tasks that each configuration covers."""
        covered: dict[str, set[Task]] = defaultdict(set)
        for result in self.external:
            covered[result.configuration] |= self._aligned.get(result.mapping, frozenset())
        for configuration, tasks in self._first_party_tasks.items():
            covered[configuration] |= tasks
        total = len(self.required_tasks)
        return {
            candidate.key: round(100 * len(covered[candidate.key] & self.required_tasks) / total, 1) if total else 0.0
            for candidate in self.evidence.candidates
        }

    @cached_property
    def best_coverage(self) -> float:
        return max(self.coverage.values(), default=0.0)

    # Headline rows ----------------------------------------------------------------------------------------------------

    @cached_property
    def headline(self) -> tuple[str, ...]:
        """Keys of the configurations that would stand in the ranked table."""
        return tuple(candidate.key for candidate in self.evidence.candidates if self._is_headline(candidate))

    def _is_headline(self, candidate: Candidate) -> bool:
        return (
            candidate.subject_kind == self.evidence.subject_kind
            and candidate.availability == AVAILABLE
            and not candidate.reference
            and bool(self.evidence.weighted_facets)
            and all(self.fills(candidate.key, facet) for facet in self.evidence.weighted_facets)
            and self.coverage[candidate.key] >= self.policy["task_coverage"]
        )

    # Independence -----------------------------------------------------------------------------------------------------

    @cached_property
    def groups_with_results(self) -> frozenset[str]:
        return frozenset(self.evidence.group_of(result.lineage) for result in self.external)

    @cached_property
    def counting_groups(self) -> frozenset[str]:
        """Groups with values for enough headline rows in facets that carry enough of the weight."""
        rows: dict[tuple[str, str], set[str]] = defaultdict(set)
        headline = frozenset(self.headline)
        for result in self.external:
            if result.configuration in headline:
                rows[self.evidence.group_of(result.lineage), result.facet].add(result.configuration)
        carried: dict[str, Decimal] = defaultdict(Decimal)
        weight = {facet.slug: facet.weight for facet in self.evidence.facets}
        for (group, facet), configurations in rows.items():
            if len(configurations) >= self.policy["group_headline_rows"]:
                carried[group] += weight[facet]
        share = Decimal(str(self.policy["group_weight_share"]))
        return frozenset(group for group, total in carried.items() if total >= share)

    # Weights and rights -----------------------------------------------------------------------------------------------

    @cached_property
    def weight_missing(self) -> Decimal:
        return WHOLE - sum((facet.weight for facet in self.evidence.facets), Decimal(0))

    @cached_property
    def rights_by_source(self) -> Mapping[str, Mapping[str, str]]:
        """The rights verdict of each used source, by use. A source used under several suites keeps the worst."""
        found: dict[str, dict[str, str]] = defaultdict(dict)
        every: tuple[ResultRecord | ComparisonSource, ...] = (*self.external, *self.evidence.comparison_sources)
        for used in every:
            for use, verdict in used.rights:
                kept = found[used.source].get(use)
                found[used.source][use] = verdict if kept is None or kept in ALLOWING else kept
        return found
