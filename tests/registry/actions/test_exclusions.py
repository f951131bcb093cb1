"""An exclusion reaches what it names, or is refused; it is lifted, never deleted."""

from datetime import timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import connection

from registry import eligibility
from registry.actions import exclusions
from registry.actions.base import Refused
from registry.models import AuditEvent, Collection, EvidenceMapping, Exclusion, ImportBatch, Job, Result, Source
from tests.ranking.public import world
from tests.registry.importing.test_concurrency import AT_ONCE, together


@pytest.fixture(autouse=True)
def _world(db: None) -> None:
    world.build()


def exclude(by: User, scope: str, target: str, **changes: object) -> Exclusion:
    said = {"type": "unverified", "reason": "Nobody can check it.", "lift_condition": "A public log."} | changes
    return exclusions.exclude(scope=scope, target=target, by=by, **said)


def excluded_results() -> int:
    mappings = Collection.objects.get(slug=world.SLUG).mappings.select_related("collection", "benchmark__suite")
    judged = eligibility.judge(mappings, Result.objects.all())
    return sum("excluded" in {reason.code for reason in row.reasons} for row in judged)


def targets() -> dict[str, str]:
    result = Result.objects.select_related(
        "contract__lineage", "contract__benchmark", "configuration", "source"
    ).first()
    assert result
    return {
        "benchmark": result.contract.benchmark.key,
        "lineage": result.contract.lineage.key,
        "contract": result.contract.key,
        "configuration": result.configuration.key,
        "source": result.source.sha256,
        "batch": str(result.batch_id),
        "result": str(result.pk),
    }


@pytest.mark.parametrize("scope", ["benchmark", "lineage", "contract", "configuration", "source", "batch", "result"])
def test_every_scope_reaches_what_it_names(editor: User, scope: str) -> None:
    exclude(editor, scope, targets()[scope])
    assert excluded_results() == (1 if scope in ("contract", "result") else Result.objects.count())
    assert Job.objects.exists()


@pytest.mark.parametrize("scope", ["batch", "result"])
@pytest.mark.parametrize("spelling", ["0{}", "+{}", " {}", "{}_0", "{}.0", "٣"])
def test_another_spelling_of_a_number_is_refused_for_it_would_reach_nothing(
    editor: User, scope: str, spelling: str
) -> None:
    with pytest.raises(Refused) as refused:
        exclude(editor, scope, spelling.format(targets()[scope]))
    assert (refused.value.code, Exclusion.objects.filter(scope=scope).exists()) == ("no-such-target", False)


@pytest.mark.parametrize("target", ["zzz", "A" * 64, "5" * 63, ""])
def test_a_source_is_named_by_its_sha256(editor: User, target: str) -> None:
    with pytest.raises(Refused, match="no source"):
        exclude(editor, "source", target)


def test_bytes_may_be_refused_before_anybody_uploads_them(editor: User) -> None:
    assert not Source.objects.filter(sha256="ab" * 32).exists()
    assert exclude(editor, "source", "ab" * 32).pk


def test_within_one_mapping_it_reaches_only_there(editor: User) -> None:
    other = EvidenceMapping.objects.get(collection__slug="self-service")
    exclude(editor, "lineage", world.LINEAGE, mapping=other)
    assert excluded_results() == 0


@pytest.mark.parametrize("field", ["reason", "lift_condition"])
@pytest.mark.parametrize("nothing", ["", "  ", "\u200b"])
def test_what_cannot_be_read_is_no_reason(editor: User, field: str, nothing: str) -> None:
    with pytest.raises(Refused) as refused:
        exclude(editor, "lineage", world.LINEAGE, **{field: nothing})
    assert refused.value.code == "no-reason"


def test_the_same_refusal_twice_is_refused_until_it_is_lifted(editor: User) -> None:
    first = exclude(editor, "lineage", world.LINEAGE)
    with pytest.raises(Refused, match="already"):
        exclude(editor, "lineage", world.LINEAGE)
    exclusions.lift(exclusion=first, by=editor, reason="The log is public.")
    assert excluded_results() == 0
    with pytest.raises(Refused, match="was lifted by editor"):
        exclusions.lift(exclusion=first, by=editor, reason="Again.")
    exclude(editor, "lineage", world.LINEAGE)
    assert Exclusion.objects.filter(target=world.LINEAGE).count() == 2


