"""What every address of the API does alike: who may ask, how, and how often; validators, formats and errors."""

from typing import Any

from django.http import HttpResponse, HttpResponseBase, HttpResponsePermanentRedirect
from django.urls import Resolver404, resolve
from django.utils.cache import get_conditional_response
from rest_framework.exceptions import NotFound
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from ranking import live
from ranking.api import problems
from ranking.api.openapi import Schema
from ranking.api.parameters import Filter, Query
from ranking.api.renderers import Negotiation
from ranking.api.shapes.base import Shape

# On every answer. For a page of any other site too: nothing here depends on who asks, and nothing is a secret.
SHARED = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "ETag, Link, Retry-After",
    "Cache-Control": "no-cache",
}
PREFLIGHT = {
    "Access-Control-Allow-Methods": "GET, HEAD, OPTIONS",
    "Access-Control-Allow-Headers": "Accept, If-Match, If-None-Match",
    "Access-Control-Max-Age": "86400",
}

Forms = tuple[type[BaseRenderer], ...]


class Address(APIView):
    """One address: GET, HEAD and OPTIONS, for anybody."""

    authentication_classes = ()
    permission_classes = ()
    http_method_names = ["get", "head", "options"]
    renderer_classes: Forms = (JSONRenderer,)
    content_negotiation_class = Negotiation
    schema = Schema()

    operation = ""
    """Name of the operation in the OpenAPI description."""
    summary = ""
    shape: type[Shape] = Shape
    filters: tuple[Filter, ...] = ()
    others: tuple[str, ...] = ("format",)
    """Parameters that are no filters."""
    refusals: tuple[int, ...] = ()
    """Statuses of the problems that not every address has."""

    def get(self, request: Request, **names: str) -> HttpResponseBase:
        query = Query.of(request.query_params, self.filters, self.others)
        # Read before the data: an answer that a publication overtakes then carries an older validator than its body,
        # and the next request is answered in full.
        state = live.state()
        data, validator = self.read(query, **names)
        return self.unchanged(validator or state) or self.answer(data)

    def read(self, query: Query, **names: str) -> tuple[Any, str]:
        """The data, and a validator where it depends on less than all that is public."""
        raise NotImplementedError

    def answer(self, data: Any) -> Response:
        return Response(self.shape(data).data)

    def unchanged(self, validator: str) -> HttpResponseBase | None:
        """304 where the reader has this very answer, else None. Either way the answer carries the ETag."""
        # Two formats of one address are two answers.
        form = self.request.accepted_renderer.format
        self.headers["ETag"] = f'"{validator}"' if form == "json" else f'"{validator}.{form}"'
        response = get_conditional_response(self.request, etag=self.headers["ETag"])
        if response is not None and response.status_code == problems.PreconditionFailed.status_code:
            raise problems.PreconditionFailed
        return response

    def options(self, request: Request, *args: Any, **kwargs: Any) -> HttpResponseBase:  # type: ignore[override]
        return HttpResponse(status=204, headers=PREFLIGHT)

    def get_exception_handler(self) -> Any:
        return problems.answer

    def handle_exception(self, exc: Exception) -> Any:
        self.headers.pop("ETag", None)
        return super().handle_exception(exc)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        found = super().finalize_response(request, response, *args, **kwargs)
        for name, value in SHARED.items():
            found.headers[name] = value
        return found


class NoSuchAddress(Address):
    """Whatever no other address answers, so that a mistyped one gets a problem document and not a page."""

    schema = None  # type: ignore[assignment]  # no part of the description

    def perform_content_negotiation(self, request: Request, *_: Any, **__: Any) -> tuple[BaseRenderer, str]:
        """Nothing to choose: whatever form was asked for, it is not there."""
        return JSONRenderer(), JSONRenderer.media_type

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if not _lacks_only_its_slash(request.path_info):
            raise NotFound(f"The API has no address {request.path}")

    def get(self, request: Request, **names: str) -> HttpResponseBase:
        query = request.META.get("QUERY_STRING", "")
        return HttpResponsePermanentRedirect(f"{request.path}/{'?' if query else ''}{query}")


def _lacks_only_its_slash(path: str) -> bool:
    try:
        found = resolve(f"{path}/").func
    except Resolver404:
        return False
    return getattr(found, "cls", NoSuchAddress) is not NoSuchAddress
