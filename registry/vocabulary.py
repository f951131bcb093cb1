"""The controlled words of the registry: each choice is a stable code and a label.

Codes are part of files, releases and the API; they are never renamed.
"""

from django.db.models import TextChoices


class EvaluationMode(TextChoices):
    """Which kinds of evidence a facet needs."""

    EXTERNAL = "external", "external"
    PAIRWISE = "pairwise", "pairwise"
    HYBRID = "hybrid", "hybrid"


class SubjectKind(TextChoices):
    """What was measured."""

    MODEL = "model", "model"
    HARNESSED_MODEL = "harnessed-model", "harnessed-model"
    MEMORY_AUGMENTED_AGENT = "memory-augmented-agent", "memory-augmented-agent"
    PRODUCT = "product", "product"


class UpstreamAccess(TextChoices):
    MACHINE_READY = "machine-ready", "machine-ready"
    EXTRACTABLE = "extractable", "extractable"
    MANUAL = "manual", "manual"
    GATED = "gated", "gated"
    UNAVAILABLE = "unavailable", "unavailable"


class Eligibility(TextChoices):
    """Of a benchmark: can it be run, or only read?"""

    RUNNABLE_NOW = "runnable-now", "runnable-now"
    RUNNABLE_WITH_ACCESS = "runnable-with-access", "runnable-with-access"
    RESULTS_ONLY = "results-only", "results-only"
    BLOCKED = "blocked", "blocked"
    RETIRED = "retired", "retired"


class RegistryStatus(TextChoices):
    CANDIDATE = "candidate", "candidate"
    REGISTERED = "registered", "registered"
    RETIRED = "retired", "retired"


class MappingRole(TextChoices):
    """What a mapping is for. Only primary and supporting mappings count."""

    PRIMARY = "primary", "primary"
    SUPPORTING = "supporting", "supporting"
    CONTEXT = "context", "context"
    ILLUSTRATIVE = "illustrative", "illustrative"
    EXCLUDED = "excluded", "excluded"


class ContractUse(TextChoices):
    USABLE = "usable", "usable"
    CATALOGUED = "catalogued", "catalogued"
    BLOCKED = "blocked", "blocked"


class ValueKind(TextChoices):
    """How a number becomes log-odds: the method's external cells differ by it."""

    RATE = "rate", "rate"
    BOUNDED = "bounded", "bounded"
    RATING = "rating", "rating"
    UNBOUNDED = "unbounded", "unbounded"


class Direction(TextChoices):
    HIGHER = "higher", "higher is better"
    LOWER = "lower", "lower is better"


class IdentityPart(TextChoices):
    """Parts of a configuration that a contract may require to be stated."""

    MODEL = "model", "model"
    HARNESS = "harness", "harness"
    EFFORT = "effort", "effort"
    SETTINGS = "settings", "settings"


class Projection(TextChoices):
    """May a result for one subject kind stand for another?"""

    FORBIDDEN = "forbidden", "forbidden"
    ALLOWED = "allowed", "allowed"


class LinkKind(TextChoices):
    """Why two lineages are not independent."""

    TASKS = "tasks", "shares tasks or prompts"
    HARNESS = "harness", "shares the harness"
    JUDGE = "judge", "judge or simulator of one model family"
    PUBLISHER = "publisher", "one publisher"
    FUNDER = "funder", "one funder"
    RAW_VOTES = "raw-votes", "shares raw votes"
    DERIVED = "derived", "one derives from the other"


class LinkCertainty(TextChoices):
    """Unknown counts as shared until somebody shows otherwise."""

    SHARED = "shared", "shared"
    UNKNOWN = "unknown", "unknown, counted as shared"


class RightsUse(TextChoices):
    STORE = "store", "store"
    RANK = "rank", "rank with"
    SHOW = "show", "show the number"
    EXPORT = "export", "export"


class RightsVerdict(TextChoices):
    ALLOWED = "allowed", "allowed"
    ATTRIBUTE = "attribute", "allowed with attribution"
    REFUSED = "refused", "refused"
    UNREVIEWED = "unreviewed", "not reviewed"


ALLOWING = frozenset({RightsVerdict.ALLOWED.value, RightsVerdict.ATTRIBUTE.value})
"""The verdicts that let a use go ahead."""


class ExclusionType(TextChoices):
    VERSION = "version", "version"
    TRACK = "track", "track"
    AGGREGATE = "aggregate", "aggregate"
    WITHDRAWN = "withdrawn", "withdrawn upstream"
    UNVERIFIED = "unverified", "unverified"
    PLACEHOLDER = "placeholder", "placeholder"
    CONTAMINATED = "contaminated", "contaminated"
    CONFLICT = "conflict-of-interest", "conflict of interest"
    RIGHTS = "rights", "rights"


class ExclusionScope(TextChoices):
    """What kind of thing an exclusion refuses; the target is named by its key."""

    BENCHMARK = "benchmark", "benchmark"
    LINEAGE = "lineage", "lineage"
    CONTRACT = "contract", "contract"
    CONFIGURATION = "configuration", "configuration"
    SOURCE = "source", "source"
    BATCH = "batch", "batch"
    RESULT = "result", "result"


class Absence(TextChoices):
    """Why a cell has no value. Blank is never zero."""

    NOT_REPORTED = "not-reported", "not reported"
    FAILED = "failed", "the run failed"
    WITHHELD = "withheld", "withheld"


class Outcome(TextChoices):
    """Of one pairwise judgment."""

    A = "a", "A is better"
    B = "b", "B is better"
    TIE = "tie", "tie"
    BOTH_BAD = "both-bad", "both bad"


class ShownOrder(TextChoices):
    AB = "ab", "A first"
    BA = "ba", "B first"


class ResultState(TextChoices):
    """Only an active result can count; the others stay for the record."""

    ACTIVE = "active", "active"
    SUPERSEDED = "superseded", "superseded by a correction"
    RETRACTED = "retracted", "retracted by its source"
    RETIRED = "retired", "retired"
    REVERTED = "reverted", "its batch was reverted"


class Availability(TextChoices):
    AVAILABLE = "available", "publicly available"
    UNAVAILABLE = "unavailable", "not publicly available"
    UNKNOWN = "unknown", "unknown"


class ImportKind(TextChoices):
    """What a file holds."""

    RESULTS = "results", "results"
    COMPARISONS = "comparisons", "comparisons"


class BatchStatus(TextChoices):
    READING = "reading", "being read"
    STAGED = "staged", "waiting for a decision"
    REFUSED = "refused", "refused as a whole"
    APPLYING = "applying", "being applied"
    APPLIED = "applied", "applied"
    REVERTED = "reverted", "reverted"
    DISCARDED = "discarded", "discarded"


class BatchMode(TextChoices):
    ALL_OR_NOTHING = "all-or-nothing", "all or nothing"
    QUARANTINE = "quarantine", "apply the good rows, keep the others on the batch"


class Verdict(TextChoices):
    """What becomes of one row of a file."""

    NEW = "new", "new"
    SAME = "same", "same as stored"
    CHANGED = "changed", "correction of a stored value"
    CONFLICT = "conflict", "conflict"
    SKIPPED = "skipped", "skipped by a rule of the profile"
    REFUSED = "refused", "refused"


class JobStatus(TextChoices):
    PENDING = "pending", "waiting"
    RUNNING = "running", "running"
    DONE = "done", "done"
    FAILED = "failed", "failed"


UNKNOWN = "unknown"
"""The value of a configuration part nobody stated. It is not `default`."""
