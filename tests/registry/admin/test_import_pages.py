"""Importing at the desk: upload or paste, look, then apply, revert or discard."""

import csv
import io
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from registry.importing.kinds import KINDS
from registry.models import (
    AuditEvent,
    Collection,
    Configuration,
    ImportBatch,
    MappingProfile,
    MetricContract,
    Result,
    Source,
)
from registry.vocabulary import BatchStatus
from tests.desk import address, confirmed, form_on, text_of
from tests.registry.admin.conftest import Visitor
from tests.registry.importing.usual import TESTS

ADD = "/admin/registry/importbatch/add/"
HEADER = "contract,configuration,value,source_url\n"


@pytest.fixture
def row(collection: Collection) -> str:
    """One good row."""
    contract = MetricContract.objects.filter(use="usable", kind="rate").get()
    return f"{contract.key},{Configuration.objects.get().key},61.5,https://example.org/new\n"


def upload(as_: Visitor, content: str | bytes, **options: Any) -> Any:
    file = SimpleUploadedFile("table.csv", content.encode() if isinstance(content, str) else content)
    return as_("editor").post(ADD, {"file": file, "mode": "all-or-nothing"} | options)


def newest() -> ImportBatch:
    batch = ImportBatch.objects.first()
    assert batch is not None
    return batch


def test_a_file_is_staged_and_nothing_counts_yet(as_: Visitor, row: str) -> None:
    before = Result.objects.count()
    answer = upload(as_, HEADER + row)
    batch = newest()
    assert (answer.status_code, answer["Location"]) == (302, address(batch))
    assert (batch.status, batch.created_by, Result.objects.count()) == (BatchStatus.STAGED, "editor", before)
    page = as_("editor").get(answer["Location"])
    for fact in (batch.source.sha256, f"{batch.source.size} bytes", "UTF-8", "results.csv as documented"):
        assert fact in text_of(page)
    assert [(label, count) for _, label, count in page.context["counts"] if count] == [("new", 1)]


def test_pasted_text_is_a_file_too(as_: Visitor, row: str) -> None:
    answer = as_("editor").post(ADD, {"text": HEADER + row, "mode": "all-or-nothing"})
    assert (answer.status_code, newest().source.filename, newest().rows) == (302, "pasted.csv", 1)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("<html><body>502 Bad gateway</body></html>", "HTML or XML page"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "not a table of results"),
        ("", "not a table of results"),
        (HEADER, "no rows"),
    ],
)
def test_what_is_no_table_is_told_and_not_kept(
    as_: Visitor, collection: Collection, content: str | bytes, sentence: str
) -> None:
    before = Source.objects.count()
    answer = upload(as_, content, source_ref="page 3")
    assert (answer.status_code, sentence in text_of(answer)) == (200, True)
    assert form_on(answer, "upload-form")["source_ref"] == ["page 3"]
    assert (Source.objects.count(), AuditEvent.objects.count()) == (before, 0)


@pytest.mark.parametrize("given", [{}, {"text": HEADER + "a,b,1,\n", "file": "both"}])
def test_a_file_or_its_text_never_both(as_: Visitor, collection: Collection, given: dict[str, Any]) -> None:
    if "file" in given:
        given = given | {"file": SimpleUploadedFile("a.csv", b"x")}
    answer = as_("editor").post(ADD, {"mode": "all-or-nothing"} | given)
    assert (answer.status_code, "one of the two" in text_of(answer)) == (200, True)


def test_an_address_that_is_none_is_told_at_its_field(as_: Visitor, row: str) -> None:
    answer = upload(as_, HEADER + row, source_url="javascript:alert(1)")
    assert (answer.status_code, "source_url" in answer.context["form"].errors) == (200, True)


@pytest.fixture
def mixed(as_: Visitor, row: str) -> ImportBatch:
    """One good row, and two that name what is not there."""
    contract = row.split(",", maxsplit=1)[0]
    names = f"{contract},Hiden Model 9,50,https://example.org/new\n" + row.replace(contract, contract[:-1])
    upload(as_, HEADER + row + names)
    return newest()


def test_each_row_is_told_with_line_column_value_and_reason(as_: Visitor, mixed: ImportBatch) -> None:
    page = as_("editor").get(address(mixed))
    said = text_of(page)
    assert "2 of 3 rows cannot be taken, so nothing is" in said
    assert "3 refused" in said
    assert "What cannot be taken stands on lines 3 , 4 ." in said
    assert "configuration Hiden Model 9 There is no configuration or reviewed alias Hiden Model 9" in said
    assert "Did you mean v0.8.main.customer_support.pass_at_1" in said
    assert 'href="#names"' in page.content.decode()
    assert "Apply…" not in said


