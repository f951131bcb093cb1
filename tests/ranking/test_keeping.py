"""A backup restored is the same site: evidence, releases, people and what the database refuses."""

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction

from ranking import snapshot
from ranking.canonical import digest
from ranking.models import Publication, Release
from registry import keeping
from registry.models import AuditEvent, Collection, Organization, Source
from tests.ranking.public import world


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A backup of the small world with a release; the database still holds it."""
    world.build()
    world.publish()
    file = tmp_path / "night.zip"
    call_command("backup", str(file))
    return file


def told() -> dict[str, Any]:
    """What must be equal afterwards."""
    return {
        "snapshots": [digest(snapshot.take(row)) for row in Collection.objects.order_by("slug")],
        "releases": list(Release.objects.order_by("pk").values_list("digest", "content")),
        "publications": list(Publication.objects.order_by("pk").values_list("identifier", "state")),
        "uploads": [(row.sha256, b"".join(row.chunks())) for row in Source.objects.order_by("pk")],
        "history": list(AuditEvent.objects.order_by("pk").values_list("pk", "verb", "object_key", "action_id")),
        "people": [
            (user.username, user.password, sorted(group.name for group in user.groups.all()))
            for user in User.objects.order_by("username")
        ],
    }


@pytest.mark.django_db(transaction=True)
def test_a_restored_database_says_the_same_and_refuses_the_same(kept: Path, editor: User) -> None:
    call_command("backup", str(kept))
    before = told()
    Organization.objects.create(key="later", name="Later")
    call_command("restore", str(kept), "--replace")
    assert told() == before
    assert not Organization.objects.filter(key="later").exists()
    assert User.objects.get(username="editor").has_perm("ranking.seal_release")
    assert not User.objects.get(username="editor").has_perm("ranking.publish_release")
    with pytest.raises(IntegrityError, match="sealed"), transaction.atomic():
        Release.objects.all()._raw_delete("default")
    # Numbers go on where they ended.
    assert Organization.objects.create(key="next", name="Next").pk == Organization.objects.latest("pk").pk


@pytest.mark.django_db
def test_a_database_that_holds_something_is_left_alone(kept: Path) -> None:
    before = told()
    with pytest.raises(CommandError, match="not empty") as caught:
        call_command("restore", str(kept))
    assert (caught.value.returncode, told()) == (1, before)


@pytest.mark.django_db
def test_a_new_installation_is_empty() -> None:
    assert keeping.is_empty()
    User.objects.create(username="somebody")
    assert not keeping.is_empty()


def rewritten(kept: Path, change: Any) -> Path:
    """A backup of which `change` makes another: it gets the manifest and a member's bytes."""
    with zipfile.ZipFile(kept) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(members[keeping.MANIFEST])
    change(manifest, members)
    members.setdefault(keeping.MANIFEST, b"")
    members[keeping.MANIFEST] = json.dumps(manifest).encode()
    other = kept.with_name("other.zip")
    with zipfile.ZipFile(other, "w") as archive:
        for name, body in members.items():
            archive.writestr(name, body)
    return other


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda manifest, members: members.update({"registry.edition.jsonl": b"{}"}), "damaged"),
        (lambda manifest, members: members.pop("registry.edition.jsonl"), "damaged"),
        (lambda manifest, members: manifest.update(format=99), "other-format"),
        (lambda manifest, members: manifest.pop("format"), "no-backup"),
        (lambda manifest, members: manifest["members"].pop("registry.edition"), "other-version"),
    ],
)
def test_what_is_no_whole_backup_is_refused_before_anything_is_done(kept: Path, change: Any, code: str) -> None:
    other = rewritten(kept, change)
    before = told()
    with pytest.raises(CommandError, match=rf"\({code}\)") as caught:
        call_command("restore", str(other), "--replace")
    assert (caught.value.returncode, told()) == (1, before)


@pytest.mark.django_db
def test_files_that_are_none(tmp_path: Path) -> None:
    text = tmp_path / "text.zip"
    text.write_text("no archive")
    for path, code in ((text, 1), (tmp_path / "none.zip", 2)):
        with pytest.raises(CommandError) as caught:
            call_command("restore", str(path), "--replace")
        assert caught.value.returncode == code
    with pytest.raises(CommandError) as caught:
        call_command("backup", str(tmp_path / "nowhere" / "night.zip"))
    assert caught.value.returncode == 2


@pytest.mark.django_db
def test_a_backup_is_for_its_owner_alone(kept: Path) -> None:
    assert kept.stat().st_mode & 0o777 == 0o600
    assert list(kept.parent.iterdir()) == [kept], "nothing half-written stays"
