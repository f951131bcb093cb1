"""Who may do what, against the table of the domain; and the account of the commands."""

from collections.abc import Iterable

import pytest
from django.contrib.auth.models import Group, Permission, User

from registry.actions.base import Refused
from registry.actions.roles import set_up_roles
from registry.people import COMMAND_LINE, acting_user

pytestmark = pytest.mark.django_db

CURATED = [
    "benchmark", "capabilityatom", "collection", "configuration", "configurationalias", "edition", "evidencemapping",
    "facet", "judge", "lineage", "lineagelink", "mappingfacet", "mappinglineage", "mappingprofile", "measurement",
    "metriccontract", "modelrelease", "organization", "protocol", "publisher", "rightsdecision", "sampleoutput",
    "suite", "task", "taskalignment",
]  # fmt: skip
EDITING = {f"registry.{verb}_{model}" for model in CURATED for verb in ("add", "change", "delete")}
BEYOND_VIEWING = {
    "viewer": set(),
    "editor": EDITING
    | {
        "registry.add_exclusion",
        "registry.lift_exclusion",
        "registry.import_result",
        "registry.export_result",
        "registry.apply_importbatch",
        "registry.revert_importbatch",
        "ranking.add_gateevaluation",
        "ranking.seal_release",
        "ranking.add_gatepolicy",
        "ranking.change_gatepolicy",
    },
    "publisher": {"ranking.add_gateevaluation", "ranking.publish_release", "registry.export_result"},
}


def names(permissions: Iterable[Permission]) -> set[str]:
    return {f"{permission.content_type.app_label}.{permission.codename}" for permission in permissions}


@pytest.mark.parametrize("role", BEYOND_VIEWING)
def test_a_role_sees_everything_and_does_only_what_its_row_says(role: str) -> None:
    held = names(Group.objects.get(name=role).permissions.select_related("content_type"))
    ours = Permission.objects.filter(content_type__app_label__in=("registry", "ranking"))
    viewing = names(ours.filter(codename__startswith="view_").select_related("content_type"))
    assert {"registry.view_result", "registry.view_auditevent", "ranking.view_release"} <= viewing
    assert held == viewing | BEYOND_VIEWING[role]


def test_nobody_who_seals_may_publish() -> None:
    sealing = Permission.objects.get(codename="seal_release")
    publishing = Permission.objects.get(codename="publish_release")
    assert set(sealing.group_set.values_list("name", flat=True)) == {"editor"}
    assert set(publishing.group_set.values_list("name", flat=True)) == {"publisher"}


def test_setting_up_again_restores_the_table_and_nothing_else() -> None:
    editor = Group.objects.get(name="editor")
    before = names(editor.permissions.select_related("content_type"))
    editor.permissions.add(Permission.objects.get(codename="publish_release"))
    own = Group.objects.create(name="own group of the installation")
    set_up_roles()
    assert names(editor.permissions.select_related("content_type")) == before
    assert list(Group.objects.exclude(name__in=BEYOND_VIEWING)) == [own]
    assert User.objects.filter(username=COMMAND_LINE).count() == 1


def test_the_command_line_account_edits_and_cannot_log_in() -> None:
    account = acting_user(None)
    assert (account.username, account.is_staff, account.is_superuser) == ("command-line", False, False)
    assert not account.has_usable_password()
    assert account.has_perm("registry.apply_importbatch")
    assert not account.has_perm("ranking.publish_release")


def test_a_command_names_its_user() -> None:
    editor = User.objects.create_user("ada")
    assert acting_user("ada") == editor
    User.objects.create_user("gone", is_active=False)
    for name in ("nobody", "gone"):
        with pytest.raises(Refused, match=f"no active user '{name}'"):
            acting_user(name)
    User.objects.filter(username=COMMAND_LINE).delete()
    with pytest.raises(Refused, match="run migrate"):
        acting_user(None)
