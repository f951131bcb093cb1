"""The OpenAPI description as JSON, as YAML and as a page to read."""

from typing import Any

from django.http import HttpResponseBase
from drf_spectacular.renderers import OpenApiYamlRenderer2
from rest_framework.renderers import JSONRenderer, TemplateHTMLRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from ranking.api import openapi, reference
from ranking.api.parameters import Query
from ranking.api.views import Address, Forms
from ranking.public.serving import edition_of_pages


class Yaml(OpenApiYamlRenderer2):
    """The same with the charset that RFC 9512 takes for granted."""

    charset = None


class Page(TemplateHTMLRenderer):
    template_name = "api/docs.html"


class SchemaDocument(Address):
    """OpenAPI 3.1. It changes with the code alone."""

    schema = None  # type: ignore[assignment]  # no part of itself
    renderer_classes: Forms = (JSONRenderer, Yaml)

    def get(self, request: Request, **names: str) -> HttpResponseBase:
        Query.of(request.query_params, self.filters, self.others)
        return self.unchanged(edition_of_pages()) or self.answer(openapi.document())

    def answer(self, data: Any) -> Response:
        return Response(data)


class Docs(SchemaDocument):
    """The same as a page, without a script."""

    renderer_classes = (Page, JSONRenderer, Yaml)

    def answer(self, data: Any) -> Response:
        return super().answer(reference.page(data) if self.request.accepted_renderer.format == Page.format else data)
