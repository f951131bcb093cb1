"""Registry records as the data that releases carry. Keys in, keys out; no database id leaves here."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Q

from ranking import refusals
from ranking.models import GatePolicy
from ranking.snapshot import groups
from registry.models import (
    Benchmark,
    Collection,
    EvidenceMapping,
    Facet,
    Lineage,
    LineageLink,
    MetricContract,
    Protocol,
    RightsDecision,
    SampleOutput,
    Suite,
    Task,
)
from registry.vocabulary import RightsVerdict

Record = dict[str, Any]


def collection(row: Collection) -> Record:
    return {
        "slug": row.slug,
        "title": row.title,
        "question": row.question,
        "summary": row.summary,
        "subject_kind": row.subject_kind,
        "planning": row.planning,
        "edition": {"key": row.edition.key, "title": row.edition.title, "description": row.edition.description},
    }


def facets_of(row: Collection) -> list[Record]:
    """In the order of the editors."""
    samples = _samples(row)
    return [facet(found) | {"tasks": _tasks(found, samples)} for found in row.facets.prefetch_related("tasks")]


def facet(row: Facet) -> Record:
    return {
        "slug": row.slug,
        "title": row.title,
        "description": row.description,
        "weight": row.weight,
        "mode": row.mode,
    }


def _tasks(row: Facet, samples: Mapping[int, list[str]]) -> list[Record]:
    names = ("key", "title", "description", "required", "editorial")
    return [
        {name: getattr(task, name) for name in names} | {"samples": samples.get(task.pk, [])}
        for task in row.tasks.all()
    ]


def _samples(row: Collection) -> dict[int, list[str]]:
    """The texts of saved outputs that illustrate each task, or the task that it is the same as.

    Not whose they are, because a page without a ranking names no model, and not the retired grade beside them, which
    is not even read.
    """
    tasks = dict(Task.objects.filter(facet__collection=row).values_list("pk", "same_as"))
    saved = SampleOutput.objects.filter(task__in={*tasks, *tasks.values()} - {None})
    found = sorted(saved.values_list("configuration__key", "text", "task"))
    return {
        task: [text for _, text, illustrated in found if illustrated in (task, same_as)]
        for task, same_as in tasks.items()
    }


def policy(row: GatePolicy) -> Record:
    return {
        "name": row.name,
        "edition": row.edition.key,
        "version": row.version,
        "title": row.title,
        "reason": row.reason,
        "thresholds": row.thresholds,
    }


def mappings_of(row: Collection) -> list[EvidenceMapping]:
    found = row.mappings.select_related("collection", "benchmark__suite__publisher").prefetch_related(
        "atoms",
        "facets__facet",
        "lineages__lineage",
        "measurements__facet",
        "measurements__contract",
        "alignments__task__facet",
        "exclusions",
        "benchmark__contracts__lineage",
        "benchmark__contracts__protocol",
        "benchmark__suite__rights",
        "benchmark__suite__publisher__rights",
    )
    return sorted(found, key=lambda mapping: mapping.key)


def mapping(row: EvidenceMapping) -> Record:
    """One evidence mapping record with everything that its public page shows."""
    measured = {found.contract_id: found for found in row.measurements.all()}
    alignments = sorted((_alignment(found) for found in row.alignments.all()), key=_by("facet", "task"))
    return {
        "key": row.key,
        "collection": row.collection.slug,
        "collection_title": row.collection.title,
        "collection_question": row.collection.question,
        "role": row.role,
        "note": row.note,
        "upstream_access": row.upstream_access,
        "maximum_directness": max((found["directness"] for found in alignments), default=None),
        "benchmark": benchmark(row.benchmark),
        "facets": _mapping_facets(row),
        "atoms": [
            {"key": atom.key, "title": atom.title, "description": atom.description}
            for atom in sorted(row.atoms.all(), key=lambda atom: atom.key)
        ],
        "subject": {
            "declared": row.declared_subject,
            "metric_partitions": row.metric_partitions,
            "separate_partition_required": row.separate_partition_required,
            "projection": row.projection,
            "projection_reason": row.projection_reason,
        },
        "usable_lineages": sorted(
            ({"lineage": found.lineage.key, "subject_kind": found.subject_kind} for found in row.lineages.all()),
            key=_by("lineage", "subject_kind"),
        ),
        "contracts": sorted(
            (
                contract(found) | {"measures": measured[found.pk].facet.slug if found.pk in measured else None}
                for found in row.benchmark.contracts.all()
            ),
            key=_by("key"),
        ),
        "alignments": alignments,
        "exclusions": refusals.told(found for found in row.exclusions.all() if found.lifted_at is None),
        "rights": rights(row.benchmark.suite),
    }


def _by(*names: str) -> Any:
    return lambda record: tuple(record[name] for name in names)


def _mapping_facets(row: EvidenceMapping) -> list[Record]:
    measured: dict[int, list[Record]] = {}
    for found in row.measurements.all():
        measured.setdefault(found.facet_id, []).append({"contract": found.contract.key, "reason": found.reason})
    spoken = sorted(row.facets.all(), key=lambda found: (found.facet.position, found.facet.slug))
    return [
        facet(found.facet)
        | {
            "coverage_note": found.coverage_note,
            "measured_by": sorted(measured.get(found.facet_id, []), key=_by("contract")),
        }
        for found in spoken
    ]


def _alignment(row: Any) -> Record:
    return {
        "facet": row.task.facet.slug,
        "task": row.task.key,
        "title": row.task.title,
        "directness": row.directness,
        "reason": row.reason,
    }


def benchmark(row: Benchmark) -> Record:
    return {
        "key": row.key,
        "title": row.title,
        "description": row.description,
        "eligibility": row.eligibility,
        "registry_status": row.registry_status,
        "suite": suite(row.suite),
    }


def suite(row: Suite) -> Record:
    return {
        "key": row.key,
        "title": row.title,
        "description": row.description,
        "url": row.url,
        "not_to_confuse": row.not_to_confuse,
        "publisher": {"key": row.publisher.key, "name": row.publisher.name, "url": row.publisher.url},
    }


def contract(row: MetricContract) -> Record:
    names = (
        *("key", "title", "subject_kind", "unit", "kind", "direction", "lower", "upper", "minimum_n"),
        *("required_identity", "assumed_n", "assumed_n_reason", "stderr_over_rows", "use", "use_reason"),
    )
    return {name: getattr(row, name) for name in names} | {
        "lineage": row.lineage.key,
        "protocol": row.protocol.key,
    }


def rights(row: Suite) -> list[Record]:
    """The decision in force for each use: the suite's own, else its publisher's."""
    decided = {decision.use: _right(decision, "publisher") for decision in row.publisher.rights.all()}
    decided |= {decision.use: _right(decision, "suite") for decision in row.rights.all()}
    undecided = {"verdict": RightsVerdict.UNREVIEWED.value, "clause": "", "clause_url": "", "attribution": ""}
    uses = [use for use, _ in RightsDecision._meta.get_field("use").choices or ()]
    return [{"use": use} | decided.get(use, undecided | {"decided_for": None, "reviewed_on": None}) for use in uses]


def _right(row: RightsDecision, holder: str) -> Record:
    return {
        "verdict": row.verdict,
        "clause": row.clause,
        "clause_url": row.clause_url,
        "attribution": row.attribution,
        "decided_for": holder,
        "reviewed_on": row.reviewed_on.isoformat() if row.reviewed_on else None,
    }


def lineages_for(mappings: Iterable[Record]) -> list[Record]:
    """Every lineage of the suites that are mapped, usable or not, with its links and its group."""
    suites = {found["benchmark"]["suite"]["key"] for found in mappings}
    rows = list(Lineage.objects.filter(suite__key__in=suites).select_related("suite").order_by("key"))
    group = {entry.lineage: entry.group for entry in groups({row.key for row in rows})}
    links = _links({row.key for row in rows})
    return [
        {
            "key": row.key,
            "title": row.title,
            "suite": row.suite.key,
            "version": row.upstream_version,
            "track": row.track,
            "use": row.use,
            "note": row.note,
            "group": group[row.key],
            "links": sorted(links.get(row.key, []), key=_by("with", "kind")),
        }
        for row in rows
    ]


def _links(keys: set[str]) -> dict[str, list[Record]]:
    found: dict[str, list[Record]] = {}
    rows = LineageLink.objects.filter(Q(a__key__in=keys) | Q(b__key__in=keys)).select_related("a", "b")
    for row in rows:
        for here, there in ((row.a.key, row.b.key), (row.b.key, row.a.key)):
            link = {"with": there, "kind": row.kind, "certainty": row.certainty, "reason": row.reason}
            found.setdefault(here, []).append(link)
    return found


def protocols_for(mappings: Iterable[Record]) -> list[Record]:
    keys = {row["protocol"] for found in mappings for row in found["contracts"]}
    names = ("key", "title", "harness", "judge", "simulator", "prompts_sha256", "runs", "task_split", "note")
    rows = Protocol.objects.filter(key__in=keys).order_by("key")
    return [{name: getattr(row, name) for name in names} for row in rows]
