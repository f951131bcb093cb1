"""The registry's tables, one concept a file."""

from registry.models.audit import AuditEvent
from registry.models.base import Curated, KeyField
from registry.models.benchmarks import Benchmark, Lineage, LineageLink, Publisher, Suite
from registry.models.confirmations import Confirmation
from registry.models.contracts import MetricContract, Protocol
from registry.models.evidence import Comparison, Exclusion, Judge, Result, RightsDecision, SampleOutput
from registry.models.imports import ImportBatch, MappingProfile, Source, SourcePart
from registry.models.jobs import Job, WorkerHeartbeat
from registry.models.mappings import EvidenceMapping, MappingFacet, MappingLineage, Measurement, TaskAlignment
from registry.models.staging import StagedComparison, StagedResult, StagedRow
from registry.models.subjects import Configuration, ConfigurationAlias, ModelRelease, Organization
from registry.models.taxonomy import CapabilityAtom, Collection, Edition, Facet, Task

__all__ = [
    "AuditEvent",
    "Benchmark",
    "CapabilityAtom",
    "Collection",
    "Comparison",
    "Configuration",
    "ConfigurationAlias",
    "Confirmation",
    "Curated",
    "Edition",
    "EvidenceMapping",
    "Exclusion",
    "Facet",
    "ImportBatch",
    "Job",
    "Judge",
    "KeyField",
    "Lineage",
    "LineageLink",
    "MappingFacet",
    "MappingLineage",
    "MappingProfile",
    "Measurement",
    "MetricContract",
    "ModelRelease",
    "Organization",
    "Protocol",
    "Publisher",
    "Result",
    "RightsDecision",
    "SampleOutput",
    "Source",
    "SourcePart",
    "StagedComparison",
    "StagedResult",
    "StagedRow",
    "Suite",
    "Task",
    "TaskAlignment",
    "WorkerHeartbeat",
]
