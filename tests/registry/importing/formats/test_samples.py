"""Every file of other people that the project carries, and what docs/imports.md says of each."""

import re

import pytest

from registry.importing.formats import FORMATS, recognised
from registry.importing.problems import NotATable, Unreadable
from tests.registry.importing.formats.conftest import ROOT, SAMPLES, content_of

DOCS = (ROOT / "docs" / "imports.md").read_text()
# Where the documents name a folder, they do not name its files as well, unless one is refused.
FOLDERS = tuple(f"{path}/" for path in SAMPLES if (ROOT / path).is_dir() and path != "tests/data/formats/helm")


@pytest.mark.parametrize("path", SAMPLES)
def test_a_sample_is_recognised_and_gives_its_records(path: str) -> None:
    expected, content = SAMPLES[path], content_of(ROOT / path)
    found = recognised(path.rpartition("/")[2], content)
    assert found.key == expected["format"]
    if "refused" in expected:
        with pytest.raises((NotATable, Unreadable)) as caught:
            found.read(content, "")
        assert expected["refused"] in str(caught.value)
        return
    table = found.read(content, "")
    records = list(table)
    assert len(records) == expected["records"]
    assert records == list(table), "again each time"
    assert {len(record.cells) for record in records} == {len(table.header)}
    if found.columns:
        assert table.header == list(found.columns)


def test_no_sample_is_left_out() -> None:
    kept = [*(ROOT / "examples" / "data").rglob("*"), *(ROOT / "tests" / "data" / "formats").rglob("*")]
    files = {
        str(path.relative_to(ROOT)) for path in kept if path.is_file() and path.name not in ("README.md", "LICENSE")
    }
    assert files == {path for path in SAMPLES if (ROOT / path).is_file()}


def told_of(heading: str) -> dict[str, list[str]]:
    section = DOCS.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    lines = [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| `")]
    return {cells[0].strip("`"): cells[1:] for cells in lines}


def test_the_documents_list_every_sample_with_its_records() -> None:
    told = told_of("What the samples give")
    listed = {path for path in SAMPLES if "refused" in SAMPLES[path] or not path.startswith(FOLDERS)}
    assert told.keys() == listed
    for path, (key, records, shows) in told.items():
        expected = SAMPLES[path]
        assert key.strip("`") == expected["format"]
        assert records == str(expected.get("records", f"none: {expected.get('refused')}"))
        assert shows == expected["shows"]


def test_the_documents_list_every_format_with_its_columns() -> None:
    told = told_of("Formats")
    assert list(told) == list(FORMATS)
    for key, cells in told.items():
        assert re.findall("`([a-z_0-9]+)`", cells[-1]) == list(FORMATS[key].columns[2:])
