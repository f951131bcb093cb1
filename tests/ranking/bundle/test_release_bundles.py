"""Bundles of published releases, the chain of publications, and the commands."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from ranking import canonical, snapshot
from ranking.actions import seal
from ranking.bundle import releases
from ranking.bundle.archive import sha256, unzipped
from ranking.bundle.verification import verify_zip
from ranking.gate import assess
from ranking.models import Publication
from ranking.table import table
from registry.actions.base import Refused
from registry.models import Collection
from tests import registries
from tests.ranking import human_evidence
from tests.ranking import human_world as human
from tests.ranking.method import human as method

ROOT = Path(__file__).parents[3]


def _build() -> Publication:
    collection = human.build()
    return human.publish(seal.seal(collection=collection, by=human.person("sealer"), kind="ranking"))


built = registries.once_a_module(_build)


@pytest.fixture
def ranking(built: Publication, db: None) -> Publication:
    return Publication.objects.get(pk=built.pk)


def test_the_bundle_of_a_ranking_has_no_fault(ranking: Publication) -> None:
    body = releases.bundle(ranking)
    assert verify_zip(body) == []
    assert releases.bundle(ranking) == body
    manifest = json.loads(unzipped(body)[0]["manifest.json"])
    assert (manifest["identifier"], manifest["number"], manifest["predecessor"]) == (ranking.identifier, 1, "")


def test_the_database_adds_nothing_to_what_the_files_give(ranking: Publication) -> None:
    """Snapshot and table are what the same files give without a database, byte by byte."""
    pure = human_evidence.evidence()
    sealed = releases.snapshot_of(ranking)
    assert sealed == canonical.text(pure)
    ranked = json.loads(ranking.release.content)["ranking"]
    told = canonical.plain(table(assess(pure, method.policy(**method.DEMONSTRATION))))
    assert {name: ranked[name] for name in ("panel", "pool", "constants", "context", "figures", "comparisons")} == {
        name: told[name] for name in ("panel", "pool", "constants", "context", "figures", "comparisons")
    }
    assert [{name: row[name] for name in told["rows"][0]} for row in ranked["rows"]] == told["rows"]


def test_a_status_bundle_withholds_its_evidence_and_says_so(ranking: Publication) -> None:
    release = seal.seal(collection=Collection.objects.get(slug=human.SLUG), by=human.person("sealer"))
    publication = human.publish(release)
    body = releases.bundle(publication)
    files = unzipped(body)[0]
    assert sorted(files) == ["README.txt", "content.json", "gate.json", "manifest.json", "policy.json"]
    assert b"evidence status" in files["README.txt"]
    assert verify_zip(body) == []
    assert releases.faults(publication) == []
    everything = b"".join(files.values())
    assert b"GPT 4" not in everything
    assert b"15.7" not in everything


def test_a_later_ranking_is_recomputed_against_the_one_before(ranking: Publication) -> None:
    collection = Collection.objects.get(slug=human.SLUG)
    human.add_newcomer(collection)
    second = human.publish(seal.seal(collection=collection, by=human.person("sealer"), kind="ranking"))
    body = releases.bundle(second)
    assert verify_zip(body) == []
    rows = json.loads(unzipped(body)[0]["predecessor.json"])
    assert [row["key"] for row in rows] == [
        row["configuration"] for row in json.loads(ranking.release.content)["ranking"]["rows"]
    ]
    assert list(releases.chain()) == []
    assert len(snapshot.take(collection).comparisons) > len(human_evidence.evidence().comparisons)


def test_a_withdrawn_release_has_no_bundle(ranking: Publication) -> None:
    ranking.state = "withdrawn"
    with pytest.raises(Refused) as refused:
        releases.bundle(ranking)
    assert refused.value.code == "withdrawn"


def test_bundle_and_verify_as_commands(ranking: Publication, tmp_path: Path, capsys: Any) -> None:
    out = tmp_path / "out.zip"
    call_command("bundle", ranking.identifier[:12], str(out))
    call_command("verify", str(out))
    call_command("verify", ranking.identifier[:12])
    call_command("verify", chain=True)
    call_command("verify", human.SLUG, chain=True)
    assert capsys.readouterr().out.count("Everything agrees") == 2
    body = bytearray(out.read_bytes())
    body[5000] ^= 1
    out.write_bytes(bytes(body))
    with pytest.raises(CommandError) as found:
        call_command("verify", str(out))
    assert found.value.returncode == 1
    assert "content.json: it cannot be read" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "code"),
    [(["verify"], 2), (["verify", "abc"], 2), (["verify", "0" * 12], 2), (["bundle", "0" * 12, "x.zip"], 2)],
)
def test_a_wrong_name_is_told(db: None, arguments: list[str], code: int) -> None:
    with pytest.raises(CommandError) as found:
        call_command(*arguments)
    assert found.value.returncode == code


@pytest.mark.postgres
def test_one_digest_on_both_databases(ranking: Publication, tmp_path: Path) -> None:
    """This session is PostgreSQL's; the other process has SQLite, another time zone and another hash seed."""
    assert connection.vendor == "postgresql"
    environment = {
        **os.environ,
        "DATABASE_URL": f"sqlite:///{tmp_path / 'other.sqlite3'}",
        "DATA_DIR": str(tmp_path),
        "TZ": "Asia/Tokyo",
        "PYTHONHASHSEED": "7",
    }
    command = [sys.executable, "-m", "tests.ranking.bundle.print_release"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [ranking.release.digest, sha256(releases.bundle(ranking))]
