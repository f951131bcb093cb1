"""What live and past releases say through the API."""

import hashlib
import json
import re

import pytest
from django.conf import settings

from ranking import canonical
from ranking.identity import identifier, release_digest
from ranking.models import Publication, Release
from registry.actions.exclusions import lift
from registry.models import CapabilityAtom, Collection, EvidenceMapping, Exclusion, Lineage, MetricContract, Result
from tests.ranking.public import world


def test_the_gate_has_the_shape_that_scripts_rely_on(api, published):
    told = api(f"collections/{world.SLUG}/gate/").told
    assert list(told) == ["collection", "policy", "evaluated_at", "snapshot", "verdict", "criteria", "facets"]
    evaluation = published.release.evaluation
    assert (told["collection"], told["policy"], told["verdict"]) == (world.SLUG, "v3", "closed")
    assert told["evaluated_at"] == evaluation.evaluated_at.isoformat().replace("+00:00", "Z")
    assert told["snapshot"] == evaluation.snapshot.digest
    assert told["criteria"] == evaluation.criteria
    assert told["facets"] == evaluation.facets
    names = ["code", "required", "observed", "missing", "verdict", "reason", "message", "beside", "parts"]
    assert all(list(row) == names for row in told["criteria"])
    independence = next(row for row in told["criteria"] if row["code"] == "independence")
    assert (independence["required"], independence["observed"], independence["missing"]) == (2, 0, 2)
    assert independence["beside"] == {"groups with eligible results": 1}


def test_a_number_is_told_as_it_was_computed(api, published):
    text = api(f"collections/{world.SLUG}/gate/").content.decode()
    assert '"required":2,' in text


def test_a_release_can_be_verified_from_what_the_api_says(api, published):
    """Every member of the content is told, unchanged: its canonical form has the digest, and the digest the id."""
    mapping = EvidenceMapping.objects.get(collection__slug=world.SLUG)
    world.exclude(
        "contract", "v0.8.main.customer_support.pass_hat_5", "aggregate", "It mixes domains.", mapping=mapping
    )
    newer = world.publish(reason="An exclusion within the mapping.")
    for publication in (published, newer):
        told = api(f"releases/{publication.identifier}/").told
        assert release_digest(told["kind"], canonical.text(told["content"])) == told["digest"]
        assert identifier(told["digest"], told["number"], told["predecessor"] or "") == told["identifier"]
    assert [row["target"] for row in told["content"]["mappings"][0]["exclusions"]] == [
        "v0.8.main.customer_support.pass_hat_5"
    ]


def test_the_check_that_the_guide_shows_works(api, published):
    guide = (settings.BASE_DIR / "docs/api.md").read_text()
    check = guide.split("```python")[1].split("```")[0].splitlines()
    told = api(f"releases/{published.identifier}/").told
    names = {"told": told, "hashlib": hashlib, "json": json}
    exec("\n".join(line for line in check if not line.startswith(("import", "told ="))), names)
    with pytest.raises(AssertionError):
        exec("\n".join(check[-2:]), names | {"told": told | {"digest": "0" * 64}})


def test_a_release_answers_to_twelve_digits_or_more(api, published):
    whole = api(f"releases/{published.identifier}/").told
    for digits in (12, 13, 63):
        assert api(f"releases/{published.identifier[:digits]}/").told == whole
    assert api(f"releases/{published.identifier[:11]}/").status_code == 404
    assert api(f"releases/{published.identifier}0/").status_code == 404
    assert whole["state"] == "live"
    assert whole["evaluated_at"]


def test_a_status_release_has_no_rows_and_says_why(api, published):
    told = api(f"releases/{published.identifier[:12]}/rows/").told
    assert (told["rows"], told["reason"]) == ([], "no-ranking")
    assert "ranks nothing" in told["message"]


