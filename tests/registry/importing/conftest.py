"""A registry to import into, and one line to write a file."""

import json
from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client

from registry.actions import curate, imports
from registry.models import Collection, Edition, EvidenceMapping, ImportBatch, Job, MappingProfile, MetricContract
from tests import registries
from tests.registry.importing import usual

TESTS, CASES = usual.TESTS, usual.CASES
EXAMPLES = TESTS.parent / "examples"
CONTRACT, SUBJECT, URL = usual.CONTRACT, usual.SUBJECT, usual.URL


def csv_of(*rows: dict[str, Any]) -> bytes:
    """results.csv with the columns that any of the rows gives; unnamed ones have their usual value."""
    usual = {"contract": CONTRACT, "configuration": SUBJECT, "value": "0.5", "source_url": URL, "external_id": "c-1"}
    full = [usual | {name: str(value) for name, value in row.items()} for row in rows]
    columns = list(dict.fromkeys(name for row in full for name in row))
    lines = [",".join(columns), *(",".join(row.get(name, "") for name in columns) for row in full)]
    return "\n".join(lines).encode()


loaded = registries.once_a_module(registries.of_cases)


@pytest.fixture
def registry(loaded: None, db: None) -> None:
    """Contracts, configurations and the profile that the case files name."""


@pytest.fixture
def collection(registry: None, editor: User) -> Collection:
    """One that a benchmark of the case files is mapped to."""
    edition = curate.save(obj=Edition(key="e1", title="First"), by=editor)
    texts = {"slug": "c1", "title": "C", "question": "Which?", "summary": "S.", "subject_kind": "harnessed-model"}
    collection = curate.save(obj=Collection(edition=edition, **texts), by=editor)
    mapping = EvidenceMapping(
        collection=collection,
        benchmark=MetricContract.objects.get(key=CONTRACT).benchmark,
        role="primary",
        upstream_access="manual",
        declared_subject="harnessed-model",
        metric_partitions=["harnessed-model"],
    )
    curate.save(obj=mapping, by=editor)
    Job.objects.all().delete()
    return collection


@pytest.fixture
def cases(registry: None) -> MappingProfile:
    return MappingProfile.objects.get(key="cases")


@pytest.fixture
def as_editor(editor: User, client: Client) -> Client:
    """A browser in which the editor is logged in."""
    client.force_login(editor)
    return client


Stage = Callable[..., ImportBatch]


@pytest.fixture
def stage(registry: None, editor: User) -> Stage:
    """Stage rows, or bytes, as the editor."""

    def stage(*rows: dict[str, Any], content: bytes | None = None, **options: Any) -> ImportBatch:
        return imports.stage(content=content or csv_of(*rows), filename="results.csv", by=editor, **options)

    return stage


@pytest.fixture
def store(stage: Stage, editor: User) -> Stage:
    """Stage rows and apply them."""

    def store(*rows: dict[str, Any], reason: str = "", **options: Any) -> ImportBatch:
        return imports.apply(batch=stage(*rows, **options), by=editor, reason=reason)

    return store


Answer = tuple[int, dict[str, Any] | None, str]


def run(*arguments: str) -> Answer:
    """Exit code, JSON report if one came, and what was said on stderr of `import_results`."""
    return run_command("import_results", *arguments)


def run_command(name: str, *arguments: str) -> Answer:
    """The same of any command that imports."""
    out, err = StringIO(), StringIO()
    code = 0
    try:
        call_command(name, *arguments, "--json", stdout=out, stderr=err)
    except SystemExit as ended:
        code = int(str(ended.code))
    except CommandError as refused:
        code = refused.returncode
        err.write(str(refused))
    return code, json.loads(out.getvalue()) if out.getvalue() else None, err.getvalue()
