"""People logged in at the desk, and a small registry for them."""

from collections.abc import Callable

import pytest
from django.test import Client

from registry.models import Collection, EvidenceMapping
from tests.ranking.public import world

Visitor = Callable[[str], Client]


@pytest.fixture
def as_(request: pytest.FixtureRequest) -> Visitor:
    """A browser in which somebody is logged in, by the name of their role: `as_("editor")`."""

    def logged_in(name: str) -> Client:
        client = Client()
        if name != "anonymous":
            client.force_login(request.getfixturevalue(name))
        return client

    return logged_in


@pytest.fixture
def collection(db: None) -> Collection:
    """The example category with its mapping, contracts and one result; nothing is public."""
    world.build()
    return Collection.objects.get(slug=world.SLUG)


@pytest.fixture
def mapping(collection: Collection) -> EvidenceMapping:
    return EvidenceMapping.objects.get(collection=collection)


@pytest.fixture
def live(collection: Collection) -> Collection:
    """The same with a live page."""
    world.publish()
    return collection
