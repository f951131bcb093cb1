"""What the API says of ranking releases, and of nothing else."""

import csv
import io
import json
import zipfile

import pytest

from ranking import canonical
from ranking.models import Publication
from registry.models import Collection
from tests.ranking.public import ranked, world


def test_the_rows_are_the_sealed_ones(api, ranking):
    sealed = json.loads(ranking.release.content)["ranking"]
    told = api(f"releases/{ranking.identifier[:12]}/rows/").told
    assert list(told) == ["release", "collection", "rows", "apart", "reason", "message"]
    assert (told["rows"], told["apart"]) == (sealed["rows"], sealed["apart"])
    assert (told["release"], told["reason"], told["message"]) == (ranking.identifier, None, None)


def test_a_table_of_rows_has_a_line_for_each_in_order(api, ranking):
    answer = api(f"releases/{ranking.identifier[:12]}/rows/", format="csv")
    assert answer.headers["Content-Type"].startswith("text/csv")
    assert answer.headers["ETag"] == f'"{ranking.identifier}.csv"'
    rows = list(csv.DictReader(io.StringIO(answer.content.decode())))
    sealed = json.loads(ranking.release.content)["ranking"]["rows"]
    assert [float(row["score"]) for row in rows] == [row["score"] for row in sealed]
    by_key = {row["configuration"]: row for row in rows}
    assert by_key[ranked.UNBOUNDED]["low"] == by_key[ranked.UNBOUNDED]["high"] == ""
    assert by_key[ranked.ASSUMING]["assumes"] == f"diagnosis-and-resolution / {world.LINEAGE}"
    assert by_key["aster/vega-3@max"]["top"] == "true"
    assert by_key["aster/vega-3@max"]["indistinct"] == "boreal/finch-2@high aster/vega-3@low"


def test_the_evidence_holds_every_value_that_counts_with_where_it_came_from(api, ranking):
    sealed = json.loads(ranking.release.content)["ranking"]["evidence"]
    name = f"releases/{ranking.identifier[:12]}/evidence/"
    told = api(name).told
    assert (told["values"], told["reason"]) == (sealed, None)
    rows = list(csv.DictReader(io.StringIO(api(name, format="csv").content.decode())))
    assert [(row["configuration"], float(row["value"]), row["line"], row["n_assumed"]) for row in rows] == [
        (row["configuration"], row["value"], str(row["line"]), "true") for row in sealed
    ]


@pytest.mark.parametrize("part", ["rows", "evidence"])
def test_a_status_release_has_no_table_but_its_head(api, published, part):
    answer = api(f"releases/{published.identifier[:12]}/{part}/", format="csv")
    assert answer.status_code == 200
    [head] = answer.content.decode().splitlines()
    assert "configuration" in head


def test_a_collection_says_whether_it_is_ranked(api, ranking):
    told = {row["slug"]: row for row in api("collections/").told["results"]}
    assert (told["self-service"]["state"], told["self-service"]["kind"]) == ("ranked", "ranking")
    assert (told[world.SLUG]["state"], told[world.SLUG]["kind"]) == ("not-ranked", "status")
    assert [row["slug"] for row in api("collections/", state="ranked").told["results"]] == ["self-service"]
    one = api("collections/self-service/").told
    assert (one["reason"], one["message"], one["unmet"], one["gate"]) == (None, None, [], "open")


def test_a_configuration_is_told_with_its_places(api, ranking):
    told = api("configurations/aster/vega-3@max/").told
    assert (told["model"], told["model_key"], told["effort"]) == ("Vega 3", "aster/vega-3", "max")
    [place] = told["places"]
    sealed = json.loads(ranking.release.content)["ranking"]["rows"][0]
    assert place["release"] == ranking.identifier
    assert (place["ranked"], place["code"]) == (True, None)
    assert all(place[name] == sealed[name] for name in ("rank", "rank_low", "rank_high", "score", "low", "high"))
    [apart] = api("configurations/jade/withheld/").told["places"]
    assert (apart["ranked"], apart["score"], apart["code"]) == (False, None, "withheld")


def test_a_model_is_told_with_its_configurations(api, ranking):
    told = api("models/aster/vega-3/").told
    assert (told["name"], told["organization"]) == ("Vega 3", "Aster")
    assert told["configurations"] == ["aster/vega-3@low", "aster/vega-3@max"]
    assert told["collections"] == ["self-service"]
    listed = api("configurations/", model_key="aster/vega-3").told["results"]
    assert [row["key"] for row in listed] == told["configurations"]
    assert [row["key"] for row in api("models/", organization_key="fjord").told["results"]] == ["fjord/tern"]


def test_a_model_is_named_while_a_live_ranking_lists_it(api, ranking):
    assert api("models/").told["count"] == 10
    Collection.objects.filter(slug="self-service").update(summary="Said anew.")
    world.publish("self-service")
    for path in ("models/", "configurations/"):
        assert api(path).told["results"] == []
    assert api("models/aster/vega-3/").status_code == 404
    assert api(f"releases/{ranking.identifier[:12]}/rows/").told["rows"], "the past release says what it said"


