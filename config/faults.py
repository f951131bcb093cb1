"""What is answered when something could not be done for a reason that is no view's."""

import sys
from collections.abc import Callable

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render

RETRY_SECONDS = 5
API = "/api/"
DESK = "/admin/"
FORMS = "application/x-www-form-urlencoded"

_TOLD = {
    500: ("Error", "Something went wrong on our side; the fault is recorded."),
    503: ("Busy", "The database is busy; ask again in a few seconds."),
}


def fault(request: HttpRequest) -> HttpResponse:
    """Django's handler of unhandled errors: a database that is busy or away is 503, anything else 500."""
    busy = isinstance(sys.exc_info()[1], OperationalError)
    status = 503 if busy else 500
    if request.path.startswith(API):
        response: HttpResponse = _problem(status, *_TOLD[status])
    else:
        response = render(request, f"{status}.html", status=status)
    if busy:
        response.headers["Retry-After"] = str(RETRY_SECONDS)
    return response


def refuse_unreadable(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: what no view can read is told as such before one tries.

    A form in another charset than UTF-8 is refused by whoever reads it first, the page that says so included; a NUL is
    a text that no PostgreSQL can compare with. What the public asks for is found in releases, and says itself what is
    not there.
    """

    def respond(request: HttpRequest) -> HttpResponseBase:
        charset = (request.content_params or {}).get("charset", "utf-8").lower()
        if request.content_type == FORMS and charset != "utf-8":
            return unreadable(request, "A form comes in UTF-8.")
        asked = request.GET.lists() if request.path.startswith(DESK) else ()
        if any("\0" in text for _, texts in asked for text in texts):
            return unreadable(request, "The address holds a NUL, which no text has.")
        return get_response(request)

    return respond


def malformed(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler of requests that it cannot read: what is too much says how much may be sent, and where else."""
    return unreadable(request, next((told for kind, told in _TOO_MUCH.items() if isinstance(exception, kind)), ""))


_TOO_MUCH: dict[type[Exception], str] = {
    RequestDataTooBig: f"A form takes {settings.DATA_UPLOAD_MAX_MEMORY_SIZE // 2**20} MB of text; "
    "upload what is longer as a file.",
    TooManyFieldsSent: f"A form takes {settings.DATA_UPLOAD_MAX_NUMBER_FIELDS:,} fields; send it in parts.",
    TooManyFilesSent: f"A form takes {settings.DATA_UPLOAD_MAX_NUMBER_FILES} files at a time.",
}


def unreadable(request: HttpRequest, told: str) -> HttpResponse:
    if request.path.startswith(API):
        return _problem(400, "Bad request", told or "The request could not be understood.")
    return render(request, "400.html", {"told": told}, status=400)


def _problem(status: int, title: str, detail: str) -> JsonResponse:
    """RFC 9457, as every other error of the API."""
    body = {"type": "about:blank", "title": title, "status": status, "detail": detail}
    return JsonResponse(body, status=status, content_type="application/problem+json")


def forged(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form without its token: an old tab, or another site."""
    told = "This form is too old or did not come from this site. Nothing was changed; open the page again."
    return render(request, "403.html", {"exception": told}, status=403)
