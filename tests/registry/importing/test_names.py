"""Names are proposed by one action and reviewed by another; batches are judged again without a new upload."""

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied, ValidationError

from registry import jobs
from registry.actions import curate, imports, judging_again, names
from registry.actions.base import Refused
from registry.importing import uses
from registry.models import AuditEvent, Configuration, ConfigurationAlias, ImportBatch, MappingProfile, Result
from registry.vocabulary import BatchMode
from tests.registry.importing.conftest import SUBJECT, Stage, csv_of

ALL, SOME = BatchMode.ALL_OR_NOTHING, BatchMode.QUARANTINE


@pytest.fixture
def meant(registry: None) -> Configuration:
    return Configuration.objects.get(key=SUBJECT)


def test_a_proposal_resolves_nothing_before_it_is_reviewed(meant: Configuration, stage: Stage, editor: User) -> None:
    alias = names.propose_alias(name="Nine", configuration=meant, by=editor, reason="Batch 1 names it.")
    assert (alias.reviewed_by, alias.reviewed_at) == ("", None)
    assert stage({"configuration": "Nine"}).counts["refused"] == 1
    names.review_alias(alias=alias, by=editor)
    assert stage({"configuration": "Nine"}).counts["new"] == 1
    told = AuditEvent.objects.filter(object_type="registry.configurationalias", object_id=str(alias.pk))
    events = told.order_by("pk")
    assert [(event.verb, event.by) for event in events] == [("add", "editor"), ("change", "editor")]


def test_proposing_twice_is_one_proposal(meant: Configuration, editor: User) -> None:
    first = names.propose_alias(name="Nine", configuration=meant, by=editor)
    assert names.propose_alias(name="Nine", configuration=meant, by=editor).pk == first.pk
    assert ConfigurationAlias.objects.filter(name="Nine").count() == 1


def test_a_name_means_one_configuration(meant: Configuration, editor: User) -> None:
    other = Configuration.objects.exclude(pk=meant.pk)[0]
    names.propose_alias(name="Nine", configuration=meant, by=editor)
    with pytest.raises(Refused, match=f"alias of {SUBJECT} already"):
        names.propose_alias(name="Nine", configuration=other, by=editor)
    with pytest.raises(Refused, match="is the key of a configuration"):
        names.propose_alias(name=SUBJECT, configuration=other, by=editor)
    with pytest.raises(ValidationError, match="ZERO WIDTH SPACE"):
        names.propose_alias(name="Ni\u200bne", configuration=meant, by=editor)


def test_a_review_is_withdrawn_and_given_again(meant: Configuration, store: Stage, stage: Stage, editor: User) -> None:
    alias = names.propose_alias(name="Nine", configuration=meant, by=editor)
    with pytest.raises(Refused, match="Nobody has reviewed"):
        names.withdraw_review(alias=alias, by=editor, reason="Wrong.")
    names.review_alias(alias=alias, by=editor)
    with pytest.raises(Refused, match="reviewed by editor already"):
        names.review_alias(alias=alias, by=editor)
    store({"configuration": "Nine"})
    with pytest.raises(Refused, match="needs a reason"):
        names.withdraw_review(alias=alias, by=editor, reason=" ")
    names.withdraw_review(alias=alias, by=editor, reason="Another harness.")
    assert Result.objects.filter(configuration=meant).count() == 1
    assert stage({"configuration": "Nine", "external_id": "2"}).counts["refused"] == 1
    names.review_alias(alias=alias, by=editor)
    assert stage({"configuration": "Nine", "external_id": "2"}).counts["new"] == 1


def test_who_may_not_may_not(meant: Configuration, stage: Stage, viewer: User, publisher: User, editor: User) -> None:
    alias, batch = names.propose_alias(name="Nine", configuration=meant, by=editor), stage({})
    for person in (viewer, publisher):
        for act in (
            lambda by: names.propose_alias(name="Ten", configuration=meant, by=by),
            lambda by: names.review_alias(alias=alias, by=by),
            lambda by: names.withdraw_review(alias=alias, by=by, reason="x"),
            lambda by: judging_again.judge_again(batch=batch, mode=ALL, profile=None, by=by),
        ):
            with pytest.raises(PermissionDenied):
                act(person)


