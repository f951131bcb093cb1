"""The mapping page: the record as a form, and beside it contracts, exclusions and which results count."""

from typing import Any

from registry.models import Collection, EvidenceMapping, Facet, MetricContract, Result
from tests.desk import address, form_on, opened, text_of
from tests.ranking.public import world
from tests.registry.admin.conftest import Visitor


def test_the_page_holds_every_part_of_the_record(as_: Visitor, mapping: EvidenceMapping) -> None:
    typed = opened(as_("editor"), mapping)
    assert (typed["role"], typed["upstream_access"]) == (["primary"], ["machine-ready"])
    assert (typed["declared_subject"], typed["metric_partitions"]) == (["harnessed-model"], ["harnessed-model"])
    assert typed["projection"] == ["forbidden"]
    assert len(typed["atoms"]) == 2
    assert [typed[f"facets-{number}-coverage_note"][0] for number in range(4)] == [
        f"Of {title}: partly." for title, _ in world.FACETS.values()
    ]
    assert typed["alignments-0-directness"] == ["85.00"]
    assert typed["lineages-0-subject_kind"] == ["harnessed-model"]


def test_contracts_are_listed_with_their_use(as_: Visitor, mapping: EvidenceMapping) -> None:
    said = text_of(as_("viewer").get(address(mapping)))
    for contract in MetricContract.objects.filter(benchmark=mapping.benchmark):
        assert f"{contract.key} {contract.title} {contract.lineage.key} harnessed-model" in said
        assert contract.use in said


def test_results_are_listed_with_every_reason_and_no_value(as_: Visitor, mapping: EvidenceMapping) -> None:
    page = as_("editor").get(address(mapping))
    record, said = page.context["record"], text_of(page)
    counted = [row for row in record.results if not row.reasons]
    assert (record.counting, len(counted)) == (1, 1)
    for row in record.results:
        for reason in row.reasons:
            assert f"{reason.message} {reason.code}" in said
    assert f"1 of {record.results.paginator.count} results count." in said
    assert str(world.SECRET) not in page.content.decode()


def test_exclusions_that_reach_it_can_be_lifted_from_here(as_: Visitor, mapping: EvidenceMapping) -> None:
    world.exclude("contract", "x", "rights", "Here only.", mapping=mapping)
    page = as_("editor").get(address(mapping))
    said = text_of(page)
    assert "lineage statebench-v0-7-main everywhere version Other tasks, other prompts." in said
    assert "contract x this mapping rights Here only." in said
    assert "/admin/confirm/lift-exclusion/?exclusion=" in page.content.decode()
    assert "Lift…" not in text_of(as_("viewer").get(address(mapping)))


def test_excluding_within_it_starts_here(as_: Visitor, mapping: EvidenceMapping) -> None:
    link = f"/admin/registry/exclusion/add/?mapping={mapping.pk}"
    assert link in as_("editor").get(address(mapping)).content.decode()
    assert form_on(as_("editor").get(link), "exclusion-form")["mapping"] == [str(mapping.pk)]


def test_rows_name_only_what_belongs_to_the_mapping(as_: Visitor, mapping: EvidenceMapping) -> None:
    page = as_("editor").get(address(mapping)).content.decode()
    other = Facet.objects.exclude(collection=mapping.collection)[0]
    own = Facet.objects.filter(collection=mapping.collection)[0]
    choices = page[page.index('name="facets-0-facet"') : page.index('name="facets-0-coverage_note"')]
    assert f'<option value="{own.pk}"' in choices
    assert f'<option value="{other.pk}"' not in choices


def test_a_new_mapping_is_named_first(as_: Visitor, collection: Collection) -> None:
    editor = as_("editor")
    page = editor.get("/admin/registry/evidencemapping/add/")
    typed = form_on(page, "evidencemapping_form")
    assert "facets-TOTAL_FORMS" not in typed
    typed |= {"collection": [""], "role": ["context"]}
    assert "This field is required." in text_of(editor.post("/admin/registry/evidencemapping/add/", typed))


def test_a_benchmark_with_very_many_results_is_judged_in_part(
    as_: Visitor, mapping: EvidenceMapping, monkeypatch: Any
) -> None:
    recorded = Result.objects.filter(contract__benchmark=mapping.benchmark).count()
    monkeypatch.setattr("registry.admin.record.JUDGED", recorded - 1)
    page = as_("viewer").get(address(mapping))
    assert page.context["record"].results.paginator.count == recorded - 1
    assert f"Only these were judged: there are {recorded}, in the list of results" in text_of(page)
    link = f"/admin/registry/result/?contract__benchmark__id__exact={mapping.benchmark_id}"
    assert link in page.content.decode()
    assert as_("viewer").get(link).context["cl"].result_count == recorded
