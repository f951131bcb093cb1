"""Pure rules of the registry: no database, no clock. Each answers in full, never only with the first reason.

Eligibility is a conjunction (DOMAIN 3.5): `reasons` lists every condition that a result fails.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from registry.vocabulary import (
    UNKNOWN,
    BatchStatus,
    ContractUse,
    ExclusionScope,
    MappingRole,
    Projection,
    RegistryStatus,
    ResultState,
    RightsVerdict,
    ValueKind,
)

COUNTING_ROLES = frozenset({MappingRole.PRIMARY, MappingRole.SUPPORTING})
WHOLE = Decimal(100)


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something does not count: a stable code and a plain sentence."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class ContractTerms:
    """What a contract demands of a result."""

    use: str
    kind: str
    subject_kind: str
    unit: str
    lower: float | None
    upper: float | None
    minimum_n: int
    assumed_n: int | None
    required_identity: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Subject:
    """A configuration's parts; `unknown` where nobody stated one."""

    kind: str
    model: str
    harness: str
    effort: str
    settings: str

    def part(self, name: str) -> str:
        return str(getattr(self, name))


@dataclass(frozen=True, slots=True)
class Refusal:
    """An active exclusion that reaches a result."""

    scope: str
    target: str
    type: str
    reason: str


@dataclass(frozen=True, slots=True)
class ResultFacts:
    """All that decides whether one result counts in one mapping."""

    value: float | None
    absence: str
    stderr: float | None
    n: int | None
    state: str
    batch_status: str
    rank_rights: str
    benchmark_status: str
    mapping_role: str
    projection: str
    lineage_use: str
    lineage_mapped: bool
    """Does the mapping name the lineage, with the contract's subject kind, as one it uses?"""
    contract: ContractTerms
    subject: Subject
    refusals: tuple[Refusal, ...] = ()
    counted_as: str = ""
    """Name of the identical result that is counted in place of this one."""


def reasons(facts: ResultFacts) -> tuple[Reason, ...]:
    """Every condition the result fails, in the order of the domain; empty when it counts."""
    return tuple(reason for condition in _CONDITIONS for reason in condition(facts))


Condition = Callable[[ResultFacts], Sequence[Reason]]


def _unless(holds: bool, code: str, message: str) -> list[Reason]:  # noqa: FBT001  reads as a sentence
    return [] if holds else [Reason(code, message)]


def _batch(facts: ResultFacts) -> list[Reason]:
    applied = facts.batch_status == BatchStatus.APPLIED
    return _unless(applied, "batch-not-applied", "The import batch it came with is not applied.")


def _rights(facts: ResultFacts) -> list[Reason]:
    if facts.rank_rights == RightsVerdict.REFUSED:
        return [Reason("rights-refused", "The source's rights do not allow ranking with it.")]
    unreviewed = facts.rank_rights == RightsVerdict.UNREVIEWED
    return _unless(not unreviewed, "rights-unreviewed", "Nobody has reviewed whether its source may be ranked with.")


def _benchmark(facts: ResultFacts) -> list[Reason]:
    if facts.benchmark_status == RegistryStatus.RETIRED:
        return [Reason("retired", "The benchmark is retired.")]
    registered = facts.benchmark_status == RegistryStatus.REGISTERED
    message = f"The benchmark is a {facts.benchmark_status}, not registered."
    return _unless(registered, "benchmark-not-registered", message)


def _role(facts: ResultFacts) -> list[Reason]:
    counts = facts.mapping_role in COUNTING_ROLES
    return _unless(counts, "role-not-counting", f"The mapping's role is {facts.mapping_role}; it does not count.")


def _lineage(facts: ResultFacts) -> list[Reason]:
    if facts.lineage_use != ContractUse.USABLE:
        return [Reason("lineage-not-usable", f"Its lineage is {facts.lineage_use}, not usable.")]
    return _unless(facts.lineage_mapped, "lineage-not-usable", "Its lineage is not usable in this mapping.")


def _use(facts: ResultFacts) -> list[Reason]:
    usable = facts.contract.use == ContractUse.USABLE
    return _unless(usable, "contract-not-usable", f"Its contract is {facts.contract.use}, not usable.")


def _value(facts: ResultFacts) -> list[Reason]:
    if facts.value is None:
        return [Reason("no-value", f"It states no value: {facts.absence}.")]
    if not within(facts.value, facts.contract):
        return [Reason("out-of-contract", "Its value lies outside the bounds of its contract.")]
    n = facts.n if facts.n is not None else facts.contract.assumed_n
    enough = n is None or n >= facts.contract.minimum_n
    return _unless(enough, "out-of-contract", f"It covers {n} tasks; its contract asks for {facts.contract.minimum_n}.")


