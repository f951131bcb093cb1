"""A bundle: its bytes, every flip of one, every moved figure, and the check as one file without Django."""

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ranking import canonical
from ranking.bundle import checker
from ranking.bundle.archive import MANIFEST, sha256, unzipped, zipped
from ranking.bundle.members import Files
from ranking.bundle.verification import verify, verify_files, verify_zip
from tests.ranking import human_evidence

ROOT = Path(__file__).parents[3]
FLIPS = 1000
LIST = "the list of files at the end of the ZIP"


@pytest.fixture(scope="module")
def content() -> dict[str, Any]:
    return human_evidence.content(human_evidence.evidence(), human_evidence.policy())


@pytest.fixture(scope="module")
def files(content: dict[str, Any]) -> Files:
    return human_evidence.bundle(content, human_evidence.evidence())


@pytest.fixture(scope="module")
def small(content: dict[str, Any]) -> Files:
    """The same with a hundredth of the evidence: flips are found before any figure is computed."""
    found = human_evidence.evidence()
    few = replace(found, comparisons=found.comparisons[::200], judges=found.judges[:5])
    gate = content["gate"] | {"snapshot": canonical.digest(few)}
    return human_evidence.bundle(content | {"gate": gate}, few)


def places(size: int) -> Iterator[tuple[int, int]]:
    """(place, what to flip), the same in every run."""
    chance = random.Random(3)
    return ((chance.randrange(size), 1 << chance.randrange(8)) for _ in range(FLIPS))


def flipped(body: bytes, place: int, bits: int) -> bytes:
    return body[:place] + bytes([body[place] ^ bits]) + body[place + 1 :]


def test_an_untouched_bundle_has_no_fault(files: Files) -> None:
    assert verify_zip(zipped(files)) == []


def test_what_is_in_it(files: Files) -> None:
    assert sorted(files) == [
        "README.txt",
        "constants.json",
        "content.json",
        "gate.json",
        "manifest.json",
        "panel.json",
        "policy.json",
        "pool.json",
        "predecessor.json",
        "ranking.json",
        "snapshot.json",
        "snapshot/alignments.csv",
        "snapshot/candidates.csv",
        "snapshot/comparison_sources.csv",
        "snapshot/comparisons.csv",
        "snapshot/contracts.csv",
        "snapshot/facets.csv",
        "snapshot/groups.csv",
        "snapshot/judges.csv",
        "snapshot/results.csv",
    ]
    assert len(files["snapshot/results.csv"].splitlines()) == 25


def test_a_thousand_flips_in_its_files_are_each_named(small: Files) -> None:
    names = sorted(small)
    chance = random.Random(2)
    for place, bits in places(10**9):
        name = names[chance.randrange(len(names))]
        body = small[name] or b"\0"
        damaged = {**small, name: flipped(body, place % len(body), bits)}
        assert [fault.where for fault in verify_files(damaged)] == [name]


def test_a_thousand_flips_in_the_zip_are_each_named(small: Files) -> None:
    body = zipped(small)
    for place, bits in places(len(body)):
        faults = verify_zip(flipped(body, place, bits))
        assert faults, place
        assert {fault.where for fault in faults} & {*small, LIST}, (place, faults)


def test_a_flip_in_a_member_of_the_zip_names_that_member(small: Files) -> None:
    body = zipped(small)
    for name in small:
        if small[name]:
            start = body.index(name.encode() + small[name][:200]) + len(name)
            assert [fault.where for fault in verify_zip(flipped(body, start, 1))] == [name]


@pytest.mark.parametrize("damage", [lambda body: body[:-1], lambda body: body + b"x", lambda body: b"x" + body])
def test_a_cut_or_longer_zip_is_noticed(small: Files, damage: Any) -> None:
    assert verify_zip(damage(zipped(small)))


def test_a_missing_and_a_strange_file_are_named(small: Files) -> None:
    without = {name: body for name, body in small.items() if name != "policy.json"}
    assert [fault.where for fault in verify_files(without)] == ["policy.json"]
    assert [fault.where for fault in verify_files({**small, "more.txt": b"x"})] == ["more.txt"]
    assert [fault.where for fault in verify_files({"content.json": b"{}"})] == [MANIFEST]


# A forger who writes digests and manifest anew is found by the figures ----------------------------------------------


def forged(content: dict[str, Any], path: tuple[Any, ...], value: Any) -> Files:
    """Every hash is right; one figure is another."""
    copy: Any = canonical.plain(content)
    place = copy
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return human_evidence.bundle(copy, human_evidence.evidence())


