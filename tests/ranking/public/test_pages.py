"""What each page says."""

from django.contrib.auth.models import User
from django.test import Client

from registry import models
from registry.actions import exclusions
from tests.ranking.public import markup, world
from tests.ranking.public.conftest import Read

CATEGORY = f"/categories/{world.SLUG}/"
MAPPING = f"/evidence/{world.MAPPING}/"


def test_a_lifted_exclusion_stays_in_the_ledger(site: None, read: Read, editor: User) -> None:
    exclusion = models.Exclusion.objects.get()
    exclusions.lift(exclusion=exclusion, by=editor, reason="The bridge study is out.")
    assert "Lifted exclusions" not in read("/exclusions/").text, "nothing changes until somebody publishes"
    for slug in (world.SLUG, "self-service"):
        world.publish(slug, "A lineage may count again.")
    page = read("/exclusions/")
    assert "No live release carries an exclusion that is in force." in page.text
    [_, row] = markup.table(page, "Lifted exclusions")
    assert row[1:3] == ["version", "Other tasks, other prompts."]
    assert "by editor: The bridge study is out." in row[4]
    assert "A bridge study that shows the versions agree." in row[4]


def test_the_ledger_has_those_in_force_and_those_that_were_lifted(site: None, read: Read, editor: User) -> None:
    exclusions.lift(exclusion=models.Exclusion.objects.get(), by=editor, reason="The bridge study is out.")
    world.exclude("contract", "v0.8.main.customer_support.mean_ux_score", "unverified", "Nobody has checked it.")
    world.publish(world.SLUG, "One in, one out.")
    page = read("/exclusions/")
    assert [row[1:3] for row in markup.table(page, "Exclusions in force")[1:]] == [
        ["unverified", "Nobody has checked it."],
        # The other category is as it was published.
        ["version", "Other tasks, other prompts."],
    ]
    assert [row[1] for row in markup.table(page, "Lifted exclusions")[1:]] == ["version"]


def test_a_category_says_at_once_what_was_asked_and_that_there_is_no_ranking(site: None, read: Read) -> None:
    page = read(CATEGORY)
    assert page.first("h1").text == "Customer Support & Service Resolution"
    told = page.first("main").text
    assert told.index("Which models are best at customer support") < told.index("There is no ranking here") < 300
    assert "This page is not a model ranking." in told
    assert "adds nothing to an overall leaderboard" in told


def test_the_box_with_the_answer_names_what_is_missing(site: None, read: Read) -> None:
    told = read(CATEGORY).first("section").text
    assert "Not met: first-party evidence, independence, field, task coverage, facets, rights." in told
    assert "Cannot be tested: minimum evidence, judges, dominance, reliability, sealed-release stability." in told


def test_every_criterion_shows_its_verdict_in_words_and_its_numbers(site: None, read: Read) -> None:
    rows = {
        row[0].split(maxsplit=1)[0]: row for row in markup.table(read(CATEGORY), "The gate, criterion by criterion")
    }
    assert rows["External"][1:] == ["met", "1 result", "1", "nothing"]
    assert rows["First-party"][1:] == ["not met", "1 comparison", "0", "1"]
    assert rows["Independence"][1:] == ["not met", "2 groups", "0", "2"]
    assert "groups with eligible results: 1" in rows["Independence"][0]
    assert rows["Field"][1:] == ["not met", "8 headline rows", "0", "8"]
    assert "configurations with an eligible result: 1" in rows["Field"][0]
    assert rows["Task"][1:] == ["not met", "80%", "not measured", "cannot be told"]
    assert rows["Reliability"][1:] == ["cannot be tested", "1 check", "not measured", "cannot be told"]
    assert len(rows) == 13, "twelve criteria and the head"


def test_facets_show_weight_mode_and_a_status_of_their_own(site: None, read: Read) -> None:
    rows = markup.table(read(CATEGORY), "The facets, each with a task plan and evidence status of its own")
    assert rows[1][1:3] == ["25%", "hybrid"]
    assert "first-party comparisons" in rows[1][3]
    assert rows[2] == [
        "Policy boundaries Apply policy consistently.",
        "25%",
        "hybrid",
        "No eligible evidence speaks for it yet.",
    ]
    picture = next(svg for svg in read(CATEGORY).all("svg") if svg.attributes.get("class") == "weights")
    assert [(bar.attributes["x"], bar.attributes["width"]) for bar in picture.all("rect")] == [
        ("0", "25"),
        ("25", "25"),
        ("50", "25"),
        ("75", "25"),
    ]
    assert "De-escalation 25%" in picture.attributes["aria-label"]


