"""What docs/imports.md says about columns, patterns and case files is what the code does."""

import re

import yaml

from registry.importing.patterns import PATTERNS
from registry.importing.profiles import validate_spec
from registry.importing.resources import COLUMNS
from tests.registry.importing.conftest import CASES, TESTS

DOCS = (TESTS.parent / "docs" / "imports.md").read_text()
TABLE = {row[0].strip("` "): [cell.strip() for cell in row[1:]] for line in DOCS.splitlines()
         if line.startswith("| `") for row in [line.strip("|").split(" |")]}  # fmt: skip


def test_every_column_is_explained_with_its_limit() -> None:
    for name, column in COLUMNS.items():
        _, told, limit = TABLE[name]
        assert told == column.help
        assert limit == str(column.limit or "")


def test_every_pattern_is_explained() -> None:
    for name, pattern in PATTERNS.items():
        parts, told = TABLE[name]
        assert re.findall("`([a-z]+)`", parts) == list(pattern.parts)
        assert told == pattern.help


def test_every_case_file_is_listed_with_its_outcome() -> None:
    outcomes = yaml.safe_load((CASES / "outcomes.yaml").read_text())
    for name, outcome in outcomes.items():
        shows, code, _, stored, told = TABLE[name]
        assert (shows, int(code)) == (outcome["shows"], outcome["exit"])
        assert stored == f"{outcome['stored']} / {outcome['stored_in_quarantine']}"
        assert set(re.findall("`([a-z-]+)`", told)) == {reason for _, _, reason in outcome.get("problems", [])}


def test_the_example_profile_is_one() -> None:
    (example,) = re.findall(r"```yaml\n(.*?)```", DOCS, flags=re.DOTALL)
    (profile,) = yaml.safe_load(example)
    validate_spec(profile["spec"])
