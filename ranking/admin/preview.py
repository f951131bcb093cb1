"""A public page that is not public: as it would read if sealed now, or as a candidate seals it. For the desk only.

Ranks are seen once a candidate is sealed (DOMAIN 6): what is not sealed is shown as an evidence status.
"""

import json
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from ranking import canonical, diff
from ranking.actions import seal
from ranking.actions.publish import live_of
from ranking.catalogue import Catalogue, Published
from ranking.identity import release_digest
from ranking.models import Release
from ranking.models.releases import ReleaseKind
from ranking.public.categories import said
from ranking.reach import as_if_published
from registry.models import Collection


def previewed(request: HttpRequest, collection: Collection) -> HttpResponse:
    """Raises Refused where the collection is not defined enough to say anything."""
    content = seal.present_content(collection)
    digest = release_digest(ReleaseKind.STATUS, canonical.text(content))
    return _page(request, collection, as_if_published(collection, ReleaseKind.STATUS, digest, content))


def candidate(request: HttpRequest, collection: Collection, release: Release) -> HttpResponse:
    """As it was sealed, with what it says otherwise than the live page."""
    content = json.loads(release.content)
    live = live_of(collection)
    changed = diff.between(json.loads(live.release.content) if live else {}, content)
    context = {"candidate": release, "live": live, "moved": diff.rows(changed), "changed": diff.counts(changed)}
    return _page(request, collection, as_if_published(collection, release.kind, release.digest, content), **context)


def _page(request: HttpRequest, collection: Collection, release: Published, **context: Any) -> HttpResponse:
    context |= {
        "title": release.title,
        "back": reverse("admin:registry_collection_change", args=(collection.pk,)),
        "catalogue": Catalogue([release]),
        **said(release),
    }
    return render(request, "admin/preview.html", context)