def test_every_unmet_criterion_says_what_would_change_it_and_a_met_one_does_not(site: None, read: Read) -> None:
    [change] = [part for part in read(CATEGORY).all("section") if part.attributes.get("aria-labelledby") == "change"]
    remedies = [item.text for item in change.all("li")]
    assert len(remedies) == 11
    assert remedies[0].startswith("First-party evidence. 1 comparison more: two outputs")
    assert not any(remedy.startswith("External evidence.") for remedy in remedies)


def test_evidence_is_counted_by_benchmark_and_every_reason_is_told(site: None, read: Read) -> None:
    page = read(CATEGORY)
    rows = markup.table(page, "Benchmarks mapped to this category, alphabetically")
    assert rows[1] == ["STATE-Bench customer support", "primary", "machine-ready", "registered", "3", "1"]
    reasons = {row[1]: row for row in markup.table(page, "Conditions that results on record fail")}
    assert reasons["no-uncertainty"][2] == "2"
    assert reasons["contract-not-usable"][0] == "Its contract is catalogued, not usable."


def test_benchmarks_are_listed_by_title_whatever_their_keys(db: None, read: Read) -> None:
    world.build()
    suite = models.Suite.objects.get()
    for key, title in (("a-last", "Zeta dialogues"), ("z-first", "Alpha dialogues")):
        models.EvidenceMapping.objects.create(
            collection=models.Collection.objects.get(slug=world.SLUG),
            benchmark=models.Benchmark.objects.create(suite=suite, key=key, title=title, eligibility="blocked"),
            role="context",
            upstream_access="manual",
            declared_subject="model",
        )
    world.publish()
    rows = markup.table(read(CATEGORY), "Benchmarks mapped to this category, alphabetically")[1:]
    assert [row[0] for row in rows] == ["Alpha dialogues", "STATE-Bench customer support", "Zeta dialogues"]


def test_a_category_without_any_mapping_says_so_and_shows_no_empty_table(db: None, read: Read) -> None:
    world.build()
    models.EvidenceMapping.objects.get(collection__slug="self-service").facets.all().delete()
    bare = models.Collection.objects.create(
        edition=models.Edition.objects.get(), slug="bare", title="Bare", question="Which?", summary="Any.",
        subject_kind="model",
    )  # fmt: skip
    models.Facet.objects.create(
        collection=bare, slug="all", title="All", description="All.", weight=100, mode="external"
    )
    world.publish("bare")
    page = read("/categories/bare/")
    assert "No benchmark is mapped to this category yet." in page.text
    assert all(len(list(table.all("tr"))) > 1 for table in page.all("table"))
    facet = read("/categories/bare/all/")
    assert "No task is planned yet" in facet.text
    assert "No mapped benchmark speaks to this facet." in facet.text


def test_the_mapping_page_shows_every_fact_of_the_record(site: None, read: Read) -> None:
    page = read(MAPPING)
    told, said = page.text, markup.facts(page)
    assert page.first("h1").text == "STATE-Bench customer support evidence mapping"
    assert "Primary evidence".lower() in told.lower()
    for fact in (
        world.MAPPING,
        "Customer Support & Service Resolution",
        "Which models are best at customer support and service resolution?",
        "no model scores",
        "Microsoft",
        "Diagnosis and resolution hybrid · 25%",
        "De-escalation hybrid · 25%",
        "Covered upstream: Of Policy boundaries: partly.",
        "Measured by v0.8.main.customer_support.pass_at_1 . Resolved or not.",
        "support_ux workflow_resolution",
        "statebench-v0-8-main/harnessed-model",
        "Never merge v0.7/v0.8 or main/learning tracks.",
    ):
        assert fact in told, fact
    assert said["Upstream access"] == "machine-ready"
    assert said["Eligibility"] == "runnable-now"
    assert said["Registry"] == "registered"
    assert said["Max task directness"] == "85%"
    assert said["Declared"] == "harnessed-model"
    assert said["Metric partitions"] == "harnessed-model"
    assert said["Separate partition required"] == "no"
    assert said["Identity projection"] == "forbidden"


def test_usable_contracts_come_first_and_the_others_with_their_reasons(site: None, read: Read) -> None:
    page = read(MAPPING)
    head, ux, first = markup.table(page, "Usable contracts")
    assert head == ["Metric", "Lineage", "Subject", "Protocol", "Use"]
    assert first == [
        "v0.8.main.customer_support.pass_at_1 STATE-Bench Main v0.8 — Customer support — Task completion pass@1",
        "statebench-v0-8-main",
        "harnessed-model",
        "statebench-v0.8.main",
        "usable",
    ]
    assert ux[0].startswith("v0.8.main.customer_support.mean_ux_score")
    [_, other] = markup.table(page, "Catalogued and blocked contracts")
    assert other[4] == "catalogued Drops tasks with a missing run."


