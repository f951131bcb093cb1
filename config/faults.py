"""What is answered when something could not be done for a reason the asker cannot help."""

import sys

from django.db import OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

RETRY_SECONDS = 5
API = "/api/"


def fault(request: HttpRequest) -> HttpResponse:
    """Django's handler of unhandled errors: a database that is busy or away is 503, anything else 500."""
    busy = isinstance(sys.exc_info()[1], OperationalError)
    status = 503 if busy else 500
    if request.path.startswith(API):
        return _problem(status)
    response = render(request, f"{status}.html", status=status)
    if busy:
        response.headers["Retry-After"] = str(RETRY_SECONDS)
    return response


def _problem(status: int) -> HttpResponse:
    """RFC 9457, as every other error of the API."""
    told = {
        500: ("Error", "Something went wrong on our side; the fault is recorded."),
        503: ("Busy", "The database is busy; ask again in a few seconds."),
    }
    title, detail = told[status]
    body = {"type": "about:blank", "title": title, "status": status, "detail": detail}
    headers = {"Retry-After": str(RETRY_SECONDS)} if status == 503 else {}
    return JsonResponse(body, status=status, headers=headers, content_type="application/problem+json")


def forged(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form without its token: an old tab, or another site."""
    told = "This form is too old or did not come from this site. Nothing was changed; open the page again."
    return render(request, "403.html", {"exception": told}, status=403)
