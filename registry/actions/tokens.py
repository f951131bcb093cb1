"""One-time passwords: everybody sets up their own; a superuser revokes a lost one."""

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django_otp.plugins.otp_totp.models import TOTPDevice

from registry import audit
from registry.actions.base import Refused, action

NAME = "one-time password"


def prepare(*, by: AbstractUser) -> TOTPDevice:
    """The secret to set up; the same one until it is confirmed."""
    device, _ = TOTPDevice.objects.get_or_create(user=by, confirmed=False, defaults={"name": NAME})
    return device


def confirm(*, by: AbstractUser, token: str) -> TOTPDevice:
    """Set up for good, once the other side has shown that it knows the secret. The secret stays out of the history."""
    with transaction.atomic():
        device = TOTPDevice.objects.select_for_update().filter(user=by, confirmed=False).first()
        proven = device is not None and device.verify_token(token)
        if device is not None and proven:
            device.confirmed = True
            device.save(update_fields=("confirmed",))
            audit.record("set-up-token", device, by=by, after={"user": by.get_username()})
    # Outside, because a refusal must not take back the count of failures.
    if device is None or not proven:
        raise Refused("bad-token", "That is not the present one-time password. Wait for the next one and try again.")
    return device


@action("otp_totp.delete_totpdevice")
def revoke(*, device: TOTPDevice, by: AbstractUser) -> None:
    """The person sets up a new one."""
    audit.record("revoke-token", device, by=by, before={"user": device.user.get_username()})
    device.delete()
