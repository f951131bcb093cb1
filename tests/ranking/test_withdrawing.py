"""A withdrawal leaves a tombstone, once, by the right person, and the chain goes on after it."""

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.core.management import CommandError, call_command
from django.test import Client

from ranking.actions import withdraw
from ranking.decisions import Withdraw
from ranking.models import Publication, Release
from registry import confirm
from registry.actions.base import Refused
from registry.models import AuditEvent, Facet
from tests.ranking.public import world


@pytest.fixture
def live(db: None) -> Publication:
    world.build()
    return world.publish()


def test_a_tombstone_tells_who_when_and_why(live: Publication, publisher: User, client: Client) -> None:
    gone = withdraw.withdraw(publication=live, by=publisher, reason="The table was wrong.")
    assert (gone.state, gone.withdrawn_by, gone.withdrawal_reason) == ("withdrawn", "publisher", "The table was wrong.")
    for address in (f"/categories/{world.SLUG}/", f"/releases/{live.identifier[:12]}/"):
        answer = client.get(address)
        assert (answer.status_code, "The table was wrong." in answer.content.decode()) == (410, True)
    assert AuditEvent.objects.filter(verb="withdraw", by="publisher").count() == 1


@pytest.mark.parametrize("name", ["viewer", "editor"])
def test_only_a_publisher_withdraws(live: Publication, name: str, request: pytest.FixtureRequest) -> None:
    with pytest.raises(PermissionDenied):
        withdraw.withdraw(publication=live, by=request.getfixturevalue(name), reason="No.")


def test_it_happens_once_and_with_a_reason(live: Publication, publisher: User) -> None:
    with pytest.raises(Refused, match="Say why"):
        withdraw.withdraw(publication=live, by=publisher, reason=" ")
    withdraw.withdraw(publication=live, by=publisher, reason="Wrong.")
    with pytest.raises(Refused) as again:
        withdraw.withdraw(publication=live, by=publisher, reason="Wrong.")
    assert again.value.code == "not-live"


def test_nobody_withdraws_a_ranking_they_sealed(live: Publication, admin: User) -> None:
    sealed = live.release
    ranking = Release.objects.create(
        kind="overall", content="{}", digest="1" * 64, sealed_by=admin.username, sealed_at=sealed.sealed_at
    )
    overall = Publication.objects.create(
        release=ranking,
        number=1,
        identifier="2" * 64,
        published_by="publisher",
        published_at=sealed.sealed_at,
        reason="First.",
    )
    with pytest.raises(Refused) as refused:
        withdraw.withdraw(publication=overall, by=admin, reason="Mine.")
    assert refused.value.code == "own-seal"


def test_the_next_release_follows_the_withdrawn_one(live: Publication, publisher: User) -> None:
    withdraw.withdraw(publication=live, by=publisher, reason="Wrong.")
    Facet.objects.filter(collection__slug=world.SLUG, slug="de-escalation").update(title="Calming down")
    second = world.publish()
    assert (second.number, second.predecessor_id, second.state) == (2, live.pk, "live")


def test_the_confirm_page_names_what_goes_and_asks_for_slug_and_reason(live: Publication, publisher: User) -> None:
    decision = Withdraw(live.pk)
    assert confirm.plan(decision, publisher).total == "14 public pages would go."
    with pytest.raises(Refused, match="Type customer-service"):
        confirm.carry_out(decision, by=publisher, reason="Wrong.")
    confirm.carry_out(decision, by=publisher, typed=world.SLUG, reason="Wrong.")
    with pytest.raises(Refused, match="not live"):
        confirm.plan(decision, publisher)


def test_what_another_category_speaks_of_too_stays(live: Publication, publisher: User) -> None:
    world.publish("self-service")
    plan = confirm.plan(Withdraw(live.pk), publisher)
    pages = next(part.rows for part in plan.consequences if part.heading == "Each page")
    assert ("/categories/customer-service/", "live", "gone, with the reason") in pages
    assert (f"/lineages/{world.LINEAGE}/", "live", "without this category") in pages


def test_the_command(live: Publication, publisher: User) -> None:
    call_command("withdraw", world.SLUG, confirm=world.SLUG, by="publisher", reason="Wrong.")
    with pytest.raises(CommandError, match="no live page"):
        call_command("withdraw", world.SLUG, confirm=world.SLUG, by="publisher", reason="Wrong.")
