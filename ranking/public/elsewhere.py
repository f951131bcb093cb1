"""A ranking on the pages of others: a table for a frame, a picture, a description for catalogues of data."""

import hashlib
import json
import re
from base64 import b64encode
from collections.abc import Callable
from functools import lru_cache, wraps
from pathlib import Path
from typing import Any

from csp.constants import NONE
from csp.decorators import csp_replace
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.clickjacking import xframe_options_exempt

from ranking import live
from ranking.catalogue import Published
from ranking.public import plots, words
from ranking.public.categories import described
from ranking.public.ranked import Ranked
from ranking.public.rankings import address
from ranking.public.serving import present, public

CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
"""What XML cannot hold."""
SCRIPT = {ord(sign): f"\\u{ord(sign):04X}" for sign in "<>&"}
"""So that nothing in a block of data ends the block."""

PLOT_LEFT, PLOT_RIGHT, PLOT_TOP, PLOT_ROW = 400.0, 930.0, 150.0, 38.0


def ranking_named(identifier: str, gone: str = "410.html") -> Published:
    found = present(live.release(identifier), f"release {identifier}", gone)
    if not found.is_ranking:
        raise Http404(
            f"Release {found.number} of “{found.title}” is no ranking of a category: there is no table of it to embed."
        )
    return found


# The table ------------------------------------------------------------------------------------------------------------


@lru_cache
def style() -> str:
    return (Path(settings.BASE_DIR) / "static/css/embed.css").read_text()


def _style_source() -> str:
    """The one file holds its style, and the policy lets that very style in."""
    return f"'sha256-{b64encode(hashlib.sha256(style().encode()).digest()).decode()}'"


def framed(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponseBase]:
    """Other sites may show it in a frame. It loads nothing, runs nothing and sends nothing."""

    @wraps(view)
    def respond(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        # The icon is empty and in the page, so that no browser asks for another.
        sources = {"style-src": [_style_source()], "img-src": ["data:"]}
        policy = csp_replace({"default-src": [NONE], "frame-ancestors": ["*"], **sources})
        return policy(xframe_options_exempt(view))(request, *args, **kwargs)

    return respond


@framed
@public
def embed(request: HttpRequest, identifier: str) -> HttpResponse:
    release = ranking_named(identifier, "public/embed_gone.html")
    said = {"release": release, "ranked": Ranked(release.content), "address": address(release)}
    demonstration = bool(release.content["ranking"]["weakened"])
    return render(request, "public/embed.html", said | {"demonstration": demonstration, "style": mark_safe(style())})  # noqa: S308  our own file


# The picture ----------------------------------------------------------------------------------------------------------


@public
def plot(request: HttpRequest, identifier: str) -> HttpResponse:
    release = ranking_named(identifier)
    ranked = Ranked(release.content)
    axis = ranked.axis_between(PLOT_LEFT, PLOT_RIGHT)
    rows = [
        {"row": row, "mark": plots.mark(axis, row.record), "y": PLOT_TOP + PLOT_ROW * (place + 0.5)}
        for place, row in enumerate(ranked.rows)
    ]
    bottom = round(PLOT_TOP + PLOT_ROW * len(rows))
    said = {"release": release, "ranked": ranked, "rows": rows, "axis": axis, "bottom": bottom, "height": bottom + 96}
    body = render(request, "public/plot.svg", said | {"address": address(release)}).content.decode()
    return HttpResponse(CONTROL.sub("\N{REPLACEMENT CHARACTER}", body), content_type="image/svg+xml")


# The description ------------------------------------------------------------------------------------------------------


def dataset(release: Published) -> SafeString:
    """JSON-LD of schema.org, for a data block of the page. A browser does not run one, whatever it holds."""
    told = json.dumps(_dataset(release), ensure_ascii=False, sort_keys=True)
    return mark_safe(told.translate(SCRIPT))  # noqa: S308  nothing that HTML takes for markup is left


def _dataset(release: Published) -> dict[str, Any]:
    return {
        "@context": "https://schema.org",
        "@type": "Dataset",
        "name": f"{release.title}: {words.KINDS[release.kind].lower()}, release {release.number}",
        "description": described(release),
        "url": address(release),
        "identifier": release.identifier,
        "version": str(release.number),
        "datePublished": release.published_at.isoformat(),
        "isAccessibleForFree": True,
        "publisher": {"@type": "Organization", "name": settings.SITE_NAME, "url": settings.SITE_URL},
        "distribution": [_download(*found) for found in downloads(release)],
    }


def downloads(release: Published) -> list[tuple[str, str]]:
    """Media type and address of each form of a release's data."""
    whole, rows, bundle = (
        reverse(f"api:{name}", args=[release.short]) for name in ("release", "release-rows", "release-bundle")
    )
    always = [("application/json", whole), ("application/zip", bundle)]
    return [*always, ("application/json", rows), ("text/csv", f"{rows}?format=csv")] if release.is_ranking else always


def _download(media_type: str, where: str) -> dict[str, str]:
    return {"@type": "DataDownload", "encodingFormat": media_type, "contentUrl": settings.SITE_URL + where}
