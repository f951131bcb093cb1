"""CSV for flat lists, and the choice between it and JSON."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from ranking.api.problems import BadParameter

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet would run."""


class CSVRenderer(BaseRenderer):
    """The rows of one answer. An object takes a column for each of its members, a list of codes one cell."""

    media_type = "text/csv"
    format = "csv"

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Mapping[str, Any] | None = None
    ) -> bytes:
        view = (renderer_context or {})["view"]
        columns: Sequence[str] = view.columns
        output = io.StringIO()
        writer = csv.writer(output)
        writer.writerow(columns)
        writer.writerows(_cells(row, columns) for row in data[view.member])
        return output.getvalue().encode()


class ZIPRenderer(BaseRenderer):
    """Bytes that are an archive already."""

    media_type = "application/zip"
    format = "zip"
    charset = None
    render_style = "binary"

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Mapping[str, Any] | None = None
    ) -> bytes:
        archive: bytes = data
        return archive


def _cells(row: Mapping[str, Any], columns: Sequence[str]) -> Iterator[str]:
    for column in columns:
        value: Any = row
        for name in column.split("."):
            value = None if value is None else value[name]
        yield cell(value)


def cell(value: Any) -> str:
    """`value` as a cell that no spreadsheet runs as a formula. Numbers stay numbers, a list of codes has spaces.

    Where an item holds a space itself, semicolons part them.
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    text = _listed(value) if isinstance(value, list | tuple) else str(value)
    return f"'{text}" if text.startswith(FORMULA) else text


def _listed(items: Sequence[Any]) -> str:
    said = [str(item) for item in items]
    return ("; " if any(" " in item for item in said) else " ").join(said)


class Negotiation(DefaultContentNegotiation):
    """Accept, overruled by `?format=`; a format that the address does not have is a bad parameter."""

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        asked = request.query_params.get("format")
        if asked is None:
            chosen: tuple[BaseRenderer, str] = super().select_renderer(request, renderers, None)
            return chosen
        offered = {str(renderer.format): renderer for renderer in renderers}
        if asked not in offered:
            raise BadParameter("format", f"Parameter format: {asked!r} is not one of: {', '.join(offered)}.")
        return offered[asked], str(offered[asked].media_type)
