"""Reads the whole public site as a stranger would: every link of every page, the sitemap and the API's addresses."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from urllib.parse import urldefrag, urljoin, urlsplit
from zipfile import ZipFile

from django.test import Client

START = ("/", "/sitemap.xml", "/feed.atom", "/robots.txt", "/api/v1/", "/api/v1/schema/", "/api/v1/docs/")
LINK = re.compile(r"""(?:href|src)=["']([^"']+)["']|<loc>([^<]+)</loc>|"(https?://[^"\s]+|/[^"\s]*)\"""")
FORMATS = ("?format=csv", "?format=json")
LIMIT = 2000


@dataclass(frozen=True, slots=True)
class Page:
    path: str
    status: int
    body: bytes

    @property
    def text(self) -> str:
        """What can be read in it; of a ZIP archive, in every member."""
        if not self.body.startswith(b"PK"):
            return self.body.decode()
        with ZipFile(BytesIO(self.body)) as archive:
            return "\n".join(f"{name}\n{archive.read(name).decode()}" for name in archive.namelist())


def crawl(client: Client, start: tuple[str, ...] = START) -> Iterator[Page]:
    """Every reachable public page once; `/admin/` and static files are not public pages."""
    waiting, seen = list(start), set(start)
    while waiting:
        assert len(seen) < LIMIT, "the crawl does not end"
        path = waiting.pop()
        # Another client each time: what is read is the site, not its throttle.
        response = client.get(path, REMOTE_ADDR=f"10.0.{len(seen) // 250}.{len(seen) % 250}")
        body = response.getvalue()
        yield Page(path, response.status_code, body)
        for found in _links(path, body.decode(errors="replace")):
            if found not in seen:
                seen.add(found)
                waiting.append(found)


def _links(path: str, text: str) -> Iterator[str]:
    if path.startswith("/api/v1/") and "?" not in path and not path.endswith(("/docs/", "/bundle/")):
        yield from (path + end for end in FORMATS)
    for groups in LINK.findall(text):
        link = urlsplit(urldefrag(urljoin(f"http://testserver{path}", "".join(groups).replace("&amp;", "&")))[0])
        if link.hostname in ("testserver", "127.0.0.1", "localhost") and _is_public(link.path):
            yield link.path + (f"?{link.query}" if link.query else "")


def _is_public(path: str) -> bool:
    return not path.startswith(("/admin/", "/static/", "/healthz", "/readyz", "/metrics")) and "{" not in path
