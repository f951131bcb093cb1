"""Names that a batch does not find, over all of its rows, and what each may mean."""

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.actions import names
from registry.importing.subjects import Subject
from registry.importing.unresolved import Names, Unresolved, unresolved
from registry.models import Configuration
from tests.registry.importing.conftest import SUBJECT, Stage


def rows_of(*configurations: str) -> list[dict[str, str]]:
    return [{"configuration": name, "external_id": f"c-{at}"} for at, name in enumerate(configurations)]


def subject(pk: int, key: str) -> Subject:
    return Subject(pk, key, "model", ("maker", key, "unknown", "unknown"))


NAMES = {"maker-gpt-9@high": subject(1, "maker-gpt-9@high"), "GPT-9 (high)": subject(1, "maker-gpt-9@high"),
         "maker-gpt-8": subject(2, "maker-gpt-8"), "other": subject(3, "other")}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("gpt 9 HIGH", [("GPT-9 (high)", "the same letters and digits; capitals, spaces or punctuation differ")]),
        ("High GPT 9", [("GPT-9 (high)", "the same words in another order")]),
        ("maker-gpt8", [("maker-gpt-8", "the same letters and digits; capitals, spaces or punctuation differ")]),
        ("marker-gpt-8", [("maker-gpt-8", "96 % alike")]),
        ("maker-gpt-7", []),
        ("gpt (9)", [("GPT-9 (high)", "every word of it stands in that name")]),
        ("gpt-9/low", []),
        ("gpt", []),
        ("nothing of the kind", []),
        ("···", []),
        ("", []),
    ],
)  # fmt: skip
def test_what_a_name_may_mean_has_its_reason(text: str, meant: list[tuple[str, str]]) -> None:
    shown = Names([], NAMES).with_candidates([Unresolved(text, rows=1)])
    assert [(found.name, found.why) for found in shown[0].candidates] == meant


MODELS = [
    ("anthropic/claude-opus-4.5/tau2-scaffold/effort-high", "Claude Opus 4.5", "anthropic", "tau2-scaffold", "high"),
    ("openai/gpt-5.2/tau2-scaffold/effort-none", "GPT-5.2", "openai", "tau2-scaffold", "none"),
    ("openai/gpt-5.2/effort-high", "GPT-5.2", "openai", "unknown", "high"),
    ("openai/gpt-5/effort-high", "GPT-5", "openai", "unknown", "high"),
    ("openai/gpt-5.2-mini", "GPT-5.2 mini", "openai", "unknown", "unknown"),
    ("openai/o3", "o3", "openai", "unknown", "unknown"),
    ("maker/nameless", "", "maker", "unknown", "unknown"),
]
BY_MODEL = {key: Subject(pk, key, "model", (maker, model, harness, effort), model)
            for pk, (key, model, maker, harness, effort) in enumerate(MODELS)}  # fmt: skip
OPUS = ["anthropic/claude-opus-4.5/tau2-scaffold/effort-high"]
BOTH = ["openai/gpt-5.2/effort-high", "openai/gpt-5.2/tau2-scaffold/effort-none"]


@pytest.mark.parametrize(
    ("text", "meant", "why"),
    [
        ("Claude Opus 4.5", OPUS, "names its model, Claude Opus 4.5"),
        ("GPT 5.2", BOTH, "names its model, GPT-5.2"),
        ("gpt5.2", BOTH, "names its model, GPT-5.2"),
        ("OpenAI: GPT-5.2", BOTH, "names its model, GPT-5.2"),
        ("GPT-5.2 (none)", BOTH[1:], "names its model, GPT-5.2"),
        ("gpt-5.2 mini", ["openai/gpt-5.2-mini"], "names its model, GPT-5.2 mini"),
        ("O3", ["openai/o3"], "names its model, o3"),
        ("opus 4.5", OPUS, "every word of it is said of this configuration of Claude Opus 4.5"),
        ("GPT 5.3", [], ""),
        ("GPT-5.2 turbo", [], ""),
        ("openai", [], ""),
    ],
)  # fmt: skip
def test_a_name_of_a_model_may_mean_its_configurations(text: str, meant: list[str], why: str) -> None:
    """Also where another word of the configuration has a number."""
    (shown,) = Names([], BY_MODEL).with_candidates([Unresolved(text, rows=1)])
    told = {found.name: found.why for found in shown.candidates}
    assert [key for key in told if told[key] == why] == meant
    assert why or not told


