"""The OpenAPI description, made from what each address declares of itself."""

from functools import cache
from http import HTTPStatus
from typing import Any

from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse

from ranking.api import pages, problems
from ranking.api.parameters import Filter
from ranking.api.shapes.base import page_of

ALWAYS = (400, 406, 412, 429)
"""Problems that any address may answer with."""

NAMES = {
    "slug": "Its slug.",
    "collection": "Slug of the collection.",
    "suite": "Key of the suite.",
    "benchmark": "Key of the benchmark.",
    "key": "Its key.",
    "name": "Its name.",
    "identifier": "Identifier of a release, or its first 12 digits or more.",
    "other": "Identifier of the release to compare it with, or its first 12 digits or more.",
}
"""The names that addresses hold."""

PAGING = (
    OpenApiParameter("cursor", str, description="As next gives it: the page after the one that gave it."),
    OpenApiParameter(
        "page_size",
        {"type": "integer", "minimum": 1, "maximum": pages.LARGEST_SIZE, "default": pages.DEFAULT_SIZE},
        description=f"Rows a page, at most {pages.LARGEST_SIZE}.",
    ),
)


class Schema(AutoSchema):
    """Reads the declarations of a `views.Address`."""

    @property
    def address(self) -> Any:
        """The view, which the library takes for one of any kind."""
        return self.view

    def get_operation_id(self) -> str:
        return str(self.address.operation)

    def get_summary(self) -> str:
        return str(self.address.summary)

    def get_description(self) -> str:  # type: ignore[override]  # as the library itself does
        return str(self.address.__class__.__doc__)

    def get_auth(self) -> list[dict[str, Any]]:
        return []

    def get_override_parameters(self) -> list[Any]:
        path = [
            OpenApiParameter(name, str, OpenApiParameter.PATH, required=True, description=meaning)
            for name, meaning in NAMES.items()
            if f"{{{name}}}" in self.path
        ]
        offered = [renderer.format for renderer in self.address.renderer_classes]
        form = OpenApiParameter("format", str, enum=offered, description="Overrules Accept.")
        paging = PAGING if "cursor" in self.address.others else ()
        return [*path, *map(_parameter, self.address.filters), *paging, form, *_HEADERS]

    def get_response_serializers(self) -> Any:
        listed = "cursor" in self.address.others
        shape = page_of(self.address.shape) if listed else self.address.shape
        made = {"json": shape, "csv": OpenApiTypes.STR, "zip": OpenApiTypes.BINARY}
        found: dict[Any, Any] = {
            (200, renderer.media_type): OpenApiResponse(made[renderer.format], description="The answer.")
            for renderer in self.address.renderer_classes
        }
        found[304] = OpenApiResponse(description="The reader has this very answer.")
        for status in sorted({*ALWAYS, *self.address.refusals}):
            said = f"{HTTPStatus(status).phrase}."
            found[status, problems.MEDIA_TYPE] = OpenApiResponse(problems.Problem, description=said)
        return found


_HEADERS = (
    OpenApiParameter(
        "ETag", str, OpenApiParameter.HEADER, response=[200, 304], description="Validator, for If-None-Match."
    ),
    OpenApiParameter("Retry-After", int, OpenApiParameter.HEADER, response=[429], description="Seconds to wait."),
)


def _parameter(declared: Filter) -> OpenApiParameter:
    return OpenApiParameter(declared.name, str, enum=declared.values or None, description=declared.meaning)


@cache
def document() -> dict[str, Any]:
    """The whole description. It depends on the code alone, so once a process is enough."""
    generator: Any = SchemaGenerator
    described: dict[str, Any] = generator().get_schema(request=None, public=True)
    return described