@pytest.mark.parametrize("name", ["viewer", "publisher"])
def test_only_editors_exclude_and_lift(name: str, request: pytest.FixtureRequest) -> None:
    by = request.getfixturevalue(name)
    with pytest.raises(PermissionDenied):
        exclude(by, "lineage", world.LINEAGE)
    existing = Exclusion.objects.first()
    assert existing
    with pytest.raises(PermissionDenied):
        exclusions.lift(exclusion=existing, by=by, reason="No.")


def test_a_batch_that_does_not_exist_is_no_target(editor: User) -> None:
    missing = max(ImportBatch.objects.values_list("pk", flat=True)) + 1
    with pytest.raises(Refused):
        exclude(editor, "batch", str(missing))


def test_a_number_or_digest_is_told_in_words(editor: User) -> None:
    result = Result.objects.select_related("contract", "configuration", "source").get(pk=targets()["result"])
    of_result = f"{result.contract.key}, {result.configuration.key}"
    told = {
        scope: exclusions.told(scope, target) for scope, target in targets().items() if exclusions.told(scope, target)
    }
    assert told == {"source": result.source.filename, "batch": result.source.filename, "result": of_result}
    assert exclusions.named("result", str(result.pk)) == f"result {result.pk} ({of_result})"
    for scope, target in [("result", "0"), ("result", "x"), ("source", "a" * 64), ("", ""), ("batch", "")]:
        assert exclusions.told(scope, target) == ""


def test_a_misspelt_target_is_answered_by_the_right_one(editor: User) -> None:
    with pytest.raises(Refused, match=f"Did you mean {world.LINEAGE}"):
        exclude(editor, "lineage", world.LINEAGE.upper())


# --- In force once ----------------------------------------------------------------------------------------------------


def test_another_reason_or_place_is_another_refusal(editor: User) -> None:
    mapping = EvidenceMapping.objects.get(collection__slug="self-service")
    for more in ({}, {"type": "version"}, {"mapping": mapping}, {"type": "version", "mapping": mapping}):
        exclude(editor, "lineage", world.LINEAGE, **more)
        with pytest.raises(Refused) as refused:
            exclude(editor, "lineage", world.LINEAGE, **more)
        assert refused.value.code == "already-excluded"


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_within", [False, True])
def test_of_several_who_exclude_at_once_one_does(editor: User, is_within: bool) -> None:
    mapping = EvidenceMapping.objects.filter(collection__slug="self-service").first() if is_within else None
    before = AuditEvent.objects.count()
    outcomes = together(*[lambda: exclude(editor, "lineage", world.LINEAGE, mapping=mapping)] * AT_ONCE)
    assert outcomes == [*["already-excluded"] * (AT_ONCE - 1), "done"]
    excluded = Exclusion.objects.get(scope="lineage", target=world.LINEAGE, mapping=mapping, type="unverified")
    assert AuditEvent.objects.count() == before + 1
    assert AuditEvent.objects.latest("id").object_id == str(excluded.pk)


@pytest.mark.postgres
def test_repeated_ones_of_before_are_lifted_but_for_the_first(editor: User) -> None:
    first = exclude(editor, "lineage", world.LINEAGE)
    other = exclude(editor, "lineage", world.LINEAGE, type="version")
    with connection.cursor() as cursor:
        cursor.execute("DROP INDEX exclusion_once")
    second = Exclusion.objects.get(pk=first.pk)
    second.pk, second.excluded_at = None, first.excluded_at + timedelta(days=1)
    second.save(force_insert=True)
    import_module("registry.migrations.0010_one_exclusion_in_force").lift_repeated(apps, None)
    in_force = set(Exclusion.objects.filter(target=world.LINEAGE, lifted_at=None).values_list("pk", flat=True))
    assert in_force == {first.pk, other.pk}
    second.refresh_from_db()
    assert (second.lifted_by, second.version) == ("migration", 2)
    event = AuditEvent.objects.latest("id")
    assert (event.verb, event.object_id, event.reason) == ("lift", str(second.pk), second.lift_reason)


def test_a_file_is_told_so_too(editor: User) -> None:
    again = exclude(editor, "lineage", world.LINEAGE)
    again.pk = None
    with pytest.raises(ValidationError, match="excluded already for this type of reason"):
        again.full_clean()
