"""The public page of a collection as it would read if it were sealed and published now. For the desk only."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone

from ranking import canonical
from ranking.actions import seal
from ranking.catalogue import Catalogue, Published
from ranking.identity import release_digest
from ranking.models.releases import PublicationState, ReleaseKind
from ranking.public.categories import status
from registry.models import Collection


def previewed(request: HttpRequest, collection: Collection) -> HttpResponse:
    """Raises Refused where the collection is not defined enough to say anything."""
    release = _as_if_published(collection)
    context = {
        "title": release.title,
        "back": reverse("admin:registry_collection_change", args=(collection.pk,)),
        "catalogue": Catalogue([release]),
        **status(release),
    }
    return render(request, "admin/preview.html", context)


def _as_if_published(collection: Collection) -> Published:
    """A release in memory. Its identifier is its digest: it has no number yet and gets no address."""
    content = seal.present_content(collection)
    digest = release_digest(ReleaseKind.STATUS, canonical.text(content))
    now = timezone.now()
    return Published(
        collection=collection.slug,
        number=0,
        identifier=digest,
        predecessor="",
        digest=digest,
        kind=ReleaseKind.STATUS,
        state=PublicationState.LIVE,
        reason="",
        sealed_at=now,
        published_at=now,
        withdrawn_at=None,
        withdrawal_reason="",
        evaluated_at=now,
        content=content,
    )
