"""What the pages call the codes of the gate and of its policy, in plain words."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

VERDICTS = {"passed": "met", "failed": "not met", "not-testable": "cannot be tested"}

MODES = {
    "external": "needs results published by others",
    "pairwise": "needs comparisons of two outputs, judged side by side",
    "hybrid": "needs both: results published by others, and comparisons of two outputs, judged side by side",
}

FACET_STATUSES = {
    "evidenced": "It has its evidence",
    "no-evidence": "No evidence speaks for it yet",
    "incomplete": "Its evidence is not complete",
}

ROLES = {
    "primary": "primary evidence and may count",
    "supporting": "supporting evidence and may count",
    "context": "context and never counts",
    "illustrative": "an illustration and never counts",
    "excluded": "excluded, so that nothing of it counts",
}
"""What a mapping is for."""

KINDS = {"status": "Evidence status", "ranking": "Ranking", "overall": "Overall leaderboard"}


AT_LEAST = "{observed}, at least {required} asked"
OF_ALL = "{observed} of {required}"
"""Of what must be so in every case, so that no more can be observed than required."""


@dataclass(frozen=True, slots=True)
class CriterionWords:
    name: str
    one: str
    """What is counted, in the singular."""
    many: str
    asks: str
    remedy: str
    """What would change the verdict; `{missing}` is what is counted, with its number."""
    compared: str = AT_LEAST
    """How what is observed stands beside what is required."""

    def count(self, number: float) -> str:
        """`2 groups`, `80%`."""
        return self.number(number) if self.one == "%" else f"{number:g} {self.one if number == 1 else self.many}"

    def number(self, number: float) -> str:
        """`2`, `80%`: beside a count, which names the unit."""
        return f"{number:g}{'%' if self.one == '%' else ''}"

    def told(self, answer: Mapping[str, Any]) -> str:
        """`met: 24, at least 1 asked`; the verdict alone where nothing was counted."""
        verdict = VERDICTS[answer["verdict"]]
        if answer.get("observed") is None:
            return verdict
        numbers = {name: self.number(answer[name]) for name in ("observed", "required")}
        return f"{verdict}: {self.compared.format(**numbers)}"


_CHECK = ("check", "checks")

CRITERIA = {
    "external-evidence": CriterionWords(
        "External evidence",
        "result",
        "results",
        "Results that others published and that count.",
        "{missing} more from published sources that may be ranked with, under a usable contract, with a known "
        "uncertainty, tied to a facet by a measurement.",
    ),
    "first-party-evidence": CriterionWords(
        "First-party evidence",
        "comparison",
        "comparisons",
        "Two outputs for one planned task, judged side by side: by us, or by others whose rows we count.",
        "{missing} more: two outputs for one planned task, judged side by side.",
    ),
    "independence": CriterionWords(
        "Independence",
        "group",
        "groups",
        "Groups of external evidence with nothing in common, each with values for enough headline rows in facets that "
        "carry enough of the weight.",
        "{missing} more whose evidence shares no tasks, harness, judge, publisher, funder or votes with the others and "
        "covers enough of the field and of the weight.",
    ),
    "field": CriterionWords(
        "Field",
        "headline row",
        "headline rows",
        "Enough headline rows for a place among them to mean something.",
        "{missing} more: publicly available configurations of the right subject kind with evidence in every weighted "
        "facet.",
    ),
    "coverage": CriterionWords(
        "Task coverage",
        "%",
        "%",
        "Every headline row covers enough of the required tasks.",
        "Evidence on more of the required tasks, until each headline row covers enough.",
    ),
    "facets": CriterionWords(
        "Facets",
        "facet",
        "facets",
        "Every weighted facet has evidence of its own in the kinds that its mode names.",
        "{missing} more with evidence of their own, in every kind that their mode names.",
        OF_ALL,
    ),
    "minimum-evidence": CriterionWords(
        "Minimum evidence",
        *_CHECK,
        "Enough distinct tasks, comparisons and opponents behind every headline row.",
        "Enough distinct tasks, comparisons and opponents behind every headline row.",
        OF_ALL,
    ),
    "judges": CriterionWords(
        "Judges",
        *_CHECK,
        "Enough judges who are independent of each other and of the makers, judge in both orders, and agree.",
        "Comparisons by enough independent judges, shown in both orders, who agree with each other.",
        OF_ALL,
    ),
    "dominance": CriterionWords(
        "Dominance",
        *_CHECK,
        "No single group of evidence carries most of a score.",
        "Weight spread so that no single group of evidence carries most of a score.",
        OF_ALL,
    ),
    "reliability": CriterionWords(
        "Reliability",
        *_CHECK,
        "Scores separate the rows from noise, as a whole and in parts, and without any single row.",
        "A field that can be scored, and scores that separate its rows from noise.",
        OF_ALL,
    ),
    "stability": CriterionWords(
        "Sealed-release stability",
        *_CHECK,
        "The order holds between kinds of evidence, when the evidence is split, and against the release before.",
        "A field that can be scored, and an order that holds when its evidence is split or repeated.",
        OF_ALL,
    ),
    "rights": CriterionWords(
        "Rights",
        "source",
        "sources",
        "Every source that is used may be ranked with, shown and exported.",
        "A reviewed right to rank with, show and export every source that is used.",
        OF_ALL,
    ),
}

FACET_CRITERIA = CRITERIA | {
    "coverage": CriterionWords(
        "Task plan",
        "required task",
        "required tasks",
        "Something to cover.",
        "{missing} more in the facet's task plan.",
    ),
}
"""Of one facet, coverage asks only that there is something to cover."""

THRESHOLDS = {
    "external_results": "External results, at least",
    "first_party_comparisons": "First-party comparisons, at least",
    "independence_groups": "Independence groups, at least",
    "group_headline_rows": "Headline rows in which a group has values, at least",
    "group_weight_share": "Weight of the facets in which it has them, at least, %",
    "headline_rows": "Headline rows, at least",
    "task_coverage": "Required tasks that a headline row covers, at least, %",
    "directness": "Directness from which a benchmark covers a task, %",
    "units_per_task": "First-party units that cover a task",
    "facet_tasks": "Distinct tasks in a facet judged by pairs, at least",
    "effective_tasks": "Effective tasks of a headline row, at least",
    "facet_units": "Units of a configuration in a facet, at least",
    "distinct_opponents": "Distinct opponents of a configuration, at least",
    "judge_families": "Judge families, at least",
    "judge_people": "People in a crowd that judges, at least",
    "judge_unit_share": "Share of the units that each family judges, at least",
    "both_orders_share": "Share of the units judged in both orders, at least",
    "judge_agreement": "Agreement between families or halves of a crowd, at least",
    "group_weight_limit": "Share of the weight of one group, at most",
    "external_group_weight_limit": "Share of the external weight of one external group, at most",
    "reliability_whole": "Reliability of the whole score, at least",
    "reliability_first_party": "Reliability of the first-party part, at least",
    "reliability_facet": "Reliability of each facet, at least",
    "reliability_without_row": "Reliability without any one row, at least",
    "split_half": "Split-half agreement of the first-party part, at least",
    "split_half_without_row": "Split-half agreement without any one row, at least",
    "split_half_without_quarter": "Split-half agreement without the top or bottom quarter, at least",
    "agreement_tau": "Agreement of a group with the others in order (tau-b), at least",
    "agreement_r": "Agreement of a group with the others in score (Pearson r), at least",
    "first_tau_first_party": "First release: agreement of halves, first-party part (tau-b), at least",
    "first_tau_whole": "First release: agreement of halves, whole score (tau-b), at least",
    "first_tau_replication": "First release: predicted agreement of two replications (tau), at least",
    "later_tau": "Later release: agreement with the one before (tau-b), at least",
    "later_reversals": "Later release: confident reversals, at most",
    "interval_row_factor": "Factor on intervals computed over rows instead of tasks",
    "required_rights": "Rights that every used source must give",
}
"""In the order of the gate's criteria."""


