"""Addresses that people and machines make up: every list and export answers them, and none with a fault."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
from django.contrib import admin as desk
from django.contrib.auth.models import User
from django.db import models
from django.urls import reverse

from registry.admin.desk import MOST_WORDS
from registry.models import Collection, Organization
from tests.desk import text_of
from tests.registry.admin.conftest import Visitor

HUGE = "9" * 30
ALWAYS = [
    "e=1",
    f"p={HUGE}",
    "p=x&e=1",
    f"o={HUGE}.-1..x",
    "q=%00",
    "q=" + quote("a " * 900),
    "_popup=1&_to_field=nothing",
    "pk__in=1,x",
    f"id__exact={HUGE}",
    "%00=1",
    "__=1",
]
OF_A_COLUMN = [
    f"={HUGE}",
    "=%00",
    "__exact=x%00",
    "__year=9999999",
    "__gte=x",
    "__isnull=maybe",
    "__nothing=1",
]


def lists() -> Iterator[tuple[str, list[str]]]:
    """Each list with the columns that it filters by."""
    for model, page in desk.site._registry.items():
        named = [_column(name[0] if isinstance(name, tuple) else name) for name in page.list_filter]
        url = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        times = [field.name for field in model._meta.fields if isinstance(field, models.DateField)]
        yield url, [*named, *times]


def _column(of: Any) -> str:
    return of if isinstance(of, str) else str(of.parameter_name)


def asked(columns: list[str]) -> list[str]:
    return [*ALWAYS, *(f"{column}{how}" for column in columns for how in OF_A_COLUMN)]


def test_no_list_or_export_breaks_on_what_it_is_asked(as_: Visitor, live: Collection, admin: User) -> None:
    client = as_("admin")
    client.raise_request_exception = False
    broken, answers = [], set()
    for url, columns in lists():
        pages = ["", "export.csv"] if client.get(f"{url}export.csv").status_code == 200 else [""]
        for asking in asked(columns):
            for page in pages:
                answer = client.get(f"{url}{page}?{asking}")
                answers.add(answer.status_code)
                if answer.status_code >= 500:
                    broken.append(f"{url}{page}?{asking}")
    assert broken == []
    assert answers <= {200, 302, 400, 404}


@pytest.mark.parametrize(
    ("model", "query"),
    [
        ("auditevent", "at__year=9999999"),
        ("auditevent", "at__gte=x"),
        ("auditevent", "q=" + quote("a " * (MOST_WORDS + 1))),
        ("benchmark", f"id__exact={HUGE}x"),
    ],
)
def test_a_list_says_that_it_was_asked_for_what_it_has_not(
    as_: Visitor, collection: Collection, model: str, query: str
) -> None:
    page = as_("viewer").get(f"/admin/registry/{model}/?{query}")
    assert page.status_code == 400
    assert "cannot be read" in text_of(page)
    assert f'href="/admin/registry/{model}/"' in page.content.decode()


def test_history_that_cannot_be_filtered_so_is_not_exported_whole(as_: Visitor, collection: Collection) -> None:
    for query in ("at__gte=x", "at__year=9999999"):
        answer = as_("editor").get(f"/admin/registry/auditevent/export.csv?{query}")
        assert (answer.status_code, "cannot be read" in text_of(answer)) == (400, True)


def test_choices_are_searched_without_a_fault(as_: Visitor, collection: Collection) -> None:
    client = as_("editor")
    client.raise_request_exception = False
    Organization.objects.create(key="o", name="O")
    where = "app_label=registry&model_name=configuration&field_name=model"
    for more in ("term=%00", "term=" + quote("a " * 900), "page=x", f"page={HUGE}", "term=x&page=-1"):
        assert client.get(f"/admin/autocomplete/?{where}&{more}").status_code < 500, more