def test_a_batch_is_judged_again_where_it_stands(meant: Configuration, stage: Stage, editor: User) -> None:
    batch = stage({"configuration": "Nine"}, {"external_id": "2"})
    assert (batch.counts["new"], batch.counts["refused"]) == (1, 1)
    names.review_alias(alias=names.propose_alias(name="Nine", configuration=meant, by=editor), by=editor)
    again = judging_again.judge_again(batch=batch, mode=SOME, profile=None, by=editor)
    assert (again.pk, again.status, again.mode, again.counts["new"]) == (batch.pk, "staged", SOME, 2)
    assert ImportBatch.objects.count() == 1
    event = AuditEvent.objects.get(verb="judge-again")
    assert event.before is not None
    assert (event.before["counts"]["refused"], event.by) == (1, "editor")
    once_more = judging_again.judge_again(batch=batch, mode=SOME, profile=None, by=editor)
    assert (once_more.counts, once_more.staged.count()) == (again.counts, 2)
    assert imports.apply(batch=batch, by=editor).status == "applied"
    with pytest.raises(Refused, match="is applied and cannot be judged again"):
        judging_again.judge_again(batch=batch, mode=SOME, profile=None, by=editor)


def test_a_refused_file_is_read_through_a_profile_and_back(registry: None, stage: Stage, editor: User) -> None:
    profile = curate.save(obj=MappingProfile(key="own", title="Own", spec={"columns": {
        "contract": "{contract}", "configuration": "{who}", "value": "{value}", "source_url": "{source_url}"},
        "ignored": ["external_id"]}), by=editor)  # fmt: skip
    batch = stage(content=csv_of({}).replace(b"configuration", b"who"))
    assert (batch.status, batch.problems[0]["reason"]) == ("refused", "missing-column")
    read = judging_again.judge_again(batch=batch, mode=ALL, profile=profile, by=editor)
    assert (read.status, read.problems, read.counts["new"], read.profile_version) == ("staged", [], 1, 1)
    back = judging_again.judge_again(batch=batch, mode=ALL, profile=None, by=editor)
    assert (back.status, back.profile_key, back.staged.count(), back.rows) == ("refused", "", 0, 1)
    wrong = judging_again.judge_again(batch=batch, mode=ALL, profile=None, by=editor, form="xlsx")
    assert (wrong.status, wrong.rows) == ("refused", 0)
    assert judging_again.judge_again(batch=batch, mode=ALL, profile=profile, by=editor, form="csv").counts["new"] == 1


def test_a_large_file_is_judged_again_by_a_worker(
    registry: None,
    stage: Stage,
    editor: User,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    batch = stage({})
    monkeypatch.setattr(judging_again, "AT_ONCE_BYTES", 10)
    assert judging_again.judge_again(batch=batch, mode=ALL, profile=None, by=editor).status == "reading"
    with pytest.raises(Refused, match="being read"):
        judging_again.judge_again(batch=batch, mode=ALL, profile=None, by=editor)
    jobs.run_waiting()
    batch.refresh_from_db()
    assert (batch.status, batch.counts["new"]) == ("staged", 1)


def test_rows_are_counted_by_the_name_they_give(meant: Configuration, store: Stage, stage: Stage, editor: User) -> None:
    alias = names.propose_alias(name="Nine", configuration=meant, by=editor)
    names.review_alias(alias=alias, by=editor)
    applied = store({"configuration": "Nine"}, {"external_id": "by its key"})
    waiting = stage({"configuration": "Nine", "external_id": "2"}, {"configuration": "Nine", "external_id": "3"})
    profile = curate.save(obj=MappingProfile(key="own", title="Own", spec={"columns": {
        "contract": "{contract}", "configuration": "{configuration}", "value": "{value}", "source_url": "{source_url}"},
        "ignored": ["external_id"]}), by=editor)  # fmt: skip
    through = stage(content=csv_of({"configuration": "Nine", "source_url": "https://example.org/9"}), profile=profile)
    used = uses.read_by(alias)
    assert (used.named, used.unsure, used.is_whole) == ({through: 1, waiting: 2, applied: 1}, {}, True)
    profile.title = "Its own"
    curate.save(obj=profile, by=editor)
    assert uses.read_by(alias) == used, "a batch keeps what its profile said"
    ImportBatch.objects.filter(pk=through.pk).update(spec=None)
    used = uses.read_by(alias)
    assert (used.named, used.unsure) == ({waiting: 2, applied: 1}, {through: 1})
    names.withdraw_review(alias=alias, by=editor, reason="Another.")
    refused = stage({"configuration": "Nine", "external_id": "4"})
    assert uses.waiting_for(["Nine"]) == {refused: 1}
    assert uses.waiting_for(["Ten"]) == {}