def test_a_row_of_very_many_cells_is_shown_in_part(as_: Visitor, row: str) -> None:
    upload(as_, HEADER + row + "a," * 5_000 + "\n")
    page = as_("editor").get(address(newest()))
    assert "… and 4,977 more cells" in text_of(page)
    assert len(page.content) < 100_000


def test_rows_are_filtered_by_verdict(as_: Visitor, mixed: ImportBatch) -> None:
    editor = as_("editor")
    for verdict, lines in {"new": [2], "refused": [3, 4], "conflict": [], "": [2, 3, 4], "nonsense": [2, 3, 4]}.items():
        page = editor.get(address(mixed), {"verdict": verdict})
        assert [shown.line for shown in page.context["rows"]] == lines


def test_rows_come_page_by_page(as_: Visitor, row: str) -> None:
    rows = "".join(row.replace("example.org/new", f"example.org/{number}") for number in range(130))
    upload(as_, HEADER + rows)
    pages = [as_("editor").get(address(newest()), {"p": str(page)}).context["rows"] for page in (1, 2, 3, 99)]
    assert [len(page) for page in pages] == [50, 50, 30, 30]


def test_bad_rows_are_downloaded_with_their_reasons(as_: Visitor, mixed: ImportBatch) -> None:
    answer = as_("editor").get(address(mixed, "refused"))
    rows = list(csv.DictReader(io.StringIO(answer.getvalue().decode())))
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert [row["refused_line"] for row in rows] == ["3", "4"]
    assert rows[0]["configuration"] == "Hiden Model 9"
    assert "There is no configuration" in rows[0]["refused_because"]


def test_a_staged_batch_is_applied_behind_the_confirm_page(as_: Visitor, row: str) -> None:
    editor = as_("editor")
    page = editor.get(upload(as_, HEADER + row)["Location"])
    plan = editor.get(page.context["apply_url"])
    assert "1 of 1 row would be written." in text_of(plan)
    done = editor.get(confirmed(editor, plan)["Location"])
    assert (newest().status, Result.objects.filter(source_url="https://example.org/new").count()) == ("applied", 1)
    assert f"Batch {newest().pk} is applied" in text_of(done)
    assert "Revert…" in text_of(editor.get(address(newest())))


def test_a_correction_asks_for_its_reason_at_the_field(as_: Visitor, row: str) -> None:
    editor = as_("editor")
    first = editor.get(editor.get(upload(as_, HEADER + row)["Location"]).context["apply_url"])
    confirmed(editor, first)
    plan = editor.get(editor.get(upload(as_, HEADER + row.replace("61.5", "62.5"))["Location"]).context["apply_url"])
    answer = confirmed(editor, plan, reason="")
    assert (answer.status_code, list(answer.context["errors"])) == (400, ["reason"])
    assert confirmed(editor, answer, reason="Upstream corrected it.").status_code == 302
    assert set(Result.objects.filter(source_url="https://example.org/new").values_list("state", flat=True)) == {
        "active",
        "superseded",
    }


def test_a_batch_is_discarded_and_stays_for_the_record(as_: Visitor, mixed: ImportBatch) -> None:
    editor = as_("editor")
    answer = editor.post(address(mixed, "discard"), follow=True)
    mixed.refresh_from_db()
    assert (answer.status_code, mixed.status, mixed.staged.count()) == (200, "discarded", 3)
    again = editor.post(address(mixed, "discard"), follow=True)
    assert "cannot be discarded" in text_of(again)
    assert editor.get(address(mixed, "discard")).status_code == 405


def test_markup_in_a_file_stays_text(as_: Visitor, row: str) -> None:
    upload(as_, HEADER + row.replace(Configuration.objects.get().key, "<script>alert(1)</script>"))
    page = as_("editor").get(address(newest())).content.decode()
    assert "<script>alert(1)" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page


def test_the_librarys_own_import_is_not_there(as_: Visitor, collection: Collection) -> None:
    admin = as_("admin")
    for path in ("import/", "process_import/"):
        answer = admin.get(f"/admin/registry/result/{path}", follow=True)
        assert "doesn’t exist" in text_of(answer)


@pytest.mark.parametrize(("name", "status"), [("editor", 200), ("publisher", 200), ("viewer", 403)])
def test_results_are_exported_by_permission(as_: Visitor, collection: Collection, name: str, status: int) -> None:
    assert as_(name).get("/admin/registry/result/export.csv").status_code == status
    assert as_(name).get("/admin/registry/result/").status_code == 200


