"""A confirmation is carried out once, by the person who opened the page, on the plan that was shown."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, ClassVar

import pytest
import time_machine
from django.contrib.auth.models import AbstractUser, User
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.utils import timezone

from registry import confirm
from registry.actions.base import Refused
from registry.confirm import Decision, Plan, Stale, Ticket
from registry.models import Confirmation, Edition


@dataclass(frozen=True)
class Rename(Decision):
    """Renames an edition: a decision as small as they come."""

    name: ClassVar[str] = "test-rename"
    level: ClassVar[int] = 2
    permission: ClassVar[str] = "registry.change_edition"

    edition: str
    title: str

    @property
    def object_key(self) -> str:
        return self.edition

    def lock(self) -> None:
        Edition.objects.select_for_update().get(key=self.edition)

    def plan(self, by: AbstractUser) -> Plan:
        edition = Edition.objects.get(key=self.edition)
        if edition.title == "final":
            raise Refused("final", "It is final.")
        return Plan("Rename", self.edition, "1 edition", (), "", "", {"title": edition.title, "version": (1, 2)})

    def execute(self, by: AbstractUser, reason: str) -> confirm.Outcome:
        Edition.objects.filter(key=self.edition).update(title=self.title)
        Confirmed.count += 1
        return {"message": f"Renamed because {reason}"}


class Confirmed:
    count = 0


@pytest.fixture(autouse=True)
def _registered() -> Iterator[None]:
    Confirmed.count = 0
    confirm.decision(Rename)
    yield
    del confirm._decisions[Rename.name]


@pytest.fixture
def ticket(editor: User) -> str:
    Edition.objects.create(key="v3", title="old")
    rename = Rename("v3", "new")
    return Ticket.issue(rename, confirm.plan(rename, editor), editor)


def title() -> str:
    return Edition.objects.get(key="v3").title


def test_a_confirmed_plan_is_carried_out_and_kept(ticket: str, editor: User) -> None:
    outcome = confirm.confirm(ticket, by=editor, typed="v3", reason="clearer")
    row = Confirmation.objects.get()
    assert (title(), outcome) == ("new", {"message": "Renamed because clearer"})
    assert (row.action, row.object_key, row.by, row.reason) == ("test-rename", "v3", "editor", "clearer")


def test_a_second_post_reports_the_first_outcome_and_does_nothing(ticket: str, editor: User) -> None:
    confirm.confirm(ticket, by=editor, typed="v3", reason="clearer")
    again = confirm.confirm(ticket, by=editor, typed="", reason="")
    assert (again, Confirmed.count) == ({"message": "Renamed because clearer", "repeated": True}, 1)


def test_a_stale_plan_is_refused_with_what_changed(ticket: str, editor: User) -> None:
    Edition.objects.update(title="other")
    with pytest.raises(Stale) as refused:
        confirm.confirm(ticket, by=editor, typed="v3", reason="clearer")
    assert refused.value.changed == [("title", "old", "other")]
    assert (Confirmed.count, Confirmation.objects.count()) == (0, 0)


@pytest.mark.parametrize(
    ("typed", "reason", "code"),
    [
        *(("v4", "clearer", "not-typed"), ("v3", "  ", "no-reason")),
        *(("v3", f"clear{hidden}er", "not-text") for hidden in "\0\x08\x1b\u202e"),
    ],
)
def test_level_two_asks_for_the_slug_and_a_reason(
    ticket: str, editor: User, typed: str, reason: str, code: str
) -> None:
    with pytest.raises(Refused) as refused:
        confirm.confirm(ticket, by=editor, typed=typed, reason=reason)
    assert (refused.value.code, title()) == (code, "old")


def test_state_is_checked_again_under_the_lock(ticket: str, editor: User) -> None:
    Edition.objects.update(title="final")
    with pytest.raises(Refused, match="It is final"):
        confirm.confirm(ticket, by=editor, typed="v3", reason="clearer")


def test_permission_is_checked_again(ticket: str, editor: User) -> None:
    editor.groups.clear()
    with pytest.raises(PermissionDenied):
        confirm.confirm(ticket, by=User.objects.get(pk=editor.pk), typed="v3", reason="clearer")


def test_a_page_belongs_to_who_opened_it(ticket: str, admin: User) -> None:
    with pytest.raises(Refused, match="opened by editor"):
        confirm.confirm(ticket, by=admin, typed="v3", reason="clearer")


@pytest.mark.parametrize("forged", ["", "x", "a:b:c"])
def test_a_forged_ticket_is_refused(forged: str, editor: User) -> None:
    with pytest.raises(Refused, match="too old or was altered"):
        confirm.confirm(forged, by=editor)


def test_an_old_ticket_is_refused(ticket: str, editor: User) -> None:
    with (
        time_machine.travel(timezone.now() + timedelta(seconds=confirm.TICKET_SECONDS + 60)),
        pytest.raises(Refused, match="too old"),
    ):
        confirm.confirm(ticket, by=editor, typed="v3", reason="clearer")


@pytest.mark.parametrize("parameters", [{}, {"edition": "v3"}, {"edition": "v3", "title": "x", "more": 1}])
def test_a_decision_with_other_parameters_does_not_exist(parameters: dict[str, Any]) -> None:
    with pytest.raises(Refused, match="no decision"):
        confirm.make("test-rename", parameters)


def test_a_command_carries_it_out_under_the_same_rules(ticket: str, editor: User, viewer: User) -> None:
    with pytest.raises(PermissionDenied):
        confirm.carry_out(Rename("v3", "new"), by=viewer, typed="v3", reason="clearer")
    with pytest.raises(Refused, match="Type v3"):
        confirm.carry_out(Rename("v3", "new"), by=editor, reason="clearer")
    confirm.carry_out(Rename("v3", "new"), by=editor, typed="v3", reason="clearer")
    assert title() == "new"


@pytest.mark.django_db(transaction=True)
def test_eight_posts_of_one_page_at_once_do_it_once(ticket: str, editor: User) -> None:
    def post(_: int) -> confirm.Outcome:
        try:
            return confirm.confirm(ticket, by=editor, typed="v3", reason="clearer")
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        outcomes = list(pool.map(post, range(8)))
    assert Confirmed.count == 1
    assert [outcome["message"] for outcome in outcomes] == ["Renamed because clearer"] * 8
    assert sorted(outcome.get("repeated", False) for outcome in outcomes) == [False] + [True] * 7


def test_a_rehearsal_leaves_nothing_behind(ticket: str, editor: User) -> None:
    confirm.rehearse(lambda: Edition.objects.update(title="rehearsed"), [])
    assert title() == "old"
