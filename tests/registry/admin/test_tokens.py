"""With REQUIRE_OTP, publishing takes a one-time password; setting one up, showing it, losing it."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.test import Client
from django_otp.oath import TOTP
from django_otp.plugins.otp_totp.models import TOTPDevice

from ranking.actions import publish, seal
from ranking.models import Publication
from registry import jobs
from registry.actions.base import permit
from registry.models import AuditEvent, Collection
from tests.desk import address, confirmed, text_of
from tests.registry.admin.conftest import Visitor

PAGE = "/admin/one-time-password/"
LOG_IN = "/admin/login/"


@pytest.fixture(autouse=True)
def _required(settings: Any) -> None:
    settings.REQUIRE_OTP = True


@pytest.fixture
def device(publisher: User) -> TOTPDevice:
    return TOTPDevice.objects.create(user=publisher, name="one-time password")


@pytest.fixture
def plan(collection: Collection, editor: User) -> str:
    return f"/admin/confirm/publish/?release={seal.seal(collection=collection, by=editor).pk}"


def token(device: TOTPDevice) -> str:
    """What the app shows now."""
    return f"{TOTP(device.bin_key, device.step, device.t0, device.digits, device.drift).token():06}"


def wrong(device: TOTPDevice) -> str:
    return f"{(int(token(device)) + 1) % 1_000_000:06}"


def log_in(client: Client, **typed: str) -> Any:
    return client.post(LOG_IN, {"username": "publisher", "password": "publisher"} | typed)


def test_a_password_alone_does_not_publish(as_: Visitor, plan: str) -> None:
    answer = as_("publisher").get(plan)
    assert (answer.status_code, "takes a one-time password" in text_of(answer)) == (403, True)
    assert f"{PAGE}?next=/admin/confirm/publish/%3Frelease" in answer.content.decode()


def test_setting_one_up_opens_the_way(as_: Visitor, plan: str, publisher: User) -> None:
    client = as_("publisher")
    page = client.get(PAGE, {"next": plan})
    device = TOTPDevice.objects.get(user=publisher)
    assert "segno" in page.content.decode()
    assert page.context["secret"] in text_of(page)
    answer = client.post(f"{PAGE}?next={plan}", {"token": token(device)})
    assert (answer.status_code, answer["Location"]) == (302, plan)
    answer = confirmed(client, client.get(plan), typed="customer-service", reason="It is time.")
    jobs.run_waiting()
    assert (answer.status_code, Publication.objects.count()) == (302, 1)
    assert "You have shown it" in text_of(client.get(PAGE))


def test_the_history_tells_of_it_without_the_secret(as_: Visitor, publisher: User) -> None:
    as_("publisher").get(PAGE)
    device = TOTPDevice.objects.get()
    as_("publisher").post(PAGE, {"token": token(device)})
    event = AuditEvent.objects.get(object_type="otp_totp.totpdevice")
    assert (event.by, event.verb, event.after) == ("publisher", "set-up-token", {"user": "publisher"})


def test_a_wrong_one_sets_nothing_up(as_: Visitor, publisher: User) -> None:
    client = as_("publisher")
    client.get(PAGE)
    device = TOTPDevice.objects.get()
    answer = client.post(PAGE, {"token": wrong(device)})
    device.refresh_from_db()
    assert (answer.status_code, device.confirmed, device.throttling_failure_count) == (200, False, 1)
    assert "not the present one-time password" in text_of(answer)
    assert not AuditEvent.objects.exists()


def test_the_secret_is_shown_only_until_it_is_set_up(as_: Visitor, device: TOTPDevice) -> None:
    page = as_("publisher").get(PAGE)
    assert "segno" not in page.content.decode()
    assert page.context["secret"] == ""


def test_whoever_has_one_logs_in_with_it(client: Client, device: TOTPDevice, plan: str) -> None:
    without = log_in(client)
    assert (without.status_code, "give it too" in text_of(without)) == (200, True)
    assert log_in(client, token=token(device)).status_code == 302
    assert client.get(plan).status_code == 200


def test_a_wrong_one_does_not_log_in(client: Client, device: TOTPDevice) -> None:
    assert log_in(client, token=wrong(device)).status_code == 200
    assert client.get("/admin/").status_code == 302


def test_one_is_not_used_twice(device: TOTPDevice) -> None:
    once = token(device)
    assert log_in(Client(), token=once).status_code == 302
    assert log_in(Client(), token=once).status_code == 200


def test_whoever_has_none_logs_in_and_reads(client: Client, publisher: User) -> None:
    assert log_in(client).status_code == 302
    assert client.get("/admin/").status_code == 200


def test_it_may_be_shown_later_in_the_session(as_: Visitor, device: TOTPDevice, plan: str) -> None:
    client = as_("publisher")
    assert client.get(plan).status_code == 403
    assert client.post(f"{PAGE}?next=//elsewhere.example/", {"token": token(device)})["Location"] == "/admin/"
    assert client.get(plan).status_code == 200


def test_editors_seal_without_one(as_: Visitor, collection: Collection) -> None:
    assert as_("editor").get("/admin/confirm/seal/?collection=customer-service").status_code == 200


def test_a_worker_publishes_for_whoever_was_asked(collection: Collection, editor: User, publisher: User) -> None:
    release = seal.seal(collection=collection, by=editor)
    wish = publish.answer(wish=publish.request(release=release, by=publisher, reason="Ready."))
    assert wish.state == "published"


def test_a_superuser_passes_no_rule_of_this(admin: User) -> None:
    admin.is_verified = lambda: False  # type: ignore[attr-defined]  # what the middleware puts there
    with pytest.raises(PermissionDenied, match="one-time password"):
        permit(admin, "ranking.publish_release")
    permit(admin, "ranking.seal_release")


def test_a_lost_one_is_revoked_by_a_superuser(as_: Visitor, device: TOTPDevice) -> None:
    assert as_("editor").post(address(device, "delete"), {"post": "yes"}).status_code == 403
    assert device.key not in as_("admin").get(address(device)).content.decode()
    assert as_("admin").post(address(device, "delete"), {"post": "yes"}).status_code == 302
    assert not TOTPDevice.objects.exists()
    event = AuditEvent.objects.get(verb="revoke-token")
    assert (event.by, event.before) == ("admin", {"user": "publisher"})


def test_where_it_is_not_required_nobody_is_asked(
    as_: Visitor, client: Client, device: TOTPDevice, plan: str, settings: Any
) -> None:
    settings.REQUIRE_OTP = False
    assert 'name="token"' not in client.get(LOG_IN).content.decode()
    assert log_in(client).status_code == 302
    assert as_("publisher").get(plan).status_code == 200
