"""The example site: people, registry, imported data and first pages, made by the actions that people use."""

import secrets
from collections.abc import Iterator
from pathlib import Path

from django.contrib.auth.models import Group, User
from django.db import transaction

from ranking import registry_files
from ranking.actions import publish
from ranking.decisions import Publish, Seal
from ranking.models import Publication, Release
from ranking.models.releases import ReleaseKind
from registry import confirm, jobs
from registry.actions import imports
from registry.decisions import ApplyImport
from registry.importing.formats.archives import packed
from registry.models import Collection, ImportBatch, MappingProfile
from registry.vocabulary import BatchStatus

GROUPED = ("editor", "publisher", "viewer")
SUPERUSER = "admin"
REASON = "First page of the example registry."
FILES = (
    ("statebench/statebench_results.csv", "statebench"),
    ("statebench/statebench_withdrawn.csv", "statebench"),
    ("alpaca_eval/alpaca_eval_2_weighted_leaderboard_raw.csv", "alpaca-eval-2"),
    ("lmarena/lmarena_text.csv", "arena-text"),
    ("pairwise/llmfao.csv", "llmfao"),
    ("tau2_bench/submissions", "tau2-bench"),
)
"""Each with the mapping profile that reads it; a folder is imported as one file."""
RANKED = ("general-assistance-demo",)
"""Categories whose first page is a ranking, for which evidence status would only be in the way."""


def people(accounts: Path) -> dict[str, User]:
    """The example people; a password is made for each that does not exist yet and kept in `accounts`."""
    made = {name: secrets.token_urlsafe(12) for name in (*GROUPED, SUPERUSER) if not _exists(name)}
    with transaction.atomic():
        for name, password in made.items():
            _make(name, password)
        if made:
            _keep(accounts, made)
    return {name: User.objects.get(username=name) for name in (*GROUPED, SUPERUSER)}


def _exists(name: str) -> bool:
    return User.objects.filter(username=name).exists()


def _make(name: str, password: str) -> None:
    if name == SUPERUSER:
        User.objects.create_superuser(name, password=password)
        return
    user = User.objects.create_user(name, password=password, is_staff=True)
    user.groups.add(Group.objects.get(name=name))


def _keep(accounts: Path, made: dict[str, str]) -> None:
    """Readable by the owner alone, from the first byte."""
    accounts.touch(mode=0o600)
    known = accounts.read_text()
    accounts.write_text(known + "".join(f"{name} {password}\n" for name, password in made.items()))


def is_ready() -> bool:
    """Every collection has a page: nothing is left to do."""
    published = Publication.objects.values_list("collection", flat=True)
    return Collection.objects.exists() and not Collection.objects.exclude(pk__in=published).exists()


def prepare(people: dict[str, User], examples: Path) -> Iterator[str]:
    """Each step, told when it is done. Stopped in the middle, it goes on where it was."""
    editor, publisher = people["editor"], people["publisher"]
    written = registry_files.load(examples / "registry", by=editor, reason="The example registry.")
    yield f"Registry loaded: {sum(written.values())} records written."
    for name, profile in FILES:
        yield _import(examples / "data" / name, profile, editor)
    jobs.run_waiting()
    yield "Gates evaluated."
    for collection in Collection.objects.select_related("edition"):
        yield _publish(collection, editor, publisher)


def _import(file: Path, key: str, editor: User) -> str:
    if ImportBatch.objects.filter(source__filename=file.name, status=BatchStatus.APPLIED).exists():
        return f"{file.name} is imported already."
    profile = MappingProfile.objects.get(key=key)
    content = packed(file) if file.is_dir() else file.read_bytes()
    batch = imports.stage(content=content, filename=file.name, profile=profile, source_url="", by=editor)
    confirm.carry_out(ApplyImport(batch.pk), by=editor, reason="Example data.")
    return f"{file.name} imported: {batch.counts}."


def _publish(collection: Collection, editor: User, publisher: User) -> str:
    live = publish.live_of(collection)
    if live is not None:
        return f"{collection.slug} is published already."
    kind = ReleaseKind.RANKING if collection.slug in RANKED else ReleaseKind.STATUS
    release = Release.objects.get(pk=confirm.carry_out(Seal(collection.slug, kind.value), by=editor)["release"])
    confirm.carry_out(Publish(release.pk), by=publisher, typed=collection.slug, reason=REASON)
    jobs.run_waiting()
    return f"{collection.slug} ({kind.label}) sealed by {editor.username}, published by {publisher.username}."
