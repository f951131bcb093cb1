"""What every public page has in common: methods, validators, tombstones, and where its facts come from."""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, wraps
from pathlib import Path
from typing import Any, Concatenate, ParamSpec

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control
from django.utils.http import http_date
from django.views.decorators.http import condition, require_safe
from django.views.defaults import page_not_found

from ranking import live
from ranking.catalogue import Published, Tombstone

Given = ParamSpec("Given")
View = Callable[Concatenate[HttpRequest, Given], HttpResponse]
Crumbs = Sequence[tuple[str, str]]
"""Title and address of the pages above."""


class Gone(Exception):  # noqa: N818  an answer, not a fault
    """What was asked for is withdrawn."""

    def __init__(self, tombstone: Tombstone, template: str) -> None:
        super().__init__(tombstone.withdrawal_reason)
        self.tombstone = tombstone
        self.template = template


def public(view: View[Given]) -> Callable[..., HttpResponse]:
    """GET and HEAD only, revalidated at every visit: after a publish nobody is served the page before it.

    404 and 410 carry no ETag, and the ETag holds the path: one that matches belonged to a page that is there.
    """

    conditional = condition(etag_func=etag)(view)

    @wraps(view)
    def respond(request: HttpRequest, *args: Given.args, **kwargs: Given.kwargs) -> HttpResponse:
        try:
            response: HttpResponse = conditional(request, *args, **kwargs)
        except Http404 as missing:
            response = page_not_found(request, missing)
        except Gone as gone:
            response = render(request, gone.template, {"tombstone": gone.tombstone}, status=410)
        patch_cache_control(response, no_cache=True)
        return response

    return require_safe(respond)


def etag(request: HttpRequest, *_args: Any, **_kwargs: Any) -> str:
    said = f"{live.state()}\n{edition_of_pages()}\n{request.path}"
    return f'"{hashlib.sha256(said.encode()).hexdigest()[:32]}"'


@lru_cache
def edition_of_pages() -> str:
    """Changes with the words of the pages themselves, so that an upgrade is seen although no release changed."""
    told = hashlib.sha256(f"{settings.SITE_NAME}\n{settings.SITE_URL}\n{settings.STATIC_URL}".encode())
    for path in sorted(_sources(Path(settings.BASE_DIR))):
        told.update(path.read_bytes())
    return told.hexdigest()


def _sources(base: Path) -> Iterable[Path]:
    for folder, pattern in (("templates", "**/*.*"), ("static/css", "*.css"), ("ranking", "**/*.py")):
        yield from (base / folder).glob(pattern)


def page(
    request: HttpRequest,
    template: str,
    *,
    title: str,
    description: str,
    data: str,
    releases: Iterable[Published] = (),
    crumbs: Crumbs = (),
    **context: Any,
) -> HttpResponse:
    """A page with its twin as data (an address under /api/v1/) and the releases that it shows.

    Last-Modified is told and not asked back: it counts whole seconds, and two publications may share one.
    """
    releases = tuple(releases)
    said = {"title": title, "description": description, "crumbs": crumbs, "releases": releases}
    response = render(request, f"public/{template}.html", said | {"data": f"/api/v1/{data}"} | context)
    if releases:
        newest = max(release.changed_at for release in releases)
        response["Last-Modified"] = http_date(newest.timestamp())
    return response


def present(found: Published | Tombstone | None, what: str, gone: str = "410.html") -> Published:
    """The release, or the answer that there is none or, by the template `gone`, none any more."""
    if found is None:
        raise Http404(f"There is no {what}.")
    if isinstance(found, Tombstone):
        raise Gone(found, gone)
    return found
