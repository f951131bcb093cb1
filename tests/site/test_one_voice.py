"""Every release of the example site says the same in its page, JSON, CSV, bundle and in the database."""

import csv
import io
import json
import zipfile
from typing import Any

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.test import Client

from ranking.models import Publication
from tests.desk import text_of
from tests.ranking.public import markup

Record = dict[str, Any]
TABLE = "Configurations by score, each with the ranks that the evidence leaves open to it"


def publications() -> QuerySet[Publication]:
    return Publication.objects.select_related("release", "collection").order_by("pk")


def told(client: Client, publication: Publication, part: str = "", form: str = "json") -> str:
    answer = client.get(f"/api/v1/releases/{publication.identifier[:12]}/{part}", {"format": form})
    assert answer.status_code == 200, answer.content
    return answer.content.decode()


def bundled(client: Client, publication: Publication) -> zipfile.ZipFile:
    answer = client.get(f"/api/v1/releases/{publication.identifier[:12]}/bundle/")
    return zipfile.ZipFile(io.BytesIO(answer.content))


def test_the_site_has_releases_of_both_kinds(site: dict[str, User]) -> None:
    assert {publication.release.kind for publication in publications()} == {"status", "ranking"}


def test_json_and_bundle_are_what_the_database_holds(site: dict[str, User], client: Client) -> None:
    for publication in publications():
        sealed = json.loads(publication.release.content)
        assert json.loads(told(client, publication))["content"] == sealed
        with bundled(client, publication) as archive:
            assert archive.read("content.json").decode() == publication.release.content
            assert json.loads(archive.read("gate.json")) == sealed["gate"]


def test_every_criterion_of_every_page_is_the_sealed_one(site: dict[str, User], client: Client) -> None:
    for publication in publications():
        said = text_of(client.get(f"/releases/{publication.identifier[:12]}/"))
        for criterion in json.loads(publication.release.content)["gate"]["criteria"]:
            assert criterion["message"] in said, (publication, criterion["code"])


def test_every_cell_of_every_ranking_is_one_number(site: dict[str, User], client: Client) -> None:
    for publication in publications().filter(release__kind="ranking"):
        rows = json.loads(publication.release.content)["ranking"]["rows"]
        assert json.loads(told(client, publication, "rows/"))["rows"] == rows
        with bundled(client, publication) as archive:
            assert json.loads(archive.read("ranking.json"))["rows"] == rows
        lines = list(csv.DictReader(io.StringIO(told(client, publication, "rows/", "csv"))))
        page = markup.read(client.get(f"/releases/{publication.identifier[:12]}/").content.decode())
        shown = markup.table(page, TABLE)[1:]
        assert len(lines) == len(shown) == len(rows) == 12
        for row, line, cells in zip(rows, lines, shown, strict=True):
            assert_one_row(row, line, cells)


def assert_one_row(row: Record, line: dict[str, str], cells: list[str]) -> None:
    for name in ("configuration", "model", "organization", "harness", "effort"):
        assert line[name] == row[name]
    for name in ("rank", "rank_low", "rank_high", "tier"):
        assert int(line[name]) == row[name]
    for name in ("score", "low", "high", "least", "most", "standard_error", "degrees_of_freedom", "coverage"):
        assert float(line[name]) == float(row[name])
    rank, configuration, score, interval, coverage, tier = cells
    assert rank.startswith(f"{row['rank_low']} to {row['rank_high']} ")
    assert configuration.startswith(f"{row['model']} {row['organization']} · ")
    assert (score, interval) == (f"{row['score']:.1f}", f"{row['low']:.1f} to {row['high']:.1f}")
    assert (coverage, tier) == (f"{float(row['coverage']):g}%", str(row["tier"]))


def test_the_evidence_of_a_ranking_is_one_table(site: dict[str, User], client: Client) -> None:
    for publication in publications().filter(release__kind="ranking"):
        evidence = json.loads(publication.release.content)["ranking"]["evidence"]
        assert json.loads(told(client, publication, "evidence/"))["values"] == evidence
        lines = list(csv.DictReader(io.StringIO(told(client, publication, "evidence/", "csv"))))
        assert [
            (line["configuration"], line["contract"], float(line["value"]), int(line["line"])) for line in lines
        ] == [(row["configuration"], row["contract"], row["value"], row["line"]) for row in evidence]
        assert len(evidence) == 24
        with bundled(client, publication) as archive:
            results = json.loads(archive.read("snapshot.json"))["results"]
        counted = {(row["configuration"], row["contract"], row["value"]) for row in results if row["value"] is not None}
        assert counted == {(row["configuration"], row["contract"], row["value"]) for row in evidence}
