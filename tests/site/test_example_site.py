"""What the example site must show, on the real published table of STATE-Bench."""

import csv
import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from ranking import canonical, gate, snapshot
from ranking.actions import publish, recompute, seal
from ranking.models import GateEvaluation, Publication
from ranking.policies import in_force, values
from registry import eligibility, jobs
from registry.actions import curate, imports
from registry.models import Collection, Facet, ImportBatch, LineageLink, MappingProfile, Result, StagedResult
from registry.rules import independence_groups
from tests.crawl import Page, crawl
from tests.site.conftest import EXAMPLES

SLUG = "customer-service"
DATA = EXAMPLES / "data" / "statebench"
PASS_AT_1 = "customer_support.pass_at_1"


def criteria(slug: str = SLUG) -> dict[str, dict[str, Any]]:
    evaluation = GateEvaluation.objects.filter(collection__slug=slug).first()
    assert evaluation
    return {row["code"]: row for row in evaluation.criteria}


def judged(collection: Collection) -> list[eligibility.Judged]:
    mappings = collection.mappings.select_related("collection", "benchmark__suite")
    return list(eligibility.judge(mappings, Result.objects.all()))


def stage(name: str, by: User) -> ImportBatch:
    profile = MappingProfile.objects.get(key="statebench")
    return imports.stage(content=(DATA / name).read_bytes(), filename=name, profile=profile, source_url="", by=by)


def test_all_eleven_entries_land_in_four_lineages_and_nothing_is_merged(site: dict[str, User]) -> None:
    batch = ImportBatch.objects.get(source__filename="statebench_results.csv")
    assert (batch.rows, batch.counts["new"], batch.counts["skipped"]) == (176, 132, 44)
    entries = set(batch.results.values_list("external_id", flat=True))
    lineages = set(batch.results.values_list("contract__lineage__key", flat=True))
    assert (len(entries), len(lineages)) == (11, 4)
    with (DATA / "statebench_results.csv").open() as file:
        said = [row for row in csv.DictReader(file) if row["domain"] != "overall"]
    assert sorted(repr(float(row["value"])) for row in said if row["value"]) == sorted(
        repr(value) for value in batch.results.exclude(value=None).values_list("value", flat=True)
    )
    blank = sum(not row["value"] for row in said)
    assert batch.results.filter(value=None, absence="not-reported").count() == blank > 0


def test_overall_rows_are_skipped_with_the_reason(site: dict[str, User]) -> None:
    skipped = StagedResult.objects.filter(batch__source__filename="statebench_results.csv", verdict="skipped")
    assert {row.cells["domain"] for row in skipped} == {"overall"}
    assert all(row.problems and row.problems[0]["message"] for row in skipped)


def test_a_spread_over_runs_is_kept_and_never_a_standard_error(site: dict[str, User]) -> None:
    found = Result.objects.get(external_id="main-01", contract__key=f"v0.7.main.{PASS_AT_1}")
    assert (found.value, found.sd, found.stderr, found.n, found.runs) == (57.6, 2.5, None, None, 5)


def test_the_gate_counts_groups_and_rows_not_keys(site: dict[str, User]) -> None:
    found = criteria()
    independence, field = found["independence"], found["field"]
    assert (independence["required"], independence["observed"], independence["verdict"]) == (2, 0, "failed")
    assert independence["beside"] == {"groups with eligible results": 2}
    assert (field["required"], field["observed"], field["verdict"]) == (8, 0, "failed")
    assert field["beside"] == {"configurations with an eligible result": 19}
    assert found["external-evidence"]["observed"] == 19


def test_merging_lineages_would_have_passed_falsely(site: dict[str, User]) -> None:
    """What a board that counts keys would see in the same table: enough lineages, enough configurations."""
    merged = Result.objects.filter(contract__key__endswith=PASS_AT_1, batch__source__filename="statebench_results.csv")
    lineages = set(merged.values_list("contract__lineage__key", flat=True))
    configurations = set(merged.values_list("configuration__key", flat=True))
    assert len(lineages) >= 2
    assert len(configurations) >= 8
    links = LineageLink.objects.values_list("a__key", "b__key")
    assert len(set(independence_groups(lineages, links).values())) == 1
    assert (criteria()["independence"]["observed"], criteria()["field"]["observed"]) == (0, 0)


