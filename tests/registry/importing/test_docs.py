"""What docs/imports.md says about columns, patterns and case files is what the code does."""

import re

import pytest
import yaml

from registry.admin.profiles import EXAMPLE
from registry.importing.kinds import KINDS
from registry.importing.patterns import PATTERNS
from registry.importing.profiles import validate_spec
from registry.vocabulary import ImportKind
from tests.registry.importing.conftest import CASES, TESTS

DOCS = (TESTS.parent / "docs" / "imports.md").read_text()


def rows(heading: str) -> dict[str, list[str]]:
    """The rows of the tables under a heading that begin with a name in code."""
    section = DOCS.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    cells = [line.strip("|").split(" |") for line in section.splitlines() if line.startswith("| `")]
    return {row[0].strip("` "): [cell.strip() for cell in row[1:]] for row in cells}


@pytest.mark.parametrize("kind", KINDS)
def test_every_column_is_explained_with_its_limit(kind: str) -> None:
    told = rows(f"{kind}.csv")
    assert list(told) == list(KINDS[kind].columns)
    for name, column in KINDS[kind].columns.items():
        assert told[name][1:] == [column.help, str(column.limit or "")]


@pytest.mark.parametrize("name", KINDS[ImportKind.COMPARISONS].own.header.needs)
def test_a_required_column_is_said_to_be(name: str) -> None:
    assert rows("comparisons.csv")[name][0] == "required"


def test_every_pattern_is_explained() -> None:
    for name, pattern in PATTERNS.items():
        parts, told = rows("Mapping profiles")[name]
        assert re.findall("`([a-z]+)`", parts) == list(pattern.parts)
        assert told == pattern.help


@pytest.mark.parametrize("file", ["outcomes.yaml", "outcomes_comparisons.yaml"])
def test_every_case_file_is_listed_with_its_outcome(file: str) -> None:
    outcomes = yaml.safe_load((CASES / file).read_text())
    for name, outcome in outcomes.items():
        shows, code, _, stored, told = rows("What the case files give")[name]
        assert (shows, int(code)) == (outcome["shows"], outcome["exit"])
        assert stored == f"{outcome['stored']} / {outcome['stored_in_quarantine']}"
        assert set(re.findall("`([a-z-]+)`", told)) == {reason for _, _, reason in outcome.get("problems", [])}


def test_the_example_profile_is_one() -> None:
    (example,) = re.findall(r"```yaml\n(.*?)```", DOCS, flags=re.DOTALL)
    (profile,) = yaml.safe_load(example)
    validate_spec(profile["spec"])
    assert yaml.safe_load(EXAMPLE) == profile["spec"]
