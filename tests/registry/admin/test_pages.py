"""What holds for every page of the desk: help on every field, nothing inline, a bounded number of queries."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib import admin as desk
from django.contrib.auth.models import User
from django.db import connection
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from registry import models
from registry.admin.base import CuratedAdmin
from registry.admin.desk import Desk
from registry.models import Collection, EvidenceMapping
from tests.desk import address, text_of
from tests.registry.admin.conftest import Visitor

INLINE = re.compile(r"<style|\sstyle=|<script(?![^>]*\ssrc=)[^>]*>|\son[a-z]+=|javascript:", re.IGNORECASE)


def paths() -> Iterator[str]:
    yield from ("/admin/", "/admin/registry/", "/admin/login/", "/admin/one-time-password/", "/admin/password_change/")
    for model, page in desk.site._registry.items():
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        yield reverse(f"{name}_changelist")
        record = model._base_manager.first()
        if record is not None:
            yield address(record)
            yield address(record, "history")
        if page.has_add_permission(_request()):
            yield reverse(f"{name}_add")


def _request() -> Any:
    request = RequestFactory().get("/")
    request.user = User(is_superuser=True, is_active=True)
    return request


def test_no_page_carries_style_or_script_of_its_own(as_: Visitor, live: Collection) -> None:
    admin = as_("admin")
    seen = 0
    for path in paths():
        page = admin.get(path, follow=True)
        found = INLINE.search(page.content.decode())
        assert found is None, (path, found and page.content.decode()[found.start() : found.start() + 120])
        assert "'unsafe-inline'" not in page["Content-Security-Policy"]
        seen += 1
    assert seen > 90


def test_what_is_not_there_is_told_at_the_desk_with_a_way_back(as_: Visitor, collection: Collection) -> None:
    for path in ("/admin/registry/nothing/", "/admin/nothing/", "/admin/confirm/no-such-decision/"):
        page = as_("viewer").get(path)
        said = text_of(page)
        assert page.status_code == 404
        assert "There is no such page at the desk" in said
        assert path in said
        assert "Back to the queue" in said
        assert "Http404" not in said
        outside = as_("anonymous").get(path, follow=True)
        assert "There is no such page at the desk" not in text_of(outside)


def test_no_filter_is_named_like_a_column_without_sense(as_: Visitor, live: Collection) -> None:
    """Django puts "By" before each title."""
    request = _request()
    request.user = User.objects.create(username="walker", is_superuser=True, is_staff=True)
    titles, choices = set(), set()
    for page in desk.site._registry.values():
        lists = page.get_changelist_instance(request)
        titles |= {str(spec.title) for spec in lists.filter_specs}
        choices |= {str(choice.get("display")) for spec in lists.filter_specs for choice in spec.choices(lists)}
    assert {"person", "time", "verb", "review", "state"} <= titles
    assert not titles & {"by", "at", "lifted at", "reviewed at", "created by"}
    assert {"waiting", "reviewed", "in force", "lifted"} <= choices
    assert not choices & {"Empty", "Not empty"}


def test_removing_is_offered_only_where_it_can_be_done(as_: Visitor, mapping: EvidenceMapping) -> None:
    editor = as_("editor")
    page = editor.get(address(mapping.benchmark))
    assert "deletelink" not in page.content.decode()
    assert "It cannot be removed, because it is used by: evidence mappings, metric contracts." in text_of(page)
    alone = models.CapabilityAtom.objects.create(key="unused", title="Unused")
    page = editor.get(address(alone))
    assert "deletelink" in page.content.decode()
    assert "It cannot be removed" not in text_of(page)
    assert "It cannot be removed" not in text_of(as_("viewer").get(address(mapping.benchmark)))


def test_every_field_says_what_it_means(as_: Visitor, mapping: EvidenceMapping, admin: User) -> None:
    request = RequestFactory().get("/")
    request.user = admin
    silent = [
        f"{model.__name__}.{name}"
        for model, page in desk.site._registry.items()
        if isinstance(page, CuratedAdmin)
        for form in _forms(page, request, mapping if model is EvidenceMapping else None)
        for name, field in form.base_fields.items()
        if not field.help_text and not field.widget.is_hidden
    ]
    assert silent == []


def _forms(page: Any, request: Any, record: Any) -> Iterator[Any]:
    yield page.get_form(request, record)
    for inline in page.get_inline_instances(request, record):
        yield inline.get_formset(request, record).form


def test_every_list_can_be_searched_and_counts_once() -> None:
    for model, page in desk.site._registry.items():
        assert isinstance(page, Desk), model
        assert page.search_fields, model
        assert set(page.actions or ()) <= {"review"}, "each leads to a confirm page"
        assert page.show_full_result_count is False, model


def queries(client: Any, path: str) -> int:
    client.get(path)  # permissions and content types are cached by the first
    with CaptureQueriesContext(
        connection,
    ) as captured:
        assert client.get(path).status_code == 200
    return len(captured)


def more_records(collection: Collection) -> None:
    """Three times as much of what lists and pages show."""
    contract = models.MetricContract.objects.filter(kind="rate")[0]
    result = models.Result.objects.filter(contract=contract)[0]
    mapping = models.EvidenceMapping.objects.get(collection=collection)
    for number in range(8):
        facet = models.Facet.objects.create(
            collection=collection, slug=f"f{number}", title=f"F {number}", description="F", weight=0, mode="external"
        )
        task = models.Task.objects.create(facet=facet, key=f"t{number}", title=f"T {number}")
        models.MappingFacet.objects.create(mapping=mapping, facet=facet)
        models.TaskAlignment.objects.create(mapping=mapping, task=task, directness=10, reason="Some.")
        configuration = models.Configuration.objects.create(
            key=f"maker/hidden-9@{number}", model=result.configuration.model, subject_kind="model", effort=str(number)
        )
        models.ConfigurationAlias.objects.create(name=f"alias {number}", configuration=configuration)
        again = models.Result.objects.get(pk=result.pk)
        again.pk, again.configuration = None, configuration
        again.save(force_insert=True)
        models.Organization.objects.create(key=f"o{number}", name="O")


@pytest.mark.parametrize("name", ["viewer", "editor"])
def test_the_number_of_queries_does_not_grow(as_: Visitor, live: Collection, name: str) -> None:
    client = as_(name)
    mapping = models.EvidenceMapping.objects.get(collection=live)
    lists = [
        reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        for model in desk.site._registry
        if model._meta.app_label in ("registry", "ranking")
    ]
    watched = [path for path in lists if client.get(path).status_code == 200]
    watched += ["/admin/", address(live), address(mapping), address(mapping, "history")]
    before = {path: queries(client, path) for path in watched}
    more_records(live)
    after = {path: queries(client, path) for path in watched}
    grown = {path: (before[path], after[path]) for path in watched if after[path] > before[path] + 1}
    assert grown == {}
    assert max(after.values()) < 45