def test_without_a_mapping_level_exclusion_the_page_says_so_and_lists_the_wider_refusals(
    site: None, read: Read
) -> None:
    page = read(MAPPING)
    assert "Nothing is excluded at the level of this mapping." in page.text
    assert "release gate of the category applies all the same" in page.text
    [_, lineage] = markup.table(page, "Lineages of this suite that may not be used")
    assert lineage[:4] == ["statebench-v0-7-main", "0.7", "main", "blocked"]
    [_, wide] = markup.table(page, "Excluded everywhere, and so here too")
    assert wide[0] == "lineage statebench-v0-7-main everywhere"
    assert wide[4] == "A bridge study that shows the versions agree."


def test_a_mapping_level_exclusion_takes_the_place_of_that_sentence(db: None, read: Read) -> None:
    world.build()
    mapping = models.EvidenceMapping.objects.get(collection__slug=world.SLUG)
    world.exclude("benchmark", "state-bench-customer-support", "contaminated", "Its tasks leaked.", mapping=mapping)
    world.publish()
    page = read(MAPPING)
    [_, own] = markup.table(page, "Excluded within this mapping")
    assert own[1:3] == ["contaminated", "Its tasks leaked."]
    assert "Nothing is excluded at the level of this mapping." not in page.text


def test_rights_and_alignments_are_told_with_their_reasons(site: None, read: Read) -> None:
    page = read(MAPPING)
    rights = {row[0]: row for row in markup.table(page, "What the publisher's terms let us do")}
    assert rights["rank with"][1:] == ["allowed", "MIT The terms", "the suite", "5 August 2026"]
    assert rights["export"][1:] == ["not reviewed", "no clause on record", "nobody decided", "not reviewed"]
    [_, row] = markup.table(page, "How directly the benchmark measures each task")
    assert row == ["Diagnosis and resolution, task 1", "Diagnosis and resolution", "85%", "The same work, end to end."]


def test_a_mapping_says_first_what_it_comes_to(site: None, read: Read) -> None:
    opening = read(MAPPING).first("main").first("header").text
    assert "It is primary evidence and may count." in opening
    assert "Of its 3 contracts 1 measures a facet and 2 are catalogued." in opening
    assert "No exclusion blocks the benchmark, a lineage usable here or a contract that measures." in opening
    assert "Of its 3 contracts 3 are catalogued." in read(f"/evidence/{world.SECOND}/").text


def test_a_mapping_says_first_what_blocks_it(site: None, read: Read) -> None:
    world.exclude("lineage", world.LINEAGE, "contaminated", "Its tasks were trained on.")
    mapping = models.EvidenceMapping.objects.get(collection__slug=world.SLUG)
    world.exclude("benchmark", "state-bench-customer-support", "unverified", "Unseen.", mapping=mapping)
    world.exclude("source", "6" * 64, "withdrawn", "Another file.")
    world.publish()
    assert "2 exclusions block it or a part of it." in read(MAPPING).text


def test_a_benchmark_with_two_mappings_shows_each_record_apart(site: None, read: Read) -> None:
    one, two = read(MAPPING), read(f"/evidence/{world.SECOND}/")
    assert "This is 1 of 2 mapping records" in one.text
    assert "This is 2 of 2 mapping records" in two.text
    assert any(link.attributes["href"] == f"/evidence/{world.SECOND}/" for link in one.all("a"))
    page = read(f"/benchmarks/{world.BENCHMARK}/")
    keys = [record.first("code").text for record in page.all("article")]
    assert keys == [world.MAPPING, world.SECOND]
    assert "2 mapping records." in page.text
    assert markup.facts(page)["Not to be confused with"] == "Parslee StateBench"


def test_a_facet_shows_its_plan_and_what_speaks_to_it(site: None, read: Read) -> None:
    page = read(f"{CATEGORY}diagnosis-and-resolution/")
    assert markup.facts(page)["Weight"] == "25%"
    assert markup.facts(page)["Required tasks"] == "2 of 2 planned"
    assert "needs both: results published by others, and comparisons of two outputs" in page.text
    assert markup.table(page, "Tasks that evidence must cover")[1] == [
        "Diagnosis and resolution, task 1",
        "required",
        "the editors",
    ]
    assert "Measured by v0.8.main.customer_support.pass_at_1" in page.text
    assert "No contract of it measures this facet" in read(f"{CATEGORY}de-escalation/").text


