"""A small registry with the facts of a real mapping, and its pages published through the real actions.

Two categories share one benchmark. A result is recorded whose value must never be seen.
"""

from datetime import date
from decimal import Decimal
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone

from ranking.actions import publish as publishing
from ranking.actions.seal import seal
from ranking.models import GatePolicy, Publication
from registry import models
from registry.vocabulary import BatchStatus

SECRET = 73.125
"""The value of the one result; no page may hold it."""
MODEL = "Hidden Model 9"
SLUG = "customer-service"
MAPPING = "customer-service/statebench/state-bench-customer-support"
SECOND = "self-service/statebench/state-bench-customer-support"
BENCHMARK = "statebench/state-bench-customer-support"
LINEAGE = "statebench-v0-8-main"

FACETS = {
    "diagnosis-and-resolution": ("Diagnosis and resolution", "Identify the real issue and give a workable resolution."),
    "policy-boundaries": ("Policy boundaries", "Apply policy consistently."),
    "de-escalation": ("De-escalation", "Acknowledge frustration while staying direct."),
    "escalation-and-handoff": ("Escalation and handoff", "Escalate with complete context."),
}
THRESHOLDS = {
    "external_results": 1,
    "first_party_comparisons": 1,
    "independence_groups": 2,
    "group_headline_rows": 8,
    "group_weight_share": 40,
    "headline_rows": 8,
    "task_coverage": 80,
    "directness": 50,
    "units_per_task": 1,
    "required_rights": ["rank", "show", "export"],
}


def build() -> None:
    """The registry; nothing is public yet."""
    edition = models.Edition.objects.create(key="v3", title="Third edition")
    for slug, title in ((SLUG, "Customer Support & Service Resolution"), ("self-service", "Self-service guidance")):
        _collection(edition, slug, title)
    _policy(edition)
    benchmark = _benchmark()
    contracts = _contracts(benchmark)
    mapping = _mapping(SLUG, benchmark, role="primary", directness=85)
    _mapping("self-service", benchmark, role="supporting", directness=40)
    facet = models.Facet.objects.get(collection__slug=SLUG, slug="diagnosis-and-resolution")
    models.Measurement.objects.create(
        mapping=mapping, contract=contracts[0], facet=facet, lineage=contracts[0].lineage, reason="Resolved or not."
    )
    _results(contracts)
    _refuse("lineage", "statebench-v0-7-main", "version", "Other tasks, other prompts.")


def _collection(edition: models.Edition, slug: str, title: str) -> None:
    collection = models.Collection.objects.create(
        edition=edition,
        slug=slug,
        title=title,
        question="Which models are best at customer support and service resolution?",
        summary="Accurate, policy-aware support.",
        subject_kind="harnessed-model",
    )
    for position, (key, (name, description)) in enumerate(FACETS.items()):
        facet = models.Facet.objects.create(
            collection=collection,
            slug=key,
            title=name,
            description=description,
            weight=25,
            mode="hybrid",
            position=position,
        )
        for number in (1, 2):
            models.Task.objects.create(facet=facet, key=f"{key}-{number}", title=f"{name}, task {number}")


def _policy(edition: models.Edition) -> None:
    GatePolicy.objects.create(
        edition=edition,
        version=1,
        title="Promotion gate",
        reason="The first policy.",
        thresholds={name: {"value": value, "reason": f"Why {name}."} for name, value in THRESHOLDS.items()},
        state="active",
        drafted_by="founder",
        drafted_at=timezone.now(),
    )


def _benchmark() -> models.Benchmark:
    publisher = models.Publisher.objects.create(key="microsoft", name="Microsoft", url="https://www.microsoft.com/")
    suite = models.Suite.objects.create(
        publisher=publisher,
        key="statebench",
        title="STATE-Bench",
        url="https://github.com/microsoft/STATE-Bench",
        not_to_confuse="Parslee StateBench",
    )
    for use in ("store", "rank", "show"):
        models.RightsDecision.objects.create(
            suite=suite,
            use=use,
            verdict="allowed",
            clause="MIT",
            clause_url="https://opensource.org/license/mit",
            reviewed_by="editor",
            reviewed_on=date(2026, 8, 5),
        )
    return models.Benchmark.objects.create(
        suite=suite,
        key="state-bench-customer-support",
        title="STATE-Bench customer support",
        eligibility="runnable-now",
        registry_status="registered",
    )