def test_a_status_release_tells_its_evidence_in_counts(api, published):
    told = api(f"releases/{published.identifier[:12]}/evidence/").told
    assert (told["results"], told["eligible"], told["comparisons"]) == (3, 1, 0)
    assert {row["code"]: row["results"] for row in told["reasons"]} == {"contract-not-usable": 1, "no-uncertainty": 2}
    assert [row["mapping"] for row in told["mappings"]] == [world.MAPPING]
    assert (told["values"], told["reason"]) == ([], "no-values")


def test_a_superseded_release_stays_and_says_so(api, published):
    name = f"releases/{published.identifier}/"
    before = api(name)
    Collection.objects.filter(slug=world.SLUG).update(title="Support")
    newer = world.publish(reason="A new title.")
    after = api(name, headers={"If-None-Match": before.headers["ETag"]})
    assert after.status_code == 200
    assert (after.told["state"], before.told["state"]) == ("superseded", "live")
    assert after.told["content"] == before.told["content"]
    assert api(f"releases/{newer.identifier}/").told["predecessor"] == published.identifier
    assert api(f"collections/{world.SLUG}/").told["release"] == newer.identifier
    listed = api("releases/", collection=world.SLUG).told["results"]
    assert [(row["number"], row["state"]) for row in listed] == [(2, "live"), (1, "superseded")]
    assert [row["reason"] for row in listed] == ["A new title.", "First publication."]


def test_a_withdrawn_release_leaves_a_tombstone(api, published):
    world.withdraw(published, "The source was retracted.")
    for path in (
        f"releases/{published.identifier[:12]}/",
        f"releases/{published.identifier[:12]}/rows/",
        f"releases/{published.identifier[:12]}/evidence/",
        f"collections/{world.SLUG}/",
        f"collections/{world.SLUG}/gate/",
        f"mappings/{world.MAPPING}/",
        f"facets/{world.SLUG}/de-escalation/",
    ):
        answer = api(path)
        assert (answer.status_code, answer.headers["Content-Type"]) == (410, "application/problem+json")
        assert answer.told["reason"] == "The source was retracted."
        assert answer.told["type"].endswith("#problem-withdrawn")
        assert answer.told["withdrawn_at"].endswith("Z")
        assert "ETag" not in answer.headers
    assert api("atoms/support_ux/").status_code == 200, "another category carries it"
    assert api(f"mappings/{world.SLUG}/never/published/").status_code == 404
    assert [row["slug"] for row in api("collections/").told["results"]] == ["self-service"]
    listed = api("releases/", state="withdrawn").told["results"]
    assert [row["withdrawal_reason"] for row in listed] == ["The source was retracted."]
    assert [entry["reason"] for entry in api("overall/").told["not_contributing"]] == ["withdrawn", "no-ranking"]


def test_a_lifted_exclusion_stays_in_the_ledger(api, published, editor):
    lift(exclusion=Exclusion.objects.get(), by=editor, reason="The bridge study is out.")
    newest = world.publish(reason="A lineage may count again.")
    found = api("exclusions/").told["results"]
    in_force, lifted = sorted(found, key=lambda row: row["state"])
    assert (in_force["state"], in_force["lifted_on"], in_force["lift_reason"]) == ("in-force", None, None)
    assert (lifted["state"], lifted["lifted_by"], lifted["lift_reason"]) == (
        "lifted",
        "editor",
        "The bridge study is out.",
    )
    assert (lifted["reason"], lifted["release"]) == ("Other tasks, other prompts.", newest.identifier)
    assert [row["key"] for row in api("exclusions/", state="lifted").told["results"]] == [lifted["key"]]
    assert api(f"exclusions/{lifted['key']}/").status_code == 200
    content = api(f"releases/{newest.identifier[:12]}/").told["content"]
    assert (content["exclusions"], len(content["lifted_exclusions"])) == ([], 1)


