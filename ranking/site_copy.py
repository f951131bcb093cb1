"""The public site as files: every page, its assets, and the data of every release, with links that need no server.

It is read through the site's own addresses, so that a page says here what it says there. A page
becomes `…/index.html`, data `…/index.json`, `.csv` or `.zip`; every link between them is relative and names the file.
Equal releases give equal bytes. Addresses that name this site in full, such as the canonical one, stay.
"""

import os
import re
from collections import deque
from collections.abc import Iterator, Mapping
from html import escape, unescape
from pathlib import PurePosixPath
from urllib.parse import parse_qs, quote, unquote, urlsplit

from django.conf import settings
from django.test import Client
from django.urls import reverse

from ranking import live
from ranking.public.machines import addresses

LINK = re.compile(r'(?P<before>\s(?:href|src|data)=")(?P<url>/(?!/)[^"]*)(?P<after>")')
SUFFIX = {"text/html": "html", "image/svg+xml": "svg", "application/problem+json": "json"}
"""Of what has no file name of its own, where the media type does not say it."""
DESK = "/admin/"
"""Not public, and so not copied; a link to it leads to the site itself."""
SAID = (200, 410)
"""A tombstone is a page too."""

File = tuple[PurePosixPath, bytes]


class Missing(Exception):  # noqa: N818  an answer
    """An address of the site does not answer as it should: such a copy should not be made."""


def files() -> Iterator[File]:
    """Every file of the copy, each once: its relative path and its bytes. Raises Missing."""
    visitor, names, pages = _Visitor(), dict[str, PurePosixPath](), dict[str, str]()
    waiting = deque(_seeds())
    while waiting:
        if (address := waiting.popleft()) in names:
            continue
        kind, body = visitor.read(address)
        names[address] = file_of(address, kind)
        if kind == "text/html":
            pages[address] = body.decode()
            waiting.extend(linked(pages[address]))
        else:
            yield names[address], body
    # Only now is it known what kind of file each link leads to.
    for address, text in pages.items():
        yield names[address], rewritten(text, names[address], names).encode()


def _seeds() -> Iterator[str]:
    """Where reading begins: what the map of the site names, and every release ever published with its data."""
    yield from ("/", "/feed.atom", "/sitemap.xml", "/robots.txt")
    yield from (address for address, _ in addresses(live.catalogue()))
    yield from (reverse("public:category", args=[tombstone.collection]) for tombstone in live.withdrawn())
    for listed in live.history():
        for name in ("public:release", "api:release", "api:release-rows", "api:release-evidence", "api:release-bundle"):
            yield reverse(name, args=[listed.short])


class _Visitor:
    """Somebody who reads the site at its own address."""

    def __init__(self) -> None:
        site = urlsplit(settings.SITE_URL)
        self.secure = site.scheme == "https"
        port = str(site.port or (443 if self.secure else 80))
        self.client = Client(SERVER_NAME=site.hostname or "localhost", SERVER_PORT=port)
        self.asked = 0

    def read(self, address: str) -> tuple[str, bytes]:
        """Media type and bytes. Every question comes from an address of its own: nobody is throttled by a copy."""
        self.asked += 1
        caller = f"2001:db8::{self.asked >> 16:x}:{self.asked & 0xFFFF:x}"
        answer = self.client.get(address, secure=self.secure, REMOTE_ADDR=caller)
        if answer.status_code not in SAID:
            raise Missing(f"{address} answers {answer.status_code}.")
        return answer.headers["Content-Type"].partition(";")[0], answer.getvalue()


def address_of(url: str) -> str:
    """What the server is asked for: without the place on the page."""
    parts = urlsplit(unescape(url))
    return f"{parts.path}?{parts.query}" if parts.query else parts.path


def linked(text: str) -> list[str]:
    """The addresses of this site that a page links to or shows, without the desk."""
    found = (address_of(link["url"]) for link in LINK.finditer(text))
    return [address for address in found if not address.startswith(DESK)]


def file_of(address: str, kind: str) -> PurePosixPath:
    """`/releases/` as HTML is `releases/index.html`; an address with a file name keeps it."""
    parts = urlsplit(address)
    path = unquote(parts.path).removeprefix("/")
    if not path.endswith("/") and path:
        return PurePosixPath(path)
    form = parse_qs(parts.query).get("format", [""])[0]
    return PurePosixPath(path) / f"index.{SUFFIX.get(kind) or form or kind.rpartition('/')[2]}"


def rewritten(text: str, own: PurePosixPath, names: Mapping[str, PurePosixPath]) -> str:
    """The page with each link of this site leading from its file `own` to the file of the other address."""

    def link(found: re.Match[str]) -> str:
        url, address = unescape(found["url"]), address_of(found["url"])
        if address.startswith(DESK):
            return f"{found['before']}{escape(settings.SITE_URL + url)}{found['after']}"
        told = quote(os.path.relpath(names[address], own.parent))
        fragment = urlsplit(url).fragment
        return f"{found['before']}{told}{f'#{escape(fragment)}' if fragment else ''}{found['after']}"

    return LINK.sub(link, text)
