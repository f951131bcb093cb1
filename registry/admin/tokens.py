"""The page where people set up their one-time password, or show that they have it."""

import base64
from typing import Any, cast

import segno
from django import forms
from django.conf import settings
from django.contrib import admin
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.models import AbstractUser
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.safestring import SafeString, mark_safe
from django_otp import login, match_token, user_has_device
from django_otp.plugins.otp_totp.models import TOTPDevice

from registry.actions import tokens
from registry.actions.base import Refused

MISSING = "You have set up a one-time password: give it too."
WRONG = "That is not the present one-time password. Wait for the next one and try again."


class TokenField(forms.CharField):
    widget = forms.TextInput(attrs={"autocomplete": "one-time-code", "inputmode": "numeric"})


class TokenForm(forms.Form):
    token = TokenField(label="One-time password", max_length=12)


class TokenLoginForm(AdminAuthenticationForm):
    """Asks for the one-time password of people who have set one up, where the installation wants it."""

    token = TokenField(label="One-time password", required=False, max_length=12)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not settings.REQUIRE_OTP:
            del self.fields["token"]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean()
        user = self.get_user()
        if settings.REQUIRE_OTP and user_has_device(user):
            # django-otp's log-in reads it there
            cast("Any", user).otp_device = self._device(user, cleaned.get("token", ""))
        return cleaned

    def _device(self, user: Any, token: str) -> Any:
        """A field left empty is no failed try: those make the next one wait."""
        device = match_token(user, token) if token else None
        if device is None:
            raise forms.ValidationError(WRONG if token else MISSING, code="bad-token")
        return device


def page(request: HttpRequest) -> HttpResponse:
    by = cast("AbstractUser", request.user)
    device = None if user_has_device(by) else tokens.prepare(by=by)
    form = TokenForm(request.POST or None)
    if form.is_valid():
        try:
            login(request, _proven(by, device, form.cleaned_data["token"]))
            return HttpResponseRedirect(_next(request))
        except Refused as refusal:
            form.add_error("token", refusal.sentence)
    context = {
        **admin.site.each_context(request),
        "title": "One-time password",
        "form": form,
        "device": device,
        "code": _code(device) if device else "",
        "secret": _secret(device) if device else "",
        "verified": cast("Any", by).is_verified(),
        "next": request.GET.get("next", ""),
    }
    return TemplateResponse(request, "admin/token.html", context)


def _proven(by: AbstractUser, device: TOTPDevice | None, token: str) -> TOTPDevice:
    if device is not None:
        return tokens.confirm(by=by, token=token)
    known = match_token(by, token)
    if known is None:
        raise Refused("bad-token", WRONG)
    return known


def _code(device: TOTPDevice) -> SafeString:
    """The secret for an app's camera. Black on white whatever the page, or cameras do not read it."""
    drawn = segno.make(device.config_url).svg_inline(scale=5, border=4, light="#fff", dark="#000")
    return mark_safe(drawn)  # noqa: S308  drawn here, from paths alone


def _secret(device: TOTPDevice) -> str:
    """The same to be typed."""
    return base64.b32encode(device.bin_key).decode().rstrip("=")


def _next(request: HttpRequest) -> str:
    wanted = request.GET.get("next", "")
    safe = url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure())
    return wanted if safe else reverse("admin:index")