def test_a_lineage_shows_its_group_its_links_and_where_it_may_count(site: None, read: Read) -> None:
    page = read(f"/lineages/{world.LINEAGE}/")
    assert "one group of evidence with 2 lineages" in page.text
    [_, link] = markup.table(page, "What it shares with other lineages")
    assert link == ["statebench-v0-7-main", "one publisher", "shared", "Both are Microsoft's."]
    rows = markup.table(page, "Mappings in which the lineage is usable")
    assert [row[2] for row in rows[1:]] == ["primary", "supporting"]
    blocked = read("/lineages/statebench-v0-7-main/")
    assert "In no live mapping" in blocked.text
    assert markup.table(blocked, "Refusals of this lineage")[1][1] == "version"


def test_a_contract_shows_what_the_number_is_and_what_it_measures(site: None, read: Read) -> None:
    said = markup.facts(read("/contracts/v0.8.main.customer_support.pass_at_1/"))
    assert said["Highest possible"] == "100"
    assert said["A configuration must state"] == "model, effort"
    assert said["Tasks assumed where the source states none"] == "150: The split holds 150 tasks."
    assert said["Harness"] == "not stated"
    page = read("/contracts/v0.8.main.customer_support.mean_ux_score/")
    assert "No facet: the number is catalogued there and fills no cell." in page.text


def test_an_atom_lists_the_mappings_that_name_it(site: None, read: Read) -> None:
    rows = markup.table(read("/atoms/support_ux/"), "Mapping records with this atom")
    assert [row[1] for row in rows[1:]] == ["Customer Support & Service Resolution", "Self-service guidance"]


def test_the_ledger_lists_each_exclusion_once(site: None, read: Read) -> None:
    [_, row] = markup.table(read("/exclusions/"), "Exclusions in force")
    assert row[:3] == ["lineage statebench-v0-7-main everywhere", "version", "Other tasks, other prompts."]


def test_the_policy_shows_every_threshold_with_value_and_reason(site: None, read: Read) -> None:
    page = read("/policy/")
    rows = markup.table(page, "Thresholds, each with its reason")
    assert len(rows) == len(world.THRESHOLDS) + 1
    assert ["Headline rows, at least headline_rows", "8", "Why headline_rows."] in rows
    assert rows[-1][1] == "rank, show, export"
    assert "Version 1 for edition v3. The first policy." in page.text


def test_home_groups_categories_by_state_with_one_line_why(site: None, read: Read) -> None:
    page = read("/")
    assert "No category has evidence that carries a ranking." in page.text
    [unranked] = [part for part in page.all("section") if part.attributes.get("aria-labelledby") == "unranked"]
    assert [title.text for title in unranked.all("h3")] == [
        "Customer Support & Service Resolution",
        "Self-service guidance",
    ]
    assert "these conditions are not met: first-party evidence, independence" in unranked.text
    assert "1 met · 6 not met · 5 cannot be tested" in unranked.text


def test_the_overall_page_names_what_contributes_and_what_does_not(site: None, read: Read) -> None:
    told = read("/overall/").first("main").text
    assert "Of 2 published categories 0 have a ranking." in told
    assert "None: no category has a live ranking." in told
    assert "Self-service guidance" in told


def test_an_empty_site_says_that_nothing_is_published(db: None, read: Read) -> None:
    for address, sentence in {
        "/": "Nothing has been published yet.",
        "/evidence/": "No live release maps a benchmark yet.",
        "/exclusions/": "No live release carries an exclusion.",
        "/policy/": "No live release names a policy yet.",
        "/releases/": "Nothing has been published yet.",
        "/overall/": "Of 0 published categories 0 have a ranking.",
    }.items():
        assert sentence in read(address).text, address


def test_editing_the_registry_changes_no_page_until_the_next_publication(site: None, client: Client) -> None:
    addresses = [CATEGORY, MAPPING, "/", "/evidence/", "/exclusions/", f"/lineages/{world.LINEAGE}/", "/releases/"]
    before = [client.get(address).content for address in addresses]
    models.Collection.objects.update(title="Renamed", question="Changed?", summary="Changed.")
    models.Benchmark.objects.update(title="Renamed", registry_status="retired")
    models.Lineage.objects.update(use="blocked", title="Renamed")
    models.EvidenceMapping.objects.update(role="excluded", note="Changed.")
    models.Exclusion.objects.update(reason="Changed.")
    assert [client.get(address).content for address in addresses] == before
    world.publish()
    assert b"Renamed" in client.get(CATEGORY).content


def test_live_releases_that_disagree_are_named(site: None, read: Read) -> None:
    models.Lineage.objects.filter(key=world.LINEAGE).update(note="Seen again.")
    world.publish()
    page = read(f"/lineages/{world.LINEAGE}/")
    assert "Seen again." in page.text
    assert "Sealed earlier, and saying it otherwise: Self-service guidance, release 1 ." in page.text
