"""Whatever the bytes: a table, or a refusal that says why; never another exception, and never a hang."""

import json
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from registry.importing.formats import FORMATS, recognised
from registry.importing.problems import NotATable, Unreadable
from tests.registry.importing.formats.conftest import DATA, ROOT, SAMPLES, content_of
from tests.registry.importing.formats.test_huggingface import RESULTS
from tests.registry.importing.formats.test_xlsx import PLAIN

FUZZ = settings(max_examples=80, deadline=None)

DOCUMENTS = {
    sample["format"]: (ROOT / path).read_bytes()
    for path, sample in SAMPLES.items()
    if path.endswith(".json") and sample.get("records", 1_000) < 200
}
SEEDS = DOCUMENTS | {
    "csv": b"a,b\n1,2\n",
    "xlsx": PLAIN,
    "json-rows": b'[{"a": 0.10, "b": "x"}, {"a": null}]',
    "hf-eval-results": RESULTS,
    "hf-model-index": (DATA / "huggingface" / "sample_simple_model_index.md").read_bytes(),
    "inspect": (DATA / "inspect_ai" / "log_formats.eval").read_bytes(),
    "helm": content_of(DATA / "helm"),
}
PIECES = st.sampled_from(
    [b"", b"{", b"}", b"[", b"]", b'"', b":", b",", b"null", b"NaN", b"1e999", b"-", b"\n", b"\r", b"\0", b"\xff",
     b"\\ud800", b"&a", b"*a", b"<!DOCTYPE x>", b"<c>", b"</row>", b"PK\x03\x04", b"PK\x01\x02", b"'", b"true"]
)  # fmt: skip


def outcome(key: str, content: bytes) -> None:
    """A table gives its records twice alike, none longer than the header; a refusal has its sentence."""
    try:
        table = (FORMATS[key] if key else recognised("x", content)).read(content, "x")
        records, again = list(table), list(table)  # CSV is read, and may be refused, as it goes
    except (NotATable, Unreadable) as refusal:
        problems = getattr(refusal, "problems", [])
        told = [str(refusal), *(problem.message for problem in problems), *(problem.reason for problem in problems)]
        if not all(told) or any(problem.line < 1 for problem in problems):
            raise AssertionError(told) from refusal
        return
    if key and key != "csv":
        assert {len(record.cells) for record in records} <= {len(table.header)}
    assert records == again


@pytest.mark.parametrize("key", FORMATS)
@FUZZ
@given(st.binary(max_size=200) | st.lists(PIECES, max_size=30).map(b"".join))
def test_any_bytes_are_answered_by_any_format(key: str, content: bytes) -> None:
    outcome(key, content)


@FUZZ
@given(st.binary(max_size=200) | st.lists(PIECES, max_size=30).map(b"".join))
def test_any_bytes_are_recognised_as_something(content: bytes) -> None:
    outcome("", content)


@pytest.mark.parametrize("key", SEEDS)
@FUZZ
@given(data=st.data())
def test_a_valid_file_with_bytes_changed_is_answered(key: str, data: Any) -> None:
    content = SEEDS[key]
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(content)))
        cut = data.draw(st.integers(0, 20))
        content = content[:place] + data.draw(PIECES | st.binary(max_size=3)) + content[place + cut :]
    outcome(key, content)
    outcome("", content)


ODD: st.SearchStrategy[Any] = st.sampled_from(
    [None, True, 0, -1.5, "", "x", [], {}, [None], {"a": None}, [[]], [{}], "NaN"]
)


@pytest.mark.parametrize("key", DOCUMENTS)
@FUZZ
@given(data=st.data())
def test_a_valid_document_with_values_of_other_kinds_is_answered(key: str, data: Any) -> None:
    document = json.loads(DOCUMENTS[key])
    for _ in range(data.draw(st.integers(1, 3))):
        place = document
        for _ in range(data.draw(st.integers(0, 6))):
            inner = place.values() if isinstance(place, dict) else place
            deeper = [each for each in inner if isinstance(each, (dict, list)) and each]
            if not deeper:
                break
            place = data.draw(st.sampled_from(deeper))
        keys = list(place) if isinstance(place, dict) else range(len(place))
        if keys:
            place[data.draw(st.sampled_from(keys))] = deepcopy(data.draw(ODD))
    outcome(key, json.dumps(document).encode())