def test_names_are_counted_over_the_whole_batch(stage: Stage) -> None:
    batch = stage(*rows_of("Vendor0 Model 000", "nobody", "nobody", SUBJECT))
    found = unresolved(batch).found
    assert [(each.name, each.rows) for each in found] == [("nobody", 2), ("Vendor0 Model 000", 1)]
    shown = unresolved(batch).with_candidates(found)
    assert [(each.subject.key, each.why) for each in shown[1].candidates][:1] == [
        (SUBJECT, "the same letters and digits; capitals, spaces or punctuation differ")
    ]


def test_rows_refused_for_something_else_name_nothing(stage: Stage) -> None:
    batch = stage({"value": "many"}, {"configuration": "nobody", "value": "many", "external_id": "2"})
    assert [(each.name, each.rows) for each in unresolved(batch).found] == [("nobody", 1)]
    assert unresolved(stage({"value": "0.25"})).found == []


def test_what_was_proposed_and_what_resolves_by_now(stage: Stage, editor: User) -> None:
    batch = stage(*rows_of("Nine", "Ten", "Eleven"))
    meant = Configuration.objects.get(key=SUBJECT)
    names.propose_alias(name="Nine", configuration=meant, by=editor)
    ten = names.propose_alias(name="Ten", configuration=meant, by=editor)
    names.review_alias(alias=ten, by=editor)
    found = {each.name: each for each in unresolved(batch).found}
    assert (found["Nine"].alias is not None, found["Nine"].resolved) == (True, None)
    assert (found["Ten"].alias, found["Ten"].resolved and found["Ten"].resolved.key) == (None, SUBJECT)
    assert found["Eleven"].is_open
    assert not found["Nine"].is_open


def test_parts_without_a_name_are_told_as_parts(stage: Stage) -> None:
    parts = {"configuration": "", "organization": "nobody", "model": "nothing", "effort": "high"}
    (found,) = unresolved(stage(parts)).found
    assert (found.name, found.parts) == (
        "nobody / nothing / unknown / high",
        ("nobody", "nothing", "unknown", "high"),
    )


def test_a_look_alike_can_never_be_an_alias(stage: Stage) -> None:
    (found,) = unresolved(stage(*rows_of("vendor0-mod\u0435l-000"))).found
    assert "U+0435 CYRILLIC SMALL LETTER IE" in found.fault


def test_more_names_ask_the_database_no_more_often(stage: Stage) -> None:
    asked = []
    for number in (2, 60):
        batch = stage(*rows_of(*(f"name {at} of {number}" for at in range(number))))
        with CaptureQueriesContext(
            connection,
        ) as queries:
            found = unresolved(batch)
            found.with_candidates(found.found)
        asked.append(len(queries))
        assert len(found.found) == number
    assert asked[0] == asked[1]


def test_of_a_large_batch_the_first_rows_are_looked_at(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    batch = stage(*rows_of("one", "one", SUBJECT, "two", "three"))
    monkeypatch.setattr("registry.importing.unresolved.MOST_ROWS", 3)
    found = unresolved(batch)
    assert ([(each.name, each.rows) for each in found.found], found.is_whole) == ([("one", 2), ("two", 1)], False)
    monkeypatch.setattr("registry.importing.unresolved.MOST_ROWS", 4)
    assert (len(unresolved(batch).found), unresolved(batch).is_whole) == (3, True)