def test_ux_scores_answer_no_uncertainty_and_nothing_else(site: dict[str, User]) -> None:
    collection = Collection.objects.get(slug=SLUG)
    ux = [
        row
        for row in judged(collection)
        if row.result.contract.key == "v0.8.main.customer_support.mean_ux_score"
        and row.result.batch.source.filename == "statebench_results.csv"
    ]
    assert ux
    assert {tuple(reason.code for reason in row.reasons) for row in ux} == {("no-uncertainty",)}


def test_the_withdrawn_rows_are_imported_and_excluded(site: dict[str, User]) -> None:
    withdrawn = [
        row
        for row in judged(Collection.objects.get(slug=SLUG))
        if row.result.batch.source.filename == "statebench_withdrawn.csv"
    ]
    assert len(withdrawn) == 4
    assert all("excluded" in {reason.code for reason in row.reasons} for row in withdrawn)
    assert any("withdrawn" in reason.message for reason in withdrawn[0].reasons)


def test_one_configuration_with_three_values_stays_three_results(site: dict[str, User]) -> None:
    found = Result.objects.filter(contract__key__endswith=PASS_AT_1, value__in=(47.2, 46.0, 47.6))
    assert len({(row.contract_id, row.batch_id) for row in found}) == 3


def test_the_unverified_file_is_refused_row_by_row(site: dict[str, User]) -> None:
    before = Result.objects.count()
    batch = stage("statebench_unverified_third_party.csv", site["editor"])
    assert batch.counts["new"] == batch.counts["changed"] == 0
    left = batch.staged.exclude(verdict="skipped")
    assert {row.verdict for row in left} == {"refused"}
    assert all(row.problems and row.problems[0]["message"] for row in left)
    assert Result.objects.count() == before


def test_the_mock_up_is_refused(site: dict[str, User]) -> None:
    before = Result.objects.count()
    with pytest.raises(Exception, match=r"not a table of results"):
        stage("MOCKUP_NOT_RESULTS_entries.json", site["editor"])
    assert Result.objects.count() == before


def test_importing_the_same_bytes_again_changes_nothing(site: dict[str, User]) -> None:
    batch = stage("statebench_results.csv", site["editor"])
    assert (batch.counts["same"], batch.counts["new"], batch.counts["skipped"]) == (132, 0, 44)


def test_reverting_restores_the_exact_evidence_of_before(site: dict[str, User]) -> None:
    collection = Collection.objects.get(slug=SLUG)
    before = snapshot.digest(snapshot.take(collection))
    name = "statebench_withdrawn.csv"
    imports.revert(
        batch=ImportBatch.objects.get(source__filename=name), by=site["editor"], reason="A rehearsal of the undo."
    )
    without = snapshot.digest(snapshot.take(collection))
    batch = stage(name, site["editor"])
    imports.apply(batch=batch, by=site["editor"], reason="Back again.")
    assert snapshot.digest(snapshot.take(collection)) == before != without


def test_the_evaluation_is_that_of_the_snapshot_that_is_live(site: dict[str, User]) -> None:
    collection = Collection.objects.get(slug=SLUG)
    evidence = snapshot.take(collection)
    live = publish.live_of(collection)
    evaluation = recompute.recompute(collection=collection)
    assert live
    assert live.release.evaluation == evaluation
    assert evaluation.snapshot.digest == canonical.digest(evidence)
    assert canonical.plain(gate.evaluate(evidence, values(in_force(collection))).criteria) == evaluation.criteria


def test_the_pages_were_sealed_by_one_person_and_published_by_another(site: dict[str, User]) -> None:
    found = Publication.objects.select_related("release")
    assert {(row.release.sealed_by, row.published_by, row.number) for row in found} == {("editor", "publisher", 1)}