def test_a_record_is_told_in_the_newest_words_and_where_they_differ(api, published):
    older = Publication.objects.get(collection__slug="self-service")
    assert api("atoms/support_ux/").told["differs_in"] == []
    CapabilityAtom.objects.filter(key="support_ux").update(title="How support feels")
    newest = world.publish(reason="A new title.")
    told = api("atoms/support_ux/").told
    assert told["title"] == "How support feels"
    assert (told["release"], told["differs_in"]) == (newest.identifier, [older.identifier])


def test_a_benchmark_with_two_mappings_shows_both(api, published):
    told = api(f"benchmarks/{world.BENCHMARK}/").told
    assert (told["suite"], told["publisher"]) == ("statebench", "microsoft")
    assert told["mappings"] == [world.MAPPING, world.SECOND]
    assert [row["role"] for row in api("mappings/", suite="statebench").told["results"]] == ["primary", "supporting"]


def test_the_mapping_record_is_the_one_that_the_release_seals(api, published):
    told = api(f"mappings/{world.MAPPING}/").told
    sealed = json.loads(published.release.content)["mappings"][0]
    assert {name: value for name, value in told.items() if name not in {"release", "differs_in"}} == sealed
    assert told["release"] == published.identifier


def test_a_contract_says_which_facet_it_measures(api, published):
    told = api("contracts/v0.8.main.customer_support.pass_at_1/").told
    assert told["measures"] == [{"mapping": world.MAPPING, "facet": "diagnosis-and-resolution"}]
    assert told["mappings"] == [world.MAPPING, world.SECOND]
    assert (told["assumed_n"], told["assumed_n_reason"]) == (150, "The split holds 150 tasks.")
    assert api("contracts/v0.8.main.customer_support.mean_ux_score/").told["measures"] == []


def test_a_lineage_says_what_it_depends_on(api, published):
    told = api(f"lineages/{world.LINEAGE}/").told
    assert told["links"] == [
        {
            "with": "statebench-v0-7-main",
            "kind": "publisher",
            "certainty": "shared",
            "reason": "Both are Microsoft's.",
        }
    ]
    assert {row["group"] for row in api("lineages/").told["results"]} == {told["group"]}
    assert Lineage.objects.count() == api("lineages/").told["count"] == 2


def test_an_exclusion_says_what_would_lift_it(api, published):
    row = api("exclusions/").told["results"][0]
    assert (row["scope"], row["target"], row["type"]) == ("lineage", "statebench-v0-7-main", "version")
    assert "bridge study" in row["lift_condition"]


def test_a_policy_gives_the_reason_for_each_number(api, published):
    thresholds = api("policies/v3/").told["thresholds"]
    assert [row["name"] for row in thresholds] == sorted(world.THRESHOLDS)
    assert all(row["value"] == world.THRESHOLDS[row["name"]] for row in thresholds)
    assert all(row["reason"] for row in thresholds)


def test_the_overall_leaderboard_says_who_does_not_contribute(api, published):
    told = api("overall/").told
    assert (told["release"], told["contributing"], told["reason"]) == (None, [], "no-ranking-release")
    assert [(row["collection"], row["reason"]) for row in told["not_contributing"]] == [
        (world.SLUG, "no-ranking"),
        ("self-service", "no-ranking"),
    ]


@pytest.mark.parametrize("form", ["json", "csv"])
def test_no_answer_holds_a_score_or_the_name_of_a_model(api, addresses, form):
    values = [str(value) for value in Result.objects.values_list("value", flat=True).distinct()]
    assert values
    forbidden = re.compile("|".join(map(re.escape, [*values, world.MODEL, "hidden-9"])))
    for path in addresses.values():
        answer = api(path, format=form)
        assert answer.status_code == 200 or form == "csv"
        assert not forbidden.search(answer.content.decode()), path
    assert not forbidden.search(api("docs/").content.decode())
    assert MetricContract.objects.count() == api("contracts/").told["count"]
    assert Release.objects.count() == 2
