"""Who may open what: every page of the desk for every role, from one table."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib import admin as desk
from django.contrib.auth.models import User
from django.db.models import Model
from django.urls import reverse
from django.utils import timezone
from django_otp.plugins.otp_totp.models import TOTPDevice

from ranking.models import PublishRequest, Release
from registry import models
from registry.models import Collection, Curated
from tests.desk import address
from tests.registry.admin.conftest import Visitor

ROLES = ("anonymous", "viewer", "editor", "publisher", "admin")
LOG_IN, YES, NO, GONE = 302, 200, 403, 404

EVERYBODY = (LOG_IN, YES, YES, YES, YES)
EDITORS = (LOG_IN, NO, YES, NO, YES)
SUPERUSERS = (LOG_IN, NO, NO, NO, YES)
REFUSED = (LOG_IN, NO, 409, NO, 409)
"""Editors get to the decision, which has nothing to decide about."""
NOBODY = (LOG_IN, NO, NO, NO, NO)

Expected = dict[str, tuple[int, ...]]
SEEN: Expected = {"changelist": EVERYBODY, "change": EVERYBODY, "history": EVERYBODY}
MADE_BY_ACTIONS = SEEN | {"add": NOBODY, "delete": NOBODY}
ROWS_OF_MAPPINGS = (
    "registry.mappingfacet",
    "registry.mappinglineage",
    "registry.measurement",
    "registry.taskalignment",
)
PAGES: dict[str, Expected] = {
    "registry.exclusion": SEEN | {"add": EDITORS, "delete": NOBODY},
    **dict.fromkeys(ROWS_OF_MAPPINGS, MADE_BY_ACTIONS),
    "registry.importbatch": SEEN | {"add": EDITORS, "delete": NOBODY},
    "auth.user": {**dict.fromkeys((*SEEN, "add"), SUPERUSERS), "delete": NOBODY},
    "otp_totp.totpdevice": {**dict.fromkeys((*SEEN, "delete"), SUPERUSERS), "add": NOBODY},
}


def expected(model: type[Model]) -> Expected:
    if issubclass(model, Curated) and model._meta.label_lower not in PAGES:
        return SEEN | {"add": EDITORS, "delete": EDITORS}
    return PAGES.get(model._meta.label_lower, MADE_BY_ACTIONS)


@pytest.fixture
def one_of_each(live: Collection, admin: User) -> None:
    """What the example category has none of."""
    now = timezone.now()
    task, configuration = models.Task.objects.all()[0], models.Configuration.objects.get()
    other = models.Configuration.objects.create(key="b", model=configuration.model, subject_kind="model")
    judge = models.Judge.objects.create(key="crowd", person=True)
    batch = models.ImportBatch.objects.get()
    models.SampleOutput.objects.create(task=task, configuration=configuration, text="Hello.")
    models.ConfigurationAlias.objects.create(name="Hidden 9", configuration=configuration)
    models.MappingProfile.objects.create(key="plain", title="Plain")
    models.Job.objects.create(kind="k", key="k", created_at=now, not_before=now)
    models.Confirmation.objects.create(
        nonce="0f8fad5b-d9cb-469f-a165-70867728950e", action="seal", object_key="x", by="editor", at=now
    )
    models.Comparison.objects.create(
        comparison_id="1", task=task, a=configuration, b=other, outcome="a", judge=judge, source=batch.source,
        batch=batch, line=2,
    )  # fmt: skip
    TOTPDevice.objects.create(user=admin, name="one")
    assert PublishRequest.objects.exists()
    assert Release.objects.exists()


def addresses(model: type[Model]) -> Iterator[tuple[str, str]]:
    name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
    record = model._base_manager.first()
    assert record is not None, model
    for page in ("changelist", "add"):
        yield page, reverse(f"{name}_{page}")
    for page in ("change", "history", "delete"):
        yield page, reverse(f"{name}_{page}", args=(record.pk,))


def test_every_page_for_every_role(as_: Visitor, one_of_each: None) -> None:
    visitors = {role: as_(role) for role in ROLES}
    found, wanted = {}, {}
    for model in desk.site._registry:
        for page, url in addresses(model):
            for role, status in zip(ROLES, expected(model)[page], strict=True):
                found[role, url] = visitors[role].get(url).status_code
                wanted[role, url] = status
    assert found == wanted
    assert len(found) > 600


@pytest.mark.parametrize(
    ("url", "statuses"),
    [
        ("/admin/", EVERYBODY),
        ("/admin/registry/", EVERYBODY),
        ("/admin/one-time-password/", EVERYBODY),
        ("/admin/password_change/", EVERYBODY),
        ("/admin/registry/result/export.csv", (LOG_IN, NO, YES, YES, YES)),
        ("/admin/registry/comparison/export.json", (LOG_IN, NO, YES, YES, YES)),
        ("/admin/registry/result/import/", (LOG_IN, LOG_IN, LOG_IN, LOG_IN, LOG_IN)),
        ("/admin/registry/auditevent/export.csv", (LOG_IN, NO, YES, YES, YES)),
        ("/admin/registry/importbatch/{batch}/refused.csv", (LOG_IN, NO, GONE, GONE, GONE)),
        ("/admin/registry/collection/{collection}/preview/", EVERYBODY),
        ("/admin/confirm/apply-import/?batch={batch}", REFUSED),
        ("/admin/confirm/revert-batch/?batch={batch}", EDITORS),
        ("/admin/confirm/exclude/?scope=lineage&target=x&type=track&reason=y&lift_condition=z", REFUSED),
        ("/admin/confirm/lift-exclusion/?exclusion={exclusion}", EDITORS),
        ("/admin/confirm/seal/?collection=customer-service", EDITORS),
        ("/admin/confirm/publish/?release={candidate}", (LOG_IN, NO, NO, YES, YES)),
        ("/admin/confirm/withdraw/?publication={publication}", (LOG_IN, NO, NO, YES, YES)),
        ("/admin/confirm/no-such-decision/", (LOG_IN, GONE, GONE, GONE, GONE)),
    ],
)
def test_every_other_page_for_every_role(
    as_: Visitor, one_of_each: None, editor: User, url: str, statuses: tuple[int, ...]
) -> None:
    from ranking.actions import seal
    from ranking.models import Publication

    facet = models.Facet.objects.filter(collection__slug="customer-service")[0]
    models.Facet.objects.filter(pk=facet.pk).update(title="Otherwise")
    known = {
        "batch": models.ImportBatch.objects.get().pk,
        "collection": facet.collection_id,
        "exclusion": models.Exclusion.objects.get().pk,
        "candidate": seal.seal(collection=facet.collection, by=editor).pk,
        "publication": Publication.objects.get().pk,
    }
    assert tuple(as_(role).get(url.format(**known)).status_code for role in ROLES) == statuses


@pytest.mark.parametrize(
    ("path", "statuses"),
    [
        ("registry/importbatch/{batch}/discard/", EDITORS),
        ("registry/importbatch/{batch}/again/", EDITORS),
        ("registry/collection/{collection}/recompute/", (LOG_IN, NO, YES, YES, YES)),
        ("registry/importbatch/add/", EDITORS),
        ("registry/exclusion/add/", EDITORS),
        ("registry/publisher/add/", EDITORS),
        ("registry/auditevent/add/", NOBODY),
        ("ranking/release/{release}/change/", NOBODY),
        ("ranking/release/{release}/delete/", NOBODY),
    ],
)
def test_posting_is_refused_like_looking(as_: Visitor, one_of_each: None, path: str, statuses: tuple[int, ...]) -> None:
    """Who may, gets past the door: to a page or on to the next one."""
    known: dict[str, Any] = {
        "batch": models.ImportBatch.objects.get().pk,
        "collection": models.Collection.objects.all()[0].pk,
        "release": Release.objects.all()[0].pk,
    }
    for role, status in zip(ROLES, statuses, strict=True):
        answer = as_(role).post(f"/admin/{path.format(**known)}", {})
        if role == "anonymous":
            assert answer["Location"].startswith("/admin/login/")
        else:
            assert (answer.status_code == NO) == (status == NO), (role, answer.status_code)


def test_a_refusal_says_why_and_leads_back(as_: Visitor, collection: Collection) -> None:
    answer = as_("viewer").get("/admin/registry/importbatch/add/")
    assert "registry.import_result" in answer.content.decode()
    assert 'href="/admin/"' in answer.content.decode()


def test_staff_without_a_role_see_a_desk_without_a_registry(as_: Visitor, viewer: User) -> None:
    viewer.groups.clear()
    page = as_("viewer").get("/admin/")
    assert (page.status_code, page.context["queue"], page.context["app_list"]) == (200, [], [])


def test_readers_are_not_let_in(as_: Visitor, viewer: User) -> None:
    viewer.is_staff = False
    viewer.save()
    assert as_("viewer").get("/admin/")["Location"] == "/admin/login/?next=/admin/"


def test_a_viewer_reads_the_forms_and_cannot_save(as_: Visitor, collection: Collection) -> None:
    page = as_("viewer").get(address(collection)).content.decode()
    assert "for reading" in page
    assert 'name="_save"' not in page
    assert 'name="title"' not in page
    assert as_("viewer").post(address(collection), {"title": "Mine"}).status_code == 403