def test_comparisons_come_in_by_the_same_page(as_: Visitor, collection: Collection) -> None:
    header = "comparison_id,facet,task,a,b,outcome,judge,order,judged_at\n"
    upload(as_, header + "1,customer-service/de-escalation,nothing,a,b,tie,crowd,ab,\n", kind="comparisons")
    page = as_("editor").get(address(newest()))
    assert (newest().kind, page.context["columns"]) == ("comparisons", ("task", "a", "b", "outcome", "judge", "order"))
    assert "comparisons.csv as documented" in text_of(page)
    assert [shown.verdict for shown in page.context["rows"]] == ["refused"]


def test_a_file_that_is_not_what_it_is_called_is_told_so(as_: Visitor, row: str) -> None:
    upload(as_, HEADER + row, kind="comparisons")
    page = as_("editor").get(address(newest()))
    assert "Why the file is refused as a whole" in text_of(page)


def test_a_file_refused_as_a_whole_has_no_judged_rows_to_look_at(as_: Visitor, row: str) -> None:
    upload(as_, HEADER.replace("value", "score") + row + row)
    page = as_("editor").get(address(newest()))
    assert "refused as a whole, so that none of its 2 rows was judged" in text_of(page)
    assert "No row has this verdict" not in text_of(page)
    assert "Download the rows" not in text_of(page)
    assert 'aria-label="Rows by verdict"' not in page.content.decode()
    assert as_("editor").get(address(newest(), "refused")).status_code == 404


@pytest.mark.parametrize("kind", ["results", "comparisons"])
def test_the_page_says_what_a_file_must_look_like(as_: Visitor, collection: Collection, kind: str) -> None:
    page = as_("editor").get(ADD)
    for name, column in KINDS[kind].columns.items():
        assert f"<code>{name}</code>" in page.content.decode()
        assert column.help.replace("`", "") in text_of(page)
    template = as_("editor").get(f"/admin/registry/importbatch/template/{kind}.csv")
    assert template["Content-Disposition"] == f'attachment; filename="{kind}.csv"'
    assert template.content.decode().split() == [",".join(KINDS[kind].columns)]


def test_a_template_is_there_for_whoever_imports(as_: Visitor, collection: Collection) -> None:
    assert as_("viewer").get("/admin/registry/importbatch/template/results.csv").status_code == 403
    assert as_("editor").get("/admin/registry/importbatch/template/others.csv").status_code == 404


def test_a_file_in_nobodys_layout_leads_on_to_a_profile_that_reads_it(as_: Visitor, row: str) -> None:
    editor = as_("editor")
    upload(as_, "model,score\nNine,61.5\n")
    page = editor.get(editor.get(address(newest())).context["profile_url"])
    assert f"It starts with the columns of batch {newest().pk}" in text_of(page)
    form = form_on(page, "mappingprofile_form")
    assert "ignored: [score]" in form["spec"][0]
    answer = editor.post(page.request["PATH_INFO"], form | {"key": ["nines"], "title": ["Nines"]})
    assert answer.status_code == 302
    profile = MappingProfile.objects.get(key="nines")
    editor.post(address(newest(), "again"), {"profile": profile.pk, "mode": "all-or-nothing"})
    assert (newest().status, newest().counts["refused"]) == (BatchStatus.STAGED, 1)
    assert not editor.get(address(newest())).context["profile_url"]


def test_cells_copied_from_a_spreadsheet_are_a_table(as_: Visitor, row: str) -> None:
    cells = (HEADER + row).replace(",", "\t") + '"two\nlines"\ta"b\t\t\n'
    as_("editor").post(ADD, {"text": cells, "mode": "all-or-nothing"})
    batch = newest()
    assert (batch.source.filename, batch.rows, batch.counts["new"]) == ("pasted-cells.csv", 2, 1)
    assert batch.staged.get(verdict="refused").record == ["two\nlines", 'a"b', "", ""]


def test_good_rows_can_be_applied_alone_and_the_page_says_how(as_: Visitor, mixed: ImportBatch) -> None:
    said = text_of(as_("editor").get(address(mixed)))
    assert "Its 1 good row can be applied alone: judge it again and leave bad rows behind" in said
    assert "It holds these rows alone." in said