def _subject(facts: ResultFacts) -> list[Reason]:
    if facts.subject.kind == facts.contract.subject_kind or facts.projection == Projection.ALLOWED:
        return []
    wanted = facts.contract.subject_kind
    return [
        Reason("subject-kind", f"Its subject is a {facts.subject.kind}; the contract measures a {wanted}."),
        Reason("projection-forbidden", "A result for one subject kind may not stand for another in this mapping."),
    ]


def _identity(facts: ResultFacts) -> list[Reason]:
    missing = missing_identity(facts.contract.required_identity, facts.subject)
    named = ", ".join(missing)
    return _unless(not missing, "configuration-incomplete", f"Its configuration does not state: {named}.")


def _exclusions(facts: ResultFacts) -> list[Reason]:
    return [Reason("excluded", f"Excluded ({row.scope}, {row.type}): {row.reason}") for row in facts.refusals]


def _uncertainty(facts: ResultFacts) -> list[Reason]:
    if facts.value is None:
        return []
    known = facts.stderr is not None or (
        facts.contract.kind == ValueKind.RATE and (facts.n is not None or facts.contract.assumed_n is not None)
    )
    return _unless(known, "no-uncertainty", "It has no uncertainty that the method can use.")


_STATES = {
    ResultState.SUPERSEDED: Reason("superseded", "A correction has superseded it."),
    ResultState.RETRACTED: Reason("retracted", "Its source has retracted it."),
    ResultState.RETIRED: Reason("retired", "It is retired."),
}


def _state(facts: ResultFacts) -> list[Reason]:
    reason = _STATES.get(ResultState(facts.state))
    return [reason] if reason else []


def _duplicate(facts: ResultFacts) -> list[Reason]:
    return _unless(
        not facts.counted_as, "duplicate", "The same value of the same source is counted already, under another name."
    )


_CONDITIONS: tuple[Condition, ...] = (
    _batch,
    _rights,
    _benchmark,
    _role,
    _lineage,
    _use,
    _value,
    _subject,
    _identity,
    _exclusions,
    _uncertainty,
    _state,
    _duplicate,
)


def within(value: float, contract: ContractTerms) -> bool:
    """Is a value inside the contract's bounds, ends included?"""
    return (contract.lower is None or value >= contract.lower) and (contract.upper is None or value <= contract.upper)


def missing_identity(required: Iterable[str], subject: Subject) -> list[str]:
    """The required parts that the configuration does not state."""
    return [part for part in required if subject.part(part) in ("", UNKNOWN)]


def weights_missing(weights: Iterable[Decimal]) -> Decimal:
    """How far facet weights are from 100 per cent; 0 when they may be sealed."""
    return WHOLE - sum(weights, Decimal(0))


@dataclass(frozen=True, slots=True)
class Reach:
    """The names by which an exclusion can reach one result in one mapping."""

    mapping: str
    keys: frozenset[tuple[str, str]]

    @classmethod
    def of(
        cls,
        *,
        mapping: str,
        benchmark: str,
        lineage: str,
        contract: str,
        configuration: str,
        source: str,
        batch: int | None,
        result: int | None,
    ) -> "Reach":
        named = {
            ExclusionScope.BENCHMARK: benchmark,
            ExclusionScope.LINEAGE: lineage,
            ExclusionScope.CONTRACT: contract,
            ExclusionScope.CONFIGURATION: configuration,
            ExclusionScope.SOURCE: source,
            ExclusionScope.BATCH: str(batch),
            ExclusionScope.RESULT: str(result),
        }
        return cls(mapping, frozenset((scope.value, target) for scope, target in named.items()))


def refusals_reaching(reach: Reach, exclusions: Iterable[tuple[Refusal, str]]) -> tuple[Refusal, ...]:
    """The exclusions (each with the key of its mapping, empty for everywhere) that reach a result."""
    return tuple(
        refusal
        for refusal, mapping in exclusions
        if (refusal.scope, refusal.target) in reach.keys and mapping in ("", reach.mapping)
    )


def independence_groups(lineages: Iterable[str], links: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Each lineage's group: the connected component of its links, named by its first lineage in order."""
    neighbours: dict[str, set[str]] = defaultdict(set)
    for a, b in links:
        neighbours[a].add(b)
        neighbours[b].add(a)
    group: dict[str, str] = {}
    for start in sorted(lineages):
        if start in group:
            continue
        waiting = [start]
        while waiting:
            lineage = waiting.pop()
            if lineage not in group:
                group[lineage] = start
                waiting.extend(neighbours[lineage] - group.keys())
    return group