def test_overall_counts_the_rankings_there_are(api, ranking):
    told = api("overall/").told
    assert (told["reason"], told["contributing"]) == ("too-few-rankings", ["self-service"])
    assert [row["collection"] for row in told["not_contributing"]] == [world.SLUG]
    ranked.publish(world.SLUG)
    told = api("overall/").told
    assert told["not_contributing"] == []
    assert "there are 2" in told["message"]


def test_what_a_ranking_seals_is_told_to_the_last_member(api, published):
    """A member that this version does not know yet is part of the digest, and so of the answer."""
    publication = ranked.publish("self-service", lambda said: said["ranking"].update(later={"unheard": [1, None]}))
    told = api(f"releases/{publication.identifier[:12]}/").told
    assert told["content"] == json.loads(publication.release.content)
    assert told["content"]["ranking"]["later"] == {"unheard": [1, None]}
    assert (
        canonical.sha256(f"ranking\n{canonical.text(told['content'])}") == told["digest"] == publication.release.digest
    )


def test_withdrawn_values_are_gone_from_every_address(api, ranking):
    world.withdraw(Publication.objects.get(pk=ranking.pk))
    for part in ("", "rows/", "evidence/"):
        answer = api(f"releases/{ranking.identifier[:12]}/{part}")
        assert answer.status_code == 410
        assert b"Vega" not in answer.content
    assert api("models/").told["count"] == api("configurations/").told["count"] == 0


def test_a_difference_tells_rows_ranks_evidence_and_rules(api, ranking):
    def change(said: ranked.Record) -> None:
        rows = said["ranking"]["rows"]
        said["ranking"]["rows"] = rows[:-1]
        rows[0] |= {"rank_high": 2, "score": 63.5}
        said["ranking"]["evidence"][0]["value"] = 1.5
        said["ranking"]["comparisons"]["verdicts"] = 2200
        said["facets"][0]["weight"], said["facets"][1]["weight"] = "30", "20"

    newer = ranked.publish("self-service", change)
    told = api(f"releases/{ranking.identifier[:12]}/diff/{newer.identifier}/").told
    assert (told["before"], told["after"], told["collection"]) == (ranking.identifier, newer.identifier, "self-service")
    assert [row["configuration"] for row in told["rows_out"]] == [ranked.ONE_SIDED]
    assert told["rows_in"] == []
    [moved] = told["moved"]
    assert (moved["before"]["rank_high"], moved["after"]["rank_high"], moved["after"]["score"]) == (3, 2, 63.5)
    assert [row["value"] for row in told["evidence_added"]] == [1.5]
    assert len(told["evidence_gone"]) == 1
    assert told["comparisons"] == [{"name": "verdicts", "before": 2160, "after": 2200}]
    assert [(row["name"], row["before"], row["after"]) for row in told["weights"]] == [
        ("diagnosis-and-resolution", "25", "30"),
        ("policy-boundaries", "25", "20"),
    ]
    back = api(f"releases/{newer.identifier}/diff/{ranking.identifier[:12]}/").told
    assert (back["rows_in"], back["rows_out"]) == (told["rows_out"], told["rows_in"])


def test_only_releases_of_one_collection_that_stand_are_compared(api, published, ranking):
    answer = api(f"releases/{published.identifier}/diff/{ranking.identifier}/")
    assert (answer.status_code, "two collections" in answer.told["detail"]) == (404, True)
    assert api(f"releases/{ranking.identifier}/diff/0123/").status_code == 404
    world.withdraw(ranking)
    before = ranking.predecessor.identifier
    assert api(f"releases/{before}/diff/{ranking.identifier}/").status_code == 410
    assert api(f"releases/{ranking.identifier}/diff/{before}/").status_code == 410


@pytest.mark.parametrize("kind", ["status", "ranking"])
def test_a_bundle_is_what_was_sealed(api, published, ranking, kind):
    publication = published if kind == "status" else ranking
    name = f"releases/{publication.identifier[:12]}/bundle/"
    answer = api(name)
    assert answer.headers["Content-Type"] == "application/zip"
    assert publication.identifier[:12] in answer.headers["Content-Disposition"]
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert archive.read("content.json").decode() == publication.release.content
        assert ("snapshot.json" in archive.namelist()) == (kind == "ranking"), "no value of a status is public"
    assert answer.content == api(name).content
    assert api(name, headers={"If-None-Match": answer.headers["ETag"]}).status_code == 304
    assert api(name, format="json").status_code == 400
    world.withdraw(publication)
    gone = api(name)
    assert (gone.status_code, gone.headers["Content-Type"]) == (410, "application/problem+json")
    assert api("releases/0123456789ab/bundle/").status_code == 404
