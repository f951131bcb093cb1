"""Files of other people through the command and the upload page: the verdicts that docs/imports.md tells.

Those of the examples meet the example registry. For the others there is a profile each and no contract, so that what
was read is refused by name.
"""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test import Client
from django.urls import reverse

from registry.actions import curate, reading
from registry.models import ImportBatch, MappingProfile
from registry.people import acting_user
from registry.vocabulary import BatchStatus
from tests import registries
from tests.registry.importing.conftest import run_command
from tests.registry.importing.formats.conftest import HERE, ROOT, content_of
from tests.registry.importing.usual import TESTS

pytestmark = pytest.mark.django_db

OUTCOMES: dict[str, dict[str, Any]] = yaml.safe_load((TESTS / "data" / "samples.yaml").read_text())
Given = dict[str, Any]


def _fill() -> None:
    registries.of_examples()
    editor = acting_user(None)
    for each in yaml.safe_load((HERE / "profiles.yaml").read_text()):
        curate.save(obj=MappingProfile(key=each["key"], title=each["key"], spec=each["spec"]), by=editor)


profiles = registries.once_a_module(_fill)


def by_command(path: str, profile: str) -> Given:
    kind = "comparisons" if profile == "llmfao" else "results"
    options = [*(["--profile", profile] if profile else []), "--source-url", "https://example.org/"]
    code, report, said = run_command(f"import_{kind}", str(ROOT / path), *options)
    assert report is not None, said
    reasons = Counter(told["reason"] for told in report["problems"])
    return {"exit": code, "verdicts": counted(report["verdicts"]), "reasons": dict(sorted(reasons.items()))}


def by_page(path: str, profile: str, editor: Client) -> Given:
    """The verdicts; none where no batch is kept."""
    name = path.rpartition("/")[2] + ".zip" * (ROOT / path).is_dir()
    given = {
        "file": SimpleUploadedFile(name, content_of(ROOT / path)),
        "mode": "all-or-nothing",
        "source_url": "https://example.org/",
        "profile": MappingProfile.objects.get(key=profile).pk if profile else "",
    }
    answer = editor.post(reverse("admin:registry_importbatch_add"), given)
    batch = ImportBatch.objects.first()
    assert answer.status_code == (302 if batch else 200)
    if batch and batch.status == BatchStatus.READING:
        reading.read(batch, by=User.objects.get(username=batch.created_by))
    return counted(batch.counts) if batch else {}


def counted(verdicts: dict[str, int]) -> dict[str, int]:
    return {verdict: count for verdict, count in verdicts.items() if count}


def test_every_sample_comes_to_its_verdicts_by_command_and_page(profiles: None, as_editor: Client) -> None:
    """One test: the registry is large, and each sample is put back."""
    told, shown = {}, {}
    for path, expected in OUTCOMES.items():
        point = transaction.savepoint()
        told[path] = by_command(path, expected["profile"]) | {"profile": expected["profile"]}
        transaction.savepoint_rollback(point)
        point = transaction.savepoint()
        shown[path] = by_page(path, expected["profile"], as_editor)
        transaction.savepoint_rollback(point)
    assert told == OUTCOMES
    assert shown == {path: expected["verdicts"] for path, expected in OUTCOMES.items()}


def test_the_documents_tell_them() -> None:
    section = (ROOT / "docs" / "imports.md").read_text().split("\n## The samples through their profiles\n")[1]
    assert re.findall(r"^\| `.*$", section.split("\n## ")[0], flags=re.MULTILINE) == list(table())


def table() -> Iterator[str]:
    for path, told in OUTCOMES.items():
        rows = ", ".join(f"{count} {verdict}" for verdict, count in told["verdicts"].items()) or "none"
        reasons = ", ".join(f"{count} `{reason}`" for reason, count in told["reasons"].items())
        profile = f"`{told['profile']}`" if told["profile"] else ""
        yield f"| `{path}` | {profile} | {told['exit']} | {rows} | {reasons} |".replace("|  |", "| |").replace(
            "|  |", "| |"
        )
