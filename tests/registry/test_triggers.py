"""Sealed rows refuse UPDATE and DELETE whoever asks; a publication changes only its state."""

from typing import Any

import pytest
from django.db import IntegrityError, connection, models, transaction

from ranking.models import GateEvaluation, Publication, Release, Snapshot
from registry.models import AuditEvent, Source, SourcePart
from tests.ranking.public import world

SEALED: list[type[models.Model]] = [Release, Snapshot, GateEvaluation, AuditEvent]


@pytest.fixture
def published(db: None) -> Publication:
    world.build()
    return world.publish()


@pytest.mark.parametrize("model", SEALED)
@pytest.mark.parametrize("statement", ["UPDATE {table} SET id = id", "DELETE FROM {table}"])
def test_raw_sql_is_refused(published: Publication, model: type[models.Model], statement: str) -> None:
    assert model._base_manager.exists()
    with pytest.raises(IntegrityError, match="sealed"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement.format(table=model._meta.db_table))


@pytest.mark.parametrize("model", SEALED)
def test_the_orm_is_refused(published: Publication, model: Any) -> None:
    row = model.objects.first()
    with pytest.raises(IntegrityError), transaction.atomic():
        row.save()
    with pytest.raises(IntegrityError), transaction.atomic():
        row.delete()
    with pytest.raises(TypeError):
        model.objects.all().delete()


def test_a_release_queryset_refuses_update(published: Publication) -> None:
    with pytest.raises(TypeError, match="sealed"):
        Release.objects.update(content="{}")


@pytest.mark.parametrize("column", ["number", "identifier", "reason", "published_by"])
def test_what_a_publication_said_stays(published: Publication, column: str) -> None:
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"UPDATE ranking_publication SET {column} = {column}")


def test_the_state_of_a_publication_may_change(published: Publication) -> None:
    published.state = "superseded"
    published.save(update_fields=("state",))
    assert Publication.objects.get().state == "superseded"


def test_the_bytes_of_a_source_stay(published: Publication) -> None:
    SourcePart.objects.create(source=Source.objects.get(), number=0, content=b"these")
    with pytest.raises(IntegrityError), transaction.atomic():
        Source.objects.update(sha256="0" * 64)
    with pytest.raises(IntegrityError), transaction.atomic():
        SourcePart.objects.update(content=b"other")
    for table in ("registry_source", "registry_sourcepart"):
        with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"DELETE FROM {table}")
