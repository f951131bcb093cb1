"""The frozen evidence of one collection, as everything that computes sees it.

No database ids and no clock: every record is named by its key, every tuple is in order, so that the same evidence
has the same bytes wherever it is read (DOMAIN 3.13). `ranking.snapshot` fills these from the registry.
"""

from dataclasses import dataclass
from decimal import Decimal

from ranking.method.inputs import EXTERNAL_MODES, PAIRWISE_MODES, CellScale, Panel
from ranking.method.results import Row


@dataclass(frozen=True, slots=True, order=True)
class TaskPlan:
    key: str
    required: bool


@dataclass(frozen=True, slots=True, order=True)
class FacetPlan:
    slug: str
    weight: Decimal
    """Per cent."""
    mode: str
    tasks: tuple[TaskPlan, ...]

    @property
    def wants_external(self) -> bool:
        return self.mode in EXTERNAL_MODES

    @property
    def wants_pairwise(self) -> bool:
        return self.mode in PAIRWISE_MODES


@dataclass(frozen=True, slots=True, order=True)
class Alignment:
    mapping: str
    facet: str
    task: str
    directness: Decimal
    """Per cent."""


@dataclass(frozen=True, slots=True, order=True)
class LineageGroup:
    lineage: str
    group: str


@dataclass(frozen=True, slots=True, order=True)
class MeasuredBy:
    """A contract that has a result here, as far as the method needs it."""

    key: str
    lineage: str
    protocol: str
    subject_kind: str
    kind: str
    direction: str
    unit: str
    lower: float | None
    upper: float | None
    stderr_over_rows: bool


@dataclass(frozen=True, slots=True, order=True)
class JudgedBy:
    """Who judged a comparison here."""

    key: str
    family: str
    """Of a model judge; blank for a person."""
    maker: str
    person: bool


@dataclass(frozen=True, slots=True, order=True)
class Candidate:
    """A configuration that has evidence here."""

    key: str
    model: str
    """Its model release, with the maker before the slash."""
    maker: str
    subject_kind: str
    availability: str
    reference: bool


@dataclass(frozen=True, slots=True, order=True)
class ResultRecord:
    """One active result as one mapping sees it. It counts when `reasons` is empty."""

    mapping: str
    contract: str
    configuration: str
    source: str
    source_url: str
    source_ref: str
    external_id: str
    lineage: str
    facet: str
    """The facet that the contract measures here; empty where it is only catalogued."""
    value: float | None
    """None where it does not count: a bundle publishes the snapshot, and nothing reads a value that does not count."""
    absence: str
    stderr: float | None
    """None as the value."""
    n: int | None
    n_assumed: bool
    reasons: tuple[tuple[str, str], ...]
    """(code, sentence) of every condition it fails."""
    rights: tuple[tuple[str, str], ...]
    """(use, verdict) of its source."""

    @property
    def eligible(self) -> bool:
        return not self.reasons


@dataclass(frozen=True, slots=True, order=True)
class ComparisonCount:
    """How often one judge gave one outcome for one ordered pair on one task."""

    facet: str
    task: str
    a: str
    b: str
    outcome: str
    judge: str
    order: str
    count: int


@dataclass(frozen=True, slots=True, order=True)
class ComparisonSource:
    """A source that comparisons which count were read from."""

    source: str
    """SHA-256 of its bytes."""
    lineage: str
    """Blank where it is our own work."""
    comparisons: int
    rights: tuple[tuple[str, str], ...]
    """(use, verdict)."""


@dataclass(frozen=True, slots=True)
class Sealed:
    """What the ranking before this one sealed, and what of the evidence is new since."""

    release: str
    """Its digest."""
    panel: tuple[str, ...]
    pool: tuple[str, ...]
    constants: tuple[CellScale, ...]
    rows: tuple[Row, ...]
    new: tuple[str, ...]
    """Digest of every result and comparison that its snapshot does not hold."""
    rebased: str = ""
    """Why panel, pool and constants are found anew, as an editor said it; empty where they are kept."""

    @property
    def scale(self) -> tuple[Panel, tuple[CellScale, ...]] | tuple[None, None]:
        """What is kept of it: nothing where it is re-based, and then the method finds all anew."""
        return (None, None) if self.rebased else (Panel(self.panel, self.pool), self.constants)


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that the gate and the method read about one collection."""

    collection: str
    edition: str
    subject_kind: str
    facets: tuple[FacetPlan, ...]
    alignments: tuple[Alignment, ...]
    groups: tuple[LineageGroup, ...]
    contracts: tuple[MeasuredBy, ...]
    judges: tuple[JudgedBy, ...]
    candidates: tuple[Candidate, ...]
    results: tuple[ResultRecord, ...]
    comparisons: tuple[ComparisonCount, ...]
    comparison_sources: tuple[ComparisonSource, ...] = ()
    sealed: Sealed | None = None
    """None until the first ranking."""

    @property
    def weighted_facets(self) -> tuple[FacetPlan, ...]:
        return tuple(facet for facet in self.facets if facet.weight > 0)

    @property
    def eligible_results(self) -> tuple[ResultRecord, ...]:
        return tuple(result for result in self.results if result.eligible)

    def group_of(self, lineage: str) -> str:
        return next(entry.group for entry in self.groups if entry.lineage == lineage)