def test_a_source_address_can_be_given_afterwards(as_: Visitor, row: str) -> None:
    bare = ",".join(row.split(",")[:3]) + "\n"
    upload(as_, "contract,configuration,value\n" + bare)
    batch = newest()
    assert batch.counts["refused"] == 1
    form = form_on(as_("editor").get(address(batch)), "again-form")
    bad = as_("editor").post(address(batch, "again"), form | {"source_url": "javascript:1"}, follow=True)
    assert "Source address: Enter a valid URL." in text_of(bad)
    as_("editor").post(address(batch, "again"), form | {"source_url": "https://example.org/later"})
    batch.refresh_from_db()
    assert (batch.counts["new"], batch.staged.get().source_url) == (1, "https://example.org/later")
    event = AuditEvent.objects.filter(verb="judge-again").latest("pk")
    assert event.before is not None
    assert event.before.pop("counts")["refused"] == 1
    assert (event.before, event.after) == (
        {"status": "staged", "source_url": ""},
        {"status": "reading", "source_url": "https://example.org/later"},
    )


def test_columns_of_comparisons_lead_to_where_those_come_in(as_: Visitor, collection: Collection) -> None:
    upload(as_, "comparison_id,facet,task,a,b,outcome,judge\n1,f,t,x,y,a,j\n")
    page = as_("editor").get(address(newest()))
    assert "These are the columns of comparisons.csv: upload it as comparisons" in text_of(page)
    assert page.context["fitting_kinds"] == [("comparisons", f"{ADD}?kind=comparisons")]


def test_a_format_leads_to_the_profiles_that_read_it(as_: Visitor, collection: Collection) -> None:
    spec = {
        "format": "llm-stats",
        "columns": dict.fromkeys(("contract", "configuration", "value"), "{benchmark_id}"),
    }
    MappingProfile.objects.create(key="stats", title="Stats", spec=spec)
    upload(as_, (TESTS / "data/formats/llm_stats/gpt-5-2025-08-07_benchmarks.json").read_bytes())
    batch = newest()
    assert batch.problems[0]["reason"] == "other-format", batch.problems
    assert "Files of this format are read by stats" in text_of(as_("editor").get(address(batch)))


def applied(as_: Visitor, batch: ImportBatch) -> None:
    editor = as_("editor")
    confirmed(editor, editor.get(editor.get(address(batch)).context["apply_url"]))
    batch.refresh_from_db()
    assert batch.status == BatchStatus.APPLIED


def test_nothing_is_offered_where_all_is_stored(as_: Visitor, row: str) -> None:
    upload(as_, HEADER + row)
    applied(as_, newest())
    upload(as_, HEADER.replace("value,", "value,n,") + row.replace("61.5,", "61.5,,"))
    batch = newest()
    assert (batch.status, batch.counts["same"], batch.read_as) == (BatchStatus.STAGED, 1, None)
    page = as_("editor").get(address(batch))
    assert ("there is nothing to do" in text_of(page), page.context["apply_url"]) == (True, "")
    assert str(batch) not in text_of(as_("editor").get("/admin/"))


def test_an_applied_batch_says_what_it_stored_and_whether_that_counts(as_: Visitor, mixed: ImportBatch) -> None:
    form = form_on(as_("editor").get(address(mixed)), "again-form")
    as_("editor").post(address(mixed, "again"), form | {"leave": "1"})
    applied(as_, mixed)
    page = as_("editor").get(address(mixed))
    said = text_of(page)
    assert "applied. 1 of its 3 rows was written; those that could not be taken stay here." in said
    assert "Whether its results count" in said
    result = Result.objects.get(batch=mixed)
    assert str(result.configuration) in text_of(as_("editor").get(page.context["stored_url"]))
    record = as_("editor").get(address(result))
    assert [(row.mapping.collection.slug, bool(row.reasons)) for row in record.context["judged"]]
    history = text_of(as_("editor").get(address(result, "history")))
    assert "Nothing is recorded" not in history


def test_the_stored_file_can_be_had_again_by_those_who_may_export(as_: Visitor, row: str) -> None:
    upload(as_, HEADER + row)
    source = newest().source
    answer = as_("editor").get(f"/admin/registry/source/{source.pk}/file")
    assert (answer.status_code, answer.getvalue().decode()) == (200, HEADER + row)
    assert answer["Content-Disposition"] == 'attachment; filename="table.csv"'
    assert answer["Content-Type"] == "application/octet-stream"
    assert as_("viewer").get(f"/admin/registry/source/{source.pk}/file").status_code == 403
    assert as_("editor").get("/admin/registry/source/0/file").status_code == 404
