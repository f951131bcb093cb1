"""The file of rows to mend comes in again, whatever had read the first one."""

import json

from registry.importing import mending
from registry.importing.contents import Held
from registry.importing.opening import opened
from registry.importing.profiles import layout_of
from registry.models import ImportBatch, MappingProfile, Result
from registry.vocabulary import BatchMode, BatchStatus
from tests.registry.importing.conftest import CONTRACT, SUBJECT, URL, Stage, csv_of


def to_mend(batch: ImportBatch, **mended: str) -> bytes:
    """What is downloaded, with some texts mended."""
    text = "".join(mending.lines(batch))
    for wrong, right in mended.items():
        assert wrong in text
        text = text.replace(wrong, right)
    return text.encode()


def records(batch: ImportBatch) -> list[list[str]]:
    return [row.record for row in mending.bad_rows(batch)]


def test_mended_rows_are_stored_beside_the_others(store: Stage) -> None:
    first = store({}, {"external_id": "=c-2", "value": "abc"}, mode=BatchMode.QUARANTINE)
    again = store(content=to_mend(first, abc="0.5"))
    assert again.header == first.header
    assert list(Result.objects.order_by("pk").values_list("external_id", "value")) == [("c-1", 0.5), ("=c-2", 0.5)]


def test_unmended_rows_are_refused_as_they_were(stage: Stage) -> None:
    first = stage({"value": "abc"}, {"external_id": "'=2", "value": "NaN"})
    again = stage(content=to_mend(first))
    assert (again.status, again.counts["refused"]) == (BatchStatus.STAGED, 2)
    assert records(again) == records(first)


def test_a_row_of_another_length_keeps_its_cells_apart_from_what_is_told(stage: Stage) -> None:
    first = stage(content=csv_of({}) + b"\na,b\n" + b"a,b,c,d,e,f\n")
    again = stage(content=to_mend(first))
    assert records(again) == records(first) == [["a", "b"], ["a", "b", "c", "d", "e", "f"]]


def test_a_profile_reads_the_cells_that_it_read_before(stage: Stage, cases: MappingProfile) -> None:
    """A spreadsheet would run them, so that they are downloaded with an apostrophe."""
    content = b"benchmark,metric,model,score,source_url,external_id,stderr,n,lineage,protocol,run_date,notes\n"
    content += b"bench-000-v3,metric-000-pass-at-1,@nobody,-x,https://example.org/a,=1,,,,,,\n"
    first = stage(content=content, profile=cases)
    again = stage(content=to_mend(first), profile=cases)
    assert again.header == first.header
    assert records(again) == records(first)
    assert "'@nobody" in "".join(mending.lines(again))


def test_rows_of_another_format_are_mended_as_a_sheet(registry: None) -> None:
    layout = layout_of(MappingProfile.objects.get(key="own-eee"))
    columns = ",".join(sorted(layout.header.needs))
    assert opened(Held(f"{columns}\n1\n".encode()), "a.csv", layout).problems[0].reason == "other-format"
    found = opened(Held(f"refused_line,refused_because,{columns}\n2,Why,1\n".encode()), "a.csv", layout)
    assert (found.format, found.problems) == ("csv", [])
    assert found.table is not None
    assert found.table.header == sorted(layout.header.needs)


def test_a_cell_of_another_format_keeps_its_apostrophe(stage: Stage) -> None:
    row = {"contract": CONTRACT, "configuration": SUBJECT, "value": "abc", "source_url": URL}
    first = stage(content=json.dumps([row | {"notes": "'=x", "external_id": "=y"}]).encode())
    assert first.format == "json-rows"
    again = stage(content=to_mend(first, abc="0.5"))
    (row,) = again.staged
    assert (row.notes, row.external_id) == ("'=x", "=y")


def test_a_batch_whose_rows_are_stored_has_none_to_mend(store: Stage, stage: Stage) -> None:
    """It shares them with the batch that stored them, in which some may have been bad."""
    first = store({}, {"value": "abc", "external_id": "2"}, mode=BatchMode.QUARANTINE)
    shared = ImportBatch(read_as=first, kind=first.kind)
    assert mending.bad_rows(first).count() == 1
    assert not mending.bad_rows(shared).exists()