FIGURES = {
    "verdict_alpha": "Agreement of verdicts (Krippendorff’s alpha; low even where scores agree)",
    "swaps": "Units that one judge saw in both orders",
    "swaps_kept": "Share of them judged alike both times",
    "top_reliability": "Reliability inside the top group",
    "fragility / units": "Units removed that most favour the leader, 1%",
    "fragility / gap": "Points between the leader and the next",
    "fragility / gap_after": "The same after removing them and refitting; below zero another row leads",
    "fragility": "What removing the 1% of units that most favour the leader does",
}
"""Figures beside a ranking that decide nothing."""


def figure(name: str) -> str:
    return FIGURES.get(name, name.replace("_", " ").replace(" / ", ": ").capitalize())


def threshold(name: str) -> str:
    """A later policy may have thresholds that this version has no words for: they go by their names."""
    return THRESHOLDS.get(name, name.replace("_", " ").capitalize())


def criterion(code: str, *, of_facet: bool = False) -> CriterionWords:
    known = FACET_CRITERIA if of_facet else CRITERIA
    return known.get(code) or CriterionWords(
        code.replace("-", " ").capitalize(), *_CHECK, "This check must pass.", "This check must pass.", OF_ALL
    )


FIELDS = {
    "mode": "evaluation mode",
    "planning": "in planning",
    "not_to_confuse": "what it is not to be confused with",
    "separate_partition_required": "separate partition required",
    "coverage_note": "covered upstream",
    "url": "address",
    "required_identity": "identity that it requires",
    "assumed_n": "assumed n",
    "minimum_n": "minimum n",
    "stderr_over_rows": "standard error over rows",
    "use_reason": "reason of its use",
    "prompts_sha256": "hash of its prompts",
    "group": "independence group",
    "samples": "illustrations",
    "subject": "subject identity",
    "format": "format of the release",
}
"""Fields of the records that a release carries, where their names are not their words."""

ENTRIES = {
    "tasks": "task",
    "facets": "facet",
    "atoms": "atom",
    "contracts": "contract",
    "usable_lineages": "usable lineage",
    "measured_by": "measured by",
    "alignments": "alignment to",
    "rights": "right to",
    "links": "link to",
    "missing": "no ranking of",
}
"""One of a list of such records, before its name."""


def field(name: str) -> str:
    return FIELDS.get(name, name.replace("_", " "))


def entry(name: str) -> str:
    return ENTRIES.get(name, field(name))
