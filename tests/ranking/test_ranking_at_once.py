"""Several people at once. Apart from the other tests of rankings, which share one transaction."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from ranking.actions import seal
from ranking.decisions import Publish
from ranking.models import Publication
from registry import confirm, jobs
from registry.models import AuditEvent
from tests.ranking import human_world as world


@pytest.mark.django_db(transaction=True)
def test_eight_posts_at_once_publish_a_ranking_once() -> None:
    collection = world.build()
    release = seal.seal(collection=collection, by=world.person("sealer"), kind="ranking")
    by, decision = world.person("presser"), Publish(release.pk)
    signed = confirm.Ticket.issue(decision, confirm.plan(decision, by), by)

    def post(_: int) -> Any:
        try:
            outcome = confirm.confirm(signed, by=by, typed=world.SLUG, reason="Ready.")
            jobs.run_waiting()
            return outcome["request"]
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(post, range(8)))) == 1
    assert list(Publication.objects.values_list("number", "state")) == [(1, "live")]
    assert AuditEvent.objects.filter(verb="publish").count() == 1