def test_the_category_says_there_is_no_ranking_and_lists_what_is_unmet(site: dict[str, User], client: Client) -> None:
    text = client.get(f"/categories/{SLUG}/").content.decode()
    assert "no ranking" in text.lower()
    for row in criteria().values():
        # The page writes what the gate said, numbers included.
        assert row["message"].replace("'", "&#x27;") in text
    assert "Customer Support &amp; Service Resolution" in text


# Every public byte ------------------------------------------------------------------------------------------------


# Where each profile's files have the value.
VALUES = {"statebench": "value", "alpaca-eval-2": "win_rate", "arena-text": "arena_score", "tau2-bench": "value"}


def stored_values() -> set[str]:
    """Each stored value as its file spelt it and as we would write it."""
    rows = StagedResult.objects.filter(verdict="new").select_related("batch")
    spelt = {row.cells[VALUES[row.batch.profile_key]] for row in rows} - {""}
    written = {repr(value) for value in Result.objects.exclude(value=None).values_list("value", flat=True)}
    return spelt | written


def of_a_ranking(page: Page) -> bool:
    """May it show scores and names? The pages of a live ranking, the models in it, and lists of addresses."""
    ranked = Publication.objects.filter(release__kind="ranking").values_list("collection__slug", "identifier")
    marks = {mark for slug, identifier in ranked for mark in (f"/{slug}/", identifier[:12])}
    return any(mark in page.path for mark in marks) or page.path.startswith(
        ("/models/", "/api/v1/models/", "/api/v1/configurations/", "/sitemap.xml")
    )


def test_no_public_byte_holds_a_score_or_names_a_model(site: dict[str, User], client: Client) -> None:
    number = "|".join(sorted(map(re.escape, stored_values()), key=len, reverse=True))
    score = re.compile(rf"(?<![\w.])(?:{number})(?![\w.])")
    models = set(Result.objects.values_list("configuration__model__name", flat=True))
    unranked = set(
        Result.objects.exclude(configuration__subject_kind="model").values_list("configuration__model__name", flat=True)
    )
    pages = list(crawl(client))
    assert {page.path: page.status for page in pages if page.status != 200 and not _has_no_csv(page)} == {}
    silent = [page for page in pages if not of_a_ranking(page)]
    assert len(silent) > 200
    for page in silent:
        text = page.text
        assert not (found := score.findall(text)), (page.path, found)
        named = {model for model in models if model in text and not _may_name(model)}
        assert not named, (page.path, named)
    ranking = [page for page in pages if of_a_ranking(page)]
    assert ranking
    for page in ranking:
        assert not {model for model in unranked if model in page.text}, page.path


def _has_no_csv(page: Page) -> bool:
    """What is no list has no CSV and says so."""
    return page.path.endswith("?format=csv") and page.status in (400, 406)


def _may_name(model: str) -> bool:
    """A judge and a simulator are named by the protocols; they happen to be of a ranked model's family."""
    return model in {"GPT-5.4", "GPT-5.2", "GPT-5.1", "GPT 5.1", "GPT 5.4"}


def test_editing_the_registry_changes_no_public_byte_until_the_next_publish(
    site: dict[str, User], client: Client
) -> None:
    before = {page.path: page.body for page in crawl(client)}
    facet = Facet.objects.get(collection__slug=SLUG, slug="de-escalation")
    facet.title, facet.description = "Calming down", "Something else."
    curate.save(obj=facet, by=site["editor"])
    batch = ImportBatch.objects.get(source__filename="statebench_results.csv")
    imports.revert(batch=batch, by=site["editor"], reason="To see that the page stays.")
    jobs.run_waiting()
    assert {page.path: page.body for page in crawl(client)} == before
    collection = Collection.objects.get(slug=SLUG)
    release = seal.seal(collection=collection, by=site["editor"])
    publish.answer(wish=publish.request(release=release, by=site["publisher"], reason="Clearer."))
    assert "Calming down" in client.get(f"/categories/{SLUG}/").content.decode()
