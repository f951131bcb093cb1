"""Accounts and roles change through actions: in the history, without a password in it."""

from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, User

from registry.models import AuditEvent
from tests.desk import address, form_on, opened, text_of
from tests.registry.admin.conftest import Visitor

ADD = "/admin/auth/user/add/"


def test_an_account_is_made_with_its_role(as_: Visitor, admin: User) -> None:
    editors = Group.objects.get(name="editor")
    typed = form_on(as_("admin").get(ADD), "user_form")
    typed |= {"username": ["maria"], "password1": ["wintergreen-7"], "password2": ["wintergreen-7"]}
    typed |= {"is_staff": ["on"], "groups": [str(editors.pk)]}
    assert as_("admin").post(ADD, typed).status_code == 302
    maria = User.objects.get(username="maria")
    event = AuditEvent.objects.get(object_type="auth.user")
    assert (maria.check_password("wintergreen-7"), maria.has_perm("ranking.seal_release")) == (True, True)
    assert event.after is not None
    assert (event.by, event.after["roles"], "password" in event.after) == ("admin", ["editor"], False)
    assert not LogEntry.objects.exists()


def test_a_change_of_role_is_told(as_: Visitor, viewer: User) -> None:
    client = as_("admin")
    typed = opened(client, viewer) | {"groups": [str(Group.objects.get(name="publisher").pk)]}
    assert client.post(address(viewer), typed).status_code == 302
    event = AuditEvent.objects.get(object_type="auth.user")
    assert (event.before, event.after) == ({"roles": ["viewer"]}, {"roles": ["publisher"]})
    assert "roles viewer publisher" in text_of(client.get(address(viewer, "history")))


def test_nobody_gets_another_name(as_: Visitor, admin: User) -> None:
    """A seal is by a name, and nobody publishes their own."""
    client = as_("admin")
    typed = opened(client, admin)
    assert "username" not in typed
    assert client.post(address(admin), typed | {"username": ["admin-2"], "first_name": ["Ada"]}).status_code == 302
    admin.refresh_from_db()
    assert (admin.username, admin.first_name) == ("admin", "Ada")


def test_nothing_changed_is_not_told(as_: Visitor, viewer: User) -> None:
    client = as_("admin")
    assert client.post(address(viewer), opened(client, viewer)).status_code == 302
    assert not AuditEvent.objects.exists()


def test_a_new_password_is_told_and_not_shown(as_: Visitor, viewer: User) -> None:
    typed = {"password1": "wintergreen-7", "password2": "wintergreen-7", "usable_password": "true", "set-password": "1"}
    assert as_("admin").post(f"/admin/auth/user/{viewer.pk}/password/", typed).status_code == 302
    viewer.refresh_from_db()
    event = AuditEvent.objects.get()
    assert (viewer.check_password("wintergreen-7"), event.verb, event.after) == (True, "change-password", None)


def test_only_a_superuser_makes_another(as_: Visitor, viewer: User, editor: User) -> None:
    from django.contrib.auth.models import Permission

    editor.user_permissions.add(*Permission.objects.filter(codename__in=("change_user", "view_user")))
    client = as_("editor")
    typed = opened(client, viewer) | {"is_superuser": ["on"]}
    assert client.post(address(viewer), typed).status_code == 403
    viewer.refresh_from_db()
    assert not viewer.is_superuser
