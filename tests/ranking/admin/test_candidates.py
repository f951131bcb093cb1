"""A sealed ranking before it is published: previewed at the desk, and seen by nobody else."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from ranking.actions import recompute
from ranking.models import PresentGate, Release
from registry.models import Collection
from tests.desk import address, text_of
from tests.ranking.public import ranked
from tests.registry.admin.conftest import Visitor

LEADER, SCORE = "Vega 3", "61.5"


@pytest.fixture
def candidate(live: Collection) -> Release:
    """A ranking sealed after the live evidence status."""
    return ranked.seal(live.slug)


def preview(release: Release) -> str:
    return reverse("admin:ranking_release_preview", args=(release.pk,))


@pytest.mark.parametrize("name", ["editor", "publisher", "viewer"])
def test_a_candidate_is_shown_as_the_page_it_will_be(as_: Visitor, candidate: Release, name: str) -> None:
    page = as_(name).get(preview(candidate))
    said = text_of(page)
    assert f"Not published: candidate {candidate.digest[:12]} as it was sealed by editor" in said
    assert LEADER in said
    assert SCORE in said
    assert "Compared with number 1, which is live." in said
    assert "aster/vega-3@max not ranked 1 to 3" in said
    assert "no-store" in page["Cache-Control"]
    assert '<meta name="robots" content="noindex, nofollow">' in page.content.decode()


def test_the_desk_leads_there(as_: Visitor, candidate: Release, live: Collection) -> None:
    for record in (live, candidate):
        assert preview(candidate) in as_("editor").get(address(record)).content.decode()
    assert "waits for a publisher: ranking" in text_of(as_("publisher").get(address(live)))


def test_nobody_else_sees_it(as_: Visitor, candidate: Release, live: Collection, db: None) -> None:
    User.objects.create_user("stranger", password="stranger", is_staff=True)
    stranger = Client()
    stranger.force_login(User.objects.get(username="stranger"))
    assert stranger.get(preview(candidate)).status_code == 403
    assert as_("anonymous").get(preview(candidate)).status_code == 302
    assert LEADER not in text_of(as_("anonymous").get(f"/categories/{live.slug}/"))
    assert as_("editor").get(preview(Release(pk=candidate.pk + 1))).status_code == 404


def test_a_ranking_is_offered_for_sealing_where_the_gate_is_open(as_: Visitor, collection: Collection) -> None:
    evaluation = recompute.recompute(collection=collection)
    assert evaluation.verdict == "closed"
    assert "Seal a ranking…" not in text_of(as_("editor").get(address(collection)))
    policy = evaluation.policy
    policy.pk, policy.version, policy.state = None, 2, "retired"
    policy.save(force_insert=True)
    evaluation.pk, evaluation.verdict, evaluation.policy = None, "open", policy
    evaluation.save(force_insert=True)
    PresentGate.objects.update(evaluation=evaluation)
    assert "Seal a ranking…" in text_of(as_("editor").get(address(collection)))
    assert "Seal a ranking…" not in text_of(as_("publisher").get(address(collection)))
