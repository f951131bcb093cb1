"""What only machines read: the map of the site, what robots may visit, whom to tell about a hole."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from ranking import live
from ranking.catalogue import Catalogue
from ranking.public import indexes
from ranking.public.serving import public

STANDING = (
    *("home", "evidence", "exclusions", "method", "policy", "releases", "overall"),
    *(kind.name for kind in indexes.INDEXES),
)
CONTACT_HOLDS = timedelta(days=180)


@public
def sitemap(request: HttpRequest) -> HttpResponse:
    pages = list(addresses(live.catalogue()))
    return render(request, "public/sitemap.xml", {"pages": pages}, content_type="application/xml")


def addresses(catalogue: Catalogue) -> Iterator[tuple[str, datetime | None]]:
    """Every live page with the day of the newest release it shows."""
    newest = max((release.published_at for release in catalogue.releases), default=None)
    for name in STANDING:
        yield reverse(f"public:{name}"), newest
    for release in catalogue.categories.values():
        yield reverse("public:release", args=[release.short]), release.published_at
    yield from pages(catalogue)


def pages(catalogue: Catalogue) -> Iterator[tuple[str, datetime]]:
    """Those that are there because live releases speak of something."""
    for slug, release in catalogue.categories.items():
        yield reverse("public:category", args=[slug]), release.published_at
    for key, entry in catalogue.facets.items():
        yield reverse("public:facet", args=key.split("/")), entry.release.published_at
    for index in ("mappings", "benchmarks", "lineages", "contracts", "atoms", "models"):
        for key, entry in getattr(catalogue, index).items():
            yield reverse(f"public:{index.removesuffix('s')}", args=[key]), entry.release.published_at


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    return render(request, "public/robots.txt", content_type="text/plain; charset=utf-8")


@require_safe
def security(request: HttpRequest) -> HttpResponse:
    """RFC 9116. It must say until when it holds; it is always read anew, so it holds for half a year from now."""
    if not settings.SECURITY_CONTACT:
        raise Http404("No contact for security reports is set up.")
    midnight = timezone.now().replace(hour=0, minute=0, second=0, microsecond=0)
    said = {"contact": settings.SECURITY_CONTACT, "expires": midnight + CONTACT_HOLDS}
    return render(request, "public/security.txt", said, content_type="text/plain; charset=utf-8")
