"""Publications: the list of all, the permanent page of each, and a feed of them."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed

from ranking import live
from ranking.bundle import checker as check
from ranking.catalogue import Listed
from ranking.models.releases import PublicationState
from ranking.public import criteria, words
from ranking.public.categories import average, named, said
from ranking.public.elsewhere import dataset
from ranking.public.rules import thresholds
from ranking.public.serving import page, present, public

LIST = ("Releases", "/releases/")
FEED_LENGTH = 50


@public
def releases(request: HttpRequest) -> HttpResponse:
    catalogue = live.catalogue()
    return page(
        request,
        "releases",
        title="Releases",
        description="Everything that was ever published here, with its permanent address and what became of it.",
        data="releases/",
        releases=catalogue.releases,
        catalogue=catalogue,
        listed=named(live.history(), catalogue, live.withdrawn()),
    )


@public
def release(request: HttpRequest, identifier: str) -> HttpResponse:
    found = present(live.release(identifier), f"release {identifier}")
    if found.is_overall:
        return average(request, found)
    current = found if found.is_live else live.category(found.collection)
    return page(
        request,
        "release",
        title=f"{found.title}: {words.KINDS[found.kind].lower()}, release {found.number}",
        description=f"Release {found.number} of {found.title}, as it was sealed.",
        data=f"releases/{found.short}/",
        releases=[found],
        crumbs=[LIST],
        canonical=reverse("public:release", args=[found.short]),
        current=current,
        thresholds=thresholds(found.content["policy"]),
        facet_pages=[(row, criteria.rows(row["criteria"], of_facet=True)) for row in found.content["facets"]],
        dataset=dataset(found),
        editions=live.publications(found.collection),
        **said(found),
    )


@public
def checker(request: HttpRequest) -> HttpResponse:
    """The check as one file: whoever has a bundle needs nothing else of the site."""
    response = HttpResponse(check.content(), content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="{check.NAME}"'
    return response


@public
def feed(request: HttpRequest) -> HttpResponse:
    told = Atom1Feed(
        title=f"{settings.SITE_NAME}: releases",
        link=settings.SITE_URL + reverse("public:releases"),
        description="Publications, corrections and withdrawals.",
        feed_url=settings.SITE_URL + request.path,
        language="en",
    )
    for found, title in named(live.history(FEED_LENGTH), live.catalogue(), live.withdrawn()):
        address = settings.SITE_URL + reverse("public:release", args=[found.short])
        told.add_item(
            title=_headline(found, title),
            link=address,
            unique_id=address,
            description=_in_xml(found.withdrawal_reason or found.reason),
            pubdate=found.published_at,
            updateddate=found.changed_at,
        )
    return HttpResponse(told.writeString("utf-8"), content_type=told.content_type)


def _in_xml(text: str) -> str:
    """Without the characters that XML has no way to write; a release sealed with one stays as it is."""
    return "".join(character for character in text if character.isprintable() or character in "\t\n\r")


def _headline(found: Listed, title: str) -> str:
    withdrawn = " (withdrawn)" if found.state == PublicationState.WITHDRAWN else ""
    return f"{title}: {words.KINDS[found.kind].lower()}, release {found.number}{withdrawn}"
