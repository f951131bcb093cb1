"""Whatever is uploaded: a verdict for every row or a refusal, never an exception, and nothing half stored."""

import hashlib
import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from registry.actions import imports
from registry.actions.base import Refused
from registry.importing import mending
from registry.importing.contents import Held
from registry.importing.layouts import OwnLayout
from registry.importing.opening import opened
from registry.importing.report import report
from registry.models import ImportBatch, MappingProfile, Result
from registry.people import acting_user
from registry.vocabulary import BatchMode, ResultState
from tests.registry.importing.conftest import CONTRACT, SUBJECT, URL
from tests.registry.importing.own.documents import JSON
from tests.registry.importing.own.workbooks import PLAIN, data, workbook

pytestmark = pytest.mark.django_db

# Each example runs in the transaction of the one test; what one stores, the next meets.
FUZZ = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

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


def import_it(content: bytes, profile: MappingProfile | None = None, filename: str = "f.csv") -> ImportBatch | None:
    by = acting_user(None)
    file = {"content": content, "filename": filename, "profile": profile}
    batch, told = _told(imports.stage, **file, by=by, mode=BatchMode.QUARANTINE)
    if batch is None:
        assert told == "not-a-results-csv"
        return None
    assert sum(batch.counts.values()) == batch.rows == report(batch)["rows"]
    assert batch.staged.count() == (0 if batch.problems else batch.rows)
    assert "".join(mending.lines(batch)).count("\x00") == 0
    assert batch.rows + bool(batch.problems) > 0
    if not batch.problems and profile is None:
        _nothing_is_lost(batch, content, filename)
    before = Result.objects.filter(state=ResultState.ACTIVE).count()
    applied, told = _told(imports.apply, batch=batch, by=by, reason="Fuzz.")
    assert told in {"", "not-staged", "nothing-to-apply"}
    added = batch.counts["new"] if applied else 0
    assert Result.objects.filter(state=ResultState.ACTIVE).count() == before + added
    return batch


def _nothing_is_lost(batch: ImportBatch, content: bytes, filename: str) -> None:
    """Each record of the table is a row as it stood there, and is good, or says what is wrong."""
    table = opened(Held(content), filename, OwnLayout()).table
    rows = list(batch.staged.order_by("line"))
    assert [(row.line, row.record) for row in rows] == [(record.line, record.cells) for record in table or ()]
    assert all(row.problems for row in rows if row.verdict in {"refused", "conflict"})


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


ENDINGS = st.sampled_from(["csv", "json", "jsonl", "yaml", "md", "xlsx", "zip", "eval", "", "\ud800", "\0"])
PIECES = st.sampled_from(
    [b"PK\x03\x04", b"PK\x05\x06", b"{", b"[", b'{"a":1}', b"\n", b"---\n", b"- a: ", b"\0", b"\xff"]
)


@FUZZ
@given(st.lists(PIECES | st.binary(max_size=9), max_size=9).map(b"".join), ENDINGS)
def test_any_bytes_under_any_name(registry: None, content: bytes, ending: str) -> None:
    import_it(content, filename=f"f.{ending}")


# Escapes in JSON bring what no other format can: NUL and half of a character.
ANY_TEXT = st.text(max_size=8) | st.sampled_from(["\0", "\ud800", "a\udfff", *COLUMNS])
LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | ODD | ANY_TEXT
VALUES = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ANY_TEXT, inner, max_size=3))
ROWS_OF_JSON = st.lists(
    USUAL.map(lambda cells: dict(zip(COLUMNS, cells, strict=True))) | st.dictionaries(ANY_TEXT, VALUES, max_size=4),
    min_size=1,
    max_size=5,
)


@FUZZ
@given(ROWS_OF_JSON | st.lists(st.fixed_dictionaries(dict.fromkeys(COLUMNS, LEAVES)), max_size=4) | VALUES, ENDINGS)
def test_any_json(registry: None, value: Any, ending: str) -> None:
    import_it(json.dumps(value).encode(), filename=f"f.{ending}")


@FUZZ
@given(st.lists(USUAL.map(list), min_size=1, max_size=4), ENDINGS)
def test_any_workbook_under_the_right_header(registry: None, rows: list[list[str]], ending: str) -> None:
    import_it(workbook(("results", data(list(COLUMNS), *rows))), filename=f"f.{ending}")


@FUZZ
@given(st.sampled_from([PLAIN, *JSON.values()]), st.data())
def test_a_file_with_bytes_changed(registry: None, content: bytes, drawn: Any) -> None:
    for _ in range(drawn.draw(st.integers(1, 4))):
        place, cut = drawn.draw(st.integers(0, len(content))), drawn.draw(st.integers(0, 9))
        content = content[:place] + drawn.draw(PIECES | st.binary(max_size=3)) + content[place + cut :]
    import_it(content[:20_000], filename="f")


# fmt: off
CELLS = ["", "-", "n/a", "NaN", "1e999", "-0.0", "0.5", "0.50", "½", "\t", "a\nb", '"', "'=1", "=1", "\u200b",
         "x" * 600, "2025-03-01", "2100-01-01", "failed", "1", "0", "-5", "é", "e\u0301", "\u0130", "ß", "SS", "\ufb01",
         "1.5", "1e-320"]
# fmt: on
LIKELY = {"contract": CONTRACT, "configuration": SUBJECT, "value": "0.5", "source_url": URL}
SAID_OF_200_TABLES = "404c4e7598b1f7a86af8f897aa606eae375d0cefd8b53354c547b96444331a57"


def test_200_tables_come_to_the_same_on_every_database(registry: None) -> None:
    """Among them ones that meet what those before them stored. The digest is of every verdict, place and reason."""
    draw, told = random.Random(4), hashlib.sha256()
    for _ in range(200):
        rows = [tuple(_cell(draw, name) for name in COLUMNS) for _ in range(draw.randint(1, 6))]
        batch = import_it(table_of(COLUMNS, rows))
        assert batch is not None
        for line, verdict, problems in batch.staged.order_by("line").values_list("line", "verdict", "problems"):
            places = [(problem["column"], problem["value"], problem["reason"]) for problem in problems or ()]
            told.update(repr((line, str(verdict), places)).encode())
    assert told.hexdigest() == SAID_OF_200_TABLES


def _cell(draw: random.Random, column: str) -> str:
    if draw.random() < 0.1:
        return draw.choice(CELLS)
    return LIKELY.get(column) or (draw.choice(["1", "2", "3", "É", "e\u0301"]) if column == "external_id" else "")


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
