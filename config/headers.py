"""Response headers Django has no setting for, and who is asking."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

# Nothing here uses a device or follows anyone.
POLICY = ", ".join(
    f"{feature}=()"
    for feature in ["browsing-topics", "camera", "display-capture", "geolocation", "microphone", "payment", "usb"]
)


def permissions_policy(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        response.headers.setdefault("Permissions-Policy", POLICY)
        return response

    return respond


def client_address(request: HttpRequest) -> str:
    """The address that log-in attempts count against: the API's rule (NUM_PROXIES), so that there is one."""
    return BaseThrottle().get_ident(Request(request)) or ""
