"""Pages of ranking releases: every cell, what stands beside it, and where it may be named."""

import csv
import io
import json
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Any

import pytest
from django.test import Client

from ranking.models import Publication
from registry import models
from tests.ranking.public import markup, ranked, world
from tests.ranking.public.conftest import Read

CATEGORY = f"/categories/{world.SLUG}/"
CAPTION = "Configurations by score, each with the ranks that the evidence leaves open to it"


def permanent(publication: Publication) -> str:
    return f"/releases/{publication.identifier[:12]}/"


def api(client: Client, publication: Publication, part: str, form: str = "json") -> str:
    response = client.get(f"/api/v1{permanent(publication)}{part}/", {"format": form})
    assert response.status_code == 200
    return response.content.decode()


def one(number: float) -> str:
    """The rule of rounding, said a second time."""
    return format(Decimal(repr(number)).quantize(Decimal("0.1"), rounding=ROUND_HALF_EVEN), "f").replace("-", "−")


def interval(row: dict[str, Any]) -> str:
    if row["low"] is None:
        return "none" if row["high"] is None else f"below {one(row['high'])}"
    return f"{one(row['low'])} to {one(row['high'])}"


def span(row: dict[str, Any]) -> str:
    low, high = row["rank_low"], row["rank_high"]
    return str(low) if low == high else f"{low} to {high}"


# One cell everywhere --------------------------------------------------------------------------------------------------


def test_every_cell_is_the_same_in_page_data_table_and_database(
    ranking: Publication, client: Client, read: Read
) -> None:
    sealed = json.loads(Publication.objects.get(pk=ranking.pk).release.content)["ranking"]
    told = json.loads(api(client, ranking, "rows"))
    assert told["rows"] == sealed["rows"]
    assert told["apart"] == sealed["apart"]
    table = list(csv.DictReader(io.StringIO(api(client, ranking, "rows", "csv"))))
    pages = [markup.table(read(address), CAPTION)[1:] for address in (CATEGORY, permanent(ranking))]
    assert len(sealed["rows"]) == len(table) == len(pages[0]) == len(pages[1]) == 9
    for place, row in enumerate(sealed["rows"]):
        for name, cell in table[place].items():
            assert cell == _as_csv(row[name]), name
        for page in pages:
            rank, configuration, score, bounds, coverage, tier = page[place]
            assert rank.startswith(f"{span(row)} ")
            assert rank.endswith((f"place {row['rank']} by score", f"shares place {row['rank']}"))
            assert configuration.startswith(f"{row['model']} {row['organization']} · ")
            assert score == one(row["score"])
            assert bounds == interval(row)
            assert coverage == f"{row['coverage']:g}%" or one(row["coverage"]) in coverage
            assert tier == str(row["tier"])
    assert set(table[0]) == {name for name in sealed["rows"][0] if name not in {"contributions", "notes"}}


