"""A category on real human evidence (tests/data/human) in the registry, under the demonstration policy.

Written in bulk: how rows come in is tested elsewhere, and here are nine thousand.
"""

from datetime import UTC, date, datetime
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone

from ranking.actions import publish as publishing
from ranking.models import GatePolicy, Publication, Release
from registry import models
from registry.vocabulary import BatchStatus
from tests.ranking.human_evidence import ADDRESS, EDITION, SLUG, SOURCE, key
from tests.ranking.method import human

__all__ = ["EDITION", "SLUG"]


def build(**changes: object) -> models.Collection:
    """The registry with one collection whose gate is open; `changes` are to its policy."""
    now = timezone.now()
    reference = models.Edition.objects.create(key="v3", title="Third edition")
    edition = models.Edition.objects.create(key=EDITION, title="Demonstration")
    policy(reference, human.policy())
    policy(edition, human.policy(**human.DEMONSTRATION) | changes)
    collection = models.Collection.objects.create(
        edition=edition,
        slug=SLUG,
        title="General assistance",
        question="Which models are most helpful?",
        summary="Answers that people prefer.",
        subject_kind=human.KIND,
    )
    facet = models.Facet.objects.create(
        collection=collection, slug=human.FACET, title="Helpfulness", description="-", weight=100, mode="hybrid"
    )
    source = models.Source.objects.create(
        sha256=SOURCE, filename="human.csv", size=1, uploaded_by="editor", uploaded_at=now
    )
    batch = models.ImportBatch.objects.create(
        source=source,
        status=BatchStatus.APPLIED,
        created_by="editor",
        created_at=now,
        applied_by="editor",
        applied_at=now,
    )
    subjects = _subjects()
    _values(collection, facet, source, batch, subjects)
    _comparisons(facet, source, batch, subjects)
    return collection


def policy(edition: models.Edition, values: dict[str, Any], version: int = 1, state: str = "active") -> GatePolicy:
    return GatePolicy.objects.create(
        edition=edition,
        version=version,
        title=f"Gate of {edition.key}",
        reason="For the tests.",
        thresholds={name: {"value": value, "reason": f"Why {name}."} for name, value in values.items()},
        state=state,
        drafted_by="founder",
        drafted_at=timezone.now(),
    )


def _subjects() -> dict[str, models.Configuration]:
    found = {}
    for one in human.inputs().configurations:
        maker, _ = models.Organization.objects.get_or_create(
            key=one.maker or "others", defaults={"name": one.maker or "Others"}
        )
        release = models.ModelRelease.objects.create(organization=maker, key=key(one.key), name=one.key)
        found[one.key] = models.Configuration.objects.create(
            key=f"{maker.key}/{key(one.key)}",
            model=release,
            subject_kind=human.KIND,
            availability="available",
            reference=one.role == "reference",
        )
    return found


def _values(
    collection: models.Collection,
    facet: models.Facet,
    source: models.Source,
    batch: models.ImportBatch,
    subjects: dict[str, models.Configuration],
) -> None:
    contracts: dict[str, models.MetricContract] = {}
    rows: list[models.Result] = []
    for value in human.inputs().values:
        contract = contracts.get(value.contract) or _contract(collection, facet, value)
        contracts[value.contract] = contract
        rows.append(
            models.Result(
                contract=contract,
                configuration=subjects[value.configuration],
                source=source,
                batch=batch,
                line=len(rows) + 2,
                value=value.value,
                stderr=value.stderr,
                n=value.n,
                source_url=ADDRESS,
                external_id=value.configuration,
                observed_on=date(2024, 1, 31),
            )
        )
    models.Result.objects.bulk_create(rows)


def _contract(collection: models.Collection, facet: models.Facet, value: Any) -> models.MetricContract:
    publisher = models.Publisher.objects.create(key=value.group, name=value.group)
    suite = models.Suite.objects.create(publisher=publisher, key=value.group, title=value.group)
    for use in ("store", "rank", "show", "export"):
        models.RightsDecision.objects.create(
            suite=suite, use=use, verdict="allowed", clause="Free.", reviewed_by="editor", reviewed_on=date(2026, 8, 5)
        )
    benchmark = models.Benchmark.objects.create(
        suite=suite, key=value.lineage, title=value.lineage, eligibility="results-only", registry_status="registered"
    )
    lineage = models.Lineage.objects.create(
        suite=suite, key=value.lineage, title=value.lineage, upstream_version="1", track="main", use="usable"
    )
    protocol = models.Protocol.objects.create(key=value.protocol, title=value.protocol)
    contract = models.MetricContract.objects.create(
        key=value.contract,
        title=value.contract,
        benchmark=benchmark,
        lineage=lineage,
        protocol=protocol,
        subject_kind=human.KIND,
        unit=value.unit,
        kind=value.kind,
        direction=value.direction,
        lower=value.lower,
        upper=value.upper,
        stderr_over_rows=value.over_rows,
        required_identity=["model"],
        use="usable",
    )
    mapping = models.EvidenceMapping.objects.create(
        collection=collection,
        benchmark=benchmark,
        role="primary",
        upstream_access="machine-ready",
        declared_subject=human.KIND,
        metric_partitions=[human.KIND],
    )
    models.MappingFacet.objects.create(mapping=mapping, facet=facet, coverage_note="Partly.")
    models.MappingLineage.objects.create(mapping=mapping, lineage=lineage, subject_kind=human.KIND)
    models.Measurement.objects.create(
        mapping=mapping, contract=contract, facet=facet, lineage=lineage, reason="Direct."
    )
    return contract


