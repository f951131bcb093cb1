"""The OpenAPI description as JSON, as YAML and as a page to read."""

from hashlib import sha256

from django.http import HttpResponseBase
from drf_spectacular.renderers import OpenApiYamlRenderer2
from rest_framework.renderers import JSONRenderer, TemplateHTMLRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from ranking.api import openapi, reference
from ranking.api.parameters import Query
from ranking.api.views import Address


class Yaml(OpenApiYamlRenderer2):
    """The same with the charset that RFC 9512 takes for granted."""

    charset = None


class Described(Address):
    """A form of the description: it changes with the code alone."""

    schema = None  # type: ignore[assignment]  # no part of itself

    def get(self, request: Request, **names: str) -> HttpResponseBase:
        Query.of(request.query_params, self.filters, self.others)
        return self.unchanged(sha256(repr(openapi.document()).encode()).hexdigest()) or self.describe()

    def describe(self) -> Response:
        return Response(openapi.document())


class SchemaDocument(Described):
    """OpenAPI 3.1."""

    renderer_classes = (JSONRenderer, Yaml)


class Page(TemplateHTMLRenderer):
    template_name = "api/docs.html"


class Docs(Described):
    """The same as a page, without a script."""

    renderer_classes = (Page,)

    def describe(self) -> Response:
        return Response(reference.page(openapi.document()))
