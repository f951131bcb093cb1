"""The chain of publications, and bundles of evidence-status pages. Apart from the tests that share one transaction."""

import pytest
from django.db import connection

from ranking.bundle import releases
from tests.ranking.public import world as status


def behind_the_triggers(statement: str) -> None:
    """What only somebody with the database in their hands can do."""
    on = " ON ranking_release" if connection.vendor == "postgresql" else ""
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TRIGGER ranking_release_no_update{on}")
        cursor.execute(statement)


def test_a_status_page_without_headline_rows_is_checked_too(db: None) -> None:
    status.build()
    publication = status.publish()
    assert releases.faults(publication) == []
    assert str(status.SECRET).encode() not in releases.bundle(publication)


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("UPDATE ranking_release SET content = replace(content, 'Accurate', 'Accurat3')", "digest of its content"),
        ("UPDATE ranking_release SET digest = '0000' || substr(digest, 5)", "do not give its name"),
    ],
)
def test_the_chain_tells_what_was_changed_behind_it(db: None, statement: str, told: str) -> None:
    status.build()
    status.publish()
    assert list(releases.chain()) == []
    behind_the_triggers(statement)
    assert any(told in fault.message for fault in releases.chain())
