"""An old internal grade beside a saved output is never public and can never be counted: no path leads to it."""

import ast
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.test import Client

from ranking import canonical, content, gate, snapshot
from ranking.actions import seal
from ranking.policies import in_force, values
from registry.actions import curate
from registry.models import Collection, Configuration, SampleOutput, Task
from tests.crawl import crawl
from tests.ranking.public import world

ROOT = Path(settings.BASE_DIR)
GRADE = 0.86753094
# Only who keeps the record knows the grade: its model and what migrates it.
MAY_KNOW = {"registry/models/evidence.py"}
# Only what illustrates a task reads saved outputs, besides what keeps, edits and carries the whole registry.
MAY_READ = {
    "ranking/records.py",
    "registry/admin/evidence.py",
    "registry/exchange/places.py",
    "registry/models/__init__.py",
}


def names(path: Path) -> set[str]:
    """Every identifier, attribute, keyword and text of a module that is not a docstring."""
    tree = ast.parse(path.read_text())
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            found.add(node.attr)
        elif isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.keyword | ast.alias):
            found.add(str(node.arg if isinstance(node, ast.keyword) else node.name))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            found |= set(node.value.replace("__", " ").replace(".", " ").split())
    return found


def modules_naming(*words: str) -> set[str]:
    return {
        str(path.relative_to(ROOT))
        for package in ("registry", "ranking", "config")
        for path in (ROOT / package).rglob("*.py")
        if "migrations" not in path.parts and names(path) & set(words)
    }


def test_no_module_but_its_model_knows_the_grade() -> None:
    assert modules_naming("retired_grade") == MAY_KNOW
    templates = [path for path in (ROOT / "templates").rglob("*") if path.is_file()]
    assert templates
    assert not [path for path in templates if "retired_grade" in path.read_text()]


def test_saved_outputs_are_read_where_they_illustrate_and_nowhere_else() -> None:
    """`samples` is the way to them from a task or a configuration."""
    assert modules_naming("SampleOutput") == MAY_READ
    reading = modules_naming("samples") - MAY_READ
    # The last two say in words what two sealed pages show of them.
    pages = {"ranking/api/shapes/taxonomy.py", "ranking/otherwise.py", "ranking/public/words.py"}
    assert {path for path in reading if path.startswith("ranking/")} <= pages


@pytest.fixture
def samples(db: None, editor: User) -> list[SampleOutput]:
    """Every configuration has a graded output for every task."""
    world.build()
    saved = [
        SampleOutput(task=task, configuration=configuration, text=f"Output on {task.key}.", retired_grade=GRADE)
        for task in Task.objects.filter(facet__collection__slug=world.SLUG)
        for configuration in Configuration.objects.all()
    ]
    return [curate.save(obj=sample, by=editor) for sample in saved]


def told(collection: Collection) -> tuple[str, str, str]:
    """Snapshot, gate and page as they are now."""
    evidence, policy = snapshot.take(collection), in_force(collection)
    answer = gate.evaluate(evidence, values(policy))
    page = content.status_content(collection, evidence, policy, answer)
    return canonical.text(evidence), canonical.text(answer), canonical.text(page)


def test_a_grade_moves_neither_snapshot_nor_gate_nor_page(samples: list[SampleOutput], editor: User) -> None:
    collection = Collection.objects.select_related("edition").get(slug=world.SLUG)
    before = told(collection)
    assert "Output on" in before[2]
    for sample, grade in zip(samples, [0.0, 1e6, None, *[GRADE] * len(samples)], strict=False):
        sample.retired_grade = grade
        curate.save(obj=sample, by=editor)
    assert told(collection) == before


def test_saved_outputs_move_neither_snapshot_nor_gate(samples: list[SampleOutput], editor: User) -> None:
    collection = Collection.objects.select_related("edition").get(slug=world.SLUG)
    before = told(collection)
    for sample in samples:
        curate.remove(obj=sample, by=editor)
    after = told(collection)
    assert after[:2] == before[:2]
    assert "Output on" not in after[2]


def test_no_public_byte_holds_a_grade_or_whose_output_it_is(
    samples: list[SampleOutput], publisher: User, editor: User, client: Client
) -> None:
    from ranking.actions import publish

    collection = Collection.objects.get(slug=world.SLUG)
    release = seal.seal(collection=collection, by=editor)
    publish.answer(wish=publish.request(release=release, by=publisher, reason="First."))
    pages = list(crawl(client))
    shown = [page.path for page in pages if f"Output on {samples[0].task.key}." in page.text]
    assert f"/categories/{world.SLUG}/{samples[0].task.facet.slug}/" in shown
    for page in pages:
        text = page.text
        assert "86753" not in text, page.path
        assert "retired" not in text or "retired_grade" not in text, page.path
        assert world.MODEL not in text, page.path


def test_a_grade_that_is_no_number_is_refused_by_the_database(samples: list[SampleOutput]) -> None:
    samples[0].retired_grade = float("inf")
    with pytest.raises(IntegrityError), transaction.atomic():
        samples[0].save()
