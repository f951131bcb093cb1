"""The static copy: whole, linked by file, and the same bytes for the same releases."""

import json
import re
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from django.core.management import CommandError, call_command

from ranking import site_copy
from ranking.models import Publication
from tests.ranking.public import world

ATTRIBUTE = re.compile(r'\s(?:href|src|data)="([^"]*)"')


@pytest.fixture
def copy(ranking: Publication, tmp_path: Path) -> Path:
    world.withdraw(Publication.objects.get(collection__slug="self-service", state="live"), "Its source was retracted.")
    call_command("export_site", str(tmp_path / "copy"))
    return tmp_path / "copy"


def test_every_link_leads_to_a_file_of_the_copy(copy: Path) -> None:
    seen = 0
    for page in copy.rglob("*.html"):
        for url in map(unescape, ATTRIBUTE.findall(page.read_text())):
            if urlsplit(url).scheme or not urlsplit(url).path:
                continue
            assert not url.startswith("/"), (page, url)
            assert (page.parent / unquote(urlsplit(url).path)).is_file(), (page, url)
            seen += 1
    assert seen > 200


def test_it_holds_pages_assets_data_bundles_and_tombstones(copy: Path) -> None:
    for path in ("index.html", "static/css/public.css", "feed.atom", "sitemap.xml", "robots.txt", "overall/index.html"):
        assert (copy / path).is_file(), path
    assert "Diagnosis and resolution" in (copy / "categories" / world.SLUG / "index.html").read_text()
    assert "Its source was retracted." in (copy / "categories/self-service/index.html").read_text()
    for publication in Publication.objects.all():
        own = copy / "api/v1/releases" / publication.identifier[:12]
        told = json.loads((own / "index.json").read_text())
        gone = publication.state == "withdrawn"
        assert told.get("status" if gone else "identifier") == (410 if gone else publication.identifier)
        assert (own / "bundle/index.zip").is_file() != gone
        assert (copy / "releases" / publication.identifier[:12] / "index.html").is_file()
    assert not (copy / "admin").exists()


def test_the_same_releases_give_the_same_bytes(copy: Path) -> None:
    again = dict(site_copy.files())
    assert {path.as_posix() for path in again} == {
        path.relative_to(copy).as_posix() for path in copy.rglob("*") if path.is_file()
    }
    assert all((copy / path).read_bytes() == body for path, body in again.items())


def test_an_older_copy_is_not_mixed_with_a_newer_one(copy: Path) -> None:
    with pytest.raises(CommandError, match="not empty") as caught:
        call_command("export_site", str(copy))
    assert caught.value.returncode == 2


@pytest.mark.parametrize(
    ("address", "kind", "path"),
    [
        ("/", "text/html", "index.html"),
        ("/models/a/b%20c/", "text/html", "models/a/b c/index.html"),
        ("/api/v1/releases/abc/rows/?format=csv", "text/csv", "api/v1/releases/abc/rows/index.csv"),
        ("/api/v1/schema/?format=yaml", "application/vnd.oai.openapi", "api/v1/schema/index.yaml"),
        ("/releases/abc/plot.svg", "image/svg+xml", "releases/abc/plot.svg"),
        ("/api/v1/releases/abc/", "application/problem+json", "api/v1/releases/abc/index.json"),
    ],
)
def test_where_an_address_goes(address: str, kind: str, path: str) -> None:
    assert site_copy.file_of(address, kind).as_posix() == path
