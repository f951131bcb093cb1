"""Whatever is uploaded: a verdict for every row or a refusal, never an exception, and nothing half stored."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from registry.actions import imports
from registry.actions.base import Refused
from registry.importing.report import bad_rows_csv, report
from registry.models import ImportBatch, MappingProfile, Result
from registry.people import acting_user
from registry.vocabulary import BatchMode, ResultState
from tests.registry.importing.conftest import CONTRACT, SUBJECT, URL

pytestmark = pytest.mark.django_db

# Each example runs in the transaction of the one test; what one stores, the next meets.
FUZZ = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

ODD = st.sampled_from(
    ["", "-", "n/a", "NaN", "1e999", "-0.0", "0.5", "0.50", "½", "\t", "a\nb", '"', "'=1", "=1", "\u200b", "x" * 600,
     "2025-03-01", "9999-12-31", "failed", "1", "0", "-5", "é", "e\u0301"]
)  # fmt: skip
TEXT = ODD | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=10)
COLUMNS = (
    "contract",
    "configuration",
    "value",
    "absence",
    "stderr",
    "n",
    "observed_on",
    "source_url",
    "external_id",
    "notes",
)
USUAL = st.tuples(
    st.just(CONTRACT) | TEXT,
    st.sampled_from([SUBJECT, "vendor1-model-001"]) | TEXT,
    st.sampled_from(["0.5", "0.6", ""]) | TEXT,
    st.sampled_from(["", "failed"]) | TEXT,
    st.just("") | TEXT,
    st.just("") | TEXT,
    st.just("") | TEXT,
    st.just(URL) | TEXT,
    st.sampled_from(["1", "2", "3"]) | TEXT,
    st.just("") | TEXT,
)


def table_of(columns: tuple[str, ...], rows: list[tuple[str, ...]]) -> bytes:
    quoted = (",".join('"' + cell.replace('"', '""') + '"' for cell in row) for row in (columns, *rows))
    return "\r\n".join(quoted).encode()


def import_it(content: bytes, profile: MappingProfile | None = None) -> None:
    by = acting_user(None)
    file = {"content": content, "filename": "f.csv", "profile": profile}
    batch, told = _told(imports.stage, **file, by=by, mode=BatchMode.QUARANTINE)
    if batch is None:
        assert told == "not-a-results-csv"
        return
    assert sum(batch.counts.values()) == batch.rows == report(batch)["rows"]
    assert batch.staged.count() == (0 if batch.problems else batch.rows)
    assert bad_rows_csv(batch).count("\x00") == 0
    before = Result.objects.filter(state=ResultState.ACTIVE).count()
    applied, told = _told(imports.apply, batch=batch, by=by, reason="Fuzz.")
    assert told in {"", "not-staged", "nothing-to-apply"}
    added = batch.counts["new"] if applied else 0
    assert Result.objects.filter(state=ResultState.ACTIVE).count() == before + added


def _told(action: Callable[..., ImportBatch], **arguments: Any) -> tuple[ImportBatch | None, str]:
    """What came of an action, or the code of its refusal."""
    try:
        return action(**arguments), ""
    except Refused as refused:
        return None, refused.code


@FUZZ
@given(st.lists(USUAL, min_size=1, max_size=6))
def test_any_rows_under_the_right_header(registry: None, rows: list[tuple[str, ...]]) -> None:
    import_it(table_of(COLUMNS, rows))


@FUZZ
@given(st.lists(st.lists(TEXT, min_size=1, max_size=4).map(tuple), min_size=1, max_size=5))
def test_any_table(registry: None, rows: list[tuple[str, ...]]) -> None:
    import_it(table_of(rows[0], rows[1:]))


@FUZZ
@given(
    st.binary(max_size=200),
    st.sampled_from([b"", b"contract,configuration,value,source_url\n", b"\xef\xbb\xbf", b"a;b\n"]),
)
def test_any_bytes(registry: None, content: bytes, start: bytes) -> None:
    import_it(start + content)


@FUZZ
@given(st.lists(st.tuples(*[TEXT] * 12), min_size=1, max_size=4))
def test_any_rows_through_a_profile(cases: MappingProfile, rows: list[tuple[str, ...]]) -> None:
    columns = "external_id,benchmark,model,metric,lineage,score,stderr,n,run_date,protocol,source_url,notes"
    import_it(table_of(tuple(columns.split(",")), rows), cases)


@FUZZ
@given(st.permutations(range(5)), st.lists(USUAL, min_size=5, max_size=5))
def test_verdicts_do_not_depend_on_the_order_of_rows(
    registry: None, order: list[int], rows: list[tuple[str, ...]]
) -> None:
    def verdicts(these: list[tuple[str, ...]]) -> list[str]:
        batch, _ = _told(imports.stage, content=table_of(COLUMNS, these), filename="f.csv", by=acting_user(None))
        return list(batch.staged.order_by("line").values_list("verdict", flat=True)) if batch else []

    plain, shuffled = verdicts(rows), verdicts([rows[place] for place in order])
    assert shuffled == [plain[place] for place in order if plain]
