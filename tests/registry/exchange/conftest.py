from pathlib import Path

import pytest
from django.contrib.auth.models import Group, User

from tests.registry.exchange.sample import FILES, write


@pytest.fixture
def editor(db: None) -> User:
    user = User.objects.create_user("ada")
    user.groups.add(Group.objects.get(name="editor"))
    return user


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return write(tmp_path / "files", FILES)