def _contracts(benchmark: models.Benchmark) -> list[models.MetricContract]:
    lineage = _lineage(benchmark.suite, LINEAGE, "0.8", "usable")
    _link(lineage, _lineage(benchmark.suite, "statebench-v0-7-main", "0.7", "blocked"))
    protocol = models.Protocol.objects.create(
        key="statebench-v0.8.main", title="STATE-Bench 0.8, main", judge="GPT-5.4"
    )
    said = {
        "pass_at_1": ("Task completion pass@1", "usable", "rate", 100),
        "mean_ux_score": ("Mean UX score", "usable", "bounded", 5),
        "pass_hat_5": ("Task completion pass^5", "catalogued", "rate", 100),
    }
    return [
        models.MetricContract.objects.create(
            key=f"v0.8.main.customer_support.{metric}",
            title=f"STATE-Bench Main v0.8 — Customer support — {title}",
            benchmark=benchmark,
            lineage=lineage,
            protocol=protocol,
            subject_kind="harnessed-model",
            unit="percent",
            kind=kind,
            direction="higher",
            lower=0,
            upper=upper,
            required_identity=["model", "effort"],
            assumed_n=150 if metric == "pass_at_1" else None,
            assumed_n_reason="The split holds 150 tasks." if metric == "pass_at_1" else "",
            use=use,
            use_reason="" if use == "usable" else "Drops tasks with a missing run.",
        )
        for metric, (title, use, kind, upper) in said.items()
    ]


def _lineage(suite: models.Suite, key: str, version: str, use: str) -> models.Lineage:
    return models.Lineage.objects.create(
        suite=suite, key=key, title=f"STATE-Bench {version}, main", upstream_version=version, track="main", use=use
    )


def _link(a: models.Lineage, b: models.Lineage) -> None:
    models.LineageLink.objects.create(a=a, b=b, kind="publisher", reason="Both are Microsoft's.")


def _mapping(slug: str, benchmark: models.Benchmark, *, role: str, directness: int) -> models.EvidenceMapping:
    collection = models.Collection.objects.get(slug=slug)
    mapping = models.EvidenceMapping.objects.create(
        collection=collection,
        benchmark=benchmark,
        role=role,
        upstream_access="machine-ready",
        declared_subject="harnessed-model",
        metric_partitions=["harnessed-model"],
        note="Never merge v0.7/v0.8 or main/learning tracks.",
    )
    for facet in collection.facets.all():
        models.MappingFacet.objects.create(mapping=mapping, facet=facet, coverage_note=f"Of {facet.title}: partly.")
    task = models.Task.objects.get(facet__collection=collection, key="diagnosis-and-resolution-1")
    models.TaskAlignment.objects.create(
        mapping=mapping, task=task, directness=Decimal(directness), reason="The same work, end to end."
    )
    models.MappingLineage.objects.create(
        mapping=mapping, lineage=models.Lineage.objects.get(key=LINEAGE), subject_kind="harnessed-model"
    )
    for key, title in (("workflow_resolution", "Workflow resolution"), ("support_ux", "Support experience")):
        mapping.atoms.add(models.CapabilityAtom.objects.get_or_create(key=key, defaults={"title": title})[0])
    return mapping


def _results(contracts: list[models.MetricContract]) -> None:
    now = timezone.now()
    source = models.Source.objects.create(
        sha256="5" * 64, filename="table.csv", size=1, uploaded_by="editor", uploaded_at=now
    )
    batch = models.ImportBatch.objects.create(
        source=source,
        status=BatchStatus.APPLIED,
        created_by="editor",
        created_at=now,
        applied_by="editor",
        applied_at=now,
    )
    maker = models.Organization.objects.create(key="maker", name="Maker")
    model = models.ModelRelease.objects.create(organization=maker, key="hidden-9", name=MODEL)
    configuration = models.Configuration.objects.create(
        key="maker/hidden-9@high",
        model=model,
        subject_kind="harnessed-model",
        effort="high",
        availability="available",
    )
    for contract in contracts:
        models.Result.objects.create(
            contract=contract,
            configuration=configuration,
            source=source,
            batch=batch,
            line=2,
            value=SECRET if contract.kind == "rate" else 3.625,
            source_url="https://example.org/table",
        )


def _refuse(scope: str, target: str, kind: str, reason: str, **more: Any) -> models.Exclusion:
    return models.Exclusion.objects.create(
        scope=scope,
        target=target,
        type=kind,
        reason=reason,
        lift_condition="A bridge study that shows the versions agree.",
        excluded_by="editor",
        excluded_at=timezone.now(),
        **more,
    )


exclude = _refuse


def publish(slug: str = SLUG, reason: str = "First publication.") -> Publication:
    """Seal what the registry says of a category now, and publish it."""
    by, _ = User.objects.get_or_create(username="press", is_superuser=True)
    release = seal(collection=models.Collection.objects.get(slug=slug), by=by)
    wish = publishing.answer(wish=publishing.request(release=release, by=by, reason=reason))
    assert wish.publication, wish.answer
    return wish.publication


def withdraw(publication: Publication, reason: str = "The source was retracted.") -> None:
    publication.state = "withdrawn"
    publication.withdrawn_by, publication.withdrawn_at = "publisher", timezone.now()
    publication.withdrawal_reason = reason
    publication.save(update_fields=("state", "withdrawn_by", "withdrawn_at", "withdrawal_reason"))