def _as_csv(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ("; " if any(" " in item for item in value) else " ").join(value)
    return "" if value is None else str(value)


def test_contributions_are_the_sealed_ones_and_add_up(ranking: Publication, read: Read) -> None:
    sealed = json.loads(ranking.release.content)["ranking"]["rows"]
    page = read(CATEGORY)
    head, *rows = markup.table(page, "Points that each facet adds to 50, or takes from it")
    assert head[1:] == [*(f"{title} 25%" for title, _ in world.FACETS.values()), "Together"]
    cells = iter(markup.table(page, "Points by facet and lineage; z is in standard deviations of the panel")[1:])
    for row, shown in zip(sealed, rows, strict=True):
        assert sum(found["points"] for found in row["contributions"]) == pytest.approx(row["score"] - 50, abs=1e-5)
        for facet, points in zip(world.FACETS, shown[1:-1], strict=True):
            whole = sum(found["points"] for found in row["contributions"] if found["facet"] == facet)
            assert float(points.replace("−", "-")) == pytest.approx(whole, abs=0.0501)
        assert float(shown[-1].replace("−", "-")) == pytest.approx(row["score"] - 50, abs=0.0501)
        for found in row["contributions"]:
            points = next(cells)[-1]
            assert points.lstrip("+") == one(found["points"])
    assert next(cells, None) is None


def test_a_category_of_one_facet_is_split_by_lineage(site: None, read: Read) -> None:
    def change(said: ranked.Record) -> None:
        said["facets"] = said["facets"][:1]
        for row in said["ranking"]["rows"]:
            row["contributions"] = row["contributions"][:2]

    sealed = json.loads(ranked.publish(change=change).release.content)["ranking"]["rows"]
    head, *rows = markup.table(read(CATEGORY), "Points that each lineage adds to 50, or takes from it")
    assert head[1:] == ["pairwise comparisons", "STATE-Bench 0.8, main", "Together"]
    for row, record in zip(rows, sealed, strict=True):
        found = {cell["lineage"]: cell["points"] for cell in record["contributions"]}
        assert row[1].lstrip("+") == one(found[ranked.FIRST_PARTY])
        assert row[2].lstrip("+") == (one(found[world.LINEAGE]) if world.LINEAGE in found else "no value")


def test_the_picture_draws_what_the_table_says(ranking: Publication, read: Read) -> None:
    """A longer interval is drawn longer, a higher score further right, and no mark leaves the picture."""
    sealed = json.loads(ranking.release.content)["ranking"]["rows"]
    drawn = [svg for svg in read(CATEGORY).all("svg") if svg.attributes.get("class") == "plot"]
    points = [float(svg.first("circle").attributes["cx"]) for svg in drawn]
    assert points == sorted(points, reverse=True)
    assert len(points) == len(sealed)
    assert all(0 < point < 288 for point in points)
    per_point = (points[0] - points[-1]) / (sealed[0]["score"] - sealed[-1]["score"])
    for point, row in zip(points, sealed, strict=True):
        assert point - points[-1] == pytest.approx((row["score"] - sealed[-1]["score"]) * per_point, abs=0.02)
    marks = ["/".join(path.attributes["class"] for path in svg.all("path", "circle")) for svg in drawn]
    place = {row["configuration"]: mark for row, mark in zip(sealed, marks, strict=True)}
    assert "whisker" not in place[ranked.UNBOUNDED]
    assert place[ranked.UNBOUNDED].endswith("bare")
    assert "whisker open" in place[ranked.ONE_SIDED]
    assert "bounds" in place[ranked.ASSUMING]
    assert sum("bounds" in mark for mark in marks) == 1


# What stands beside it ------------------------------------------------------------------------------------------------


def test_the_first_words_say_what_was_asked_and_how_far_there_is_an_answer(ranking: Publication, read: Read) -> None:
    told = read(CATEGORY).first("main").text
    question, answer = "Which models are best at customer support", "3 of 9 share the top"
    assert told.index(question) < told.index(answer) < 300
    assert (
        "Finch 2, Vega 3 (harness Aster Code 2.1 · effort low) and Vega 3 (harness Aster Code 2.1 · effort max)" in told
    )
    assert "There is no ranking here" not in told


@pytest.mark.parametrize("address", ["category", "release"])
def test_what_must_stand_beside_every_ranking_does(ranking: Publication, read: Read, address: str) -> None:
    told = read(CATEGORY if address == "category" else permanent(ranking)).text
    for sentence in (
        "Ranks are among the 9 configurations listed, not among all models.",
        "50 is the average of this panel of 8 configurations, not 50%",
        "Scores do not compare across categories or panels.",
        "It leaves out contamination of the tasks, bias of the judges, and what another harness would do.",
        "Evidence whose source states a day was observed from 1 March 2026 to 30 August 2026 .",
        "A name without a harness is not the product one can buy",
        "the gate was evaluated 4 times and the evidence was changed 1 time.",
        "2160 pairwise verdicts: 1080 units of one pair on one task, by 2 judges, on 60 tasks.",
        "order among them is alphabetical and means nothing",
        "harness not declared · effort high · settings temperature 0",
        "There are too few tasks for an interval.",
        "Assumes, where there is no value: Diagnosis and resolution, STATE-Bench 0.8, main.",
        "Whatever it is, the score is 49.8 to 53.6.",
        "Orca XL cannot be told apart from Saga 70B.",
        "Pico can be told apart from every other row.",
        "of a row's cells, in which linked lineages count as one group",
        ranking.identifier,
        ranking.release.digest,
    ):
        assert sentence in told, sentence


def test_rows_listed_apart_have_a_reason_and_no_number_but_coverage(ranking: Publication, read: Read) -> None:
    rows = markup.table(read(CATEGORY), "Configurations without a rank, and why")[1:]
    assert rows == [
        ["Ivory New Ivory · harness not declared · effort not declared", "62.5%",
         "It covers too few of the required tasks. coverage"],
        ["Jade Jade · harness not declared · effort not declared", "not measured",
         "Its evidence was withheld. withheld"],
    ]  # fmt: skip
    assert "kilo/base Fewer than 8 rows have values there." in read(CATEGORY).text


def test_figures_that_decide_nothing_are_told_as_such(ranking: Publication, read: Read) -> None:
    said = markup.facts(read(CATEGORY))
    assert said["Points between the leader and the next"] == "1.232913"
    assert said["Reliability inside the top group"] == "not measured"


def test_one_at_the_top_is_said_so(site: None, read: Read) -> None:
    def alone(said: ranked.Record) -> None:
        for row in said["ranking"]["rows"][1:]:
            row["top"] = False

    ranked.publish(change=alone)
    assert "Vega 3 (harness Aster Code 2.1 · effort max) stands alone at the top" in read(CATEGORY).text
    assert "9 configurations ranked ; one stands alone at the top." in read("/").text


def test_a_demonstration_says_so_first_and_what_it_weakens(site: None, read: Read) -> None:
    publication = ranked.publish("self-service", ranked.demonstrate)
    for address in ("/categories/self-service/", permanent(publication)):
        page = read(address)
        told = page.first("main").text
        above, below = told.split("share the top")
        assert "This is a demonstration. By policy v3 there would be no ranking here." in above
        assert "thresholds" not in above, "the answer stands in the first screen"
        assert below.index("Read with it") < below.index("What makes it a demonstration")
        assert "#demonstration" in [link.attributes["href"] for link in page.all("a")]
        assert "Policy demonstration asks less than policy v3 in 2 thresholds" in told
        assert "The same evidence fails 2 of its criteria: independence, reliability." in told
        assert markup.table(page, "Thresholds that this policy weakens")[1:] == [
            ["Headline rows, at least", "8", "5", "Few took part."],
            ["Rights that every used source must give", "rank, show, export", "rank", "The rest is not reviewed."],
        ]
        assert markup.table(page, "Criteria of policy v3 that the same evidence fails")[1:] == [
            ["Independence", "2 groups", "1", "One more independence group is needed."],
            ["Reliability", "1 check", "not measured", "It cannot be computed."],
        ]
    assert read("/categories/self-service/").text.index("This is a demonstration") < 900
    assert "A demonstration, under a policy weaker than v3." in read("/").text
    assert "A demonstration policy, weaker than v3." in read(f"/embed/{publication.identifier[:12]}/").text
    assert "This is a demonstration" not in read(CATEGORY).text


# Where a model is named -----------------------------------------------------------------------------------------------


def test_a_model_has_its_configurations_and_their_places(ranking: Publication, read: Read) -> None:
    ranked.publish("self-service")
    page = read("/models/aster/vega-3/")
    assert page.first("h1").text == "Vega 3"
    assert [heading.text for heading in page.all("h2")] == [
        "harness Aster Code 2.1 · effort low",
        "harness Aster Code 2.1 · effort max",
    ]
    tables = list(page.all("table"))
    assert len(tables) == 2
    rows = [[cell.text for cell in row.all("th", "td")] for row in tables[1].all("tr")]
    assert [row[:5] for row in rows[1:]] == [
        ["Customer Support & Service Resolution", "1 to 3 of 9", "61.5", "59.1 to 63.9", "100%"],
        ["Self-service guidance", "1 to 3 of 9", "61.5", "59.1 to 63.9", "100%"],
    ]
    assert "Listed apart: Its evidence was withheld." in read("/models/jade/withheld/").text


def test_no_status_release_makes_a_model_public(site: None, client: Client, read: Read) -> None:
    """A model is there while a live ranking lists it, and no longer."""
    assert client.get("/models/aster/vega-3/").status_code == 404
    assert client.get("/models/maker/hidden-9/").status_code == 404
    ranked.publish()
    assert client.get("/models/aster/vega-3/").status_code == 200
    assert client.get("/models/maker/hidden-9/").status_code == 404, "it has a result and no row"
    models.Collection.objects.filter(slug=world.SLUG).update(summary="Said anew.")
    world.publish()
    assert client.get("/models/aster/vega-3/").status_code == 404
    assert "No live release has a ranking that lists the model" in read("/models/aster/vega-3/", status=404).text
    for address in (CATEGORY, "/", "/overall/", "/evidence/", f"{CATEGORY}de-escalation/"):
        assert "Vega 3" not in read(address).text, address


def test_a_facet_of_a_ranking_shows_what_it_adds_by_lineage(ranking: Publication, read: Read) -> None:
    page = read(f"{CATEGORY}diagnosis-and-resolution/")
    head, *rows = markup.table(page, "Points that this facet adds to a score or takes from it, by lineage")
    assert head == ["Configuration", "pairwise comparisons", "STATE-Bench 0.8, main"]
    assert [row[0].split(" harness")[0] for row in rows][:4] == ["Vega 3", "Finch 2", "Vega 3", "Orca XL"]
    sealed = json.loads(ranking.release.content)["ranking"]["rows"]
    for row, record in zip(rows, sealed, strict=True):
        found = {cell["lineage"]: cell["points"] for cell in record["contributions"]
                 if cell["facet"] == "diagnosis-and-resolution"}  # fmt: skip
        assert row[1].lstrip("+") == one(found[ranked.FIRST_PARTY])
        assert row[2].lstrip("+") == (one(found[world.LINEAGE]) if world.LINEAGE in found else "no value")


def test_home_says_how_many_rank_and_how_many_share_the_top(ranking: Publication, read: Read) -> None:
    [part] = [part for part in read("/").all("section") if part.attributes.get("aria-labelledby") == "ranked"]
    assert "9 configurations ranked ; 3 share the top group." in part.text
    assert "Vega" not in part.text, "who leads is for the page that says how far"


def test_the_overall_page_says_which_categories_rank(ranking: Publication, read: Read) -> None:
    page = read("/overall/")
    assert "Of 2 published categories 1 has a ranking." in page.text
    assert "the live rankings of at least 3 categories" in page.text
    [ranks] = [part for part in page.all("section") if part.attributes.get("aria-labelledby") == "contributes"]
    assert [heading.text for heading in ranks.all("h3")] == ["Customer Support & Service Resolution"]


# Permanent, and elsewhere ---------------------------------------------------------------------------------------------


def test_a_superseded_ranking_keeps_its_page_and_names_the_live_one(ranking: Publication, read: Read) -> None:
    newer = ranked.publish(change=lambda said: said["collection"].update(summary="Said anew."), reason="Corrected.")
    page = read(permanent(ranking))
    assert "Superseded." in page.text
    assert len(markup.table(page, CAPTION)) == 10
    targets = [link.attributes["href"] for link in page.first("main").all("a")]
    assert permanent(newer) in targets
    assert not any(target.startswith("/models/") for target in targets), "a model may leave the live rankings"


def test_a_category_lists_its_releases_and_leads_to_downloads(ranking: Publication, client: Client, read: Read) -> None:
    page = read(CATEGORY)
    [cite] = [part for part in page.all("section") if part.attributes.get("aria-labelledby") == "cite"]
    assert "evidence status, release 1" in cite.text
    for link in cite.all("a"):
        assert client.get(link.attributes["href"]).status_code == 200, link.attributes["href"]
    citation = page.first("pre").text
    for fact in (ranking.identifier, ranking.release.digest, f"http://127.0.0.1:8000{permanent(ranking)}", "release 2"):
        assert fact in citation


def test_two_releases_are_compared_in_words(ranking: Publication, client: Client, read: Read) -> None:
    def change(said: ranked.Record) -> None:
        rows = said["ranking"]["rows"]
        said["ranking"]["rows"] = rows[:-1]
        rows[0] |= {"rank_high": 2, "score": 63.5}
        said["ranking"]["evidence"][0]["value"] = 1.5
        said["facets"][0]["weight"], said["facets"][1]["weight"] = "30", "20"
        said["exclusions"] = []
        said["policy"]["thresholds"]["headline_rows"]["value"] = 9

    newer = ranked.publish(change=change, reason="Corrected.")
    address = f"{permanent(ranking)}diff/{newer.identifier[:12]}/"
    assert address in {link.attributes["href"] for link in read(CATEGORY).first("main").all("a")}
    page = read(address)
    assert "Why release 3 was published: Corrected." in page.text
    assert markup.table(page, "Rows whose rank range moved")[1:] == [
        ["Vega 3 aster/vega-3@max", "1 to 3", "1 to 2", "61.5", "63.5"]
    ]
    assert markup.table(page, "Rows that went out")[1:] == [["Pico haven/pico", "9", "37.0"]]
    assert markup.table(page, "Values that count now and did not")[1][2] == "1.5"
    assert markup.table(page, "Values that counted and no longer do")[1][0] == "aster/vega-3@max"
    assert len(markup.table(page, "Exclusions lifted")) == 2
    assert markup.table(page, "Thresholds of the policy")[1:] == [["Headline rows, at least", "8", "9"]]
    assert markup.table(page, "Weights of the facets")[1] == ["Diagnosis and resolution", "25%", "30%"]
    assert "Nothing that is compared here differs" in read(f"{permanent(ranking)}diff/{ranking.identifier[:12]}/").text
    came = read(f"{permanent(Publication.objects.get(number=1, collection=ranking.collection))}diff/"
                f"{ranking.identifier[:12]}/")  # fmt: skip
    assert len(markup.table(came, "Rows that came in")) == 10
    other = Publication.objects.get(collection__slug="self-service").identifier[:12]
    assert client.get(f"{permanent(ranking)}diff/{other}/").status_code == 404
    world.withdraw(newer)
    assert client.get(address).status_code == 410


def test_a_release_describes_itself_to_catalogues_of_data(ranking: Publication, client: Client, read: Read) -> None:
    for address in (permanent(ranking), permanent(Publication.objects.get(collection__slug="self-service"))):
        told = json.loads(read(address).first("script").text)
        assert told["@type"] == "Dataset"
        assert address in told["url"]
        for download in told["distribution"]:
            where = download["contentUrl"].removeprefix("http://127.0.0.1:8000")
            assert client.get(where)["Content-Type"].startswith(download["encodingFormat"])


def test_the_plot_is_one_picture_with_every_row(ranking: Publication, client: Client, read: Read) -> None:
    address = f"{permanent(ranking)}plot.svg"
    response = client.get(address)
    assert response["Content-Type"] == "image/svg+xml"
    picture = markup.read(response.content.decode())
    assert [circle.attributes["fill"] for circle in picture.all("circle")].count("#fbfaf6") == 1, "one without interval"
    assert len(list(picture.all("circle"))) == 9
    for row in json.loads(ranking.release.content)["ranking"]["rows"]:
        assert row["model"] in picture.text
        assert one(row["score"]) in picture.text
        assert interval(row) in picture.text
    assert ranking.identifier[:12] in picture.text
    assert not [element for element in picture.all() if "style" in element.attributes]
    images = [meta.attributes["content"] for meta in read(CATEGORY).all("meta")
              if meta.attributes.get("property") == "og:image"]  # fmt: skip
    assert images == [f"http://127.0.0.1:8000{address}"]


def test_the_table_can_be_put_into_a_frame_of_any_site(ranking: Publication, client: Client) -> None:
    response = client.get(f"/embed/{ranking.identifier[:12]}/")
    policy = response["Content-Security-Policy"]
    assert "frame-ancestors *" in policy
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "X-Frame-Options" not in response
    page = markup.read(response.content.decode())
    assert not list(page.all("script", "img", "iframe"))
    assert [link.attributes["href"] for link in page.all("link")] == ["data:,"], "one file"
    assert ranking.identifier in page.text
    rows = markup.table(page, "Score with 95% interval, and the ranks that the evidence leaves open")[1:]
    for row, sealed in zip(rows, json.loads(ranking.release.content)["ranking"]["rows"], strict=True):
        assert [row[0], row[2], row[3], row[5]] == [
            span(sealed), one(sealed["score"]), interval(sealed), str(sealed["tier"]),
        ]  # fmt: skip
    other = client.get(CATEGORY)
    assert "frame-ancestors 'none'" in other["Content-Security-Policy"]
    assert other["X-Frame-Options"] == "DENY"


def test_only_a_ranking_can_be_drawn_or_embedded_and_a_withdrawn_one_says_so(
    ranking: Publication, client: Client
) -> None:
    status = Publication.objects.get(collection__slug="self-service").identifier[:12]
    for address in (f"/embed/{status}/", f"/releases/{status}/plot.svg", "/embed/000000000000/"):
        assert client.get(address).status_code == 404
    world.withdraw(ranking, "Its source was retracted.")
    gone = client.get(f"/embed/{ranking.identifier[:12]}/")
    assert (gone.status_code, "frame-ancestors *" in gone["Content-Security-Policy"]) == (410, True)
    assert "Its source was retracted." in gone.content.decode()
    assert "Vega" not in gone.content.decode()
    assert client.get(f"{permanent(ranking)}plot.svg").status_code == 410


def test_hostile_words_of_a_ranking_are_shown_as_words(site: None, client: Client) -> None:
    evil = "\"'></script></style><script>alert(1)</script><img src=x onerror=alert(1)>\x0b{{ title }}]]>"

    def poison(said: Any) -> Any:
        if isinstance(said, dict):
            return {name: value if name in KEPT else poison(value) for name, value in said.items()}
        if isinstance(said, list):
            return [poison(value) for value in said]
        return evil if isinstance(said, str) else said

    publication = ranked.publish(
        change=lambda said: said.update(
            collection=said["collection"] | {"title": evil}, ranking=poison(said["ranking"])
        )
    )
    for address in (CATEGORY, permanent(publication), f"{permanent(publication)}plot.svg", "/", "/overall/",
                    f"/embed/{publication.identifier[:12]}/"):  # fmt: skip
        page = markup.read(client.get(address).content.decode())
        assert not list(page.all("img")), address
        assert all(block.attributes == {"type": "application/ld+json"} for block in page.all("script")), address
    assert "\x0b" not in client.get(f"{permanent(publication)}plot.svg").content.decode()


KEPT = {"configuration", "model_key", "organization_key", "facet", "lineage", "indistinct", "assumes", "panel", "pool",
        "mean", "sd", "source", "from", "to"}  # fmt: skip
"""Keys and dates, which the registry lets be nothing else."""
