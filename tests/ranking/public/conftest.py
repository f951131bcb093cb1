"""A site with two published categories, and a reader of it."""

from collections.abc import Callable

import pytest
from django.test import Client

from ranking.models import Publication
from tests.ranking.public import markup, ranked, world

Read = Callable[..., markup.Element]


@pytest.fixture
def site(db: None) -> None:
    world.build()
    world.publish()
    world.publish("self-service")


@pytest.fixture
def ranking(site: None) -> Publication:
    """The site, one category of which ranks."""
    return ranked.publish()


@pytest.fixture
def read(client: Client) -> Read:
    """A page, which must be there, as elements."""

    def read(address: str, status: int = 200) -> markup.Element:
        response = client.get(address)
        assert response.status_code == status, address
        return markup.read(response.content.decode())

    return read