def _comparisons(
    facet: models.Facet,
    source: models.Source,
    batch: models.ImportBatch,
    subjects: dict[str, models.Configuration],
) -> None:
    rows = human.table("llmfao.csv")
    tasks = {
        name: models.Task.objects.create(facet=facet, key=key(name), title=name)
        for name in sorted({row["prompt"] for row in rows})
    }
    judges = {
        name: models.Judge.objects.create(key=f"person-{key(name)}", person=True)
        for name in sorted({row["worker"] for row in rows})
    }
    models.Comparison.objects.bulk_create(
        models.Comparison(
            comparison_id=f"{number}",
            task=tasks[row["prompt"]],
            a=subjects[row["left"]],
            b=subjects[row["right"]],
            outcome=human.OUTCOMES[row["winner"]],
            judge=judges[row["worker"]],
            order="ab",
            judged_at=datetime(2023, 8, 1, 23, 30, tzinfo=UTC),
            source=source,
            batch=batch,
            line=number + 2,
        )
        for number, row in enumerate(rows)
    )


def person(name: str) -> User:
    return User.objects.get_or_create(username=name, defaults={"is_superuser": True})[0]


def publish(release: Release, reason: str = "Ready.") -> Publication:
    """By somebody who did not seal it."""
    wish = publishing.answer(wish=publishing.request(release=release, by=person("presser"), reason=reason))
    assert wish.publication, wish.answer
    return wish.publication


NEWCOMER = "newcomers/newcomer"


def add_newcomer(collection: models.Collection) -> None:
    """A configuration with what Guanaco has, which nobody sealed into the pool."""
    maker = models.Organization.objects.create(key="newcomers", name="Newcomers")
    release = models.ModelRelease.objects.create(organization=maker, key="newcomer", name="Newcomer")
    subject = models.Configuration.objects.create(
        key=NEWCOMER, model=release, subject_kind=human.KIND, availability="available"
    )
    like = models.Configuration.objects.get(model__name="Guanaco (33B)")
    for result in models.Result.objects.filter(configuration=like):
        result.pk, result.configuration, result.external_id = None, subject, "newcomer"
        result.save(force_insert=True)
    for row in models.Comparison.objects.filter(a=like):
        row.pk, row.a, row.comparison_id = None, subject, f"n-{row.comparison_id}"
        row.save(force_insert=True)
    for row in models.Comparison.objects.filter(b=like):
        row.pk, row.b, row.comparison_id = None, subject, f"n-{row.comparison_id}"
        row.save(force_insert=True)


def another(collection: models.Collection, slug: str) -> models.Collection:
    """A category of another name on the same evidence: its tasks are the same as those of `collection`."""
    facet = collection.facets.get()
    twin = models.Collection.objects.create(
        edition=collection.edition,
        slug=slug,
        title=slug.capitalize(),
        question=collection.question,
        summary=collection.summary,
        subject_kind=collection.subject_kind,
    )
    own = models.Facet.objects.create(
        collection=twin, slug=facet.slug, title=facet.title, description="-", weight=100, mode=facet.mode
    )
    for task in facet.tasks.all():
        models.Task.objects.create(facet=own, key=task.key, title=task.title, same_as=task)
    for measurement in models.Measurement.objects.filter(facet=facet).select_related("mapping"):
        mapping = measurement.mapping
        mapping.pk, mapping.collection = None, twin
        mapping.save(force_insert=True)
        models.MappingFacet.objects.create(mapping=mapping, facet=own, coverage_note="Partly.")
        models.MappingLineage.objects.create(mapping=mapping, lineage=measurement.lineage, subject_kind=human.KIND)
        measurement.pk, measurement.mapping, measurement.facet = None, mapping, own
        measurement.save(force_insert=True)
    return twin
