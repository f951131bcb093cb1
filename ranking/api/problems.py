"""Every error as `application/problem+json` (RFC 9457)."""

import json
from http import HTTPStatus
from typing import Any

from django.http import HttpResponse
from rest_framework import exceptions, serializers, status
from rest_framework.views import exception_handler

MEDIA_TYPE = "application/problem+json"
TYPES = "/api/v1/docs/#problem-"
"""Where each `type` is explained."""


class Problem(serializers.Serializer[Any]):
    """What went wrong (RFC 9457). `type` and `status` are stable; `detail` is for people."""

    type = serializers.CharField(help_text="Address of the explanation of this kind of problem.")
    title = serializers.CharField(help_text="The HTTP status in words.")
    status = serializers.IntegerField(min_value=400, max_value=599, help_text="The HTTP status.")
    detail = serializers.CharField(help_text="What was wrong with this very request.")
    parameter = serializers.CharField(required=False, help_text="The query parameter at fault.")
    reason = serializers.CharField(required=False, help_text="Why a release was withdrawn.")
    withdrawn_at = serializers.DateTimeField(required=False, help_text="When a release was withdrawn.")


class BadParameter(exceptions.APIException):
    """A query parameter that does not exist here or whose value cannot be used."""

    status_code = status.HTTP_400_BAD_REQUEST
    default_code = "bad-parameter"

    def __init__(self, parameter: str, detail: str) -> None:
        super().__init__(detail)
        self.members = {"parameter": parameter}


class BadCursor(BadParameter):
    default_code = "bad-cursor"


class Withdrawn(exceptions.APIException):
    """The tombstone of a release."""

    status_code = status.HTTP_410_GONE
    default_code = "withdrawn"

    def __init__(self, reason: str, withdrawn_at: str) -> None:
        super().__init__(f"This release was withdrawn. {reason}")
        self.members = {"reason": reason, "withdrawn_at": withdrawn_at}


class PreconditionFailed(exceptions.APIException):
    status_code = status.HTTP_412_PRECONDITION_FAILED
    default_detail = "The answer is not the one that If-Match names."
    default_code = "precondition-failed"


KINDS = {
    "bad-parameter": "A query parameter does not exist at this address, is given twice, or has a value it cannot have.",
    "bad-cursor": "The cursor was not made by this list. Follow next as it stands.",
    "not-found": "Nothing that is or was published has this address. What is not published is not found either.",
    "method-not-allowed": "The API is read-only: GET, HEAD and OPTIONS.",
    "not-acceptable": "The address cannot answer in any of the formats that Accept names.",
    "withdrawn": "The release was withdrawn: reason says why, withdrawn_at when.",
    "precondition-failed": "If-Match names another state of this address.",
    "throttled": "Too many requests from one address. Wait as many seconds as Retry-After says.",
}
"""Each kind of problem, with its explanation on the docs page."""


def answer(error: Exception, context: dict[str, Any]) -> HttpResponse | None:
    """The problem document for `error`; None for a fault of ours, which Django logs and answers."""
    known = exception_handler(error, context)
    if known is None:
        return None
    stated = known.data if isinstance(known.data, dict) else {}
    problem = {
        "type": TYPES + _code(error),
        "title": HTTPStatus(known.status_code).phrase,
        "status": known.status_code,
        "detail": str(stated.get("detail", "")),
        **getattr(error, "members", {}),
    }
    headers = {name: value for name, value in known.items() if name != "Content-Type"}
    return HttpResponse(json.dumps(problem), MEDIA_TYPE, known.status_code, headers=headers)


def _code(error: Exception) -> str:
    code = error.get_codes() if isinstance(error, exceptions.APIException) else "not-found"
    return str(code).replace("_", "-")
