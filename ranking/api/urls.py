"""Addresses of the API."""

from django.urls import URLPattern, path, re_path

from ranking.api import addresses, documents
from ranking.api.lists import LISTS, Listing
from ranking.api.views import NoSuchAddress

app_name = "api"


def _listed(listing: Listing) -> list[URLPattern]:
    return [
        path(f"{listing.name}/", addresses.List.as_view(**addresses.of(listing)), name=listing.name),
        path(f"{listing.name}/{listing.address}/", addresses.Record.as_view(**addresses.one_of(listing))),
    ]


_named = [
    path("collections/", addresses.Collections.as_view(), name="collections"),
    *(pattern for listing in LISTS for pattern in _listed(listing)),
    path("releases/", addresses.Releases.as_view(), name="releases"),
    path("overall/", addresses.Overall.as_view(), name="overall"),
    path("schema/", documents.SchemaDocument.as_view(), name="schema"),
    path("docs/", documents.Docs.as_view(), name="docs"),
]
_names = tuple(pattern.name for pattern in _named if pattern.name)

urlpatterns: list[URLPattern] = [
    path("", addresses.Index.as_view(names=_names), name="index"),
    path("collections/<slug:slug>/", addresses.Collection.as_view(), name="collection"),
    path("collections/<slug:slug>/gate/", addresses.Gate.as_view(), name="gate"),
    path("releases/<str:identifier>/", addresses.Release.as_view(), name="release"),
    path("releases/<str:identifier>/rows/", addresses.ReleaseRows.as_view(), name="release-rows"),
    path("releases/<str:identifier>/evidence/", addresses.ReleaseEvidence.as_view(), name="release-evidence"),
    path("releases/<str:identifier>/bundle/", addresses.ReleaseBundle.as_view(), name="release-bundle"),
    path(
        "releases/<str:identifier>/diff/<str:other>/", addresses.ReleaseDifference.as_view(), name="release-difference"
    ),
    *_named,
    re_path("", NoSuchAddress.as_view()),
]