@pytest.mark.parametrize(
    ("path", "value", "named"),
    [
        (("ranking", "rows", 2, "score"), 57.457642, "ranking.rows[2].score"),
        (("ranking", "rows", 0, "rank_high"), 5, "ranking.rows[0].rank_high"),
        (("ranking", "constants", 1, "sd"), "1", "ranking.constants[1].sd"),
        (("ranking", "fails_v3"), [], "ranking.fails_v3"),
        (("gate", "criteria", 9, "parts", 0, "observed"), 0.99, "gate.criteria[9].parts[0].observed"),
        (("policy", "thresholds", "headline_rows", "value"), 13, "gate.criteria[3].required"),
    ],
)
def test_a_moved_figure_is_named(content: dict[str, Any], path: tuple[Any, ...], value: Any, named: str) -> None:
    assert named in [fault.where for fault in verify_files(forged(content, path, value))]


def test_a_ranking_on_evidence_that_does_not_open_the_gate_is_named(content: dict[str, Any]) -> None:
    found = verify_files(forged(content, ("policy", "thresholds", "facet_tasks", "value"), 30))
    assert "ranking" in [fault.where for fault in found]


def test_other_evidence_behind_the_same_content_is_named(content: dict[str, Any]) -> None:
    found = human_evidence.evidence()
    fewer = human_evidence.bundle(content, replace(found, comparisons=found.comparisons[1:]))
    assert [fault.where for fault in verify_files(fewer)] == ["snapshot.json"]


@pytest.mark.parametrize("body", ["[]", "{}", '{"kind":"ranking"}'])
def test_a_content_that_is_none_is_a_fault_and_no_crash(body: str, files: Files) -> None:
    from ranking.bundle.archive import with_manifest
    from ranking.bundle.members import Named
    from ranking.identity import identifier, release_digest

    digest = release_digest("ranking", body)
    named = Named("c", "ranking", 1, identifier(digest, 1, ""), digest, "")
    found = verify_files(with_manifest(named, {"content.json": body.encode(), "snapshot.json": b"{}"}))
    assert [fault.where for fault in found] == ["content.json"]


# The same bytes everywhere ------------------------------------------------------------------------------------------


def digest_of(*arguments: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "tests.ranking.bundle.say_digests", *arguments],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    digest, django = done.stdout.split()
    assert django == "False"
    return digest


@pytest.mark.parametrize(
    ("arguments", "environment"),
    [
        ((), {"PYTHONHASHSEED": "1", "TZ": "Asia/Tokyo", "OPENBLAS_NUM_THREADS": "1"}),
        ((), {"PYTHONHASHSEED": "2", "TZ": "America/Lima", "OPENBLAS_NUM_THREADS": "2", "LC_ALL": "C"}),
        (("naive",), {}),
    ],
    ids=["one-thread", "two-threads", "evalica-in-python"],
)
def test_one_digest_whatever_the_process(files: Files, arguments: Any, environment: dict[str, str]) -> None:
    assert digest_of(*arguments, **environment) == sha256(zipped(files))


# The check as one file ----------------------------------------------------------------------------------------------


def check(program: Path, bundle: Path, directory: Path) -> subprocess.CompletedProcess[str]:
    """From a directory of its own, with nothing of Django importable."""
    blocked = "import sys, runpy; sys.modules['django'] = None; sys.argv = sys.argv[1:]"
    run = f"{blocked}; sys.path.insert(0, sys.argv[0]); runpy.run_path(sys.argv[0], run_name='__main__')"
    command = [sys.executable, "-c", run, str(program), str(bundle)]
    return subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)


def test_the_check_as_one_file_needs_no_django(files: Files, tmp_path: Path) -> None:
    program, good, bad = tmp_path / "check.pyz", tmp_path / "good.zip", tmp_path / "bad.zip"
    program.write_bytes(checker.content())
    good.write_bytes(zipped(files))
    bad.write_bytes(flipped(good.read_bytes(), 5000, 1))
    well, badly = check(program, good, tmp_path), check(program, bad, tmp_path)
    assert (well.returncode, well.stderr) == (0, "")
    assert well.stdout.startswith("Everything agrees")
    assert badly.returncode == 1
    assert "it cannot be read" in badly.stdout
    assert check(program, tmp_path / "none.zip", tmp_path).returncode == 2


def test_a_directory_of_the_extracted_files_is_checked_too(files: Files, tmp_path: Path) -> None:
    for name, body in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(body)
    assert verify(tmp_path) == []
    (tmp_path / "README.txt").write_bytes(b"changed")
    assert [fault.where for fault in verify(tmp_path)] == ["README.txt"]


def test_a_zip_read_back_is_what_was_written(files: Files) -> None:
    assert unzipped(zipped(files)) == (files, [])
